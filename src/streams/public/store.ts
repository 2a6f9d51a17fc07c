// The SQL of the streams of applications.

import { reading } from '../../platform/database/database.ts'
import { inList, type RowOf, rowList } from '../../platform/database/row-list-store.ts'
import { isVisible, mutedUntil } from '../../profiles/visibility-store.ts'
import type { StreamedRow } from './frames.ts'
import { FOLLOWED_KIND, MONEY_KINDS, OWN_KINDS } from './kinds.ts'

/**
 * Leaves out authors whom the follower has muted. Read by the key of both ids: the plus keeps the planners from indexes
 * in which they would read all followers of an author.
 */
export const followsBetween = reading<
  { viewers: string; authors: string; now: number },
  { follower_id: number; followee_id: number }
>('followsBetween')`
  select follower_id, followee_id from follow
  where follower_id ${inList('viewers')} and followee_id ${inList('authors')} and +shown = 1 and muted_until <= :now`

export const pairList = rowList({ recipient_id: 'bigint', actor_id: 'bigint' })

/** The pairs whose actor is inactive, muted by the recipient, or on the other side of a block. */
export const hiddenPairs = reading<{ rows: string; now: number }, RowOf<typeof pairList>>('hiddenPairs')`
  select pair.recipient_id, pair.actor_id from (${pairList.select}) as pair
  where (select p.status from profile p where p.id = pair.actor_id) <> 'A'
    or not (${isVisible('pair.recipient_id', 'pair.actor_id')})
    or ${mutedUntil('pair.recipient_id', 'pair.actor_id')} > :now`

// ---- What happened while a client was away

export const HISTORY_BLOCK = 200

const textsOf = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ')

/**
 * Reads all events of a short range of the log. An index by profile would read fewer, but each like and follow would
 * have to write it, which made them 20 % slower on SQLite; clients come back rarely.
 */
export const historyOf = reading<
  { profileId: number; customerId: number; after: number; upTo: number; now: number },
  StreamedRow
>('historyOf')`
  select e.position, e.kind, e.subject_type, e.subject_id, e.profile_id, e.at, e.data from event_log e
  where e.position > :after and e.position <= :upTo
    and ((e.profile_id = :profileId and e.kind in (${textsOf(OWN_KINDS)}))
      or (e.customer_id = :customerId and e.kind in (${textsOf(MONEY_KINDS)}))
      or (e.kind = '${FOLLOWED_KIND}' and (select case when f.muted_until <= :now then f.shown end from follow f
        where f.follower_id = :profileId and f.followee_id = e.profile_id) = 1))
  order by e.position limit ${HISTORY_BLOCK}`
