import { findCustomer } from '../customers/customer.ts'
import type { Database } from '../database/database.ts'
import { Refused } from '../runtime/refused.ts'
import { type PutResult, parseTime, unknown } from './catalogue.ts'
import { deleteBetOutcomes, insertBetOutcome, lockBet, outcomeExists, upsertBet } from './store.ts'

export type BetInput = { customerId: string; outcomeIds: readonly string[]; placedAt?: string }

/** Creates a bet or replaces its outcomes. A bet keeps its customer. */
export async function putBet(transaction: Database, id: number, input: BetInput, now: number): Promise<PutResult> {
  const placedAt = input.placedAt === undefined ? now : parseTime(input.placedAt)
  const customerId = Number(input.customerId)
  const outcomeIds = [...new Set(input.outcomeIds.map(Number))]
  const existing = await transaction.one(lockBet, { id })
  if (existing === undefined) {
    if ((await findCustomer(transaction, customerId)) === undefined) {
      throw unknown('customer', customerId)
    }
  } else if (existing.customer_id !== customerId) {
    throw new Refused('conflict', `Bet ${id} belongs to customer ${existing.customer_id}.`)
  }
  for (const outcomeId of outcomeIds) {
    if ((await transaction.one(outcomeExists, { id: outcomeId })) === undefined) {
      throw unknown('outcome', outcomeId)
    }
  }
  await transaction.run(upsertBet, { id, customerId, placedAt })
  if (existing !== undefined) await transaction.run(deleteBetOutcomes, { betId: id })
  for (const outcomeId of outcomeIds) await transaction.run(insertBetOutcome, { betId: id, outcomeId })
  return existing === undefined ? 'created' : 'changed'
}
