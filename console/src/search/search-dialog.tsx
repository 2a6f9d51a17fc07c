// Search from anywhere: Ctrl-K, Cmd-K or /. The field keeps the focus; arrow keys choose among the results.

import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { NameOf } from '../parts/names.tsx'
import { Problem } from '../parts/problem.tsx'
import { useKeys } from '../parts/shortcuts.tsx'
import { usePermission } from '../sign-in/session.tsx'
import { type Command, type MenuPage, useCommands } from './commands.ts'
import { FINDER_CALLS } from './finder.tsx'
import { type Recent, recentLink, useRecent } from './recent.ts'
import { GROUP_TITLES, linkOf, type SearchGroup, searchLink, useSearch } from './results.ts'
import styles from './search-dialog.module.css'

/** A screen as the menu and the addresses know it. */
type OfferedScreen = MenuPage & { hasId?: true; section: string | null }

/** `open` is undefined for who may search nothing. */
export function useSearchDialog() {
  const may = usePermission()
  const [isOpen, setOpen] = useState(false)
  const offered = FINDER_CALLS.some(may)
  useKeys(offered ? { search: () => setOpen(true) } : {})
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

type Line = {
  id: string
  href: string
  title: ReactNode
  detail?: ReactNode
  /** Not a result of the API, which may be that of an earlier text. */
  isOwn?: true
}
type Section = { key: string; title: string; lines: readonly Line[] }

/** `offered`: the screens that the role may open. */
export function SearchDialog({ offered, onClose }: { offered: readonly OfferedScreen[]; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const prefix = useId()
  const [typed, setTyped] = useState('')
  const q = typed.trim()
  const { sections, found, loading } = useSections(q, offered, prefix)
  const all: Line = { id: `${prefix}-all`, href: searchLink(q), title: `All results for “${q}”` }
  const lines = [...sections.flatMap((section) => section.lines), ...(q === '' ? [] : [all])]
  const { active, onKeyDown } = useChoice(lines, found?.q === q ? found : q, (chosen) => {
    // The results may be those of an earlier text: then the page searches for what is typed.
    open(loading && !chosen.isOwn ? searchLink(q) : chosen.href)
  })

  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  function open(href: string): void {
    dialog.current?.close()
    location.hash = href
  }

  const choosing = { active, onOpen: open }
  return (
    <dialog ref={dialog} aria-label="Search" onClose={onClose} className={styles.searchDialog}>
      <input
        role="combobox"
        aria-label="Search"
        aria-expanded={lines.length > 0}
        aria-controls={`${prefix}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active?.id}
        placeholder="Name, ID, amount …"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {found?.refusal && <Problem refusal={found.refusal} />}
      <div role="listbox" id={`${prefix}-list`} aria-label="Results" className={styles.searchResults}>
        {sections.map((section) => (
          <Group key={section.key} section={section} prefix={prefix} {...choosing} />
        ))}
        {q !== '' && <OptionLine line={all} {...choosing} />}
      </div>
      <Footer text={statusOf(q, loading, lines.length - 1)} onClose={() => dialog.current?.close()} />
    </dialog>
  )
}

/** The sections that have lines: what was opened last, or the results for a text. */
function useSections(q: string, offered: readonly OfferedScreen[], prefix: string) {
  const { found, loading } = useSearch(q)
  const recent = useRecent()
  const pages = offered.filter(({ section }) => section !== null)
  const commands = useCommands(q, pages)
  const sections =
    q === ''
      ? [recentSection(recent, offered, prefix)]
      : [commandSection(commands, prefix), ...(found?.groups ?? []).map((group) => resultSection(group, prefix))]
  return { sections: sections.filter(({ lines }) => lines.length > 0), found, loading }
}

function recentSection(recent: readonly Recent[], offered: readonly OfferedScreen[], prefix: string): Section {
  const lines = recent.flatMap((one) => {
    const screen = offered.find(({ name, hasId }) => name === one.screen && hasId)
    if (screen === undefined) return []
    const kind = NAMED[one.screen]
    const text = `${screen.title} ${one.id}`
    const line: Line = {
      id: `${prefix}-recent-${one.screen}-${one.id}`,
      href: recentLink(one),
      ...(kind ? { title: <NameOf kind={kind} id={one.id} />, detail: text } : { title: text }),
      isOwn: true,
    }
    return [line]
  })
  return { key: 'recent', title: 'Recent', lines }
}

const NAMED: Readonly<Record<string, 'customer' | 'profile'>> = {
  customers: 'customer',
  profiles: 'profile',
  tipsters: 'profile',
}

function commandSection(commands: readonly Command[], prefix: string): Section {
  const lines = commands.map((one) => ({ ...one, id: `${prefix}-${one.id}`, isOwn: true as const }))
  return { key: 'commands', title: 'Pages and actions', lines }
}

function resultSection({ kind, items }: SearchGroup, prefix: string): Section {
  const lines = items.map((item) => ({ ...item, id: `${prefix}-${kind}-${item.id}`, href: linkOf(item) }))
  return { key: kind, title: GROUP_TITLES[kind], lines }
}

/** The option that Enter opens: the first of new results, then as the arrow keys go. */
function useChoice(options: readonly Line[], results: unknown, onEnter: (chosen: Line) => void) {
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

function statusOf(q: string, loading: boolean, count: number): string {
  if (q === '') return 'Type to search.'
  if (loading) return 'Searching …'
  return count === 0 ? 'Nothing found.' : `${count} ${count === 1 ? 'result' : 'results'}.`
}

type Choosing = { active: Line | undefined; onOpen: (href: string) => void }

function Group({ section, prefix, ...choosing }: { section: Section; prefix: string } & Choosing) {
  const titleId = `${prefix}-${section.key}`
  // A listbox may have groups, and no fieldset.
  const attributes = { role: 'group', 'aria-labelledby': titleId }
  return (
    <div {...attributes}>
      <div id={titleId} className="section-title" role="presentation">
        {section.title}
      </div>
      {section.lines.map((line) => (
        <OptionLine key={line.id} line={line} {...choosing} />
      ))}
    </div>
  )
}

function OptionLine({ line, active, onOpen }: { line: Line } & Choosing) {
  return (
    // The field keeps the focus, and aria-activedescendant names the option.
    <a
      role="option"
      href={line.href}
      tabIndex={-1}
      id={line.id}
      className={styles.searchOption}
      aria-selected={line.id === active?.id}
      onClick={() => onOpen(line.href)}
    >
      <span className={styles.title}>{line.title}</span>
      {line.detail !== undefined && <span className="quiet">{line.detail}</span>}
    </a>
  )
}
