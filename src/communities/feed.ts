import { Fault } from '../faults.ts'
import type { Database } from '../platform/database/database.ts'
import { NO_PROFILE, numFollowingsOf, viewerOf } from '../profiles/profile.ts'
import { type CommentView, toComments } from './comment.ts'
import { authorLists, authorListsPending, type ListQuery, type ListRow, type SortOrder } from './comment-lists.ts'
import type { CommunitiesContext } from './context.ts'
import { type FeedCursor, newWindowHint, type WindowHint, type WorkHint } from './feed-cursors.ts'
import {
  afterCursor,
  type FeedQuery,
  feedsBySample,
  feedsByWindow,
  feedsByWindowPending,
  feedsPerAuthor,
  feedsPerAuthorPending,
  MAX_READ,
  TOP,
} from './feed-lists.ts'
import type { Comment } from './shapes.ts'
import type { CommentRow } from './store.ts'

type CommentList = { comment: Comment[] } | null
type ShownQuery = ListQuery & Pick<CommentView, 'details'>

/** null: the profile exists and the block is empty. */
export async function listByProfile(
  context: CommunitiesContext,
  id: number,
  customerId: number | null,
  query: ShownQuery,
): Promise<CommentList> {
  const viewer = await viewerOf(context, customerId)
  const rows = await readAuthorList(context, id, viewer, query)
  if (rows[0]?.author_status !== 'A') throw new Fault('noProfile', 'profileId')
  return toList(context, rows, { requester: customerId !== null, details: query.details })
}

/** The owner's own list, as others see it: that of an inactive profile is empty. */
export async function listOwn(
  context: CommunitiesContext,
  customerId: number,
  query: ShownQuery,
): Promise<CommentList> {
  const own = await viewerOf(context, customerId)
  const rows = await readAuthorList(context, own, own, query)
  const status = rows[0]?.author_status ?? null
  if (status === null) throw new Fault('noProfile')
  if (status !== 'A') return null
  return toList(context, rows, { requester: true, details: query.details })
}

/**
 * A block continues after the one before, if that was served within a minute (feed-cursors.ts); the first is always read
 * from the top.
 */
export async function listOfFollowings(
  context: CommunitiesContext,
  customerId: number,
  query: ShownQuery,
): Promise<CommentList> {
  const own = await viewerOf(context, customerId)
  if (own === NO_PROFILE) throw new Fault('noProfile')
  const { database, feedCursors } = context
  const { blockNum, blockSize } = query
  const followings = feedCursors.followings.get(own) ?? (await countFollowings(context, own))
  const list = feedCursors.listOf(own, query)
  const start = blockNum === 1 ? undefined : feedCursors.startOf(list, blockNum)
  const hints = { work: feedCursors.work, window: feedCursors.windowOf(list) }
  const rows = await readFeed(database, { own, followings, now: context.now() }, query, { start, ...hints })
  const [first, last] = [cursorOf(rows[0]), cursorOf(rows.at(-1))]
  if (first !== undefined && blockNum > 1) feedCursors.store(list, blockNum, start ?? cursorBefore(first))
  // There is no block after a short one; a later request for one is found by its offset.
  feedCursors.store(list, blockNum + 1, rows.length === blockSize ? last : undefined)
  return toList(context, rows, { requester: true, details: query.details })
}

async function countFollowings({ database, feedCursors }: CommunitiesContext, own: number): Promise<number> {
  const followings = await numFollowingsOf(database, own)
  if (followings === undefined) throw new Fault('noProfile')
  feedCursors.followings.set(own, followings)
  return followings
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

async function readAuthorList(context: CommunitiesContext, author: number, viewer: number, query: ListQuery) {
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
async function readWithPendingWork<Row extends ListRow>(
  work: WorkHint,
  plain: () => Promise<Row[]>,
  pending: () => Promise<Row[]>,
): Promise<Row[]> {
  if (!work.pending) {
    const rows = await plain()
    work.pending = isPending(rows)
    if (!work.pending) return rows
  }
  const rows = await pending()
  work.pending = isPending(rows)
  return rows
}

/** `now`: authors whom the reader has muted beyond it are left out. */
type Reader = { own: number; followings: number; now: number }

/** `start`: the cursor of the block; without it the offset is counted. */
type Position = { start?: FeedCursor | undefined; work?: WorkHint; window?: WindowHint }

/** The ways to read a block (feed-lists.ts), the one that usually costs least first. The last one finds every block. */
export async function readFeed(
  database: Database,
  { own, followings, now }: Reader,
  query: ListQuery,
  { start, work = { pending: false }, window = newWindowHint() }: Position = {},
): Promise<ListRow[]> {
  const { status, sortOrder, sportId, blockSize: limit } = query
  const offset = start === undefined ? offsetOf(query) : 0
  const after = afterCursor(start ?? TOP[sortOrder], sportId)
  const read: FeedRead = {
    database,
    followings,
    order: sortOrder,
    which: sportId === null ? 'all' : 'ofSport',
    parameters: { reader: own, now, listed: status, limit, offset, reach: offset + limit, ...after },
    work,
  }
  return (await readByWindow(read, window)) ?? (await readBySample(read)) ?? readPerAuthor(read)
}

type FeedRead = {
  database: Database
  followings: number
  order: SortOrder
  which: 'all' | 'ofSport'
  parameters: FeedQuery
  work: WorkHint
}

/** With fewer followings, reading per author costs less than the window or the sample (bench/feed). */
const MANY_FOLLOWINGS = 100
/** A window of this size costs less than reading per author, also when it is tried in vain. */
const WINDOW_PER_FOLLOWING = 8
/** The window is tried if one comment in so many would fill the block. */
const WINDOW_PER_COMMENT = 20
/**
 * Up to this many followings are read first (a *set*). That costs as much as looking up a sixth as many authors (SQLite: half),
 * and the further down a block is, the more are looked up.
 */
const MAX_IN_SET = {
  sqlite: (reach: number) => 600 + 6 * reach,
  postgres: (reach: number) => 2_000 + 10 * reach,
}

/** undefined: the window does not have the block. */
async function readByWindow(read: FeedRead, hint: WindowHint): Promise<ListRow[] | undefined> {
  const { database, followings, order, which, work } = read
  const { reach } = read.parameters
  const parameters = { ...read.parameters, window: Math.min(MAX_READ, WINDOW_PER_FOLLOWING * followings) }
  const isLongEnough = parameters.window >= WINDOW_PER_COMMENT * reach && reach < hint.tooShortFor
  if (followings < MANY_FOLLOWINGS || !isLongEnough) return undefined
  const membership = followings <= MAX_IN_SET[database.engine](reach) ? 'set' : 'lookup'
  const rows = await readWithPendingWork(
    work,
    () => database.query(feedsByWindow[membership][order][which], parameters),
    () => database.query(feedsByWindowPending[membership][order][which], parameters),
  )
  if (rows[0]?.complete === 1) return rows
  hint.tooShortFor = reach
  return undefined
}

/** In a smaller sample, one author with very many tips misleads more often: in 3 of 100 samples of 200 authors. */
const SAMPLED_AUTHORS = 48
/** A sample aims at twice as many comments as the block needs, because authors differ. */
const SAMPLE_MARGIN = 2
/** With more followings for a comment, their newest comments suffice, and a sample would read all comments of its authors. */
const MAX_FOLLOWINGS_PER_COMMENT = 4

/** undefined: the sample has misled, or outcomes are pending. */
async function readBySample({ database, followings, order, which, parameters, work }: FeedRead) {
  const { reach } = parameters
  const isDeep = followings <= MAX_FOLLOWINGS_PER_COMMENT * reach && 2 * SAMPLE_MARGIN * reach <= MAX_READ
  if (followings < MANY_FOLLOWINGS || !isDeep || work.pending) return undefined
  const sample = Math.floor(followings / SAMPLED_AUTHORS)
  const rank = Math.ceil((SAMPLE_MARGIN * reach) / sample)
  const rows = await database.query(feedsBySample[order][which], { ...parameters, sample, rank })
  work.pending = isPending(rows)
  return !work.pending && rows[0]?.complete ? rows : undefined
}

function readPerAuthor({ database, followings, order, which, parameters, work }: FeedRead): Promise<ListRow[]> {
  const { reach } = parameters
  // Twice what each would have of the first comments if all had as many: then half of the authors set the cutoff.
  const depth = Math.max(1, Math.ceil((2 * reach) / Math.max(1, followings)))
  const perAuthor = { ...parameters, depth, authors: Math.ceil(reach / depth) }
  return readWithPendingWork(
    work,
    () => database.query(feedsPerAuthor[order][which], perAuthor),
    () => database.query(feedsPerAuthorPending[order][which], perAuthor),
  )
}

function offsetOf({ blockSize, blockNum }: ListQuery): number {
  return (blockNum - 1) * blockSize
}

function isPending(rows: ListRow[]): boolean {
  return Boolean(rows[0]?.pending)
}

async function toList(context: CommunitiesContext, rows: ListRow[], view: CommentView): Promise<CommentList> {
  const comments = rows.filter((row): row is CommentRow & ListRow => row.id !== null)
  return comments.length === 0 ? null : { comment: await toComments(context, comments, view) }
}
