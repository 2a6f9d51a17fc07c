// What is held of a customer beside the customer's own row, and its erasure. Long lists are read in batches, each after
// the key of the last row of the one before.

import type { Context } from '../context.ts'
import { eraseCustomer, lockCustomer } from '../customers/store.ts'
import { reading, type Statement, writing } from '../database/database.ts'
import { removeStoredPicture } from '../profiles/picture.ts'
import { lockPicture, profileOfCustomer, resetBiography, resetName, setPicture } from '../profiles/store.ts'
import type { DecisionRow } from '../review/store.ts'
import { deleteSessionsOf } from '../sessions/store.ts'
import { eraseMethodsOf } from '../wallets/store.ts'

/** `other_id` is the profile or comment at the other end. */
export type HeldRow = { key: number; other_id: number; at: number }
/** `owner` is a profile, or the customer itself for bets. */
export type HeldList<Row extends { key: number } = HeldRow> = Statement<
  { owner: number; after: number; limit: number },
  Row
>

export const followingsHeld: HeldList = reading(
  'followingsHeld',
  `select followee_id as key, followee_id as other_id, created_at as at from follow
   where follower_id = :owner and followee_id > :after order by followee_id limit :limit`,
)

export const followersHeld: HeldList = reading(
  'followersHeld',
  `select id as key, follower_id as other_id, created_at as at from follow
   where followee_id = :owner and shown = 1 and id > :after order by id limit :limit`,
)

export const hiddenFollowersHeld: HeldList = reading(
  'hiddenFollowersHeld',
  `select id as key, follower_id as other_id, created_at as at from follow
   where followee_id = :owner and shown = 0 and id > :after order by id limit :limit`,
)

export const profileFlagsHeld: HeldList = reading(
  'profileFlagsHeld',
  `select subject_id as key, subject_id as other_id, created_at as at from flag
   where profile_id = :owner and kind = 'profile' and subject_id > :after order by subject_id limit :limit`,
)

export const commentFlagsHeld: HeldList = reading(
  'commentFlagsHeld',
  `select subject_id as key, subject_id as other_id, created_at as at from flag
   where profile_id = :owner and kind = 'comment' and subject_id > :after order by subject_id limit :limit`,
)

export const likesHeld: HeldList = reading(
  'likesHeld',
  `select comment_id as key, comment_id as other_id, created_at as at from comment_like
   where profile_id = :owner and comment_id > :after order by comment_id limit :limit`,
)

/** `other_id` is the outcome. */
export type HeldComment = HeldRow & { bet_id: number; text: string; state: string }

export const commentsHeld: HeldList<HeldComment> = reading(
  'commentsHeld',
  `select id as key, outcome_id as other_id, created_at as at, bet_id, text, state from comment
   where author_id = :owner and id > :after order by id limit :limit`,
)

export type HeldBet = { key: number; at: number; outcome_ids: string }

export const betsHeld: HeldList<HeldBet> = reading(
  'betsHeld',
  `select b.id as key, b.placed_at as at,
     (select string_agg(cast(x.outcome_id as text), ',' order by x.outcome_id) from bet_outcome x
      where x.bet_id = b.id) as outcome_ids
   from bet b where b.customer_id = :owner and b.id > :after order by b.id limit :limit`,
)

/** The comments themselves stay, empty: bets and likes refer to them. */
export const eraseComments = writing<{ profileId: number }>(
  'eraseComments',
  `update comment set text = '' where author_id = :profileId`,
)

/** What moderators wrote is about the customer; that they decided, what and when, stays. */
export const eraseNotesOnProfile = writing<{ profileId: number }>(
  'eraseNotesOnProfile',
  `update decision set note = '' where kind = 'profile' and subject_id = :profileId`,
)

export const eraseNotesOnComments = writing<{ profileId: number }>(
  'eraseNotesOnComments',
  `update decision set note = ''
   where kind = 'comment' and subject_id in (select id from comment where author_id = :profileId)`,
)

export const decisionsOnCommentsOf = reading<{ profileId: number }, DecisionRow>(
  'decisionsOnCommentsOf',
  `select d.subject_id, d.action, d.note, d.actor, d.at
   from comment c join decision d on d.kind = 'comment' and d.subject_id = c.id
   where c.author_id = :profileId order by d.id`,
)

/**
 * Erases the log-in, the sessions, the cards, what the customer wrote or uploaded and what moderators noted; ids, follows,
 * flags, deposits and the ledger stay. So do bets: they are numbers that the sportsbook answers for, and one that was gone
 * could be tipped again. false: no such customer. A session that a process has just seen ends there some seconds later, as
 * any session does (tickets.ts), and writes no text or picture meanwhile (OWNER_NOT_ERASED).
 */
export async function erasePersonalData(context: Context, customerId: number): Promise<boolean> {
  const erased = await context.database.transaction(async (transaction) => {
    if ((await transaction.one(lockCustomer, { id: customerId })) === undefined) return null
    await transaction.run(eraseCustomer, { id: customerId, now: context.now() })
    await transaction.run(deleteSessionsOf, { customerId })
    await transaction.run(eraseMethodsOf, { customerId, now: context.now() })
    const profile = await transaction.one(profileOfCustomer, { customerId })
    if (profile === undefined) return { picture: null }
    const before = await transaction.one(lockPicture, { id: profile.id })
    await transaction.run(resetName, { id: profile.id })
    await transaction.run(resetBiography, { id: profile.id })
    await transaction.run(setPicture, { id: profile.id, picture: null })
    await transaction.run(eraseComments, { profileId: profile.id })
    await transaction.run(eraseNotesOnProfile, { profileId: profile.id })
    await transaction.run(eraseNotesOnComments, { profileId: profile.id })
    return { picture: before?.picture ?? null }
  })
  if (erased === null) return false
  if (erased.picture !== null) await removeStoredPicture(context, erased.picture)
  await clearWriteAheadLog(context)
  return true
}

/**
 * The embedded database overwrites what is deleted (secure_delete), but its write-ahead log still has the pages of before.
 * Where others read just now, it is cleared by a later checkpoint.
 */
async function clearWriteAheadLog({ database }: Context): Promise<void> {
  if (database.engine === 'sqlite') await database.script('pragma wal_checkpoint(truncate)')
}
