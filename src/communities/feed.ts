import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { NO_PROFILE, statusAndFollowingsOf, viewerOf } from '../profiles/profile.ts'
import { toComment } from './comment.ts'
import { authorLists, authorListsPending, type ListQuery, type ListRow } from './comment-lists.ts'
import type { FeedCursor, WorkHint } from './feed-cursors.ts'
import { afterCursor, feedsByWindow, feedsPerAuthor, feedsPerAuthorPending, TOP, WIDEST_WINDOW } from './feed-lists.ts'
import type { Comment } from './shapes.ts'
import type { CommentRow } from './store.ts'

type CommentList = { comment: Comment[] } | null

/** null: the profile exists and the block is empty. */
export async function listByProfile(
  context: Context,
  id: number,
  customerId: number | null,
  query: ListQuery,
): Promise<CommentList> {
  const profile = await statusAndFollowingsOf(context.database, id)
  if (profile?.status !== 'A') throw new Fault('noProfile', 'profileId')
  const viewer = await viewerOf(context, customerId)
  return toList(await readAuthorList(context, id, viewer, query), customerId !== null)
}

/** The owner's own list, as others see it: that of an inactive profile is empty. */
export async function listOwn(context: Context, customerId: number, query: ListQuery): Promise<CommentList> {
  const { own, profile } = await ownProfile(context, customerId)
  if (profile.status !== 'A') return null
  return toList(await readAuthorList(context, own, own, query), true)
}

/**
 * A block continues after the one before, if that was served within a minute (feed-cursors.ts); the first is always read
 * from the top.
 */
export async function listOfFollowings(context: Context, customerId: number, query: ListQuery): Promise<CommentList> {
  const own = await viewerOf(context, customerId)
  if (own === NO_PROFILE) throw new Fault('noProfile')
  const { database, feedCursors } = context
  const { blockNum, blockSize } = query
  const followings = feedCursors.followings.get(own) ?? (await countFollowings(context, own))
  const list = feedCursors.listOf(own, query)
  const start = blockNum === 1 ? undefined : feedCursors.startOf(list, blockNum)
  const rows = await readFeed(database, { own, followings }, query, { start, work: feedCursors.work })
  const [first, last] = [cursorOf(rows[0]), cursorOf(rows.at(-1))]
  if (first !== undefined && blockNum > 1) feedCursors.store(list, blockNum, start ?? cursorBefore(first))
  // There is no block after a short one; a later request for one is found by its offset.
  feedCursors.store(list, blockNum + 1, rows.length === blockSize ? last : undefined)
  return toList(rows, true)
}

async function countFollowings({ database, feedCursors }: Context, own: number): Promise<number> {
  const profile = await statusAndFollowingsOf(database, own)
  if (profile === undefined) throw new Fault('noProfile')
  feedCursors.followings.set(own, profile.num_followings)
  return profile.num_followings
}

/** undefined: there is no such row. */
export function cursorOf(row: ListRow | undefined): FeedCursor | undefined {
  if (row === undefined || row.id === null) return undefined
  return row.k2 === undefined ? [row.k1] : [row.k1, row.k2]
}

/** The last key is an id in every order. */
function cursorBefore(cursor: FeedCursor): FeedCursor {
  return cursor.map((key, index) => (index === cursor.length - 1 ? key + 1 : key))
}

async function ownProfile(context: Context, customerId: number) {
  const own = await viewerOf(context, customerId)
  const profile = own === NO_PROFILE ? undefined : await statusAndFollowingsOf(context.database, own)
  if (profile === undefined) throw new Fault('noProfile')
  return { own, profile }
}

async function readAuthorList(context: Context, author: number, viewer: number, query: ListQuery) {
  const { database, feedCursors } = context
  const { status, sortOrder, sportId: sport, blockSize: limit } = query
  const which = sport === null ? 'all' : 'ofSport'
  const parameters = { author, listed: status, limit, offset: offsetOf(query), viewer, sport }
  return readWithPendingWork(
    feedCursors.work,
    () => database.query(authorLists[sortOrder][which], parameters),
    () => database.query(authorListsPending[sortOrder][which], parameters),
  )
}

/** `plain` is cheaper, and right while no outcome is pending; `pending` is always right. The rows of both report whether any is. */
async function readWithPendingWork(
  work: WorkHint,
  plain: () => Promise<ListRow[]>,
  pending: () => Promise<ListRow[]>,
): Promise<ListRow[]> {
  if (!work.pending) {
    const rows = await plain()
    work.pending = isPending(rows)
    if (!work.pending) return rows
  }
  const rows = await pending()
  work.pending = isPending(rows)
  return rows
}

/**
 * From this many followings on, the window over everybody is tried first. With one in a hundred authors followed, it walks
 * about 2,000 comments for a block, which costs half of 1,000 authors one by one; with fewer followings it walks further,
 * while reading per author gets cheaper (bench/feed).
 */
const MANY_FOLLOWINGS = 1_000
/** A window of this size costs about as much as reading per author: trying it in vain at most doubles the cost. */
const WINDOW_PER_FOLLOWING = 4

type Reader = { own: number; followings: number }

/** `start`: the cursor of the block; without it the offset is counted. */
export async function readFeed(
  database: Database,
  { own, followings }: Reader,
  query: ListQuery,
  { start, work = { pending: false } }: { start?: FeedCursor | undefined; work?: WorkHint } = {},
): Promise<ListRow[]> {
  const { status, sortOrder, sportId, blockSize: limit } = query
  const which = sportId === null ? 'all' : 'ofSport'
  const offset = start === undefined ? offsetOf(query) : 0
  const reach = offset + limit
  const after = afterCursor(start ?? TOP[sortOrder], sportId)
  const parameters = { reader: own, listed: status, limit, offset, reach, ...after }
  if (followings >= MANY_FOLLOWINGS && !work.pending) {
    const window = Math.min(WIDEST_WINDOW, WINDOW_PER_FOLLOWING * followings)
    const rows = await database.query(feedsByWindow[sortOrder][which], { ...parameters, window })
    work.pending = isPending(rows)
    if (!work.pending && rows[0]?.complete === 1) return rows
  }
  // Twice what each would have of the first comments if all had as many: then half of the authors set the cutoff.
  const depth = Math.max(1, Math.ceil((2 * reach) / Math.max(1, followings)))
  const perAuthor = { ...parameters, depth, authors: Math.ceil(reach / depth) }
  return readWithPendingWork(
    work,
    () => database.query(feedsPerAuthor[sortOrder][which], perAuthor),
    () => database.query(feedsPerAuthorPending[sortOrder][which], perAuthor),
  )
}

function offsetOf({ blockSize, blockNum }: ListQuery): number {
  return (blockNum - 1) * blockSize
}

function isPending(rows: ListRow[]): boolean {
  return Boolean(rows[0]?.pending)
}

function toList(rows: ListRow[], requester: boolean): CommentList {
  const comment = rows.filter((row): row is CommentRow & ListRow => row.id !== null)
  return comment.length === 0 ? null : { comment: comment.map((row) => toComment(row, requester)) }
}
