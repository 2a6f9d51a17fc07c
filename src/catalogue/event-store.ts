// The SQL of events as everybody sees them: lists, and an event with its markets and prices.

import { reading, type Statement } from '../platform/database/database.ts'
import { inList } from '../platform/database/row-list-store.ts'
import type { Result } from '../record/figures.ts'
import type { FractionColumns } from '../record/terms.ts'
import { eventList, type SportsbookStatus, type EventRow as StoredEvent } from './store.ts'

/** `settled_at`: with the last of its markets. */
export type EventRow = StoredEvent & { sport_name: string }

const EVENT_COLUMNS = `${eventList.columns('e')}, s.name as sport_name`

export const eventById = reading<{ id: number }, EventRow>('eventById')`
  select ${EVENT_COLUMNS} from event e join sport s on s.id = e.sport_id where e.id = :id`

// ---- Lists

/** The largest block number with the largest size. */
const MAX_LISTED = 2_000

const PARTS = {
  live: { where: 'settled_at is null and start_time <= :now and start_time > :longAgo', descending: true },
  upcoming: { where: 'settled_at is null and start_time > :now', descending: false },
  settled: { where: 'settled_at is not null', descending: true },
  unsettled: { where: 'settled_at is null and start_time <= :longAgo', descending: true },
}
type Part = keyof typeof PARTS

/** `longAgo`: what started before is over. `reach`: offset + limit. `now`, `longAgo`, `sport`: not read by all lists. */
type EventListQuery = {
  now: number
  longAgo: number
  sport: number | null
  limit: number
  offset: number
  reach: number
}

/**
 * One part after the other, each along its index. The inner limit is a constant: with an unknown one PostgreSQL takes the block
 * for a tenth of all events, and sorts them.
 */
function listOf(name: string, parts: readonly Part[], ofSport: boolean): Statement<EventListQuery, EventRow> {
  const rowsOf = (part: Part, index: number) => {
    const { where, descending } = PARTS[part]
    const [order, sign] = descending ? [' desc', '-'] : ['', '']
    const by = `start_time${order}, id${order}`
    const widest = `select id, start_time from event where ${where} ${ofSport ? 'and sport_id = :sport' : ''}
      order by ${by} limit ${MAX_LISTED}`
    return `select * from (select id, ${index} as part, ${sign}start_time as k1, ${sign}id as k2 from (${widest}) as ${part}
      order by ${by} limit :reach) as ${part}_events`
  }
  return reading(
    `${name}${ofSport ? 'OfSport' : ''}`,
    `with page as (
      select id, part, k1, k2 from (${parts.map(rowsOf).join(' union all ')}) as listed
      order by part, k1, k2 limit :limit offset :offset)
    select ${EVENT_COLUMNS} from page join event e on e.id = page.id join sport s on s.id = e.sport_id
    order by page.part, page.k1, page.k2`,
  )
}

const both = (name: string, ...parts: Part[]) => ({
  all: listOf(name, parts, false),
  ofSport: listOf(name, parts, true),
})

/** Events that start or started nearest to now come first. `open`: the live ones, then the upcoming ones. */
export const eventLists = {
  open: both('openEvents', 'live', 'upcoming'),
  live: both('liveEvents', 'live'),
  upcoming: both('upcomingEvents', 'upcoming'),
  settled: both('settledEvents', 'settled'),
  unsettled: both('unsettledEvents', 'unsettled'),
}

// ---- Markets and outcomes

/** An outcome with its market and event. */
export type OutcomeColumns = FractionColumns<'price'> & {
  outcome_id: number
  outcome_name: string
  outcome_status: SportsbookStatus
  starting_price: number
  result: Result | null
  market_id: number
  market_name: string
  market_status: SportsbookStatus
  settled_at: number | null
  event_id: number
  event_name: string
  event_status: SportsbookStatus
  sport_id: number
}

export const OUTCOME_COLUMNS = `o.id as outcome_id, o.name as outcome_name, o.status as outcome_status, o.starting_price,
  o.price_num, o.price_den, o.result, m.id as market_id, m.name as market_name, m.status as market_status, m.settled_at,
  e.id as event_id, e.name as event_name, e.status as event_status, e.sport_id`

/** `result_at`: when the outcome got its first result. */
export type EventOutcomeRow = OutcomeColumns &
  FractionColumns<'dead_heat' | 'place_dead_heat' | 'sp'> & { rule4: number; result_at: number | null }

const EVENT_OUTCOMES = `select ${OUTCOME_COLUMNS}, o.dead_heat_num, o.dead_heat_den, o.place_dead_heat_num,
    o.place_dead_heat_den, o.rule4, o.sp_num, o.sp_den, o.settled_at as result_at
  from event e join market m on m.event_id = e.id join outcome o on o.market_id = m.id`

/** Some sportsbooks have hundreds of markets on a match. */
export const MAX_OUTCOMES = 1_000

export const outcomesOfEvent = reading<{ eventId: number }, EventOutcomeRow>('outcomesOfEvent')`
  ${EVENT_OUTCOMES} where e.id = :eventId order by m.id, o.id limit ${MAX_OUTCOMES}`

/** The outcomes of the first market of each event. */
export const firstMarketsOfEvents = reading<{ ids: string }, EventOutcomeRow>('firstMarketsOfEvents')`
  ${EVENT_OUTCOMES} where e.id ${inList('ids')}
    and m.id = (select min(first.id) from market first where first.event_id = e.id)
  order by m.id, o.id limit ${MAX_OUTCOMES}`

export type PricePointRow = FractionColumns<'price'> & { outcome_id: number; minute: number }

/**
 * Reads at most `most` + 1 points per outcome, at equal distances among those stored, always the first and the last: number n
 * of a total is taken where n × most / total becomes another whole number (SQLite takes a parameter for a fraction).
 */
export const pricePointsOfOutcomes = reading<{ ids: string; most: number }, PricePointRow>('pricePointsOfOutcomes')`
  with point as materialized (
    select outcome_id, minute, price_num, price_den, row_number() over (partition by outcome_id order by minute) as n,
      count(*) over (partition by outcome_id) as total
    from price_point where outcome_id ${inList('ids')})
  select outcome_id, minute, price_num, price_den from point
  where n = 1 or n * cast(:most as bigint) / total <> (n - 1) * cast(:most as bigint) / total order by outcome_id, minute`
