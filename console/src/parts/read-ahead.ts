import { useEffect, useEffectEvent } from 'react'
import type { PagedList } from '../api/resource.ts'

/** The next page is loaded when this few are left below the selected one. */
const READ_AHEAD = 5

export function useReadAhead({ items, hasMore, loading, more }: PagedList<unknown>, index: number): void {
  const isNear = index >= items.length - READ_AHEAD
  const canLoad = hasMore && !loading
  const load = useEffectEvent(more)
  useEffect(() => {
    if (isNear && canLoad) load()
  }, [isNear, canLoad])
}
