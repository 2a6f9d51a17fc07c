import { useEffect, useRef } from 'react'
import type { PagedList } from '../api/resource.ts'
import { DateTime, Progress } from './basics.tsx'
import { Problem } from './problem.tsx'

/** Below a list: loads the next page, and shows progress, refusal and the end of the list. */
export function LoadMore({ list }: { list: MoreProps }) {
  const { items, loading, refusal, hasMore, searchedUntil = null, more, reload } = list
  const end = useRef<HTMLParagraphElement>(null)
  const wasRequested = useRef(false)

  // The button, which has the focus, disappears after the last page.
  useEffect(() => {
    if (loading || !wasRequested.current) return
    wasRequested.current = false
    end.current?.focus({ preventScroll: true })
  }, [loading])

  function loadNext(): void {
    if (loading) return
    wasRequested.current = true
    more()
  }

  return (
    // Another element than the one that showed progress, which would move below the list.
    <div key={items.length === 0 ? 'empty' : 'list'}>
      {refusal && <Problem refusal={refusal} onRetry={items.length === 0 ? reload : more} />}
      {loading && items.length === 0 && <Progress />}
      {hasMore && searchedUntil !== null && (
        <p className="quiet">
          Searched back to <DateTime at={searchedUntil} />.
        </p>
      )}
      {hasMore && (
        <button type="button" onClick={loadNext} aria-disabled={loading}>
          {loading ? 'Loading …' : searchedUntil === null ? 'Load more' : 'Search further'}
        </button>
      )}
      {!hasMore && !loading && items.length > 0 && (
        <p className="quiet" ref={end} tabIndex={-1}>
          End of list: {items.length} {items.length === 1 ? 'item' : 'items'}.
        </p>
      )}
    </div>
  )
}

type MoreProps = Pick<PagedList<unknown>, 'items' | 'loading' | 'refusal' | 'hasMore' | 'more' | 'reload'> &
  Partial<Pick<PagedList<unknown>, 'searchedUntil'>>
