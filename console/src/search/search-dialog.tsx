// Search from anywhere: Ctrl-K, Cmd-K or /. The field keeps the focus; arrow keys choose among the results.

import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Problem } from '../parts/problem.tsx'
import { useKeys } from '../parts/shortcuts.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { FINDER_CALLS } from './finder.tsx'
import { GROUP_TITLES, linkOf, type SearchGroup, searchLink, useSearch } from './results.ts'
import styles from './search-dialog.module.css'

/** `open` is undefined for who may search nothing. */
export function useSearchDialog() {
  const may = usePermission()
  const [isOpen, setOpen] = useState(false)
  const offered = FINDER_CALLS.some(may)
  useKeys(offered ? { '/': () => setOpen(true) } : {})
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'k'
      if (!isShortcut || !offered) return
      event.preventDefault()
      // Another dialog wants its own answer first.
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [offered])
  return { isOpen, open: offered ? () => setOpen(true) : undefined, close: () => setOpen(false) }
}

type Option = { id: string; href: string }

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const prefix = useId()
  const [typed, setTyped] = useState('')
  const { found, loading } = useSearch(typed)
  const q = typed.trim()
  const groups = found?.groups ?? []
  const options: Option[] = q === '' ? [] : optionsOf(groups, q, prefix)
  const { active, onKeyDown } = useChoice(options, found, (chosen) => {
    // The results may be those of an earlier text: then the page searches for what is typed.
    open(loading ? searchLink(q) : chosen.href)
  })

  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  function open(href: string): void {
    dialog.current?.close()
    location.hash = href
  }

  return (
    <dialog ref={dialog} aria-label="Search" onClose={onClose} className={styles.searchDialog}>
      <input
        role="combobox"
        aria-label="Search"
        aria-expanded={options.length > 0}
        aria-controls={`${prefix}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active?.id}
        placeholder="Name, text, ID, payment, amount …"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {found?.refusal && <Problem refusal={found.refusal} />}
      <div role="listbox" id={`${prefix}-list`} aria-label="Results" className={styles.searchResults}>
        {groups.map((group) => (
          <Group key={group.kind} group={group} prefix={prefix} active={active} onOpen={open} />
        ))}
        {q !== '' && (
          <OptionLine option={options.at(-1) as Option} active={active} onOpen={open}>
            <span className={styles.title}>All results for “{q}”</span>
          </OptionLine>
        )}
      </div>
      <Footer text={statusOf(q, loading, groups)} onClose={() => dialog.current?.close()} />
    </dialog>
  )
}

/** The option that Enter opens: the first of new results, then as the arrow keys go. */
function useChoice(options: readonly Option[], results: unknown, onEnter: (chosen: Option) => void) {
  const [choice, setChoice] = useState({ results, index: 0 })
  const chosen = choice.results === results ? choice.index : 0
  const last = options.length - 1
  const active = options[Math.min(chosen, last)]

  const activeId = active?.id
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function onKeyDown(event: ReactKeyboardEvent): void {
    if (active === undefined || event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) onEnter(active)
    else setChoice({ results, index: (Math.min(chosen, last) + step + options.length) % options.length })
  }

  return { active, onKeyDown }
}

function Footer({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <>
      <p className="quiet" role="status">
        {text}
      </p>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  )
}

function optionsOf(groups: readonly SearchGroup[], q: string, prefix: string): Option[] {
  const items = groups.flatMap((group) => group.items)
  return [
    ...items.map((item) => ({ id: `${prefix}-${item.kind}-${item.id}`, href: linkOf(item) })),
    { id: `${prefix}-all`, href: searchLink(q) },
  ]
}

function statusOf(q: string, loading: boolean, groups: readonly SearchGroup[]): string {
  if (q === '') return 'Type to search.'
  if (loading) return 'Searching …'
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return count === 0 ? 'Nothing found.' : `${count} ${count === 1 ? 'result' : 'results'}.`
}

type Choosing = { active: Option | undefined; onOpen: (href: string) => void }

function Group({ group, prefix, ...choosing }: { group: SearchGroup; prefix: string } & Choosing) {
  const titleId = `${prefix}-${group.kind}`
  // A listbox may have groups, and no fieldset.
  const attributes = { role: 'group', 'aria-labelledby': titleId }
  return (
    <div {...attributes}>
      <div id={titleId} className="section-title" role="presentation">
        {GROUP_TITLES[group.kind]}
      </div>
      {group.items.map((item) => (
        <OptionLine
          key={item.id}
          option={{ id: `${prefix}-${item.kind}-${item.id}`, href: linkOf(item) }}
          {...choosing}
        >
          <span className={styles.title}>{item.title}</span>
          <span className="quiet">{item.detail}</span>
        </OptionLine>
      ))}
    </div>
  )
}

function OptionLine({ option, active, onOpen, children }: { option: Option; children: React.ReactNode } & Choosing) {
  return (
    // The field keeps the focus, and aria-activedescendant names the option.
    <a
      role="option"
      href={option.href}
      tabIndex={-1}
      id={option.id}
      className={styles.searchOption}
      aria-selected={option.id === active?.id}
      onClick={() => onOpen(option.href)}
    >
      {children}
    </a>
  )
}
