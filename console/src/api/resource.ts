import { useEffect } from 'react'
import { useHistoryState } from '../../../web/history-state.ts'
import { type ListState, type Page, useGrowingList, useLoad } from '../../../web/load.ts'
import { useSession } from '../sign-in/session.tsx'
import { type Api, asRefusal, Refusal } from './api.ts'
import type { AnswerOf, Arguments, OperationName, Sent } from './operations.ts'

export type Resource<Answer> = {
  /** The last answer, also while it is loaded again, so that the layout stays; none after a refusal. */
  answer: Answer | undefined
  refusal: Refusal | undefined
  loading: boolean
  reload(): void
  /** Shows the answer of another call instead. */
  replace(answer: Answer): void
}

/** What an operation answers; null: nothing to load yet. */
export function useResource<Name extends OperationName>(
  name: Name | null,
  ...given: Arguments<Name>
): Resource<AnswerOf<Name>> {
  const { api } = useSession()
  const call = toText(name, given)
  const load = () => api<Name>(...fromText<Name>(call as string))
  const { answer, error, isLoading, reload, show } = useLoad<AnswerOf<Name>>(call, load)
  const refusal = error === undefined ? undefined : asRefusal(error)
  return { answer: refusal ? undefined : answer, refusal, loading: isLoading, reload, replace: show }
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

/** Only queues are counted, and only long lists are searched. */
type ListPage = {
  readonly items: readonly unknown[]
  readonly cursor?: string | null
  readonly waiting?: number
  readonly searchedUntil?: string | null
}
export type ListName = { [Name in OperationName]: AnswerOf<Name> extends ListPage ? Name : never }[OperationName]
export type ItemOf<Name extends ListName> = Extract<AnswerOf<Name>, ListPage>['items'][number]

/** One array, so that effects that depend on the items do not run again. */
const NONE: readonly never[] = []

/** A list that grows page by page. Back shows as many pages as before. */
export function usePagedList<Name extends ListName>(name: Name, ...given: Arguments<Name>): PagedList<ItemOf<Name>> {
  type Item = ItemOf<Name>
  type State = ListState<Item, LoadedPage<Item>>
  const { api } = useSession()
  const call = JSON.stringify([name, ...given])
  const [restored, store] = useHistoryState<State | undefined>(`list ${call}`, undefined)
  const loadPage = (from: string | null, least: number) => loadPages<Item>(api, { call, from, least })
  const { state, load } = useGrowingList<Item, string, LoadedPage<Item>>(call, { loadPage, least: 1, restored })
  useEffect(() => store(state), [state, store])

  const { items = NONE, first, last, error, isLoading } = state
  return {
    items: items as Item[],
    refusal: error === undefined ? undefined : asRefusal(error),
    loading: isLoading,
    hasMore: (last?.next ?? null) !== null,
    waiting: first?.waiting ?? 0,
    searchedUntil: last?.searchedUntil ?? null,
    reload: () => load(null, 1),
    more: () => load(last?.next ?? null, 1),
  }
}

/** Pages in which a search found too little, one after the other; then somebody decides whether it goes on. */
const MAX_SHORT_PAGES = 10

type PageRequest = { call: string; from: string | null; least: number }
type LoadedPage<Item> = Page<Item, string> & Pick<ListPage, 'waiting' | 'searchedUntil'>

/** One page, or as many as contain `least` items. */
async function loadPages<Item>(api: Api, { call, from, least }: PageRequest): Promise<LoadedPage<Item>> {
  const [name, given = {}]: [ListName, Sent?] = JSON.parse(call)
  const items: Item[] = []
  let shortPages = 0
  for (let cursor = from; ; ) {
    const page: ListPage = await (api as UntypedList)(name, {
      ...given,
      query: { ...given.query, cursor: cursor ?? '' },
    })
    if (!Array.isArray(page.items)) throw new Refusal(0, 'Unreadable response', 'The server’s response is not a list.')
    items.push(...(page.items as Item[]))
    cursor = page.cursor ?? null
    if (page.searchedUntil) shortPages++
    const isEnough = items.length >= least || shortPages === MAX_SHORT_PAGES
    if (cursor === null || isEnough) return { ...page, items, next: cursor }
  }
}

/** Each list takes a cursor; which other arguments it has was checked where the list is used. */
type UntypedList = (name: ListName, given: Sent) => Promise<ListPage>
