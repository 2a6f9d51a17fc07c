// The statements of a customer's personal data outside the customer's own row. Long lists are read in batches, each after the
// key of the last row of the one before.

import type { EventRow } from '../../event-log/store.ts'
import type { FlagReason } from '../../flags/reasons.ts'
import { appeals } from '../../moderation/appeals/appeal-store.ts'
import type { DecisionAction } from '../../moderation/decisions/actions.ts'
import { notificationRows } from '../../notifications/projection-store.ts'
import { typeShown } from '../../notifications/store.ts'
import { locking, reading, type Statement, writing } from '../../platform/database/database.ts'
import type { RowOf } from '../../platform/database/table-store.ts'
import type { TipState } from '../../record/tip-state.ts'
import { movements } from '../../wallets/account/movement-store.ts'
import type { SafeguardKind } from '../../wallets/limits/safeguard-store.ts'

/** `other_id` is the profile or comment at the other end. */
export type DataRow = { key: number; other_id: number; at: number }
/** `owner` is a profile, the customer itself for bets and safeguards, or the customer's account for movements. */
export type DataList<Row extends { key: number } = DataRow> = Statement<
  { owner: number; after: number; limit: number },
  Row
>

export const followingsBatch: DataList = reading('followingsBatch')`
  select followee_id as key, followee_id as other_id, created_at as at from follow
  where follower_id = :owner and followee_id > :after order by followee_id limit :limit`

export const followersBatch: DataList = reading('followersBatch')`
  select id as key, follower_id as other_id, created_at as at from follow
  where followee_id = :owner and shown = 1 and id > :after order by id limit :limit`

export const hiddenFollowersBatch: DataList = reading('hiddenFollowersBatch')`
  select id as key, follower_id as other_id, created_at as at from follow
  where followee_id = :owner and shown = 0 and id > :after order by id limit :limit`

export type FlagData = DataRow & { reason: FlagReason | null; note: string }

export const profileFlagsBatch: DataList<FlagData> = reading('profileFlagsBatch')`
  select subject_id as key, subject_id as other_id, created_at as at, reason, note from flag
  where profile_id = :owner and kind = 'profile' and subject_id > :after order by subject_id limit :limit`

export const commentFlagsBatch: DataList<FlagData> = reading('commentFlagsBatch')`
  select subject_id as key, subject_id as other_id, created_at as at, reason, note from flag
  where profile_id = :owner and kind = 'comment' and subject_id > :after order by subject_id limit :limit`

export const likesBatch: DataList = reading('likesBatch')`
  select comment_id as key, comment_id as other_id, created_at as at from comment_like
  where profile_id = :owner and comment_id > :after order by comment_id limit :limit`

/** `until`: when it ends. */
export type MuteData = DataRow & { until: number }

export const mutesBatch: DataList<MuteData> = reading('mutesBatch')`
  select other_id as key, other_id, created_at as at, until from profile_mute
  where profile_id = :owner and other_id > :after order by other_id limit :limit`

/** Who blocked the owner is the other's data. */
export const blocksBatch: DataList = reading('blocksBatch')`
  select id as key, other_id, created_at as at from profile_block
  where profile_id = :owner and own = 1 and id > :after order by id limit :limit`

/** `other_id` is the outcome. */
export type CommentData = DataRow & { bet_id: number; text: string; state: TipState }

export const commentsBatch: DataList<CommentData> = reading('commentsBatch')`
  select id as key, outcome_id as other_id, created_at as at, bet_id, text, state from comment
  where author_id = :owner and id > :after order by id limit :limit`

/** `legs`: one for each outcome, its seven columns separated by spaces; a column that is null is empty. */
export type BetData = { key: number; at: number; legs: string; cash_outs: string | null }

const textOf = (column: string) => `coalesce(cast(x.${column} as text), '')`
const LEG_COLUMNS = [
  'outcome_id',
  'price_num',
  'price_den',
  'starting_price',
  'each_way_num',
  'each_way_den',
  'each_way_places',
]

export const betsBatch: DataList<BetData> = reading('betsBatch')`
  select b.id as key, b.placed_at as at, b.cash_outs,
    (select string_agg(${LEG_COLUMNS.map(textOf).join(" || ' ' || ")}, ',' order by x.outcome_id) from bet_outcome x
     where x.bet_id = b.id) as legs
  from bet b where b.customer_id = :owner and b.id > :after order by b.id limit :limit`

export type SafeguardData = { key: number; kind: SafeguardKind; at: number; data: string }

export const safeguardsBatch: DataList<SafeguardData> = reading('safeguardsBatch')`
  select id as key, kind, at, data from safeguard_change where customer_id = :owner and id > :after
  order by id limit :limit`

const movementData = movements.pick('reference, kind, amount, currency, bet_id, at')
export type MovementData = RowOf<typeof movementData> & { key: number }

export const movementsBatch: DataList<MovementData> = reading('movementsBatch')`
  select coalesce(t.line, 0) as key, ${movementData.columns('m')}
  from transfer t join movement m on m.id = t.movement_id
  where t.customer_account_id = :owner and t.line > :after and t.kind <> 'debt_payment' order by t.line limit :limit`

const notificationData = notificationRows.pick('comment_id, at, num_actors, action, decision_id, card_id')
export type NotificationData = RowOf<typeof notificationData> & { key: number; type: string; is_read: number }

export const notificationsBatch: DataList<NotificationData> = reading('notificationsBatch')`
  select n.position as key, ${typeShown('n')} as type, n.is_read, ${notificationData.columns('n')}
  from notification n where n.profile_id = :owner and n.position > :after order by n.position limit :limit`

const appealData = appeals.pick('decision_id, party, text, made_at, state, reply, decided_at')
export type AppealData = RowOf<typeof appealData> & { key: number }

export const appealsBatch: DataList<AppealData> = reading('appealsBatch')`
  select id as key, ${appealData.columns()} from appeal
  where profile_id = :owner and id > :after order by id limit :limit`

export type FormerData = { key: number; action: DecisionAction; former: string; at: number }

export const formerContentBatch: DataList<FormerData> = reading('formerContentBatch')`
  select id as key, action, former, at from decision
  where profile_id = :owner and action not in ('keep', 'feature', 'unfeature') and former is not null and id > :after
  order by id limit :limit`

/** An index by profile would cost every like and follow one more page to write, for an export now and then. */
export const eventsOfCustomerBetween = reading<
  { customer: number; profile: number; after: number; upTo: number },
  EventRow
>('eventsOfCustomerBetween')`
  select position, kind, subject_type, subject_id, profile_id, customer_id, at, data from event_log
  where position > :after and position <= :upTo and (customer_id = :customer or profile_id = :profile)
  order by position`

/** In the order of ids, and before their author's profile, as a reaction to a comment locks them. */
export const lockCommentsOf = locking<{ profileId: number }, { id: number }>('lockCommentsOf')`
  select id from comment where author_id = :profileId order by id for no key update`

/** The comments stay, without text: bets and likes refer to them. */
export const eraseComments = writing<{ profileId: number }>('eraseComments')`
  update comment set text = '', words = '' where author_id = :profileId`

/**
 * SQLite overwrites what is deleted (secure_delete), but its write-ahead log still holds the earlier pages. While others
 * are reading, a later checkpoint clears it.
 */
export const CLEAR_WRITE_AHEAD_LOG = 'pragma wal_checkpoint(truncate)'
