// All statements take lists (platform/database/row-list-store.ts). Rows are locked and written in the order of their ids, so that two
// imports cannot deadlock. A new row is inserted, which costs PostgreSQL a seventh less than an upsert. A row that was found
// is updated by an upsert, which always finds it by its key; a join may be planned for an empty table.

import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import type { Column, Columns, RowOf, Table } from '../platform/database/table-store.ts'
import { bigint, integer, oneOf, orNull, table, text } from '../platform/database/table-store.ts'
import type { Result } from '../record/figures.ts'
import type { FractionColumns } from '../record/terms.ts'

/** The statuses of an event, a market or an outcome. */
export const SPORTSBOOK_STATUSES = ['active', 'suspended'] as const
export type SportsbookStatus = (typeof SPORTSBOOK_STATUSES)[number]

type Ids = { ids: string }
type Rows = { rows: string }

/** How new rows are inserted, and those that were found are updated. `changed`: the columns that an update writes. */
export function writesOf<C extends Columns>(names: string, list: Table<C>, changed: string) {
  const set = changed.split(', ').map((column) => `${column} = excluded.${column}`)
  return {
    list,
    insert: writing<Rows>(`insert${names}`, list.insertRows),
    update: writing<Rows>(
      `update${names}`,
      `${list.insertRows} where true on conflict (id) do update set ${set.join(', ')}`,
    ),
  }
}

// ---- Sports

export const sportList = table('sport', { id: bigint, name: text, communities: integer })
type SportRow = RowOf<typeof sportList>

export const lockSports = locking<Ids, SportRow>('lockSports')`
  select ${sportList.columns()} from sport where id ${inList('ids')} order by id for no key update`

/** For filters. A sportsbook has tens of sports. */
export const allSports = reading<NoParameters, { id: number; name: string }>('allSports')`
  select id, name from sport order by name, id limit 1000`

export const knownSports = reading<Ids, { id: number }>('knownSports')`select id from sport where id ${inList('ids')}`

export const writeSports = writesOf('Sports', sportList, 'name, communities')

// ---- Events

export const eventList = table('event', {
  id: bigint,
  sport_id: bigint,
  name: text,
  start_time: bigint,
  status: oneOf(SPORTSBOOK_STATUSES),
  score: orNull(text),
  clock: orNull(text),
  settled_at: orNull(bigint),
})
export type EventRow = RowOf<typeof eventList>

export const lockEvents = locking<Ids, EventRow>('lockEvents')`
  select ${eventList.columns()} from event where id ${inList('ids')} order by id for no key update`

export const writeEvents = writesOf('Events', eventList, 'name, start_time, status, score, clock, settled_at')

/** After a settlement. An event is settled with the last of its markets. */
export const settleEvents = writing<Ids & { now: number }>('settleEvents')`
  update event set settled_at = :now where id ${inList('ids')} and settled_at is null
    and not exists (select 1 from market m where m.event_id = event.id and m.settled_at is null)`

// ---- Markets

export const marketList = table('market', {
  id: bigint,
  event_id: bigint,
  name: text,
  status: oneOf(SPORTSBOOK_STATUSES),
})

/** `start_time` is the event's. */
type LockedMarket = RowOf<typeof marketList> & { start_time: number }

export const lockMarkets = locking<Ids, LockedMarket>('lockMarkets')`
  select ${marketList.columns('m')}, e.start_time from market m join event e on e.id = m.event_id
  where m.id ${inList('ids')} order by m.id for no key update of m`

export const eventsOfMarkets = reading<Ids, { id: number }>('eventsOfMarkets')`
  select distinct event_id as id from market where id ${inList('ids')}`

export const startTimesOfMarkets = reading<Ids, { id: number; start_time: number }>('startTimesOfMarkets')`
  select m.id, e.start_time from market m join event e on e.id = m.event_id where m.id ${inList('ids')}`

export const writeMarkets = writesOf('Markets', marketList, 'name, status')

export const markSettled = writing<Ids & { now: number }>('markSettled')`
  update market set settled_at = coalesce(settled_at, :now) where id ${inList('ids')}`

// ---- Outcomes

export const outcomes = table('outcome', {
  id: bigint,
  market_id: bigint,
  name: text,
  status: oneOf(SPORTSBOOK_STATUSES),
  starting_price: integer,
  price_num: orNull(bigint),
  price_den: orNull(bigint),
  closing_num: orNull(bigint),
  closing_den: orNull(bigint),
  result: orNull(text as Column<Result>),
  dead_heat_num: orNull(bigint),
  dead_heat_den: orNull(bigint),
  place_dead_heat_num: orNull(bigint),
  place_dead_heat_den: orNull(bigint),
  rule4: integer,
  sp_num: orNull(bigint),
  sp_den: orNull(bigint),
  settled_at: orNull(bigint),
})
const outcomeList = outcomes.pick(
  'id, market_id, name, status, starting_price, price_num, price_den, closing_num, closing_den',
)
export type OutcomeRow = RowOf<typeof outcomeList>

/** What a settlement writes. `rule4` is in hundredths. */
export type ResultColumns = FractionColumns<'dead_heat' | 'place_dead_heat' | 'sp'> & { result: Result; rule4: number }

/** Locked until the results are committed: a tip on one of them comes either before the settlement or after it. */
export const lockOutcomes = locking<Ids, OutcomeRow & { settled_at: number | null }>('lockOutcomes')`
  select ${outcomeList.columns()}, settled_at from outcome where id ${inList('ids')} order by id for no key update`

/** The results of locked outcomes. Only settlements read them: prices, which are most of a feed, stay cheap. */
export const resultsOfOutcomes = reading<Ids, ResultColumns & { id: number }>('resultsOfOutcomes')`
  select id, result, dead_heat_num, dead_heat_den, place_dead_heat_num, place_dead_heat_den, rule4, sp_num, sp_den
  from outcome where id ${inList('ids')} and result is not null`

export const outcomesOfMarkets = reading<Ids, { id: number }>('outcomesOfMarkets')`
  select id from outcome where market_id ${inList('ids')}`

export const knownOutcomes = reading<Ids, { id: number }>('knownOutcomes')`
  select id from outcome where id ${inList('ids')}`

/** A result is never part of it: only a settlement changes one. */
export const writeOutcomes = writesOf(
  'Outcomes',
  outcomeList,
  'name, status, starting_price, price_num, price_den, closing_num, closing_den',
)

export const pricePointList = table('price_point', {
  outcome_id: bigint,
  minute: bigint,
  price_num: orNull(bigint),
  price_den: orNull(bigint),
})
export const pricePointsOf = pricePointList.of

/** The last price of a minute replaces those before. */
export const writePricePoints = writing<Rows>('writePricePoints')`
  ${pricePointList.insertRows} where true
  on conflict (outcome_id, minute) do update set price_num = excluded.price_num, price_den = excluded.price_den`

/** Whole minutes, until about a thousand points are gone. */
export const deletePricePointsBefore = writing<{ minute: number }>('deletePricePointsBefore')`
  delete from price_point where minute < :minute
    and minute <= coalesce((select minute from price_point order by minute limit 1 offset 999), :minute)`

/** Rows that exist: the columns before `result` are only there for the insert, which always conflicts. */
export const settledOutcomeList = outcomes.omit('price_num, price_den, closing_num, closing_den')

export const setResults = writing<Rows>('setResults')`
  ${settledOutcomeList.insertRows} where true
  on conflict (id) do update set result = excluded.result,
    dead_heat_num = excluded.dead_heat_num, dead_heat_den = excluded.dead_heat_den,
    place_dead_heat_num = excluded.place_dead_heat_num, place_dead_heat_den = excluded.place_dead_heat_den,
    rule4 = excluded.rule4, sp_num = excluded.sp_num, sp_den = excluded.sp_den,
    settled_at = coalesce(outcome.settled_at, excluded.settled_at)`
