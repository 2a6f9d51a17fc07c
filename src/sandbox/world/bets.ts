import type { Database } from '../../platform/database/database.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { fractionOf } from '../../record/terms.ts'
import { openLegsOfCustomer } from './store.ts'

const MAX_BETS = 50

/** The open bets of a customer, newest first; one with several outcomes is listed with each. */
export async function readOpenBets(database: Database, customerId: number) {
  const legs = await database.query(openLegsOfCustomer, { customerId, limit: MAX_BETS })
  return legs.map((leg) => ({
    id: leg.bet_id,
    outcome: {
      id: leg.outcome_id,
      name: leg.outcome_name,
      market: leg.market_name,
      event: leg.event_name,
      sport: leg.sport_name,
      startTime: isoTime(leg.start_time),
      status: leg.is_active === 1 ? 'active' : 'suspended',
      price: fractionOf(leg.price_num, leg.price_den),
      startingPrice: leg.starting_price === 1,
    },
    tipped: leg.is_tipped === 1,
  }))
}
