// Single-key shortcuts in the queue and on a subject's page.

import { useEffect, useRef, useState } from 'react'
import { ACTIONS } from '../moderation/subject.ts'
import styles from './shortcuts.module.css'

const OFF_KEY = 'paddock-shortcuts-off'

function shortcutsAreOn(): boolean {
  return localStorage.getItem(OFF_KEY) === null
}

/** Calls the function of a key, except while text is typed or a dialog is open, or with Ctrl, Alt or Meta. */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
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

const NAVIGATION: [keys: string[], what: string][] = [
  [['j', 'down'], 'next in the queue'],
  [['k', 'up'], 'previous in the queue'],
  [['s'], 'select (with Shift: up to here)'],
  [['a'], 'select all shown'],
  [['escape'], 'select none'],
  [['w'], 'write a note (Escape to leave)'],
  [['t'], 'what to tell the author (Escape to leave)'],
  [['l'], 'labels'],
  [['e'], 'escalate'],
  [['v'], 'open full page'],
  [['u'], 'undo the last decision'],
  [['/', 'ctrl k'], 'search'],
  [['?'], 'show shortcuts'],
]

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
        <KeyTable title="Navigation" rows={NAVIGATION} />
        <KeyTable title="Profiles" rows={ACTIONS.profile.map(({ key, label }) => [[key], label.toLowerCase()])} />
        <KeyTable title="Comments" rows={ACTIONS.comment.map(({ key, label }) => [[key], label.toLowerCase()])} />
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

function KeyTable({ title, rows }: { title: string; rows: [keys: string[], what: string][] }) {
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
