import { useEffect } from 'react'
import { useHistoryState } from '../../web/history-state.ts'
import { type ListState, type Page, useGrowingList } from '../../web/load.ts'
import { useSession } from './session.tsx'

export type Grown<Item> = {
  readonly items: readonly Item[] | undefined
  readonly error: unknown
  readonly isLoading: boolean
  readonly hasMore: boolean
  more(): void
  /** Loads as many as are shown again, without emptying the list. */
  reload(): void
  replace(change: (items: readonly Item[]) => readonly Item[]): void
}

/**
 * Takes `step` items at a time from an iterator of the client, which requests blocks as they are needed. Back shows as many
 * as before.
 */
export function useGrowing<Item>(key: string, open: () => AsyncIterable<Item>, step = 20): Grown<Item> {
  type Block = Page<Item, AsyncIterator<Item>>
  const loadPage = (from: AsyncIterator<Item> | null, count: number): Promise<Block> =>
    take(from ?? open()[Symbol.asyncIterator](), count)
  const { customer } = useSession()
  const name = `list of ${customer.username}: ${key}`
  const [restored, store] = useHistoryState<ListState<Item, Block> | undefined>(name, undefined)
  const { state, load, replace } = useGrowingList<Item, AsyncIterator<Item>, Block>(key, {
    loadPage,
    least: step,
    restored,
  })
  useEffect(() => store(state), [state, store])
  const { items, last, error, isLoading } = state
  return {
    items,
    error,
    isLoading,
    // An iterator that has failed has ended: only loading again helps.
    hasMore: error === undefined && (last?.next ?? null) !== null,
    more: () => load(last?.next ?? null, step),
    reload: () => load(null, Math.max(step, items?.length ?? 0)),
    replace,
  }
}

async function take<Item>(iterator: AsyncIterator<Item>, count: number): Promise<Page<Item, AsyncIterator<Item>>> {
  const items: Item[] = []
  while (items.length < count) {
    const next = await iterator.next()
    if (next.done === true) return { items, next: null }
    items.push(next.value)
  }
  return { items, next: iterator }
}
