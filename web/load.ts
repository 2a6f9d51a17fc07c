// What a screen loads, and lists that grow page by page.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

export type Loaded<Answer> = {
  /** The last answer, also while it is loaded again and after an error, so that the layout stays. */
  readonly answer: Answer | undefined
  /** The error of the last load; it stays until the next one has ended. */
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
  /** Shows the answer of another call instead. */
  show(answer: Answer): void
}

type State<Answer> = { key: string | null; answer?: Answer; error?: unknown; isLoading: boolean }

/** `key` identifies what is loaded: another key begins anew, null loads nothing. Another `version` of the same loads it again. */
export function useLoad<Answer>(
  key: string | null,
  load: () => Promise<Answer>,
  version: number | string = 0,
): Loaded<Answer> {
  const [state, setState] = useState<State<Answer>>({ key, isLoading: key !== null })
  const current = useRef(load)
  current.current = load
  const latest = useRef(0)
  const wanted = useMemo(() => ({ key, version }), [key, version])

  const reload = useCallback(async () => {
    const { key } = wanted
    if (key === null) return
    const turn = ++latest.current
    setState((before) => ({ ...(before.key === key ? before : { key }), isLoading: true }))
    try {
      const answer = await current.current()
      if (turn === latest.current) setState({ key, answer, isLoading: false })
    } catch (error) {
      if (turn === latest.current) setState((before) => ({ ...before, error, isLoading: false }))
    }
  }, [wanted])

  useEffect(() => {
    reload()
    return () => {
      latest.current++
    }
  }, [reload])

  const { answer, error, isLoading } = state.key === key ? state : { isLoading: key !== null }
  return { answer, error, isLoading, reload, show: (shown) => setState({ key, answer: shown, isLoading: false }) }
}

/** `next`: where the next page begins; null: this is the last one. */
export type Page<Item, Place> = { readonly items: readonly Item[]; readonly next: Place | null }

export type ListState<Item, P> = {
  readonly key: string
  /** undefined until the first page is there. */
  readonly items?: readonly Item[]
  readonly first?: P
  readonly last?: P
  readonly error?: unknown
  readonly isLoading: boolean
}

export type GrowingList<Item, Place, P extends Page<Item, Place>> = {
  readonly state: ListState<Item, P>
  /** From a place on, or from the beginning (null): the page then replaces the list, which stays until it is there. */
  load(from: Place | null, least: number): Promise<void>
  replace(change: (items: readonly Item[]) => readonly Item[]): void
}

type ListOptions<Item, Place, P> = {
  loadPage: (from: Place | null, least: number) => Promise<P>
  /** How many items the first page has at least. */
  least: number
  /** A state from before: the list is shown at once, and loaded again as long as it was. */
  restored?: ListState<Item, P> | undefined
}

/** `key` identifies what is listed: another key begins anew. */
export function useGrowingList<Item, Place, P extends Page<Item, Place>>(
  key: string,
  options: ListOptions<Item, Place, P>,
): GrowingList<Item, Place, P> {
  const { least } = options
  const restored = useRef(options.restored)
  const [state, setState] = useState<ListState<Item, P>>(restored.current ?? { key, isLoading: true })
  const current = useRef(options.loadPage)
  current.current = options.loadPage
  const latest = useRef(0)

  const load = useCallback(
    async (from: Place | null, wanted: number) => {
      const turn = ++latest.current
      setState(({ error: _, ...before }) => ({ ...(before.key === key ? before : { key }), isLoading: true }))
      try {
        const page = await current.current(from, wanted)
        if (turn === latest.current) setState((before) => grown(before, page, from === null))
      } catch (error) {
        if (turn === latest.current) setState((before) => ({ ...before, error, isLoading: false }))
      }
    },
    [key],
  )

  useEffect(() => {
    const shown = restored.current?.key === key ? restored.current.items : undefined
    load(null, Math.max(least, shown?.length ?? 0))
    return () => {
      latest.current++
    }
  }, [load, key, least])

  const replace = useCallback((change: (items: readonly Item[]) => readonly Item[]) => {
    setState((before) => (before.items === undefined ? before : { ...before, items: change(before.items) }))
  }, [])
  return { state: state.key === key ? state : { key, isLoading: true }, load, replace }
}

/** Adds to the items that are shown now, not to those when it began: they may have been replaced, as by a like. */
function grown<Item, P extends Page<Item, unknown>>(before: ListState<Item, P>, page: P, isFirst: boolean) {
  const { key, items = [], first = page } = before
  if (isFirst) return { key, items: page.items, first: page, last: page, isLoading: false }
  return { key, items: [...items, ...page.items], first, last: page, isLoading: false }
}
