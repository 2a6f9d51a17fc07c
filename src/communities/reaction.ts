// Likes and flags on comments, and their withdrawal. An author's reaction to their own comment is answered like any other
// and changes nothing.

import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { addFlag, removeFlag } from '../moderation/flag.ts'
import { viewerOf, withOwnProfile } from '../profiles/profile.ts'
import {
  addLikes,
  addToOutcomeCount,
  deleteLike,
  insertLike,
  type LockedComment,
  lockCommentForReaction,
} from './store.ts'

export async function likeComment(context: Context, customerId: number, id: number): Promise<void> {
  await withOwnProfile(context, customerId, async (transaction, own) => {
    const comment = await commentForReaction(transaction, id)
    if (comment.author_id === own) return
    const inserted = await transaction.run(insertLike, { commentId: id, profileId: own, now: context.now() })
    if (inserted === 1) await countLike(transaction, id, comment, 1)
  })
}

export async function unlikeComment(context: Context, customerId: number, id: number): Promise<void> {
  const own = await viewerOf(context, customerId)
  await context.database.transaction(async (transaction) => {
    const comment = await commentForReaction(transaction, id)
    const removed = await transaction.run(deleteLike, { commentId: id, profileId: own })
    if (removed === 1) await countLike(transaction, id, comment, -1)
  })
}

async function countLike(transaction: Database, id: number, comment: LockedComment, change: 1 | -1): Promise<void> {
  if (comment.listed !== 'A') return void (await transaction.run(addLikes, { commentId: id, change }, 'last'))
  await transaction.run(addLikes, { commentId: id, change })
  await transaction.run(addToOutcomeCount, { outcomeId: comment.outcome_id, live: 0, likes: change }, 'last')
}

export async function flagComment(context: Context, customerId: number, id: number): Promise<void> {
  await withOwnProfile(context, customerId, async (transaction, own) => {
    const comment = await commentForReaction(transaction, id)
    if (comment.author_id === own) return
    await addFlag(transaction, { kind: 'comment', subjectId: id, flaggerId: own, now: context.now() })
  })
}

export async function unflagComment(context: Context, customerId: number, id: number): Promise<void> {
  const own = await viewerOf(context, customerId)
  await context.database.transaction(async (transaction) => {
    await commentForReaction(transaction, id)
    await removeFlag(transaction, { kind: 'comment', subjectId: id, flaggerId: own })
  })
}

async function commentForReaction(transaction: Database, id: number): Promise<LockedComment> {
  const comment = await transaction.one(lockCommentForReaction, { id })
  if (comment === undefined || comment.state !== 'live' || comment.author_status !== 'A') {
    throw new Fault('noComment', 'id')
  }
  return comment
}
