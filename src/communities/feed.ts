import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { NOBODY, standingOfProfile, viewerOf } from '../profiles/profile.ts'
import { toComment } from './comment.ts'
import {
  authorLists,
  authorListsPending,
  feedsByHeads,
  feedsByHeadsPending,
  feedsByWindow,
  type Listed,
  type ListRow,
  type SortOrder,
} from './lists.ts'
import type { Comment } from './shapes.ts'
import type { CommentRow } from './store.ts'

export type ListQuery = {
  status: Listed
  sortOrder: SortOrder
  sportId: number | null
  blockSize: number
  blockNum: number
}

type CommentList = { comment: Comment[] } | null

/** null: the profile exists and the block is empty. */
export async function listByProfile(
  context: Context,
  id: number,
  customerId: number | null,
  query: ListQuery,
): Promise<CommentList> {
  const profile = await standingOfProfile(context.database, id)
  if (profile?.status !== 'A') throw new Fault('noProfile', 'profileId')
  const viewer = await viewerOf(context, customerId)
  return toList(await readAuthorList(context.database, id, viewer, query), customerId !== null)
}

/** The owner's own list, as others see it: that of an inactive profile is empty. */
export async function listOwn(context: Context, customerId: number, query: ListQuery): Promise<CommentList> {
  const { own, profile } = await ownProfile(context, customerId)
  if (profile.status !== 'A') return null
  return toList(await readAuthorList(context.database, own, own, query), true)
}

/**
 * From this many followings on, the window over everybody is tried first. It looks up 4,000 follows whatever happens,
 * heads about two entries for each following: they break even below 1,000 (bench/feed).
 */
const MANY_FOLLOWINGS = 1_000

export async function listOfFollowings(context: Context, customerId: number, query: ListQuery): Promise<CommentList> {
  const { own, profile } = await ownProfile(context, customerId)
  const many = profile.num_followings >= MANY_FOLLOWINGS
  return toList(await readFeed(context.database, own, many, query), true)
}

async function ownProfile(context: Context, customerId: number) {
  const own = await viewerOf(context, customerId)
  const profile = own === NOBODY ? undefined : await standingOfProfile(context.database, own)
  if (profile === undefined) throw new Fault('noProfile')
  return { own, profile }
}

async function readAuthorList(database: Database, author: number, viewer: number, query: ListQuery) {
  const { status, sortOrder, sportId, blockSize } = query
  const which = sportId === null ? 'all' : 'ofSport'
  const sport = sportId === null ? [] : [sportId]
  const parameters = [author, status, blockSize, offsetOf(query), viewer, ...sport] as const
  const rows = await database.query(authorLists[sortOrder][which], [...parameters])
  return isPending(rows) ? database.query(authorListsPending[sortOrder][which], [...parameters]) : rows
}

export async function readFeed(database: Database, own: number, many: boolean, query: ListQuery): Promise<ListRow[]> {
  const { status, sortOrder, sportId, blockSize } = query
  const which = sportId === null ? 'all' : 'ofSport'
  const sport = sportId === null ? [] : [sportId]
  const offset = offsetOf(query)
  if (many) {
    const rows = await database.query(feedsByWindow[sortOrder][which], [own, status, blockSize, offset, ...sport])
    if (!isPending(rows) && rows.length === blockSize && rows[0]?.id !== null) return rows
  }
  const parameters = [own, status, blockSize, offset, offset + blockSize, ...sport] as const
  const rows = await database.query(feedsByHeads[sortOrder][which], [...parameters])
  return isPending(rows) ? database.query(feedsByHeadsPending[sortOrder][which], [...parameters]) : rows
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
