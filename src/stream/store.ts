// The SQL of the streams of applications.

import { reading } from '../database/database.ts'
import { inList } from '../database/row-list-store.ts'
import type { StreamedRow } from './frames.ts'
import { DEPOSIT_KINDS, FOLLOWED_KIND, OWN_KINDS } from './kinds.ts'

/** By the key of both ids. The plus keeps the planners from indexes in which they would read all followers of an author. */
export const followsBetween = reading<
  { viewers: string; authors: string },
  { follower_id: number; followee_id: number }
>(
  'followsBetween',
  `select follower_id, followee_id from follow
   where follower_id ${inList('viewers')} and followee_id ${inList('authors')} and +shown = 1`,
)

export const inactiveProfiles = reading<{ ids: string }, { id: number }>(
  'inactiveProfiles',
  `select id from profile where id ${inList('ids')} and status <> 'A'`,
)

// ---- What happened while a client was away

export const HISTORY_BLOCK = 200

const textsOf = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ')

/**
 * Reads all events of a short range of the log. An index by profile would read fewer, but each like and follow would have to
 * write it, which cost them a fifth on SQLite; clients come back rarely.
 */
export const historyOf = reading<{ profileId: number; customerId: number; after: number; upTo: number }, StreamedRow>(
  'historyOf',
  `select e.position, e.kind, e.subject_type, e.subject_id, e.profile_id, e.at, e.data from event_log e
   where e.position > :after and e.position <= :upTo
     and ((e.profile_id = :profileId and e.kind in (${textsOf(OWN_KINDS)}))
       or (e.customer_id = :customerId and e.kind in (${textsOf(DEPOSIT_KINDS)}))
       or (e.kind = '${FOLLOWED_KIND}' and (select f.shown from follow f
         where f.follower_id = :profileId and f.followee_id = e.profile_id) = 1))
   order by e.position limit ${HISTORY_BLOCK}`,
)
