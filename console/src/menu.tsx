import { useEffect, useId, useRef, useState } from 'react'
import type { LiveCounts } from '../../src/operator/api-types.ts'
import { Icon } from '../../web/icons.tsx'
import { linkTo } from '../../web/route.ts'
import { MAX_COUNTED } from './api/api.ts'
import { useCounts } from './api/live.tsx'
import styles from './menu.module.css'
import type { Screen } from './screen.ts'
import { iconOf } from './screen-icons.ts'

type MenuProps = {
  offered: readonly Screen[]
  /** The name of the open screen. */
  name: string
  /** Whether the menu of a phone is open; a wide screen always shows it. */
  isOpen: boolean
}

/** The screens in groups that fold. The group of the screen that is open unfolds, and its entry comes into view. */
export function Menu({ offered, name, isOpen }: MenuProps) {
  const groups = Map.groupBy(offered, ({ section }) => section ?? '')
  const active = offered.find((screen) => screen.name === name)?.section ?? undefined
  const { folded, fold } = useFolded(active)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (name !== '' || isOpen) showEntry(list.current)
  }, [name, isOpen])
  return (
    <div ref={list}>
      {[...groups].map(([title, items]) => (
        <Group
          key={title}
          {...{ title, items, name }}
          isFolded={folded.includes(title)}
          onFold={(isFolded) => fold(title, isFolded)}
        />
      ))}
    </div>
  )
}

/** Only where it is out of view, and not with scrollIntoView: the first Tab would then start there. */
function showEntry(list: HTMLElement | null): void {
  const box = list?.closest('header')
  const entry = list?.querySelector('[aria-current]')?.getBoundingClientRect()
  if (!box || !entry) return
  const { top, bottom } = box.getBoundingClientRect()
  if (entry.bottom > bottom) box.scrollTop += entry.bottom - bottom
  else if (entry.top < top) box.scrollTop -= top - entry.top
}

const STORED = 'paddock-folded'

function readFolded(): string[] {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '[]')
  } catch {
    return []
  }
}

/** The titles of the groups that are folded, stored in this browser. */
function useFolded(active: string | undefined) {
  const [folded, setFolded] = useState(readFolded)
  const [opened, setOpened] = useState<string>()
  if (opened !== active) {
    setOpened(active)
    setFolded(folded.filter((title) => title !== active))
  }
  useEffect(() => {
    if (folded.length === 0) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, JSON.stringify(folded))
  }, [folded])
  const fold = (title: string, isFolded: boolean) =>
    setFolded((before) => (isFolded ? [...before, title] : before.filter((one) => one !== title)))
  return { folded, fold }
}

type GroupProps = {
  title: string
  items: readonly Screen[]
  name: string
  isFolded: boolean
  onFold: (isFolded: boolean) => void
}

function Group({ title, items, name, isFolded, onFold }: GroupProps) {
  const id = useId()
  return (
    <div className={styles.group}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.title}
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => onFold(!isFolded)}
        >
          <Icon name={isFolded ? 'more' : 'expanded'} />
          {title}
        </button>
        {isFolded && <Count screens={items} />}
      </div>
      <ul id={id} hidden={isFolded} aria-label={title}>
        {items.map((screen) => (
          <li key={screen.name} className={styles.line}>
            <a href={linkTo(screen.name)} aria-current={screen.name === name ? 'page' : undefined}>
              <Icon name={iconOf(screen.name)} />
              {screen.title}
            </a>
            <Count screens={[screen]} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What waits, by the name of the screen. */
function waitingOf({ profiles, comments, held, appeals, ...others }: LiveCounts): Readonly<Record<string, number>> {
  return {
    queue: profiles.waiting + comments.waiting + held.waiting + appeals.waiting,
    'deposit-review': others.deposits.waiting,
    withdrawals: others.withdrawals.waiting,
    disputes: others.disputes.waiting,
    unapplied: others.unapplied.waiting,
    webhooks: others.webhooks.failing,
  }
}

/** Beside the link, whose name stays the screen's; of a folded group, all of it. */
function Count({ screens }: { screens: readonly Screen[] }) {
  const counts = useCounts()
  if (counts === undefined) return null
  const waiting = waitingOf(counts)
  const shown = screens.reduce((sum, { name }) => sum + (waiting[name] ?? 0), 0)
  if (shown === 0) return null
  const { profiles, comments, held, appeals, deposits } = counts
  const isMore = [profiles, comments, held, appeals, deposits].some((one) => one.waiting >= MAX_COUNTED)
  const isFailing = screens.every(({ name }) => name === 'webhooks' || !waiting[name])
  return (
    <span className={styles.count}>
      {shown}
      {isMore && !isFailing && '+'}
      <span className="hidden-text"> {isFailing ? 'failing' : 'waiting'}</span>
    </span>
  )
}
