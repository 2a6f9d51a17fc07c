import { useCallback, useEffect, useRef, useState } from 'react'
import { useHistoryState } from '../parts/history-state.ts'
import { useSession } from '../sign-in/session.tsx'
import { type Api, asRefusal, Refusal } from './api.ts'
import type { AnswerOf, Arguments, OperationName, Sent } from './operations.ts'

export type Resource<Answer> = {
  /** The last answer, also while it is loaded again, so that the layout stays. */
  answer: Answer | undefined
  refusal: Refusal | undefined
  loading: boolean
  reload(): void
  /** Shows the answer of another call instead. */
  replace(answer: Answer): void
}

type State<Answer> = { call: string | null; answer?: Answer; refusal?: Refusal; loading: boolean }

/** What an operation answers; null: nothing to load yet. */
export function useResource<Name extends OperationName>(
  name: Name | null,
  ...given: Arguments<Name>
): Resource<AnswerOf<Name>> {
  const { api } = useSession()
  const call = toText(name, given)
  const [state, setState] = useState<State<AnswerOf<Name>>>({ call: null, loading: call !== null })
  const latest = useRef(0)

  const load = useCallback(async () => {
    if (call === null) return
    const turn = ++latest.current
    setState((before) => ({ ...(before.call === call ? before : {}), call, loading: true }))
    try {
      const answer = await api<Name>(...fromText<Name>(call))
      if (turn === latest.current) setState({ call, answer, loading: false })
    } catch (error) {
      if (turn === latest.current) setState({ call, refusal: asRefusal(error), loading: false })
    }
  }, [api, call])

  useEffect(() => {
    load()
  }, [load])

  const current = state.call === call ? state : undefined
  return {
    answer: current?.answer,
    refusal: current?.refusal,
    loading: current?.loading ?? call !== null,
    reload: load,
    replace: (answer) => setState({ call, answer, loading: false }),
  }
}

/** Calls are compared by their text: their arguments are other objects each time. */
function toText(name: OperationName | null, given: readonly unknown[]): string | null {
  return name === null ? null : JSON.stringify([name, ...given])
}

function fromText<Name extends OperationName>(call: string): [Name, ...Arguments<Name>] {
  return JSON.parse(call)
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
  call: string | null
  items: Item[]
  cursor: string | null
  waiting: number
  searchedUntil: string | null
  loading: boolean
}

const EMPTY = { items: [], cursor: null, waiting: 0, searchedUntil: null }

/** Only queues are counted, and only long lists are searched. */
type ListPage = {
  readonly items: readonly unknown[]
  readonly cursor?: string | null
  readonly waiting?: number
  readonly searchedUntil?: string | null
}
export type ListName = { [Name in OperationName]: AnswerOf<Name> extends ListPage ? Name : never }[OperationName]
export type ItemOf<Name extends ListName> = Extract<AnswerOf<Name>, ListPage>['items'][number]

/** A list that grows page by page. Back shows as many pages as before. */
export function usePagedList<Name extends ListName>(name: Name, ...given: Arguments<Name>): PagedList<ItemOf<Name>> {
  type Item = ItemOf<Name>
  const { api } = useSession()
  const call = JSON.stringify([name, ...given])
  const [restored, store] = useHistoryState<ListState<Item> | undefined>(`list ${call}`, undefined)
  const [state, setState] = useState<ListState<Item>>(restored ?? { call: null, ...EMPTY, loading: true })
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const latest = useRef(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the state changes
  useEffect(() => store(state), [state])

  const load = useCallback(
    async (from: string | null, least = 1) => {
      const turn = ++latest.current
      setRefusal(undefined)
      setState((before) => (before.call === call ? { ...before, loading: true } : { call, ...EMPTY, loading: true }))
      try {
        const page = await loadPages<Item>(api, { call, from, least })
        if (turn !== latest.current) return
        setState((before) => ({
          call,
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
    [api, call],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: Back loads what was shown before, once
  useEffect(() => {
    load(null, restored?.items.length)
  }, [load])

  const current = state.call === call
  return {
    items: current ? state.items : [],
    refusal,
    loading: current ? state.loading : true,
    hasMore: current && state.cursor !== null,
    waiting: state.waiting,
    searchedUntil: current ? state.searchedUntil : null,
    reload: () => load(null),
    more: () => load(state.cursor),
  }
}

/** Pages in which a search found too little, one after the other; then somebody decides whether it goes on. */
const MAX_SHORT_PAGES = 10

type PageRequest = { call: string; from: string | null; least: number }
type Loaded<Item> = Omit<ListPage, 'items'> & { items: Item[]; cursor: string | null }

/** One page, or as many as contain `least` items. */
async function loadPages<Item>(api: Api, { call, from, least }: PageRequest): Promise<Loaded<Item>> {
  const [name, given = {}]: [ListName, Sent?] = JSON.parse(call)
  const items: Item[] = []
  let shortPages = 0
  for (let cursor = from; ; ) {
    const page: ListPage = await (api as UntypedList)(name, {
      ...given,
      query: { ...given.query, cursor: cursor ?? '' },
    })
    if (!Array.isArray(page.items)) throw new Refusal(0, 'Unreadable response', 'The server’s response is not a list.')
    items.push(...page.items)
    cursor = page.cursor ?? null
    if (page.searchedUntil) shortPages++
    const isEnough = items.length >= least || shortPages === MAX_SHORT_PAGES
    if (cursor === null || isEnough) return { ...page, items, cursor }
  }
}

/** Each list takes a cursor; which other arguments it has was checked where the list is used. */
type UntypedList = (name: ListName, given: Sent) => Promise<ListPage>
