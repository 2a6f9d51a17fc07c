// The SQL of a profile's notifications. They are written by a projection (projection-store.ts).

import { reading, writing } from '../platform/database/database.ts'
import { type ProfileRow, profileColumns } from '../profiles/store.ts'
import type { Result } from '../record/figures.ts'
import type { NotificationAction, NotificationType } from './projection-store.ts'

/** The columns of the profile are null where there is no actor. */
export type NotificationRow = { [Column in keyof ProfileRow]: ProfileRow[Column] | null } & {
  position: number
  type: NotificationType | 'report' | 'appeal' | 'card'
  is_read: number
  at: number
  num_actors: number
  action: NotificationAction | null
  decision_id: number | null
  card_id: number | null
  last_four: string | null
  comment_id: number | null
  text: string | null
  result: Result | null
  num_unread: number
}

/**
 * The latest active actor of notification n. By the profile's own status: the projection hides the actors of a profile a
 * little after it was deactivated.
 */
const LATEST_ACTOR = `(select a.profile_id from notification_actor a cross join profile actor
  where a.notification_key = n.key and a.shown = 1 and actor.id = a.profile_id and actor.status = 'A'
  order by a.position desc limit 1)`

const IS_TIP_LIVE = `(select tip.state from comment tip where tip.id = n.comment_id) = 'live'`

/**
 * A tip that is not live shows only decisions. Likes and follows are shown only with an actor. The list and the number
 * of unread ones have the same condition, so that they always agree.
 */
const IS_SHOWN = `(n.type = 'decision' or ((n.comment_id is null or ${IS_TIP_LIVE})
  and (n.type = 'settled' or ${LATEST_ACTOR} is not null)))`

const MAX_COUNTED = 1000

/** What callers see: notifications of type decision are about several things. */
export const typeShown = (row: string) =>
  `case when ${row}.card_id is not null then 'card' else coalesce(${row}.concerns, ${row}.type) end`

/** Keys by index first, rows after, as in followersOf. The unread ones are counted once, up to MAX_COUNTED. */
export const notificationsOf = reading<{ id: number; limit: number; offset: number }, NotificationRow>(
  'notificationsOf',
)`
  select b.position, ${typeShown('b')} as type, b.is_read, b.at, b.num_actors, b.action, b.decision_id, b.card_id, b.comment_id, t.text, o.result,
    (select substr(m.card_number, length(m.card_number) - 3) from payment_method m where m.id = b.card_id) as last_four,
    (select count(*) from (select 1 from notification n where n.profile_id = :id and n.is_read = 0 and ${IS_SHOWN}
       order by n.position desc limit ${MAX_COUNTED}) unread) as num_unread, ${profileColumns(':id')}
  from (select * from
         (select n.position, n.type, n.is_read, n.at, n.num_actors, n.action, n.concerns, n.decision_id, n.card_id, n.comment_id,
            ${LATEST_ACTOR} as actor_id
          from notification n where n.profile_id = :id and ${IS_SHOWN}
          order by n.position desc limit :limit offset :offset) block
        limit 100) b
  left join comment t on t.id = b.comment_id left join outcome o on o.id = t.outcome_id
  left join profile p on p.id = b.actor_id left join profile_count c on c.profile_id = p.id
  order by b.position desc`

const UNREAD_UP_TO = 'from notification where profile_id = :id and is_read = 0 and position <= :upTo'

/** Skips notifications that a batch of the projection has locked: it locks in an order of its own. */
export const markRead = writing<{ id: number; upTo: number }>('markRead')`
  update notification set is_read = 1 where is_read = 0 and key in (select key ${UNREAD_UP_TO} for no key update skip locked)`

export const unreadUpTo = reading<{ id: number; upTo: number }, { key: number }>('unreadUpTo')`
  select key ${UNREAD_UP_TO} limit 1`

// ---- Retention

const MAX_DELETED = 1000

/** Runs while the projection is held off, which may be adding an actor. */
export const deleteNotificationsBefore = writing<{ before: number }>('deleteNotificationsBefore')`
  delete from notification where key in (
    select key from notification where at < :before order by at limit ${MAX_DELETED} for update skip locked)`
