import { useCallback, useEffect, useRef, useState } from 'react'
import { asRefusal, type Page, Refusal } from './api.ts'
import { useSession } from './session.tsx'

export type Loaded<Answer> = {
  /** What was answered last; kept while it is read again, so that nothing jumps. */
  answer: Answer | undefined
  refusal: Refusal | undefined
  loading: boolean
  reload(): void
  /** Puts in place what another call answered. */
  replace(answer: Answer): void
}

/** What a GET answers; `path` null: nothing to ask yet. */
export function useLoaded<Answer>(path: string | null): Loaded<Answer> {
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

export type Listed<Item> = Omit<Loaded<Item[]>, 'answer' | 'replace'> & {
  items: Item[]
  hasMore: boolean
  more(): void
}

/** A list with a cursor: pages are added to what is shown. `path` may have a query. */
export function useList<Item>(path: string | null, limit?: number): Listed<Item> {
  const { api } = useSession()
  const [state, setState] = useState<{ path: string | null; items: Item[]; cursor: string | null; loading: boolean }>({
    path: null,
    items: [],
    cursor: null,
    loading: path !== null,
  })
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const latest = useRef(0)

  const load = useCallback(
    async (cursor: string | null) => {
      if (path === null) return
      const turn = ++latest.current
      setRefusal(undefined)
      setState((before) =>
        before.path === path ? { ...before, loading: true } : { path, items: [], cursor: null, loading: true },
      )
      const query = new URLSearchParams()
      if (limit !== undefined) query.set('limit', String(limit))
      if (cursor !== null) query.set('cursor', cursor)
      try {
        const page = await api<Page<Item>>('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
        if (!Array.isArray(page.items))
          throw new Refusal(0, 'Unreadable answer', 'The server’s list is of another kind.')
        if (turn !== latest.current) return
        setState((before) => ({
          path,
          items: cursor === null ? page.items : [...before.items, ...page.items],
          cursor: page.cursor ?? null,
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

  useEffect(() => {
    load(null)
  }, [load])

  const current = state.path === path
  return {
    items: current ? state.items : [],
    refusal,
    loading: current ? state.loading : path !== null,
    hasMore: current && state.cursor !== null,
    reload: () => load(null),
    more: () => load(state.cursor),
  }
}
