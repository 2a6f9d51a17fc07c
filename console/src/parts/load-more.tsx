import { useEffect, useRef } from 'react'
import type { PagedList } from '../resource.ts'
import { Progress } from './basics.tsx'
import { Problem } from './problem.tsx'

/** Under a list: the next page, and what became of asking for it. */
export function LoadMore({ list }: { list: MoreProps }) {
  const { items, loading, refusal, hasMore, more, reload } = list
  const end = useRef<HTMLParagraphElement>(null)
  const isAsked = useRef(false)

  // The button that had the focus goes with the last page.
  useEffect(() => {
    if (loading || !isAsked.current) return
    isAsked.current = false
    end.current?.focus({ preventScroll: true })
  }, [loading])

  function ask(): void {
    if (loading) return
    isAsked.current = true
    more()
  }

  return (
    <div className="more">
      {refusal && <Problem refusal={refusal} onRetry={items.length === 0 ? reload : more} />}
      {loading && items.length === 0 && <Progress />}
      {hasMore && (
        <button type="button" onClick={ask} aria-disabled={loading}>
          {loading ? 'Loading …' : 'Load more'}
        </button>
      )}
      {!hasMore && !loading && items.length > 0 && (
        <p className="quiet" ref={end} tabIndex={-1}>
          That is all: {items.length}.
        </p>
      )}
    </div>
  )
}

type MoreProps = Pick<PagedList<unknown>, 'items' | 'loading' | 'refusal' | 'hasMore' | 'more' | 'reload'>
