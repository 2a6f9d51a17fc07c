// A long list, fifty rows a page. The address has the number of the page, so that Back and a reload lead to the same one. The
// pages that were loaded stay: going back shows them at once.

import { useEffect, useEffectEvent, useState } from 'react'
import { scrollContainer } from '../../../web/history-state.ts'
import { openPage, useRoute } from '../../../web/route.ts'
import type { PagedList } from '../api/resource.ts'
import { DateTime, Progress } from './basics.tsx'
import { TextField } from './fields.tsx'
import { KeyHint } from './key-hint.tsx'
import { countText } from './numbers.ts'
import styles from './pager.module.css'
import { Problem } from './problem.tsx'
import { useKeys } from './shortcuts.tsx'

/** As many as the server answers at once. */
const PAGE = 50
/** An address with a higher one would load for long: the list is read from its beginning. */
const MAX_PAGES = 200

export type Pages<Item> = {
  /** The rows of this page. */
  shown: Item[]
  /** The index of the first item, from 0. */
  start: number
  list: PagedList<Item>
  hasNext: boolean
  next(): void
  previous(): void
}

/** A screen has one such list. */
export function usePages<Item>(list: PagedList<Item>): Pages<Item> {
  const given = Math.min(Number(useRoute().query.get('page')) || 1, MAX_PAGES) - 1
  const { items, hasMore, loading, refusal, searchedUntil } = list
  const last = Math.max(0, Math.ceil(items.length / PAGE) - 1)
  const isMissing = given > last && hasMore && !refusal && searchedUntil === null
  // The list may have become shorter.
  const page = loading || isMissing ? given : Math.min(given, last)
  const start = page * PAGE
  const shown = items.slice(start, start + PAGE)
  const isLoaded = items.length > start + PAGE

  const more = useEffectEvent(list.more)
  useEffect(() => {
    if (isMissing && !loading) more()
  }, [isMissing, loading])

  function go(to: number): void {
    openPage(to + 1)
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

/** A list whose rows are all there, for its pages. */
export function wholeList<Item>(items: readonly Item[]): PagedList<Item> {
  const ended = { refusal: undefined, loading: false, hasMore: false, waiting: items.length, searchedUntil: null }
  return { ...ended, items: [...items], more() {}, reload() {} }
}

type PagerProps = {
  pages: Pages<unknown>
  /** The day that the list begins with; '': it has its usual beginning. */
  day?: string
  /** Opens the list from a day on; without it the list has no days. */
  onDate?: (day: string) => void
}

/** Below a list. `n` and `p` turn the pages. */
export function Pager({ pages, day = '', onDate }: PagerProps) {
  const { shown, start, list, hasNext, next, previous } = pages
  const { items, loading, refusal, hasMore, searchedUntil, more, reload } = list
  // An empty list has no pages, but may have rows on other days.
  const isNeeded = items.length > 0 || hasMore || day !== ''
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
      {isNeeded && (
        <PageSteps
          next={next}
          previous={previous}
          hasNext={hasNext && !loading}
          hasPrevious={start > 0}
          nextLabel={isShort ? 'Search further' : 'Next page'}
          status={rowsText(pages)}
          day={day}
          onDate={onDate}
        />
      )}
    </div>
  )
}

/** "Rows 51 to 52 of 52": how many there are is known on the last page. */
function rowsText({ shown, start, hasNext }: Pages<unknown>): string {
  const last = start + shown.length
  if (shown.length === 0) return ''
  const rows = shown.length === 1 ? `Row ${countText(last)}` : `Rows ${countText(start + 1)} to ${countText(last)}`
  return hasNext ? rows : `${rows} of ${countText(last)}`
}

type StepsProps = Pick<Pages<unknown>, 'hasNext' | 'next' | 'previous'> & {
  hasPrevious: boolean
  nextLabel?: string
  /** Which rows are shown. */
  status: string
  day: string
  onDate: ((day: string) => void) | undefined
}

export function PageSteps({ next, previous, hasNext, hasPrevious, nextLabel, status, day, onDate }: StepsProps) {
  useKeys({ nextPage: next, previousPage: previous })
  return (
    <nav aria-label="Pages" className={styles.steps}>
      <button type="button" aria-keyshortcuts="p" aria-disabled={!hasPrevious} onClick={previous}>
        Previous page <KeyHint letter="p" />
      </button>
      <button type="button" aria-keyshortcuts="n" aria-disabled={!hasNext} onClick={next}>
        {nextLabel ?? 'Next page'} <KeyHint letter="n" />
      </button>
      <span role="status" className="quiet">
        {status}
      </span>
      {onDate && <DateForm key={day} given={day} onDate={onDate} />}
    </nav>
  )
}

function DateForm({ given, onDate }: { given: string; onDate: (day: string) => void }) {
  const [day, setDay] = useState(given)
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
      {given !== '' && (
        <button type="button" onClick={() => onDate('')}>
          All dates
        </button>
      )}
    </form>
  )
}
