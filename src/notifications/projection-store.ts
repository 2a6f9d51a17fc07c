// The SQL of the projection. Each statement takes the rows of a whole batch.

import { isBehindEvents } from '../event-log/store.ts'
import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import type { Column, RowOf } from '../platform/database/table-store.ts'
import { bigint, integer, oneOf, orNull, rowList, table, text } from '../platform/database/table-store.ts'
import { isVisible, mutedUntil } from '../profiles/visibility-store.ts'

export type NotificationType = 'followed' | 'liked' | 'settled' | 'decision'

export const projectorProgress = reading<NoParameters, { position: number; newest: number }>('projectorProgress')`
  select position, (select coalesce(max(position), 0) from event_log) as newest from notification_cursor where id = 1`

export const NOTIFICATIONS_ARE_BEHIND = isBehindEvents('(select position from notification_cursor where id = 1)')

/** No row: another process is at work. */
export const lockNotificationCursor = locking<NoParameters, { position: number }>('lockNotificationCursor')`
  select position from notification_cursor where id = 1 for update skip locked`

/** Waits for the batch in progress, and holds off the next one. */
export const awaitNotificationCursor = locking<NoParameters, { position: number }>('awaitNotificationCursor')`
  select position from notification_cursor where id = 1 for update`

export const advanceNotificationCursor = writing<{ position: number }>('advanceNotificationCursor')`
  update notification_cursor set position = :position where id = 1`

// ---- Profiles

/** `play_from`: before that the owner gets no notifications of likes, followers and results. */
export type ProfileState = { id: number; is_active: number; is_erased: number; play_from: number }

export const profileStates = reading<{ ids: string }, ProfileState>('profileStates')`
  select p.id, case when p.status = 'A' then 1 else 0 end as is_active,
    case when o.erased_at is null then 0 else 1 end as is_erased,
    case when o.status = 'self-excluded' then 9007199254740991 else o.play_from end as play_from
  from profile p join customer o on o.id = p.customer_id where p.id ${inList('ids')}`

export const profilesOfCustomers = reading<{ customerIds: string }, { id: number; customer_id: number }>(
  'profilesOfCustomers',
)`
  select id, customer_id from profile where customer_id ${inList('customerIds')}`

// ---- Mutes and blocks

export const interactionList = rowList({ recipient_id: bigint, actor_id: bigint, at: bigint })
export type Interaction = RowOf<typeof interactionList>

/** Interactions by actors whom the recipient has muted until later, or where neither sees the other. */
export const hiddenInteractions = reading<{ rows: string }, Interaction>('hiddenInteractions')`
  select interaction.recipient_id, interaction.actor_id, interaction.at from (${interactionList.select}) as interaction
  where not (${isVisible('interaction.recipient_id', 'interaction.actor_id')})
    or ${mutedUntil('interaction.recipient_id', 'interaction.actor_id')} > interaction.at`

// ---- Groups. Locked, so that a group to which an actor is being added cannot be marked as read meanwhile.

type Group = { key: number; subject_id: number }

export const unreadFollowed = locking<{ profileIds: string }, Group>('unreadFollowed')`
  select key, profile_id as subject_id from notification
  where type = 'followed' and is_read = 0 and profile_id ${inList('profileIds')} for no key update`

export const unreadLiked = locking<{ commentIds: string }, Group>('unreadLiked')`
  select key, comment_id as subject_id from notification
  where type = 'liked' and is_read = 0 and comment_id ${inList('commentIds')} for no key update`

/** Decisions that notify the owner. `keep` and `unfeature` notify nobody. */
export const NOTIFIED_ACTIONS = [
  'hold',
  'publish',
  'remove',
  'restore',
  'feature',
  'deactivate',
  'reactivate',
  'reset-name',
  'reset-biography',
  'reset-picture',
] as const

/** What was done with a card of the recipient. */
export type CardAction = 'added' | 'changed' | 'closed' | 'blocked' | 'reopened' | 'removed' | 'account-closed'

/** What was decided: on the recipient's own content, on a flag (upheld, rejected), or on an appeal (upheld, overturned). */
export type NotificationAction = (typeof NOTIFIED_ACTIONS)[number] | 'upheld' | 'rejected' | 'overturned' | CardAction

/** The columns of a notification that is about no decision of a moderator. */
export const NO_DECISION = { num_actors: 0, action: null, concerns: null, decision_id: null, card_id: null }

export const notificationRows = table('notification', {
  profile_id: bigint,
  type: text as Column<NotificationType>,
  comment_id: orNull(bigint),
  position: bigint,
  at: bigint,
  num_actors: integer,
  action: orNull(text as Column<NotificationAction>),
  /** Set, as is the card, where a notification of type decision is about something else than the recipient's own content. */
  concerns: orNull(oneOf(['report', 'appeal'])),
  decision_id: orNull(bigint),
  card_id: orNull(bigint),
})
export type NewNotification = RowOf<typeof notificationRows>

/** A tip has one result: a corrected one replaces it, unread. With "where true" SQLite does not parse "on" as a join's. */
export const insertNotifications = writing<
  { rows: string },
  { key: number } & Pick<NewNotification, 'profile_id' | 'type' | 'comment_id'>
>('insertNotifications')`
  ${notificationRows.insertRows} where true
  on conflict (comment_id) where type = 'settled'
  do update set position = excluded.position, at = excluded.at, is_read = 0
  returning key, profile_id, type, comment_id`

export const reportedDecisionList = rowList({ decision_id: bigint, position: bigint, at: bigint })
export type ReportedDecision = RowOf<typeof reportedDecisionList>

/**
 * For whoever had flagged the subject: whether the flag was upheld, and nothing of the author. A decision that restricts has a
 * ground; one that neither upholds flags nor rejects them, as to feature no longer, leaves a verdict of 0.
 */
export const notifyReporters = writing<{ rows: string }>('notifyReporters')`
  insert into notification (profile_id, type, concerns, decision_id, position, at, num_actors, action)
  select f.profile_id, 'decision', 'report', d.id, made.position, made.at, 0,
    case when d.ground is null then 'rejected' else 'upheld' end
  from (${reportedDecisionList.select}) as made cross join decision d cross join flag f cross join profile p cross join customer o
  where d.id = made.decision_id and f.kind = d.kind and f.subject_id = d.subject_id and f.decision_id = d.id and f.verdict <> 0
    and p.id = f.profile_id and o.id = p.customer_id and o.erased_at is null`

export const groupChangeList = rowList({ key: bigint, added: integer, position: bigint, at: bigint })

/** Position 0: nobody was added. */
export const changeGroups = writing<{ rows: string }>('changeGroups')`
  update notification set num_actors = num_actors + change.added,
    position = case when change.position > 0 then change.position else notification.position end,
    at = case when change.position > 0 then change.at else notification.at end
  from (${groupChangeList.select}) as change where notification.key = change.key`

/** A group whose actors are only hidden stays: it is shown again with them. */
export const deleteEmptyGroups = writing<{ keys: string }>('deleteEmptyGroups')`
  delete from notification where key ${inList('keys')}
  and (select 1 from notification_actor where notification_key = notification.key limit 1) is null`

export const deleteNotificationsOf = writing<{ profileIds: string }>('deleteNotificationsOf')`
  delete from notification where profile_id ${inList('profileIds')}`

// ---- Actors

export const actorList = table('notification_actor', {
  profile_id: bigint,
  recipient_id: bigint,
  comment_id: bigint,
  notification_key: bigint,
  position: bigint,
  shown: integer,
})
export type ActorRow = RowOf<typeof actorList>
export type RemovedActor = Pick<ActorRow, 'notification_key' | 'shown'>

export const insertActors = writing<{ rows: string }>('insertActors', actorList.insertRows)

export const actorKeyList = actorList.pick('profile_id, recipient_id, comment_id')
export type ActorKey = RowOf<typeof actorKeyList>

export const deleteActors = writing<{ rows: string }, RemovedActor>('deleteActors')`
  delete from notification_actor where (profile_id, recipient_id, comment_id) in (${actorKeyList.select})
  returning notification_key, shown`

/** What one profile did to the other. */
export const deleteActorsBetween = writing<{ profileId: number; recipientId: number }, RemovedActor>(
  'deleteActorsBetween',
)`
  delete from notification_actor where profile_id = :profileId and recipient_id = :recipientId
  returning notification_key, shown`

export const deleteActorsOf = writing<{ profileIds: string }, RemovedActor>('deleteActorsOf')`
  delete from notification_actor where profile_id ${inList('profileIds')} returning notification_key, shown`

/** Returns the actors whose visibility has changed. */
export const setActorsShown = writing<{ profileIds: string; shown: number }, RemovedActor>('setActorsShown')`
  update notification_actor set shown = :shown where profile_id ${inList('profileIds')} and shown <> :shown
  returning notification_key, shown`
