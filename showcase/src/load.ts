// What a screen loads, and how it grows block by block.

import { useCallback, useEffect, useRef, useState } from 'react'

export type Loaded<Answer> = {
  /** The last answer, also while it is loaded again, so that the layout stays. */
  readonly answer: Answer | undefined
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
  replace(change: (answer: Answer) => Answer): void
}

type State<Answer> = { key: string; answer?: Answer; error?: unknown; isLoading: boolean }

/** `key` says what is loaded: another key begins anew. Another `version` of the same loads it again. */
export function useLoad<Answer>(key: string, load: () => Promise<Answer>, version = 0): Loaded<Answer> {
  const [state, setState] = useState<State<Answer>>({ key, isLoading: true })
  const latest = useRef(0)
  const current = useRef(load)
  current.current = load

  const reload = useCallback(async () => {
    const turn = ++latest.current
    setState((before) => ({ ...(before.key === key ? before : { key }), error: undefined, isLoading: true }))
    try {
      const answer = await current.current()
      if (turn === latest.current) setState({ key, answer, isLoading: false })
    } catch (error) {
      if (turn === latest.current) setState((before) => ({ ...before, error, isLoading: false }))
    }
  }, [key])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is loaded again
  useEffect(() => {
    reload()
    return () => {
      latest.current++
    }
  }, [reload, version])

  const shown = state.key === key ? state : { key, isLoading: true }
  return {
    answer: shown.answer,
    error: shown.error,
    isLoading: shown.isLoading,
    reload,
    replace: (change) =>
      setState((before) => (before.answer === undefined ? before : { ...before, answer: change(before.answer) })),
  }
}

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

type Growth<Item> = {
  key: string
  items?: readonly Item[]
  error?: unknown
  isLoading: boolean
  hasMore: boolean
}

/** Takes `step` items at a time from an iterator of the client, which requests blocks as they are needed. */
export function useGrowing<Item>(key: string, open: () => AsyncIterable<Item>, step = 20): Grown<Item> {
  const [state, setState] = useState<Growth<Item>>({ key, isLoading: true, hasMore: false })
  const iterator = useRef<AsyncIterator<Item> | undefined>(undefined)
  const latest = useRef(0)
  const current = useRef(open)
  current.current = open

  const grow = useCallback(
    async (from: readonly Item[], count: number) => {
      const turn = ++latest.current
      if (from.length === 0) iterator.current = current.current()[Symbol.asyncIterator]()
      setState((before) => ({
        ...(before.key === key ? before : { key, hasMore: false }),
        error: undefined,
        isLoading: true,
      }))
      try {
        const { items, isDone } = await take(iterator.current as AsyncIterator<Item>, count)
        if (turn !== latest.current) return
        // Not those of `from`: they may have been replaced meanwhile, as by a like.
        const grown = (before: Growth<Item>) => (from.length === 0 ? items : [...(before.items ?? []), ...items])
        setState((before) => ({ key, items: grown(before), isLoading: false, hasMore: !isDone }))
      } catch (error) {
        // An iterator that has failed has ended: only loading again helps.
        if (turn === latest.current) setState((before) => ({ ...before, error, isLoading: false, hasMore: false }))
      }
    },
    [key],
  )

  useEffect(() => {
    grow([], step)
    return () => {
      latest.current++
    }
  }, [grow, step])

  const shown: Growth<Item> = state.key === key ? state : { key, isLoading: true, hasMore: false }
  const items = shown.items ?? []
  return {
    items: shown.items,
    error: shown.error,
    isLoading: shown.isLoading,
    hasMore: shown.hasMore,
    more: () => grow(items, step),
    reload: () => grow([], Math.max(step, items.length)),
    replace: (change) =>
      setState((before) => (before.items === undefined ? before : { ...before, items: change(before.items) })),
  }
}

async function take<Item>(iterator: AsyncIterator<Item>, count: number) {
  const items: Item[] = []
  while (items.length < count) {
    const next = await iterator.next()
    if (next.done === true) return { items, isDone: true }
    items.push(next.value)
  }
  return { items, isDone: false }
}
