// Where the blocks of feeds begin that were served a short time ago. A block that continues the one before is then read
// from that *place* on (feed-lists.ts): at the cost of the first block, and so that whoever reads block after block
// sees every tip once, although new ones push the others down meanwhile. Only of this process, and only for a minute:
// a block whose place is not known is found by counting, which is exact too.

import { boundedCache, type Cache } from '../runtime/cache.ts'
import type { ListQuery } from './comment-lists.ts'

/** The keys of a list's order (lists.ts). A block begins behind its place. */
export type FeedCursor = readonly number[]

/**
 * Whether comments were following the catalogue (standing.ts) when a list was last read. Lists are exact whatever it
 * says; it saves reading first in the way that is cheaper when nothing is in work, and then again.
 */
export type WorkHint = { pending: boolean }

export type FeedCursors = {
  readonly work: WorkHint
  /** What a reader goes through block by block; another one after each change of the reader's followings. */
  listOf(reader: number, query: ListQuery): string
  startOf(list: string, block: number): FeedCursor | undefined
  /** undefined: there is no such block, or none that continues another. */
  remember(list: string, block: number, start: FeedCursor | undefined): void
  /** How many the reader follows, as it was a short time ago: enough to choose the cheaper way. */
  readonly followings: Cache<number, number>
  /** The reader's followings have changed: blocks are counted anew. */
  forget(reader: number): void
}

const REMEMBERED = 10_000
const REMEMBERED_MS = 60_000

export function feedCursors(now: () => number): FeedCursors {
  const starts = boundedCache<string, FeedCursor>(REMEMBERED, REMEMBERED_MS, now)
  const changes = boundedCache<number, number>(REMEMBERED, REMEMBERED_MS, now)
  const followings = boundedCache<number, number>(REMEMBERED, REMEMBERED_MS, now)
  let count = 0
  return {
    work: { pending: false },
    listOf: (reader, { status, sortOrder, sportId, blockSize }) =>
      `${reader} ${changes.get(reader) ?? 0} ${status} ${sortOrder} ${sportId} ${blockSize}`,
    startOf: (list, block) => starts.get(`${list} ${block}`),
    remember(list, block, start) {
      if (start === undefined) starts.forget(`${list} ${block}`)
      else starts.set(`${list} ${block}`, start)
    },
    followings,
    forget(reader) {
      changes.set(reader, ++count)
      followings.forget(reader)
    },
  }
}
