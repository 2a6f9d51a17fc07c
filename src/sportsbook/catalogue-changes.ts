// The *catalogue* is what the sportsbook offers: a *sport* has *events*, an event has *markets* ("Match result"), a market
// has *outcomes* ("Home") with their current *price*. All of it comes from the operator; nothing is derived. An event
// keeps its sport, a market its event, an outcome its market.
//
// Each function returns a change for `applyChanges` (change.ts).

import type { EventRow, SportsbookStatus } from '../catalogue/store.ts'
import { Refused } from '../platform/runtime/refused.ts'
import type { Change } from './change.ts'
import type { RowIds, Rows } from './rows.ts'

export type PutResult = 'created' | 'changed'
type Price = { num: number; den: number }

type SportInput = { name: string; communities: boolean }
export type OutcomeInput = { name: string; status: SportsbookStatus; startingPrice: boolean; price?: Price | null }
export type MarketInput = {
  name: string
  status: SportsbookStatus
  outcomes: readonly (OutcomeInput & { id: string })[]
}
export type EventInput = {
  sportId: string
  name: string
  startTime: string
  status: SportsbookStatus
  markets: readonly (MarketInput & { id: string })[]
} & LiveInput

/** Absent: as before; null: none. Often reported by another system than the one that reports fixtures. */
type LiveInput = { score?: string | null; clock?: string | null }

export function putSport(id: number, { name, communities }: SportInput): Change<PutResult> {
  return {
    addIds: (ids) => ids.sports.add(id),
    apply: (rows) => rows.sports.put({ id, name, communities: communities ? 1 : 0 }),
  }
}

export function putEvent(id: number, input: EventInput): Change<PutResult> {
  const sportId = Number(input.sportId)
  return {
    addIds(ids) {
      ids.knownSports.add(sportId)
      ids.events.add(id)
      for (const market of input.markets) addMarketIds(ids, market)
    },
    apply(rows, now) {
      const startTime = parseTime(input.startTime)
      if (!rows.sports.has(sportId)) throw unknown('sport', sportId)
      const existing = rows.events.get(id)
      if (existing !== undefined && existing.sport_id !== sportId) {
        throw new Refused('conflict', `Event ${id} belongs to sport ${existing.sport_id}; an event keeps its sport.`)
      }
      refuseForeignParts(rows, id, input.markets)
      const { name, status, score = existing?.score ?? null, clock = existing?.clock ?? null } = input
      const settledAt = existing?.settled_at ?? null
      const columns = { name, start_time: startTime, status, score, clock }
      const result = writeEvent(rows, { id, sport_id: sportId, ...columns, settled_at: settledAt })
      for (const market of input.markets) writeMarket(rows, id, market, now)
      return result
    },
  }
}

export function putMarket(id: number, input: MarketInput & { eventId: string }): Change<PutResult> {
  const eventId = Number(input.eventId)
  const market = { ...input, id: `${id}` }
  return {
    addIds(ids) {
      ids.events.add(eventId)
      addMarketIds(ids, market)
    },
    apply(rows, now) {
      if (rows.events.get(eventId) === undefined) throw unknown('event', eventId)
      refuseForeignParts(rows, eventId, [market])
      return writeMarket(rows, eventId, market, now)
    },
  }
}

export function putOutcome(id: number, input: OutcomeInput & { marketId: string }): Change<PutResult> {
  const marketId = Number(input.marketId)
  return {
    addIds(ids) {
      ids.markets.add(marketId)
      ids.outcomes.add(id)
    },
    apply(rows, now) {
      if (rows.markets.get(marketId) === undefined) throw unknown('market', marketId)
      refuseForeignOutcome(rows, id, marketId)
      return writeOutcome(rows, { ...input, id, marketId }, now)
    },
  }
}

type Market = MarketInput & { id: string }

function addMarketIds(ids: RowIds, { id, outcomes }: Market): void {
  ids.markets.add(Number(id))
  for (const outcome of outcomes) ids.outcomes.add(Number(outcome.id))
}

function refuseForeignParts(rows: Rows, eventId: number, markets: readonly Market[]): void {
  refuseRepeated('market', markets)
  refuseRepeated(
    'outcome',
    markets.flatMap((market) => market.outcomes),
  )
  for (const market of markets) {
    const existing = rows.markets.get(Number(market.id))
    if (existing !== undefined && existing.event_id !== eventId) {
      throw new Refused('conflict', `Market ${market.id} belongs to event ${existing.event_id}.`)
    }
    for (const outcome of market.outcomes) refuseForeignOutcome(rows, Number(outcome.id), Number(market.id))
  }
}

function refuseForeignOutcome(rows: Rows, id: number, marketId: number): void {
  const existing = rows.outcomes.get(id)
  if (existing !== undefined && existing.market_id !== marketId) {
    throw new Refused('conflict', `Outcome ${id} belongs to market ${existing.market_id}.`)
  }
}

function refuseRepeated(what: string, items: readonly { id: string }[]): void {
  const seen = new Set<number>()
  for (const item of items) {
    const id = Number(item.id)
    if (seen.has(id)) throw new Refused('invalid', `The ${what} ${id} occurs twice. Send it once.`)
    seen.add(id)
  }
}

function writeEvent(rows: Rows, event: EventRow): PutResult {
  const existing = rows.events.get(event.id)
  if (existing !== undefined && existing.start_time !== event.start_time) rows.rescheduled.add(event.id)
  return rows.events.put(event)
}

function writeMarket(rows: Rows, eventId: number, market: Market, now: number): PutResult {
  const { name, status, outcomes } = market
  const id = Number(market.id)
  const event = rows.events.get(eventId)
  const startTime = event?.start_time ?? 0
  const isNew = rows.markets.get(id) === undefined
  if (isNew && event !== undefined && event.settled_at !== null) rows.events.put({ ...event, settled_at: null })
  const result = rows.markets.put({ id, event_id: eventId, name, status, start_time: startTime })
  for (const outcome of outcomes) writeOutcome(rows, { ...outcome, id: Number(outcome.id), marketId: id }, now)
  return result
}

type Outcome = OutcomeInput & { id: number; marketId: number }

/** The closing price is the last one before the event starts, or before the outcome is settled; afterwards it stays. */
function writeOutcome(rows: Rows, outcome: Outcome, now: number): PutResult {
  const { id, marketId, name, status, startingPrice, price = null } = outcome
  const existing = rows.outcomes.get(id)
  const isSettled = rows.results.has(id) || (existing?.settled_at ?? null) !== null
  const isClosing = price !== null && !isSettled && now < startTimeOf(rows, marketId)
  const before = existing === undefined ? null : priceOf(existing)
  if (before?.num !== price?.num || before?.den !== price?.den) rows.priced.add(id)
  return rows.outcomes.put({
    id,
    market_id: marketId,
    name,
    status,
    starting_price: startingPrice ? 1 : 0,
    price_num: price?.num ?? null,
    price_den: price?.den ?? null,
    closing_num: isClosing ? price.num : (existing?.closing_num ?? null),
    closing_den: isClosing ? price.den : (existing?.closing_den ?? null),
    settled_at: existing?.settled_at ?? null,
  })
}

/** The event may have been rescheduled by an earlier change of the batch. */
function startTimeOf({ events, markets, startTimes }: Rows, marketId: number): number {
  const market = markets.get(marketId)
  const event = market && events.get(market.event_id)
  return event?.start_time ?? market?.start_time ?? startTimes.get(marketId) ?? 0
}

// ---- Partial changes: a field that is not given keeps its value.

type EventChange = { name?: string; status?: SportsbookStatus; startTime?: string } & LiveInput
type MarketChange = { name?: string; status?: SportsbookStatus }
/** A null price: the outcome has none for now. */
type OutcomeChange = { name?: string; status?: SportsbookStatus; startingPrice?: boolean; price?: Price | null }

export function changeEvent(id: number, change: EventChange): Change {
  return {
    addIds: (ids) => ids.events.add(id),
    apply(rows) {
      const event = rows.events.get(id)
      if (event === undefined) throw unknown('event', id)
      const startTime = change.startTime === undefined ? event.start_time : parseTime(change.startTime)
      const { name = event.name, status = event.status, score = event.score, clock = event.clock } = change
      writeEvent(rows, { ...event, name, status, start_time: startTime, score, clock })
    },
  }
}

export function changeMarket(id: number, change: MarketChange): Change {
  return {
    addIds: (ids) => ids.markets.add(id),
    apply(rows) {
      const market = rows.markets.get(id)
      if (market === undefined) throw unknown('market', id)
      const { name = market.name, status = market.status } = change
      rows.markets.put({ ...market, name, status })
    },
  }
}

export function changeOutcome(id: number, change: OutcomeChange): Change {
  return {
    addIds: (ids) => ids.outcomes.add(id),
    apply(rows, now) {
      const outcome = rows.outcomes.get(id)
      if (outcome === undefined) throw unknown('outcome', id)
      const { name = outcome.name, status = outcome.status } = change
      const startingPrice = change.startingPrice ?? outcome.starting_price === 1
      const price = change.price === undefined ? priceOf(outcome) : change.price
      writeOutcome(rows, { id, marketId: outcome.market_id, name, status, startingPrice, price }, now)
    },
  }
}

function priceOf({ price_num, price_den }: { price_num: number | null; price_den: number | null }): Price | null {
  return price_num === null || price_den === null ? null : { num: price_num, den: price_den }
}

/** Markets and outcomes are created with their event. */
export function unknown(what: 'customer' | 'sport' | 'event' | 'market' | 'outcome', id: number): Refused {
  const isPart = what === 'market' || what === 'outcome'
  const call = isPart ? 'its event: PUT /operator/v1/events/{id}' : `PUT /operator/v1/${what}s/${id}`
  return new Refused('unknown', `There is no ${what} ${id}. Create it with ${call}.`)
}

export function parseTime(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new Refused('invalid', `${text} is not a date and time: write ISO 8601, such as 2026-11-15T09:30:00Z.`)
  return time
}
