import { reading } from '../../platform/database/database.ts'

type TipOnBet = { betId: number; outcomeId: number; customerId: number }

export const liveTipOnBet = reading<TipOnBet, { id: number }>(
  'liveTipOnBet',
  `select c.id from comment c join profile p on p.id = c.author_id
   where c.outcome_id = :outcomeId and c.bet_id = :betId and p.customer_id = :customerId and c.state = 'live'`,
)
