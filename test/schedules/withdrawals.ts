// Withdrawals of a customer with the decisions of operators, and what must be true of them at the end.

import fc from 'fast-check'
import { Fault } from '../../src/faults.ts'
import { reading } from '../../src/platform/database/database.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import { requestWithdrawal } from '../../src/wallets/withdrawal.ts'
import { approveWithdrawal, refuseWithdrawal } from '../../src/wallets/withdrawal-decisions.ts'
import type { Process } from './process.ts'
import { API_KEY, cardId, type World } from './world.ts'

/** Small ones are approved by the rule (WITHDRAWAL_APPROVED_UP_TO in world.ts). */
export type WithdrawalPlan = { readonly key: 'a' | 'b'; readonly amount: 300 | 1_000 }
export type Decider = 'first operator' | 'second operator' | 'refuses'

export const withdrawalPlans: fc.Arbitrary<WithdrawalPlan[]> = fc.array(
  fc.record({ key: fc.constantFrom('a', 'b'), amount: fc.constantFrom(300, 1_000) }),
  { maxLength: 3 },
)

export const deciders: fc.Arbitrary<Decider[]> = fc.array(
  fc.constantFrom('first operator', 'second operator', 'second operator', 'refuses'),
  { maxLength: 4 },
)

/** Refused where the card has no more to give back, or the balance is too small. */
export async function playWithdrawal(process: Process, customerId: number, plan: WithdrawalPlan): Promise<void> {
  const terms = { customerId, methodId: cardId(customerId, 'first'), amount: BigInt(plan.amount) }
  const order = { ...terms, apiKey: API_KEY, idempotencyKey: plan.key }
  await process.run((context) => requestWithdrawal(context, order)).catch(ignore(Fault))
}

/** Of every withdrawal that waits. */
export async function playDecision(process: Process, customerId: number, decider: Decider): Promise<void> {
  await process.run(async (context) => {
    for (const { id, state } of await context.database.query(withdrawalsOf, { customerId })) {
      if (state !== 'REQUESTED') continue
      const deciding =
        decider === 'refuses'
          ? refuseWithdrawal(context, id, { reason: 'no', by: decider })
          : approveWithdrawal(context, id, decider)
      await deciding.catch(ignore(Refused))
    }
  })
}

function ignore(kind: typeof Fault | typeof Refused) {
  return (error: unknown) => {
    if (!(error instanceof kind)) throw error
  }
}

type Row = { id: number; reference: string; amount: string; state: string }

const withdrawalsOf = reading<{ customerId: number }, Row>('withdrawalsOfSchedule')`
  select id, reference, cast(amount as text) as amount, state from withdrawal where customer_id = :customerId order by id`

/** The bank has paid exactly those that are paid, each once. */
export async function withdrawalViolations(world: World, customerId: number): Promise<string[]> {
  const rows = await world.context.database.query(withdrawalsOf, { customerId })
  return rows.flatMap(({ reference, amount, state }) => {
    const paid = world.paidOut.get(reference)
    const agrees = state === 'PAID' ? paid === BigInt(amount) : paid === undefined
    const ended = ['PAID', 'RETURNED', 'REFUSED'].includes(state)
    if (agrees && ended) return []
    return [`the withdrawal ${reference} of ${amount} is ${state}, the bank paid ${paid ?? 'nothing'}`]
  })
}

export async function paidOutTo(world: World, customerId: number): Promise<bigint> {
  const rows = await world.context.database.query(withdrawalsOf, { customerId })
  return rows.reduce((sum, { reference }) => sum + (world.paidOut.get(reference) ?? 0n), 0n)
}
