// Likes and flags on comments, and their withdrawal. An author's reaction to their own comment is answered like any other
// and changes nothing.

import { Fault } from '../faults.ts'
import { addFlag, type FlagText, NO_FLAG_TEXT, removeFlag } from '../flags/flag.ts'
import type { Database } from '../platform/database/database.ts'
import { writeRow } from '../platform/database/row-list-store.ts'
import { transactionWithOwnProfile, viewerOf, withOwnProfile } from '../profiles/profile.ts'
import type { CommunitiesContext } from './context.ts'
import { deleteLike, insertLike, likeOnShownComment } from './like-store.ts'
import { type LockedComment, lockCommentForReaction } from './store.ts'

export async function likeComment(context: CommunitiesContext, customerId: number, id: number): Promise<void> {
  await withOwnProfile(context, customerId, (database, own) => {
    const like = { comment_id: id, profile_id: own, created_at: context.now() }
    return writeRow(database, insertLike, like, async () => {
      const { author_id, is_liked } = await shownComment(database, like)
      return Boolean(is_liked) || author_id === own
    })
  })
}

export async function unlikeComment(context: CommunitiesContext, customerId: number, id: number): Promise<void> {
  const { database } = context
  const like = { comment_id: id, profile_id: await viewerOf(context, customerId) }
  await writeRow(database, deleteLike, like, async () => !(await shownComment(database, like)).is_liked)
}

async function shownComment(database: Database, reaction: { comment_id: number; profile_id: number }) {
  const comment = await database.one(likeOnShownComment, reaction)
  if (comment === undefined) throw new Fault('noComment', 'id')
  return comment
}

export async function flagComment(
  context: CommunitiesContext,
  customerId: number,
  id: number,
  text: FlagText = NO_FLAG_TEXT,
): Promise<void> {
  await transactionWithOwnProfile(context, customerId, async (transaction, own) => {
    const comment = await commentForReaction(transaction, id, own)
    if (comment.author_id === own) return
    await addFlag(transaction, { kind: 'comment', subjectId: id, flaggerId: own, now: context.now() }, text)
  })
}

export async function unflagComment(context: CommunitiesContext, customerId: number, id: number): Promise<void> {
  const own = await viewerOf(context, customerId)
  await context.database.transaction(async (transaction) => {
    await commentForReaction(transaction, id, own)
    await removeFlag(transaction, { kind: 'comment', subjectId: id, flaggerId: own })
  })
}

async function commentForReaction(transaction: Database, id: number, viewer: number): Promise<LockedComment> {
  const comment = await transaction.one(lockCommentForReaction, { id, viewer })
  if (comment === undefined || comment.state !== 'live' || comment.author_status !== 'A') {
    throw new Fault('noComment', 'id')
  }
  return comment
}
