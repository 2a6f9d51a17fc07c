// Cursors into feeds: the sort keys of the last comment before a block. A block that continues the one before is read from
// its cursor on (feed-lists.ts): it costs what the first block costs, and a reader who pages through sees every tip
// once, although new ones move the others down meanwhile. Cached in this process for a minute; without a cursor a block
// is found by its offset, which is exact too.

import { boundedCache, type Cache } from '../platform/runtime/cache.ts'
import type { ListQuery } from './comment-lists.ts'

/** The sort keys of a list (comment-lists.ts). A block begins after its cursor. */
export type FeedCursor = readonly number[]

/**
 * Whether outcomes were pending (comment-lists.ts) when a list was last read. Only a hint: while it is set, lists are read
 * at once with the text for pending outcomes, instead of twice.
 */
export type WorkHint = { pending: boolean }

/** The window over everybody (feed-lists.ts) had fewer than this many comments of a list. Only a hint. */
export type WindowHint = { tooShortFor: number }

export function newWindowHint(): WindowHint {
  return { tooShortFor: Number.POSITIVE_INFINITY }
}

export type FeedCursors = {
  readonly work: WorkHint
  /** Cached for a minute: then the window is tried again. */
  windowOf(list: string): WindowHint
  /** The key of a list that a reader pages through; a new one after each change of the reader's followings. */
  listOf(reader: number, query: ListQuery): string
  startOf(list: string, block: number): FeedCursor | undefined
  /** `start` undefined: there is no such block, or its start is unknown. */
  store(list: string, block: number, start: FeedCursor | undefined): void
  /** How many the reader follows, up to a minute old: enough to choose the cheaper query. */
  readonly followings: Cache<number, number>
  /** The reader's followings have changed. */
  invalidate(reader: number): void
}

const MAX_CACHED = 10_000
const CACHED_MS = 60_000

export function feedCursors(now: () => number): FeedCursors {
  const starts = boundedCache<string, FeedCursor>(MAX_CACHED, CACHED_MS, now)
  const changes = boundedCache<number, number>(MAX_CACHED, CACHED_MS, now)
  const followings = boundedCache<number, number>(MAX_CACHED, CACHED_MS, now)
  const windows = boundedCache<string, WindowHint>(MAX_CACHED, CACHED_MS, now)
  let count = 0
  return {
    work: { pending: false },
    listOf: (reader, { status, sortOrder, sportId, blockSize }) =>
      `${reader} ${changes.get(reader) ?? 0} ${status} ${sortOrder} ${sportId} ${blockSize}`,
    windowOf(list) {
      const hint = windows.get(list) ?? newWindowHint()
      if (windows.get(list) === undefined) windows.set(list, hint)
      return hint
    },
    startOf: (list, block) => starts.get(`${list} ${block}`),
    store(list, block, start) {
      if (start === undefined) starts.forget(`${list} ${block}`)
      else starts.set(`${list} ${block}`, start)
    },
    followings,
    invalidate(reader) {
      changes.set(reader, ++count)
      followings.forget(reader)
    },
  }
}
