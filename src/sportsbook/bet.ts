import { Refused } from '../runtime/refused.ts'
import { type PutResult, parseTime, unknown } from './catalogue.ts'
import type { Change } from './change.ts'

export type BetInput = { customerId: string; outcomeIds: readonly string[]; placedAt?: string }

/** Creates a bet or replaces its outcomes. A bet keeps its customer. */
export function putBet(id: number, input: BetInput): Change<PutResult> {
  const customerId = Number(input.customerId)
  const outcomeIds = [...new Set(input.outcomeIds.map(Number))]
  return {
    addIds(ids) {
      ids.bets.add(id)
      ids.knownCustomers.add(customerId)
      for (const outcomeId of outcomeIds) ids.knownOutcomes.add(outcomeId)
    },
    apply(rows, now) {
      const placedAt = input.placedAt === undefined ? now : parseTime(input.placedAt)
      const existing = rows.bets.get(id)
      if (existing === undefined && !rows.customers.has(customerId)) throw unknown('customer', customerId)
      if (existing !== undefined && existing.customer_id !== customerId) {
        throw new Refused('conflict', `Bet ${id} belongs to customer ${existing.customer_id}.`)
      }
      const missing = outcomeIds.find((outcomeId) => !rows.outcomes.has(outcomeId))
      if (missing !== undefined) throw unknown('outcome', missing)
      return rows.bets.put({ id, customer_id: customerId, placed_at: placedAt, outcomeIds })
    },
  }
}
