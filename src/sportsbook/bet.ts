import { findCustomer } from '../customers/customer.ts'
import type { Database } from '../database/database.ts'
import { type Put, timeOf } from './catalogue.ts'
import { Refused } from './refused.ts'
import { forgetBetOutcomes, insertBetOutcome, lockBet, outcomeExists, upsertBet } from './store.ts'

export type BetInput = { customerId: string; outcomeIds: readonly string[]; placedAt?: string }

/** Makes a bet, or replaces its outcomes. A bet keeps its customer. */
export async function putBet(transaction: Database, id: number, input: BetInput, now: number): Promise<Put> {
  const placedAt = input.placedAt === undefined ? now : timeOf(input.placedAt)
  const customerId = Number(input.customerId)
  const outcomeIds = [...new Set(input.outcomeIds.map(Number))]
  const existing = await transaction.one(lockBet, { id })
  if (existing === undefined) {
    if ((await findCustomer(transaction, customerId)) === undefined) {
      throw new Refused('unknown', `There is no customer ${customerId}: put it first.`)
    }
  } else if (existing.customer_id !== customerId) {
    throw new Refused('conflict', `Bet ${id} belongs to customer ${existing.customer_id}.`)
  }
  for (const outcomeId of outcomeIds) {
    if ((await transaction.one(outcomeExists, { id: outcomeId })) === undefined) {
      throw new Refused('unknown', `There is no outcome ${outcomeId}: put its event first.`)
    }
  }
  await transaction.run(upsertBet, { id, customerId, placedAt })
  if (existing !== undefined) await transaction.run(forgetBetOutcomes, { betId: id })
  for (const outcomeId of outcomeIds) await transaction.run(insertBetOutcome, { betId: id, outcomeId })
  return existing === undefined ? 'made' : 'changed'
}
