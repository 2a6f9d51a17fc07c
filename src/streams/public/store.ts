// The SQL of the streams of applications.

import type { SportsbookStatus } from '../../catalogue/store.ts'
import { reading } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import { bigint, type RowOf, rowList } from '../../platform/database/table-store.ts'
import { isVisible, mutedUntil } from '../../profiles/visibility-store.ts'
import type { Result } from '../../record/figures.ts'
import type { FractionColumns } from '../../record/terms.ts'
import type { StreamedRow } from './frames.ts'
import { FOLLOWED_KIND, moneyKinds, ownKinds } from './kinds.ts'

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

export const pairList = rowList({ recipient_id: bigint, actor_id: bigint })

/** The pairs whose actor is inactive, muted by the recipient, or on the other side of a block. */
export const hiddenPairs = reading<{ rows: string; now: number }, RowOf<typeof pairList>>('hiddenPairs')`
  select pair.recipient_id, pair.actor_id from (${pairList.select}) as pair
  where (select p.status from profile p where p.id = pair.actor_id) <> 'A'
    or not (${isVisible('pair.recipient_id', 'pair.actor_id')})
    or ${mutedUntil('pair.recipient_id', 'pair.actor_id')} > :now`

// ---- States that streams watch

export type OutcomeStateRow = FractionColumns<'price' | 'dead_heat' | 'place_dead_heat'> & {
  outcome_id: number
  outcome_status: SportsbookStatus
  result: Result | null
  /** In hundredths. */
  rule4: number
  market_status: SportsbookStatus
  settled_at: number | null
  event_id: number
  event_status: SportsbookStatus
  start_time: number
  score: string | null
  clock: string | null
  event_settled_at: number | null
}

export const outcomeStates = reading<{ ids: string }, OutcomeStateRow>('outcomeStates')`
  select o.id as outcome_id, o.status as outcome_status, o.price_num, o.price_den, o.result, o.dead_heat_num,
    o.dead_heat_den, o.place_dead_heat_num, o.place_dead_heat_den, o.rule4, m.status as market_status, m.settled_at,
    e.id as event_id, e.status as event_status, e.start_time, e.score, e.clock,
    e.settled_at as event_settled_at
  from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id where o.id ${inList('ids')}`

/** `balance`: in minor units. `newest_unread`: the id of a notification. */
export type AccountStateRow = { customer_id: number; currency: string; balance: string; newest_unread: number | null }

export const accountStates = reading<{ ids: string }, AccountStateRow>('accountStates')`
  select c.id as customer_id, c.currency, cast(coalesce(a.balance, 0) as text) as balance,
    (select n.position from notification n where n.profile_id = p.id and n.is_read = 0
      order by n.position desc limit 1) as newest_unread
  from customer c left join profile p on p.customer_id = c.id
    left join account a on a.customer_id = c.id and a.currency = c.currency and a.kind = 'customer'
  where c.id ${inList('ids')}`

/** The new tips that are still live, by active profiles. */
export const shownTips = reading<{ ids: string }, { id: number; author_id: number }>('shownTips')`
  select c.id, c.author_id from comment c join profile p on p.id = c.author_id
  where c.id ${inList('ids')} and c.state = 'live' and p.status = 'A'`

/** Whoever of the two has blocked. */
export const blocksBetween = reading<{ viewers: string; authors: string }, { viewer_id: number; author_id: number }>(
  'blocksBetween',
)`
  select profile_id as viewer_id, other_id as author_id from profile_block
  where profile_id ${inList('viewers')} and other_id ${inList('authors')}`

// ---- What happened while a client was away

export const HISTORY_BLOCK = 200

const namesOf = (kinds: object) =>
  Object.keys(kinds)
    .map((kind) => `'${kind}'`)
    .join(', ')

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
    and ((e.profile_id = :profileId and e.kind in (${namesOf(ownKinds)}))
      or (e.customer_id = :customerId and e.kind in (${namesOf(moneyKinds)}))
      or (e.kind = '${FOLLOWED_KIND}' and (select case when f.muted_until <= :now then f.shown end from follow f
        where f.follower_id = :profileId and f.followee_id = e.profile_id) = 1))
  order by e.position limit ${HISTORY_BLOCK}`
