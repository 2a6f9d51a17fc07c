// The *catalogue* is what the sportsbook offers: a *sport* has *events*, an event has *markets* ("Match result"), a market
// has *outcomes* ("Home") with their current *price*. All of it comes from the operator; nothing is derived. An event
// keeps its sport, a market its event, an outcome its market.
//
// Each function checks everything before it writes, so that a refusal leaves the transaction usable.

import { refreshTipsOfEvent } from '../communities/tip-status.ts'
import type { Database } from '../database/database.ts'
import { Refused } from '../runtime/refused.ts'
import {
  lockEvent,
  lockMarket,
  lockOutcome,
  lockSport,
  sportExists,
  upsertEvent,
  upsertMarket,
  upsertOutcome,
  upsertSport,
} from './store.ts'

export type PutResult = 'created' | 'changed'
type Status = 'active' | 'suspended'
type Price = { num: number; den: number }

type SportInput = { name: string; communities: boolean }
export type OutcomeInput = { name: string; status: Status; startingPrice: boolean; price?: Price | null }
export type MarketInput = { name: string; status: Status; outcomes: readonly (OutcomeInput & { id: string })[] }
export type EventInput = {
  sportId: string
  name: string
  startTime: string
  status: Status
  markets: readonly (MarketInput & { id: string })[]
}

export async function putSport(transaction: Database, id: number, input: SportInput): Promise<PutResult> {
  const existing = await transaction.one(lockSport, { id })
  await transaction.run(upsertSport, { id, name: input.name, communities: input.communities ? 1 : 0 })
  return existing === undefined ? 'created' : 'changed'
}

export async function putEvent(transaction: Database, id: number, input: EventInput): Promise<PutResult> {
  const startTime = parseTime(input.startTime)
  const sportId = Number(input.sportId)
  if ((await transaction.one(sportExists, { id: sportId })) === undefined) {
    throw unknown('sport', sportId)
  }
  const existing = await transaction.one(lockEvent, { id })
  if (existing !== undefined && existing.sport_id !== sportId) {
    throw new Refused('conflict', `Event ${id} belongs to sport ${existing.sport_id}; an event keeps its sport.`)
  }
  await checkMarkets(transaction, id, input.markets)
  await transaction.run(upsertEvent, { id, sportId, name: input.name, startTime, status: input.status })
  for (const market of input.markets) await writeMarket(transaction, Number(market.id), id, market)
  if (existing !== undefined && existing.start_time !== startTime) await refreshTipsOfEvent(transaction, id)
  return existing === undefined ? 'created' : 'changed'
}

export async function putMarket(
  transaction: Database,
  id: number,
  input: MarketInput & { eventId: string },
): Promise<PutResult> {
  const eventId = Number(input.eventId)
  if ((await transaction.one(lockEvent, { id: eventId })) === undefined) {
    throw unknown('event', eventId)
  }
  const [existing] = await checkMarkets(transaction, eventId, [{ ...input, id: `${id}` }])
  await writeMarket(transaction, id, eventId, input)
  return existing === undefined ? 'created' : 'changed'
}

export async function putOutcome(
  transaction: Database,
  id: number,
  input: OutcomeInput & { marketId: string },
): Promise<PutResult> {
  const marketId = Number(input.marketId)
  if ((await transaction.one(lockMarket, { id: marketId })) === undefined) {
    throw unknown('market', marketId)
  }
  const existing = await checkOutcome(transaction, id, marketId)
  await writeOutcome(transaction, id, marketId, input)
  return existing === undefined ? 'created' : 'changed'
}

async function checkMarkets(
  transaction: Database,
  eventId: number,
  markets: readonly Pick<MarketInput & { id: string }, 'id' | 'outcomes'>[],
) {
  refuseRepeated('market', markets)
  refuseRepeated(
    'outcome',
    markets.flatMap((market) => market.outcomes),
  )
  const found = []
  for (const market of markets) {
    const existing = await transaction.one(lockMarket, { id: Number(market.id) })
    if (existing !== undefined && existing.event_id !== eventId) {
      throw new Refused('conflict', `Market ${market.id} belongs to event ${existing.event_id}.`)
    }
    found.push(existing)
    for (const outcome of market.outcomes) await checkOutcome(transaction, Number(outcome.id), Number(market.id))
  }
  return found
}

async function checkOutcome(transaction: Database, id: number, marketId: number) {
  const existing = await transaction.one(lockOutcome, { id })
  if (existing !== undefined && existing.market_id !== marketId) {
    throw new Refused('conflict', `Outcome ${id} belongs to market ${existing.market_id}.`)
  }
  return existing
}

function refuseRepeated(what: string, items: readonly { id: string }[]): void {
  const ids = items.map(({ id }) => Number(id))
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) throw new Refused('invalid', `The ${what} ${repeated} occurs twice. Send it once.`)
}

async function writeMarket(transaction: Database, id: number, eventId: number, input: MarketInput): Promise<void> {
  await transaction.run(upsertMarket, { id, eventId, name: input.name, status: input.status })
  for (const outcome of input.outcomes) await writeOutcome(transaction, Number(outcome.id), id, outcome)
}

async function writeOutcome(transaction: Database, id: number, marketId: number, input: OutcomeInput): Promise<void> {
  const { name, status, startingPrice, price } = input
  const prices = { priceNum: price?.num ?? null, priceDen: price?.den ?? null }
  await transaction.run(upsertOutcome, { id, marketId, name, status, startingPrice: startingPrice ? 1 : 0, ...prices })
}

// ---- Partial changes: a field that is not given keeps its value.

type EventChange = { name?: string; status?: Status; startTime?: string }
type MarketChange = { name?: string; status?: Status }
/** A null price: the outcome has none for now. */
type OutcomeChange = { name?: string; status?: Status; startingPrice?: boolean; price?: Price | null }

export async function changeEvent(transaction: Database, id: number, change: EventChange): Promise<void> {
  const event = await transaction.one(lockEvent, { id })
  if (event === undefined) throw unknown('event', id)
  const startTime = change.startTime === undefined ? event.start_time : parseTime(change.startTime)
  const { name = event.name, status = event.status } = change
  await transaction.run(upsertEvent, { id, sportId: event.sport_id, name, startTime, status })
  if (startTime !== event.start_time) await refreshTipsOfEvent(transaction, id)
}

export async function changeMarket(transaction: Database, id: number, change: MarketChange): Promise<void> {
  const market = await transaction.one(lockMarket, { id })
  if (market === undefined) throw unknown('market', id)
  const { name = market.name, status = market.status } = change
  await transaction.run(upsertMarket, { id, eventId: market.event_id, name, status })
}

export async function changeOutcome(transaction: Database, id: number, change: OutcomeChange): Promise<void> {
  const outcome = await transaction.one(lockOutcome, { id })
  if (outcome === undefined) throw unknown('outcome', id)
  const { name = outcome.name, status = outcome.status as Status } = change
  const startingPrice = change.startingPrice ?? outcome.starting_price === 1
  const price = change.price === undefined ? priceOf(outcome) : change.price
  await writeOutcome(transaction, id, outcome.market_id, { name, status, startingPrice, price })
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
