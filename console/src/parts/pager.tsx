// A long list, fifty rows a page. The pages that were loaded stay: going back shows them at once, and the browser's Back
// returns to the same page.

import { useState } from 'react'
import { scrollContainer, useHistoryState } from '../../../web/history-state.ts'
import type { PagedList } from '../api/resource.ts'
import { DateTime, Progress } from './basics.tsx'
import { TextField } from './fields.tsx'
import { KeyHint } from './key-hint.tsx'
import styles from './pager.module.css'
import { Problem } from './problem.tsx'
import { useKeys } from './shortcuts.tsx'

/** As many as the server answers at once. */
const PAGE = 50

export type Pages<Item> = {
  /** The rows of this page. */
  shown: Item[]
  /** Of the first of them, from 0. */
  start: number
  list: PagedList<Item>
  hasNext: boolean
  next(): void
  previous(): void
}

export function usePages<Item>(list: PagedList<Item>): Pages<Item> {
  const [stored, setPage] = useHistoryState('page', 0)
  const { items, hasMore, loading } = list
  // The list may have become shorter.
  const last = Math.max(0, Math.ceil(items.length / PAGE) - 1)
  const page = Math.min(stored, loading ? stored : last)
  const start = page * PAGE
  const shown = items.slice(start, start + PAGE)
  const isLoaded = items.length > start + PAGE

  function go(to: number): void {
    setPage(to)
    scrollContainer().scrollTo(0, 0)
  }

  return {
    shown,
    start,
    list,
    hasNext: isLoaded || hasMore,
    next() {
      if (isLoaded) go(page + 1)
      else if (hasMore && !loading) {
        // A page that is not full, because few rows pass the filters, is filled first.
        if (shown.length === PAGE) go(page + 1)
        list.more()
      }
    },
    previous() {
      if (page > 0) go(page - 1)
    },
  }
}

type PagerProps = {
  pages: Pages<unknown>
  /** Opens the list from the end of a day on; without it the list has no days. */
  onDate?: (day: string) => void
}

/** Below a list. `n` and `p` turn the pages. */
export function Pager({ pages, onDate }: PagerProps) {
  const { shown, start, list, hasNext, next, previous } = pages
  const { items, loading, refusal, hasMore, searchedUntil, more, reload } = list
  useKeys({ nextPage: next, previousPage: previous })
  const isShort = hasMore && shown.length < PAGE && searchedUntil !== null
  return (
    // Another element than the one that showed progress, which would move below the list.
    <div key={items.length === 0 ? 'empty' : 'list'} className={styles.pager}>
      {refusal && <Problem refusal={refusal} onRetry={items.length === 0 ? reload : more} />}
      {loading && shown.length === 0 && <Progress />}
      {isShort && (
        <p className="quiet">
          Searched back to <DateTime at={searchedUntil} />.
        </p>
      )}
      <nav aria-label="Pages" className={styles.steps}>
        <button type="button" aria-keyshortcuts="p" aria-disabled={start === 0} onClick={previous}>
          Previous page <KeyHint letter="p" />
        </button>
        <button type="button" aria-keyshortcuts="n" aria-disabled={!hasNext || loading} onClick={next}>
          {isShort ? 'Search further' : 'Next page'} <KeyHint letter="n" />
        </button>
        <span role="status" className="quiet">
          {shown.length > 0 && `Rows ${start + 1} to ${start + shown.length}${hasNext ? '' : ', the last'}`}
        </span>
        {onDate && <DateForm onDate={onDate} />}
      </nav>
    </div>
  )
}

function DateForm({ onDate }: { onDate: (day: string) => void }) {
  const [day, setDay] = useState('')
  return (
    <form
      className={styles.date}
      onSubmit={(event) => {
        event.preventDefault()
        onDate(day)
      }}
    >
      <TextField label="Go to date" type="date" value={day} onChange={setDay} required />
      <button type="submit">Go</button>
    </form>
  )
}
