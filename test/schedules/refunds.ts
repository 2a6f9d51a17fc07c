// Refunds that operators request of a customer's deposits, and what must be true of them at the end.

import fc from 'fast-check'
import { reading } from '../../src/platform/database/database.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import { requestRefund } from '../../src/wallets/refund.ts'
import type { Process } from './process.ts'
import { paymentOf, type World } from './world.ts'

export type RefundPlan = { readonly key: 'first' | 'a' | 'b'; readonly amount: 400 | 1_000 }

export const refundPlans: fc.Arbitrary<RefundPlan[]> = fc.array(
  fc.record({ key: fc.constantFrom('first', 'first', 'a', 'b'), amount: fc.constantFrom(400, 1_000) }),
  { maxLength: 3 },
)

/** Tries again while the deposit is not captured. */
export async function playRefund(
  process: () => Process,
  customerId: number,
  { key, amount }: RefundPlan,
  turn: () => Promise<void>,
): Promise<void> {
  const order = {
    paymentId: paymentOf(customerId, key),
    amount: BigInt(amount),
    reason: 'asked for',
    by: 'an operator',
  }
  for (let i = 0; i < TRIES; i++) {
    await turn()
    try {
      return void (await process().run((context) => requestRefund(context, order)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }
}

const TRIES = 8

type Row = { reference: string; deposit_id: string; amount: string; state: string }

const refundsOf = reading<{ customerId: number }, Row>('refundsOfSchedule')`
  select reference, deposit_id, cast(amount as text) as amount, state from refund where customer_id = :customerId`

/** The bank has returned exactly the refunds that are done, each once, and of no payment more than it took. */
export async function refundViolations(world: World, customerId: number): Promise<string[]> {
  const rows = await world.context.database.query(refundsOf, { customerId })
  const found: string[] = []
  for (const { reference, amount, state } of rows) {
    const returned = world.refunded.get(reference)?.amount
    if (state === 'DONE' ? returned !== BigInt(amount) : returned !== undefined) {
      found.push(`the refund ${reference} of ${amount} is ${state}, the bank returned ${returned ?? 'nothing'}`)
    }
    if (state !== 'DONE' && state !== 'FAILED') found.push(`the refund ${reference} is left ${state}`)
  }
  for (const payment of new Set(rows.map((row) => row.deposit_id))) {
    const taken = BigInt(world.bank.find(payment)?.amount ?? 0)
    if (returnedOf(world, payment) > taken) found.push(`more than was taken of ${payment} was returned`)
  }
  return found
}

export function returnedOf(world: World, payment: string): bigint {
  const refunds = [...world.refunded.values()].filter((one) => one.payment === payment)
  return refunds.reduce((sum, { amount }) => sum + amount, 0n)
}
