import { locking, reading, writing } from '../database/database.ts'

export const lockSport = locking<{ id: number }, { id: number }>(
  'lockSport',
  'select id from sport where id = :id for no key update',
)

export const sportExists = reading<{ id: number }, { id: number }>('sportExists', 'select id from sport where id = :id')

export const upsertSport = writing<{ id: number; name: string; communities: number }>(
  'upsertSport',
  `insert into sport (id, name, communities) values (:id, :name, :communities)
   on conflict (id) do update set name = excluded.name, communities = excluded.communities`,
)

type EventRow = { id: number; sport_id: number; name: string; start_time: number; status: string }

export const lockEvent = locking<{ id: number }, EventRow>(
  'lockEvent',
  'select id, sport_id, name, start_time, status from event where id = :id for no key update',
)

export const upsertEvent = writing<{ id: number; sportId: number; name: string; startTime: number; status: string }>(
  'upsertEvent',
  `insert into event (id, sport_id, name, start_time, status) values (:id, :sportId, :name, :startTime, :status)
   on conflict (id) do update set name = excluded.name, start_time = excluded.start_time, status = excluded.status`,
)

type MarketRow = { id: number; event_id: number; name: string; status: string }

export const lockMarket = locking<{ id: number }, MarketRow>(
  'lockMarket',
  'select id, event_id, name, status from market where id = :id for no key update',
)

export const upsertMarket = writing<{ id: number; eventId: number; name: string; status: string }>(
  'upsertMarket',
  `insert into market (id, event_id, name, status) values (:id, :eventId, :name, :status)
   on conflict (id) do update set name = excluded.name, status = excluded.status`,
)

export const markSettled = writing<{ id: number; now: number }>(
  'markSettled',
  'update market set settled_at = coalesce(settled_at, :now) where id = :id',
)

type OutcomeRow = {
  id: number
  market_id: number
  name: string
  status: string
  starting_price: number
  price_num: number | null
  price_den: number | null
}

export const lockOutcome = locking<{ id: number }, OutcomeRow>(
  'lockOutcome',
  `select id, market_id, name, status, starting_price, price_num, price_den from outcome where id = :id for no key update`,
)

export const upsertOutcome = writing<{
  id: number
  marketId: number
  name: string
  status: string
  startingPrice: number
  priceNum: number | null
  priceDen: number | null
}>(
  'upsertOutcome',
  `insert into outcome (id, market_id, name, status, starting_price, price_num, price_den)
   values (:id, :marketId, :name, :status, :startingPrice, :priceNum, :priceDen)
   on conflict (id) do update set name = excluded.name, status = excluded.status,
     starting_price = excluded.starting_price, price_num = excluded.price_num, price_den = excluded.price_den`,
)

/** Locked until the results are committed: a tip on one of them comes either before the settlement or after it. */
export const lockOutcomesOfMarket = locking<{ marketId: number }, { id: number; result: string | null }>(
  'lockOutcomesOfMarket',
  'select id, result from outcome where market_id = :marketId order by id for no key update',
)

export const setResult = writing<{ id: number; result: string }>(
  'setResult',
  'update outcome set result = :result where id = :id',
)

export const outcomeExists = reading<{ id: number }, { id: number }>(
  'outcomeExists',
  'select id from outcome where id = :id',
)

export const lockBet = locking<{ id: number }, { id: number; customer_id: number }>(
  'lockBet',
  'select id, customer_id from bet where id = :id for no key update',
)

export const upsertBet = writing<{ id: number; customerId: number; placedAt: number }>(
  'upsertBet',
  `insert into bet (id, customer_id, placed_at) values (:id, :customerId, :placedAt)
   on conflict (id) do update set placed_at = excluded.placed_at`,
)

export const deleteBetOutcomes = writing<{ betId: number }>(
  'deleteBetOutcomes',
  'delete from bet_outcome where bet_id = :betId',
)

export const insertBetOutcome = writing<{ betId: number; outcomeId: number }>(
  'insertBetOutcome',
  'insert into bet_outcome (bet_id, outcome_id) values (:betId, :outcomeId)',
)
