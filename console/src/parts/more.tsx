import type { Listed } from '../loading.ts'
import { Progress } from './basics.tsx'
import { Problem } from './problem.tsx'

/** Under a list: the next page, and what became of asking for it. */
export function More({
  list,
}: {
  list: Pick<Listed<unknown>, 'items' | 'loading' | 'refusal' | 'hasMore' | 'more' | 'reload'>
}) {
  const { items, loading, refusal, hasMore, more, reload } = list
  return (
    <div className="more">
      {refusal && <Problem refusal={refusal} onRetry={items.length === 0 ? reload : more} />}
      {loading && items.length === 0 && <Progress />}
      {hasMore && (
        <button type="button" onClick={more} disabled={loading}>
          {loading ? 'Loading …' : 'Load more'}
        </button>
      )}
      {!hasMore && !loading && items.length > 0 && <p className="quiet">That is all: {items.length}.</p>}
    </div>
  )
}
