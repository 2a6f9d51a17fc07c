// The timeline of a customer is merged from several lists, each newest first and read by its own index. The position in
// it is the position in each list, so that nothing is lost or shown twice, even where the times of a list are not in order.

import * as s from '../server/fields.ts'
import { depositWhy } from '../wallets/deposit-schemas.ts'

const MONEY = ['deposit', 'refund', 'dispute', 'withdrawal'] as const
const KINDS = ['registration', 'session', ...MONEY, 'limit', 'exclusion', 'tip', 'decision', 'change'] as const

const item = s.namedObject(
  'TimelineItem',
  {
    at: s.time(),
    kind: s.oneOf(KINDS, 'change'),
    text: s.string('ann suspended customer 19 (reason: Two accounts with one card)'),
    subject: s.orNull(
      s.object({
        kind: s.oneOf(['deposit', 'withdrawal', 'comment', 'profile'], 'comment'),
        id: s.string('24'),
      }),
      'What it is about, where that is not the customer.',
      null,
    ),
  },
  { why: depositWhy },
)
export type TimelineItem = s.ValueOf<typeof item>
export const timeline = s.page(item)

/** With its time in milliseconds. */
export type TimedItem = Omit<TimelineItem, 'at'> & { readonly at: number }

export type Entry = { readonly item: TimedItem; readonly position: readonly number[] }

/** Reads at most `limit` entries after a position. */
export type Source = {
  /** A position before every entry, with as many numbers as positions in the list have. */
  readonly start: readonly number[]
  readonly read: (position: readonly number[], limit: number) => Promise<readonly Entry[]>
}

type Page = { readonly items: TimedItem[]; readonly position: number[]; readonly hasMore: boolean }

/**
 * `from`: the positions in all lists; 0 stands for the start of one, to keep cursors short. What happened at `until` or later
 * is skipped.
 */
type Start = { readonly from: readonly number[]; readonly until: number }

export async function readTimeline(sources: readonly Source[], start: Start, limit: number): Promise<Page> {
  const all = listsOf(sources, start.from).map((list) => readList(list, start.until, limit + 1))
  const lists = await Promise.all(all)
  const items: TimedItem[] = []
  for (let newest = newestOf(lists); newest !== undefined && items.length < limit; newest = newestOf(lists)) {
    const { item, position } = newest.entries[newest.taken++] as Entry
    newest.position = position
    items.push(item)
  }
  return {
    items,
    position: lists.flatMap(({ position }) => position),
    hasMore: newestOf(lists) !== undefined,
  }
}

type List = { source: Source; position: readonly number[]; entries: readonly Entry[]; taken: number }

function listsOf(sources: readonly Source[], from: readonly number[]): List[] {
  let next = 0
  return sources.map((source) => {
    const position = from.slice(next, next + source.start.length)
    next += position.length
    return { source, position, entries: [], taken: 0 }
  })
}

/** Reads on while what it finds is too new: at most all that one customer has of a kind. */
async function readList(list: List, until: number, limit: number): Promise<List> {
  const { source, position } = list
  const isStart = position.every((number) => number === 0)
  const entries = await source.read(isStart ? source.start : position, limit)
  const tooNew = entries.findLastIndex(({ item }) => item.at >= until) + 1
  if (tooNew === 0) return { ...list, entries }
  return readList({ ...list, position: (entries[tooNew - 1] as Entry).position }, until, Math.max(limit, SKIPPED))
}

/** Read at once, where many are too new. */
const SKIPPED = 500

/** The list whose next entry is the newest. */
function newestOf(lists: readonly List[]): List | undefined {
  const left = lists.filter(({ entries, taken }) => taken < entries.length)
  return left.reduce<List | undefined>(
    (best, list) => (best === undefined || atOf(list) > atOf(best) ? list : best),
    undefined,
  )
}

function atOf({ entries, taken }: List): number {
  return (entries[taken] as Entry).item.at
}
