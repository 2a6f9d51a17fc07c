import { useCallback, useEffect, useRef, useState } from 'react'
import type { DepositsPage, Page, ReviewQueue } from '../../src/operator/api-types.ts'
import { type Api, asRefusal, Refusal } from './api.ts'
import { useHistoryState } from './history-state.ts'
import { useSession } from './session.tsx'

export type Resource<Answer> = {
  /** The last answer, also while it is loaded again, so that the layout stays. */
  answer: Answer | undefined
  refusal: Refusal | undefined
  loading: boolean
  reload(): void
  /** Shows the answer of another call instead. */
  replace(answer: Answer): void
}

/** The answer of a GET; `path` null: nothing to load yet. */
export function useResource<Answer>(path: string | null): Resource<Answer> {
  const { api } = useSession()
  const [state, setState] = useState<{ path: string | null; answer?: Answer; refusal?: Refusal; loading: boolean }>({
    path: null,
    loading: path !== null,
  })
  const latest = useRef(0)

  const load = useCallback(async () => {
    if (path === null) return
    const turn = ++latest.current
    setState((before) => ({ ...(before.path === path ? before : {}), path, loading: true }))
    try {
      const answer = await api<Answer>('GET', path)
      if (turn === latest.current) setState({ path, answer, loading: false })
    } catch (error) {
      if (turn === latest.current) setState({ path, refusal: asRefusal(error), loading: false })
    }
  }, [api, path])

  useEffect(() => {
    load()
  }, [load])

  const current = state.path === path ? state : undefined
  return {
    answer: current?.answer,
    refusal: current?.refusal,
    loading: current?.loading ?? path !== null,
    reload: load,
    replace: (answer) => setState({ path, answer, loading: false }),
  }
}

export type PagedList<Item> = Omit<Resource<Item[]>, 'answer' | 'replace'> & {
  items: Item[]
  hasMore: boolean
  /** The length of a queue. */
  waiting: number
  /** How far the loaded pages of a long list were searched; null: to its end, or every page was full. */
  searchedUntil: string | null
  more(): void
}

type ListState<Item> = {
  path: string | null
  items: Item[]
  cursor: string | null
  waiting: number
  searchedUntil: string | null
  loading: boolean
}

const EMPTY = { items: [], cursor: null, waiting: 0, searchedUntil: null }

/** A list that grows page by page. `path` may have a query. Back shows as many pages as before. */
export function usePagedList<Item>(path: string | null, limit?: number): PagedList<Item> {
  const { api } = useSession()
  const [restored, store] = useHistoryState<ListState<Item> | undefined>(`list ${path}`, undefined)
  const [state, setState] = useState<ListState<Item>>(restored ?? { path: null, ...EMPTY, loading: path !== null })
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const latest = useRef(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the state changes
  useEffect(() => store(state), [state])

  const load = useCallback(
    async (from: string | null, least = 1) => {
      if (path === null) return
      const turn = ++latest.current
      setRefusal(undefined)
      setState((before) => (before.path === path ? { ...before, loading: true } : { path, ...EMPTY, loading: true }))
      try {
        const page = await loadPages<Item>(api, { path, limit, from, least })
        if (turn !== latest.current) return
        setState((before) => ({
          path,
          items: from === null ? page.items : [...before.items, ...page.items],
          cursor: page.cursor,
          waiting: from === null ? (page.waiting ?? 0) : before.waiting,
          searchedUntil: page.searchedUntil ?? null,
          loading: false,
        }))
      } catch (error) {
        if (turn !== latest.current) return
        setRefusal(asRefusal(error))
        setState((before) => ({ ...before, loading: false }))
      }
    },
    [api, path, limit],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: Back loads what was shown before, once
  useEffect(() => {
    load(null, restored?.items.length)
  }, [load])

  const current = state.path === path
  return {
    items: current ? state.items : [],
    refusal,
    loading: current ? state.loading : path !== null,
    hasMore: current && state.cursor !== null,
    waiting: state.waiting,
    searchedUntil: current ? state.searchedUntil : null,
    reload: () => load(null),
    more: () => load(state.cursor),
  }
}

/** Only queues are counted, and only long lists are searched. */
type ListPage<Item> = Page<Item> & Partial<Pick<ReviewQueue, 'waiting'> & Pick<DepositsPage, 'searchedUntil'>>
type PageRequest = { path: string; limit: number | undefined; from: string | null; least: number }

/** Pages in which a search found too little, one after the other; then somebody decides whether it goes on. */
const MOST_SHORT_PAGES = 10

/** One page, or as many as contain `least` items. */
async function loadPages<Item>(
  api: Api,
  { path, limit, from, least }: PageRequest,
): Promise<ListPage<Item> & { items: Item[] }> {
  const items: Item[] = []
  let shortPages = 0
  for (let cursor = from; ; ) {
    const query = new URLSearchParams()
    if (limit !== undefined) query.set('limit', String(limit))
    if (cursor !== null) query.set('cursor', cursor)
    const page = await api<ListPage<Item>>('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
    if (!Array.isArray(page.items)) throw new Refusal(0, 'Unreadable response', 'The server’s response is not a list.')
    items.push(...page.items)
    cursor = page.cursor ?? null
    if (page.searchedUntil) shortPages++
    const isEnough = items.length >= least || shortPages === MOST_SHORT_PAGES
    if (cursor === null || isEnough) return { ...page, items, cursor }
  }
}
