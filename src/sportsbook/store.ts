import { statement } from '../database/database.ts'

export const lockSport = statement<[id: number], { id: number }>(
  'lockSport',
  'select id from sport where id = $1 for no key update',
)

export const sportExists = statement<[id: number], { id: number }>('sportExists', 'select id from sport where id = $1')

export const upsertSport = statement<[id: number, name: string, communities: number]>(
  'upsertSport',
  `insert into sport (id, name, communities) values ($1, $2, $3)
   on conflict (id) do update set name = excluded.name, communities = excluded.communities`,
)

export type EventRow = { id: number; sport_id: number; name: string; start_time: number; status: string }

export const lockEvent = statement<[id: number], EventRow>(
  'lockEvent',
  'select id, sport_id, name, start_time, status from event where id = $1 for no key update',
)

export const upsertEvent = statement<[id: number, sportId: number, name: string, startTime: number, status: string]>(
  'upsertEvent',
  `insert into event (id, sport_id, name, start_time, status) values ($1, $2, $3, $4, $5)
   on conflict (id) do update set name = excluded.name, start_time = excluded.start_time, status = excluded.status`,
)

export type MarketRow = { id: number; event_id: number; name: string; status: string }

export const lockMarket = statement<[id: number], MarketRow>(
  'lockMarket',
  'select id, event_id, name, status from market where id = $1 for no key update',
)

export const upsertMarket = statement<[id: number, eventId: number, name: string, status: string]>(
  'upsertMarket',
  `insert into market (id, event_id, name, status) values ($1, $2, $3, $4)
   on conflict (id) do update set name = excluded.name, status = excluded.status`,
)

export const markSettled = statement<[id: number, now: number]>(
  'markSettled',
  'update market set settled_at = coalesce(settled_at, $2) where id = $1',
)

export type OutcomeRow = {
  id: number
  market_id: number
  name: string
  status: string
  starting_price: number
  price_num: number | null
  price_den: number | null
}

export const lockOutcome = statement<[id: number], OutcomeRow>(
  'lockOutcome',
  `select id, market_id, name, status, starting_price, price_num, price_den from outcome where id = $1 for no key update`,
)

export const upsertOutcome = statement<
  [
    id: number,
    marketId: number,
    name: string,
    status: string,
    startingPrice: number,
    priceNum: number | null,
    priceDen: number | null,
  ]
>(
  'upsertOutcome',
  `insert into outcome (id, market_id, name, status, starting_price, price_num, price_den)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (id) do update set name = excluded.name, status = excluded.status,
     starting_price = excluded.starting_price, price_num = excluded.price_num, price_den = excluded.price_den`,
)

/** Held until the results are written: tips that are being made on them come before the settlement or after it. */
export const lockOutcomesOfMarket = statement<[marketId: number], { id: number; result: string | null }>(
  'lockOutcomesOfMarket',
  'select id, result from outcome where market_id = $1 order by id for no key update',
)

export const setResult = statement<[id: number, result: string]>(
  'setResult',
  'update outcome set result = $2 where id = $1',
)

export const outcomeExists = statement<[id: number], { id: number }>(
  'outcomeExists',
  'select id from outcome where id = $1',
)

export const lockBet = statement<[id: number], { id: number; customer_id: number }>(
  'lockBet',
  'select id, customer_id from bet where id = $1 for no key update',
)

export const upsertBet = statement<[id: number, customerId: number, placedAt: number]>(
  'upsertBet',
  `insert into bet (id, customer_id, placed_at) values ($1, $2, $3)
   on conflict (id) do update set placed_at = excluded.placed_at`,
)

export const forgetBetOutcomes = statement<[betId: number]>(
  'forgetBetOutcomes',
  'delete from bet_outcome where bet_id = $1',
)

export const insertBetOutcome = statement<[betId: number, outcomeId: number]>(
  'insertBetOutcome',
  'insert into bet_outcome (bet_id, outcome_id) values ($1, $2)',
)
