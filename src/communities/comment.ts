// A *comment* of type *tip* is what a customer writes about an outcome of one of their bets; its *author* is the
// customer's profile. It is *live* until its owner *deactivates* it or a moderator *removes* it. Its *status* follows from
// the outcome's result: A active, W winning, L losing; a void outcome closes it without a result.

import { eventById } from '../catalogue/event-store.ts'
import { type Block, rangeOf } from '../catalogue/events.ts'
import { displayStatus, livePrice, outcomeStatus } from '../catalogue/outcome.ts'
import { Fault } from '../faults.ts'
import type { Database } from '../platform/database/database.ts'
import { viewerOf } from '../profiles/profile.ts'
import type { Result } from '../record/figures.ts'
import { markWithdrawn } from '../record/grading.ts'
import { statusOfResult } from '../record/result-status.ts'
import type { CommunitiesContext } from './context.ts'
import { detailsOf } from './details.ts'
import type { Comment } from './shapes.ts'
import type { CommentRow, LockedComment } from './store.ts'
import * as sql from './store.ts'

export async function getComment(
  context: CommunitiesContext,
  id: number,
  customerId: number | null,
  details: boolean,
): Promise<Comment> {
  const viewer = await viewerOf(context, customerId)
  const row = await context.database.one(sql.shownCommentById, { id, viewer })
  if (row === undefined) throw new Fault('noComment', 'id')
  const [comment] = await toComments(context, [row], { requester: customerId !== null, details })
  return comment as Comment
}

/** Repeated, or after a moderator removed the comment, it answers the same and changes nothing. */
export async function deactivateComment(context: CommunitiesContext, customerId: number, id: number): Promise<void> {
  const own = await viewerOf(context, customerId)
  await context.database.transaction(async (transaction) => {
    const comment = await transaction.one(sql.lockComment, { id })
    if (comment === undefined || comment.author_id !== own) throw new Fault('invalid', 'id')
    if (comment.state === 'live') await withdraw(transaction, id, comment, 'deactivated')
    else if (comment.held === 1) await transaction.run(sql.setCommentState, { id, state: 'deactivated' })
  })
}

/** Removes a live comment, locked by the caller, from every list and count. */
export async function withdraw(
  transaction: Database,
  id: number,
  comment: LockedComment,
  state: 'deactivated' | 'removed' | 'held',
): Promise<void> {
  if (state === 'held') await transaction.run(sql.holdComment, { id })
  else await transaction.run(sql.setCommentState, { id, state })
  const unlisted = await transaction.one(sql.unlistLikes, { id })
  await transaction.run(sql.countForAuthor, { id, times: -1 })
  // The tips of an inactive profile were subtracted from their outcomes' counts when it was deactivated.
  if (comment.status === 'A' && comment.author_status === 'A') {
    await transaction.run(sql.addToOutcomeCount, {
      outcomeId: comment.outcome_id,
      live: -1,
      likes: -(unlisted?.likes ?? 0),
    })
  }
  await markWithdrawn(transaction, id, true)
}

// ---- Row to answer

/** The contract has no status for a void outcome: it stays A and is not displayed. */
export function contractStatus(result: Result | null): 'A' | 'W' | 'L' {
  const status = statusOfResult(result)
  return status === 'V' ? 'A' : status
}

export type CommentView = { requester: boolean; details?: boolean | undefined }

/** The newest first, those that lost too. null: the event exists and the block is empty. */
export async function listTipsOfEvent(
  context: CommunitiesContext,
  { id, customerId }: { id: number; customerId: number | null },
  { details, ...block }: Block & { details: boolean },
): Promise<{ comment: Comment[] } | null> {
  const { database } = context
  const viewer = await viewerOf(context, customerId)
  const rows = await database.query(sql.tipsOfEvent, { eventId: id, viewer, ...rangeOf(block) })
  if (rows.length > 0) return { comment: await toComments(context, rows, { requester: customerId !== null, details }) }
  if ((await database.one(eventById, { id })) === undefined) throw new Fault('noEvent', 'id')
  return null
}

/** Details cost one statement more, however many rows. */
export async function toComments(
  context: CommunitiesContext,
  rows: readonly CommentRow[],
  { requester, details }: CommentView,
): Promise<Comment[]> {
  const comments = rows.map((row) => toComment(row, requester))
  if (!details || rows.length === 0) return comments
  const added = await detailsOf(context, rows)
  return comments.map((comment, index) => ({ ...comment, ...added[index] }))
}

export function toComment(row: CommentRow, requester: boolean): Comment {
  const num = row.price_num ?? row.given_num
  const den = row.price_den ?? row.given_den
  return {
    id: row.id,
    type: 'tip',
    betId: row.bet_id,
    status: contractStatus(row.result),
    createdDateTimeZoned: row.created_at,
    text: row.text,
    isFeatured: row.featured === 1,
    isFlagged: requester ? Boolean(row.is_flagged) : undefined,
    isLiked: requester ? Boolean(row.is_liked) : undefined,
    event: {
      id: row.event_id,
      sportId: row.sport_id,
      name: row.event_name,
      market: {
        id: row.market_id,
        name: row.market_name,
        outcome: {
          id: row.outcome_id,
          linkedId: row.linked_id ?? undefined,
          name: row.outcome_name,
          status: outcomeStatus(row),
          numLikes: row.likes,
          displayStatus: displayStatus(row),
          startingPrice: row.starting_price === 1 || row.given_starting_price === 1 ? true : undefined,
          livePrice: num === null || den === null ? undefined : livePrice(num, den),
        },
      },
    },
  }
}
