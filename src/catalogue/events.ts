// Events of the sportsbook as everybody sees them.

import { Fault } from '../faults.ts'
import type { Context } from '../platform/context.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { DAY_MS, MINUTE_MS } from '../platform/runtime/durations.ts'
import { fractionText, twoDecimals } from '../record/record-view.ts'
import type { EventView, ListedEvent, MarketView, OutcomeView, PricePoint } from './event-shapes.ts'
import type { EventOutcomeRow, EventRow, PricePointRow } from './event-store.ts'
import * as sql from './event-store.ts'
import { displayStatus, livePrice, outcomeStatus } from './outcome.ts'

export const EVENT_STATUSES = ['live', 'upcoming', 'settled', 'unsettled'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

export type Block = { blockSize: number; blockNum: number }
type EventQuery = Block & { status: EventStatus | null; sportId: number | null }

/** Points of one outcome, and of all outcomes of an answer. */
const MAX_POINTS_OF_OUTCOME = 100
const MAX_POINTS = 4_000

/** An event that has not been settled by then is no longer live: its results were forgotten, or it was not played. */
const LIVE_MS = DAY_MS

export function eventStatus(event: Pick<EventRow, 'settled_at' | 'start_time'>, now: number): EventStatus {
  if (event.settled_at !== null) return 'settled'
  if (event.start_time > now) return 'upcoming'
  return event.start_time > now - LIVE_MS ? 'live' : 'unsettled'
}

/** Lists the live events, then the upcoming ones, where no status is given. */
export async function listEvents(
  { database, now: clock }: Context,
  { status, sportId: sport, ...block }: EventQuery,
): Promise<{ event: ListedEvent[] } | null> {
  const now = clock()
  const list = sql.eventLists[status ?? 'open'][sport === null ? 'all' : 'ofSport']
  const rows = await database.query(list, { now, longAgo: now - LIVE_MS, sport, ...rangeOf(block) })
  if (rows.length === 0) return null
  const outcomes = await database.query(sql.firstMarketsOfEvents, { ids: idListOf(rows.map(({ id }) => id)) })
  const ofEvent = Map.groupBy(outcomes, ({ event_id }) => event_id)
  return { event: rows.map((row) => ({ ...toEvent(row, now), market: marketsOf(ofEvent.get(row.id) ?? [])[0] })) }
}

export async function getEvent({ database, now }: Context, id: number): Promise<EventView> {
  const event = await database.one(sql.eventById, { id })
  if (event === undefined) throw new Fault('noEvent', 'id')
  const outcomes = await database.query(sql.outcomesOfEvent, { eventId: id })
  const most = Math.min(MAX_POINTS_OF_OUTCOME, Math.floor(MAX_POINTS / Math.max(1, outcomes.length))) - 1
  const ids = idListOf(outcomes.map(({ outcome_id }) => outcome_id))
  const points = outcomes.length === 0 ? [] : await database.query(sql.pricePointsOfOutcomes, { ids, most })
  const market = marketsOf(outcomes, points)
  return { ...toEvent(event, now()), market: market.length === 0 ? undefined : market }
}

export function rangeOf({ blockSize: limit, blockNum }: Block) {
  const offset = (blockNum - 1) * limit
  return { limit, offset, reach: offset + limit }
}

// ---- Rows to answer

function toEvent(row: EventRow, now: number): Omit<EventView, 'market'> {
  return {
    id: row.id,
    sportId: row.sport_id,
    name: row.name,
    sportName: row.sport_name,
    startDateTimeZoned: row.start_time,
    status: eventStatus(row, now),
    isSuspended: row.status === 'suspended',
    score: row.score ?? undefined,
    clock: row.clock ?? undefined,
    settledDateTimeZoned: row.settled_at ?? undefined,
  }
}

function marketsOf(rows: readonly EventOutcomeRow[], points: readonly PricePointRow[] = []): MarketView[] {
  const ofOutcome = Map.groupBy(points, ({ outcome_id }) => outcome_id)
  const ofMarket = Map.groupBy(rows, ({ market_id }) => market_id)
  return [...ofMarket.values()].map((outcomes) => {
    const { market_id, market_name, market_status } = outcomes[0] as EventOutcomeRow
    return {
      id: market_id,
      name: market_name,
      status: market_status === 'active' ? 'A' : 'S',
      outcome: outcomes.map((row) => toOutcome(row, ofOutcome.get(row.outcome_id)?.map(toPoint))),
    }
  })
}

function toOutcome(row: EventOutcomeRow, pricePoint: PricePoint[] | undefined): OutcomeView {
  const { price_num: num, price_den: den } = row
  return {
    id: row.outcome_id,
    name: row.outcome_name,
    status: outcomeStatus(row),
    displayStatus: displayStatus(row),
    startingPrice: row.starting_price === 1,
    livePrice: num === null || den === null ? undefined : livePrice(num, den),
    result: row.result ?? undefined,
    deadHeat: fractionText(row.dead_heat_num, row.dead_heat_den),
    placeDeadHeat: fractionText(row.place_dead_heat_num, row.place_dead_heat_den),
    rule4: row.rule4 === 0 ? undefined : twoDecimals(row.rule4, 100),
    reportedPrice: fractionText(row.sp_num, row.sp_den),
    settledDateTimeZoned: row.result_at ?? undefined,
    pricePoint,
  }
}

function toPoint({ minute, price_num: num, price_den: den }: PricePointRow): PricePoint {
  const dateTimeZoned = minute * MINUTE_MS
  if (num === null || den === null) return { dateTimeZoned }
  const { priceFrac, priceDec } = livePrice(num, den)
  return { dateTimeZoned, priceFrac, priceDec }
}
