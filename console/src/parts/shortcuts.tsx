// Single-key shortcuts. One table names each with its keys: it binds them, and the dialog lists it.

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ACTIONS } from '../moderation/subject.ts'
import styles from './shortcuts.module.css'

const OFF_KEY = 'paddock-shortcuts-off'

function shortcutsAreOn(): boolean {
  return localStorage.getItem(OFF_KEY) === null
}

/** Keys as the browser names them, in small letters. */
const SHORTCUTS = {
  search: { keys: ['/'], what: 'search', group: 'Everywhere', alsoBy: 'ctrl k' },
  shortcuts: { keys: ['?'], what: 'show shortcuts', group: 'Everywhere' },
  nextPage: { keys: ['n'], what: 'next page', group: 'Lists' },
  previousPage: { keys: ['p'], what: 'previous page', group: 'Lists' },
  next: { keys: ['j', 'arrowdown'], what: 'next in the queue', group: 'Queues' },
  previous: { keys: ['k', 'arrowup'], what: 'previous in the queue', group: 'Queues' },
  open: { keys: ['v'], what: 'open full page', group: 'Queues' },
  decide: { keys: ['enter'], what: 'choose the result of a deposit', group: 'Queues' },
  select: { keys: ['s'], what: 'select (with Shift: up to here)', group: 'Queues' },
  selectAll: { keys: ['a'], what: 'select all shown', group: 'Queues' },
  selectNone: { keys: ['escape'], what: 'select none', group: 'Queues' },
  note: { keys: ['w'], what: 'write a note (Escape to leave)', group: 'Queues' },
  reasons: { keys: ['t'], what: 'reasons for the author (Escape to leave)', group: 'Queues' },
  labels: { keys: ['l'], what: 'labels', group: 'Queues' },
  escalate: { keys: ['e'], what: 'escalate', group: 'Queues' },
  undo: { keys: ['u'], what: 'undo the last decision', group: 'Queues' },
} as const satisfies Record<string, { keys: string[]; what: string; group: string; alsoBy?: string }>

type Shortcut = keyof typeof SHORTCUTS
type Run = (event: KeyboardEvent) => void

/**
 * Calls the function of a shortcut, or of an action's letter (`letters`), except while text is typed or a dialog is open, or with
 * Ctrl, Alt or Meta.
 */
export function useKeys(shortcuts: { [Name in Shortcut]?: Run }, letters: Record<string, Run> = {}): void {
  const latest = useRef(letters)
  latest.current = { ...byKey(shortcuts), ...letters }
  // Not later: keys work as soon as one sees what they act on.
  useLayoutEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || !shortcutsAreOn()) return
      const target = event.target as HTMLElement
      if (target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null) return
      // Enter presses what has the focus.
      if (event.key === 'Enter' && target.closest('a, button, summary') !== null) return
      const run = latest.current[event.key.toLowerCase()]
      if (run === undefined) return
      event.preventDefault()
      run(event)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

function byKey(shortcuts: { [Name in Shortcut]?: Run }): Record<string, Run> {
  const given = Object.entries(shortcuts) as [Shortcut, Run][]
  return Object.fromEntries(given.flatMap(([name, run]) => SHORTCUTS[name].keys.map((key) => [key, run])))
}

type KeyRow = [keys: string[], what: string]

function rowsOf(group: string): KeyRow[] {
  const rows: { keys: readonly string[]; what: string; group: string; alsoBy?: string }[] = Object.values(SHORTCUTS)
  return rows
    .filter((one) => one.group === group)
    .map(({ keys, what, alsoBy }) => [[...keys.map(shownKey), ...(alsoBy === undefined ? [] : [alsoBy])], what])
}

const shownKey = (key: string) => key.replace('arrow', '')

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [on, setOn] = useState(shortcutsAreOn)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  function enable(next: boolean): void {
    if (next) localStorage.removeItem(OFF_KEY)
    else localStorage.setItem(OFF_KEY, 'yes')
    setOn(next)
  }

  return (
    <dialog ref={dialog} aria-labelledby="shortcuts-title" onClose={onClose} className={styles.shortcuts}>
      <h2 id="shortcuts-title">Shortcuts</h2>
      <div className="columns">
        <div>
          <KeyTable title="Everywhere" rows={rowsOf('Everywhere')} />
          <KeyTable title="Lists" rows={rowsOf('Lists')} />
          <KeyTable title="Profiles" rows={ACTIONS.profile.map(({ key, label }) => [[key], label.toLowerCase()])} />
          <KeyTable title="Tips" rows={ACTIONS.comment.map(({ key, label }) => [[key], label.toLowerCase()])} />
        </div>
        <KeyTable title="Queues" rows={rowsOf('Queues')} />
      </div>
      <label className="check">
        <input type="checkbox" checked={on} onChange={(event) => enable(event.target.checked)} /> Enable shortcuts
      </label>
      <div className="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  )
}

function KeyTable({ title, rows }: { title: string; rows: KeyRow[] }) {
  return (
    <table className={styles.keys}>
      <caption>{title}</caption>
      <tbody>
        {rows.map(([keys, what]) => (
          <tr key={what}>
            <th scope="row">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
