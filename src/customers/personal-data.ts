// What is held of a customer beside the customer's own row, and its erasure. Long lists are read in batches, each after
// the key of the last row of the one before.

import type { Context } from '../context.ts'
import { type Statement, statement } from '../database/database.ts'
import { forgetPicture } from '../profiles/picture.ts'
import { lockPicture, profileOfCustomer, resetBiography, resetName, setPicture } from '../profiles/store.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { eraseMethodsOf } from '../wallets/store.ts'
import { forgetLogIn, lockCustomer } from './store.ts'

/** `other_id` is the profile or comment at the other end. */
export type HeldRow = { key: number; other_id: number; at: number }
/** `owner` is a profile, or the customer itself for bets. */
export type HeldList<Row extends { key: number } = HeldRow> = Statement<
  [owner: number, afterKey: number, limit: number],
  Row
>

export const followingsHeld: HeldList = statement(
  'followingsHeld',
  `select followee_id as key, followee_id as other_id, created_at as at from follow
   where follower_id = $1 and followee_id > $2 order by followee_id limit $3`,
)

export const followersHeld: HeldList = statement(
  'followersHeld',
  `select id as key, follower_id as other_id, created_at as at from follow
   where followee_id = $1 and shown = 1 and id > $2 order by id limit $3`,
)

export const hiddenFollowersHeld: HeldList = statement(
  'hiddenFollowersHeld',
  `select id as key, follower_id as other_id, created_at as at from follow
   where followee_id = $1 and shown = 0 and id > $2 order by id limit $3`,
)

export const profileFlagsHeld: HeldList = statement(
  'profileFlagsHeld',
  `select subject_id as key, subject_id as other_id, created_at as at from flag
   where profile_id = $1 and kind = 'profile' and subject_id > $2 order by subject_id limit $3`,
)

export const commentFlagsHeld: HeldList = statement(
  'commentFlagsHeld',
  `select subject_id as key, subject_id as other_id, created_at as at from flag
   where profile_id = $1 and kind = 'comment' and subject_id > $2 order by subject_id limit $3`,
)

export const likesHeld: HeldList = statement(
  'likesHeld',
  `select comment_id as key, comment_id as other_id, created_at as at from comment_like
   where profile_id = $1 and comment_id > $2 order by comment_id limit $3`,
)

/** `other_id` is the outcome. */
export type HeldComment = HeldRow & { bet_id: number; text: string; state: string }

export const commentsHeld: HeldList<HeldComment> = statement(
  'commentsHeld',
  `select id as key, outcome_id as other_id, created_at as at, bet_id, text, state from comment
   where author_id = $1 and id > $2 order by id limit $3`,
)

export type HeldBet = { key: number; at: number; outcome_ids: string }

export const betsHeld: HeldList<HeldBet> = statement(
  'betsHeld',
  `select b.id as key, b.placed_at as at,
     (select string_agg(cast(x.outcome_id as text), ',' order by x.outcome_id) from bet_outcome x
      where x.bet_id = b.id) as outcome_ids
   from bet b where b.customer_id = $1 and b.id > $2 order by b.id limit $3`,
)

/** The comments themselves stay, empty: bets and likes refer to them. */
export const eraseComments = statement<[profileId: number]>(
  'eraseComments',
  `update comment set text = '' where author_id = $1`,
)

/**
 * Erases the log-in, the sessions, the cards and what the customer wrote or uploaded; ids, follows, flags, deposits
 * and the ledger stay. So do bets: they are numbers that the sportsbook told and answers for, and one that was gone
 * could be tipped again. false: no such customer. A session that a process has just seen ends there some seconds later, as any session does (tickets.ts).
 */
export async function erasePersonalData(context: Context, customerId: number): Promise<boolean> {
  const erased = await context.database.transaction(async (transaction) => {
    if ((await transaction.one(lockCustomer, [customerId])) === undefined) return null
    await transaction.run(forgetLogIn, [customerId])
    await transaction.run(deleteSessionsOf, [customerId])
    await transaction.run(eraseMethodsOf, [customerId, context.now()])
    const profile = await transaction.one(profileOfCustomer, [customerId])
    if (profile === undefined) return { picture: null }
    const before = await transaction.one(lockPicture, [profile.id])
    await transaction.run(resetName, [profile.id])
    await transaction.run(resetBiography, [profile.id])
    await transaction.run(setPicture, [profile.id, null])
    await transaction.run(eraseComments, [profile.id])
    return { picture: before?.picture ?? null }
  })
  if (erased === null) return false
  if (erased.picture !== null) await forgetPicture(context, erased.picture)
  return true
}
