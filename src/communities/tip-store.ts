// The SQL that creates tips, in batches (platform/database/write-queue.ts). Triggers count and report them (migrations/schema.*.txt).
// The locks hold off an erasure of the customer, new results and event times, and a change of the author's status until the tip is
// committed, so that they reach it too. A batch waits for none of them: a tip that finds one is written alone.

import { OUTCOME_COLUMNS, type OutcomeColumns } from '../catalogue/event-store.ts'
import { locking, reading, writing } from '../platform/database/database.ts'
import { type IfLocked, WAIT } from '../platform/database/row-list-store.ts'
import { bigint, integer, orNull, type RowOf, rowList, table, text } from '../platform/database/table-store.ts'
import type { ProfileStatus } from '../profiles/store.ts'
import type { FractionColumns } from '../record/terms.ts'

/** `placed_at`, `leg_…`: null unless the bet is the customer's and contains the outcome. `has_tip`: the author has tipped on the outcome before. */
export type TipOutcomeRow = OutcomeColumns &
  FractionColumns<'leg' | 'leg_each_way'> & {
    start_time: number
    communities: number
    author_name: string | null
    author_picture: string | null
    author_status: ProfileStatus
    author_since: number
    author_premoderated: number
    author_erased: number
    has_tip: number | boolean
    placed_at: number | null
    leg_sp: number | null
  }

const tipKeyList = rowList({ outcome_id: bigint, bet_id: bigint, customer_id: bigint, author_id: bigint })
export type TipKey = RowOf<typeof tipKeyList>
export const tipKeysOf = tipKeyList.of

const COLUMNS = `${OUTCOME_COLUMNS}, e.start_time, s.communities,
  author.name as author_name, author.picture as author_picture, author.status as author_status,
  author.created_at as author_since, author.premoderated as author_premoderated,
  case when owner.erased_at is null then 0 else 1 end as author_erased,
  exists (select 1 from comment d where d.author_id = author.id and d.outcome_id = o.id) as has_tip,
  b.placed_at, x.price_num as leg_num, x.price_den as leg_den, x.starting_price as leg_sp,
  x.each_way_num as leg_each_way_num, x.each_way_den as leg_each_way_den`

function lockingOne(name: string, ifLocked: IfLocked) {
  return locking<TipKey, TipOutcomeRow>(name)`
    select ${COLUMNS}
    from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id join sport s on s.id = e.sport_id
    cross join profile author join customer owner on owner.id = author.customer_id
    left join bet b on b.id = :bet_id and b.customer_id = :customer_id
      and exists (select 1 from bet_outcome where bet_id = b.id and outcome_id = o.id)
    left join bet_outcome x on x.bet_id = b.id and x.outcome_id = o.id
    where o.id = :outcome_id and author.id = :author_id for share of owner, e, o, author ${ifLocked}`
}
export const lockOutcomeAndAuthor = lockingOne('lockOutcomeAndAuthor', 'skip locked')
export const lockOutcomeAndAuthorAlone = lockingOne('lockOutcomeAndAuthorAlone', WAIT)

/** For several, each with its own row. A tip whose rows are not all there, or not all free, has none. */
export const lockOutcomesAndAuthors = locking<{ rows: string }, TipOutcomeRow & { author_id: number }>(
  'lockOutcomesAndAuthors',
)`
  with given as materialized (${tipKeyList.select}),
  owner as materialized (
    select id, erased_at from customer where id ${tipKeyList.in('customer_id')} order by id for share skip locked),
  o as materialized (
    select id, market_id, name, status, starting_price, price_num, price_den, result from outcome
    where id ${tipKeyList.in('outcome_id')} order by id for share skip locked),
  e as materialized (
    select id, sport_id, name, status, start_time from event
    where id = any (array(select event_id from o cross join market where market.id = o.market_id)) order by id for share skip locked),
  author as materialized (
    select id, name, picture, status, created_at, premoderated from profile where id ${tipKeyList.in('author_id')} order by id for share skip locked)
  select author.id as author_id, ${COLUMNS}
  from given join owner on owner.id = given.customer_id join author on author.id = given.author_id
  join o on o.id = given.outcome_id join market m on m.id = o.market_id join e on e.id = m.event_id
  join sport s on s.id = e.sport_id
  left join bet b on b.id = given.bet_id and b.customer_id = given.customer_id
    and exists (select 1 from bet_outcome where bet_id = b.id and outcome_id = o.id)
  left join bet_outcome x on x.bet_id = b.id and x.outcome_id = o.id`

/** When the author wrote the tip after which `newer` others follow. */
export const createdAtOfTip = reading<{ authorId: number; newer: number }, { created_at: number }>('createdAtOfTip')`
  select created_at from comment where author_id = :authorId order by id desc limit 1 offset :newer`

export const newTipList = table('comment', {
  author_id: bigint,
  outcome_id: bigint,
  sport_id: bigint,
  bet_id: bigint,
  linked_id: orNull(bigint),
  price_num: orNull(bigint),
  price_den: orNull(bigint),
  starting_price: integer,
  text,
  words: orNull(text),
  created_at: bigint,
  start_order: bigint,
  record_num: orNull(bigint),
  record_den: orNull(bigint),
  record_sp: integer,
  each_way_num: orNull(bigint),
  each_way_den: orNull(bigint),
})
/** `words`: for search. */
export type NewTipRow = RowOf<typeof newTipList>
export const newTipsOf = newTipList.of

/** No row: the author has a tip on this outcome and bet. */
export const insertTip = writing<NewTipRow, { id: number }>('insertTip')`
  ${newTipList.insert()} on conflict do nothing returning id`

/** In the order of keys: who inserts a tip on the same bet waits for the end of the other transaction. */
export const insertTips = writing<{ rows: string }, { id: number; author_id: number; outcome_id: number }>(
  'insertTips',
)`
  insert into comment (${newTipList.names}) select ${newTipList.names} from (${newTipList.select}) as tip
  where true order by outcome_id, bet_id, author_id
  on conflict do nothing returning id, author_id, outcome_id`
