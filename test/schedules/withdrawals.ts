// Withdrawals of a customer, by themselves or by an operator, to any card, and what must be true of them at the end.

import fc from 'fast-check'
import { Fault } from '../../src/faults.ts'
import { requestWithdrawal } from '../../src/wallets/withdrawal.ts'
import { ask, withdrawalAnswer } from './answers.ts'
import type { Books } from './books.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'
import { API_KEY, type Card, cardId, moneyOf } from './world.ts'

/** `challenge`: a card that the customer may not have. `turns`: how long it waits, so that some come when deposits are being captured. */
export type WithdrawalPlan = {
  readonly key: 'a' | 'b' | 'c'
  readonly by: 'first operator' | null
  readonly card: Card
  readonly amount: 300 | 400 | 1_000 | 1_400
  readonly turns: number
}

export const withdrawalPlans: fc.Arbitrary<WithdrawalPlan[]> = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    by: fc.constantFrom(null, null, null, 'first operator'),
    card: fc.constantFrom<Card[]>('first', 'first', 'first', 'approve', 'approve', 'challenge'),
    amount: fc.constantFrom(300, 300, 400, 1_000, 1_400, 1_400),
    turns: fc.constantFrom(1, 1, 6, 12),
  }),
  { maxLength: 4 },
)

export async function playWithdrawal(process: Process, played: Played, plan: WithdrawalPlan): Promise<void> {
  const { key, by, card } = plan
  const { customerId } = played
  const terms = { customerId, methodId: cardId(customerId, card), amount: BigInt(plan.amount) }
  const order = { ...terms, idempotencyKey: key, ...(by === null ? { apiKey: API_KEY } : { by }) }
  await ask(process, played, {
    what: `a withdrawal of ${plan.amount} to the card ${card}`,
    expected: (books) => withdrawalAnswer(books, { ...terms, key }, by),
    work: async (context) => {
      try {
        return (await requestWithdrawal(context, order)).withdrawal.state
      } catch (error) {
        if (error instanceof Fault) return error.code
        throw error
      }
    },
  })
}

/** The customer has the money of exactly those that are paid. */
export function withdrawalViolations(books: Books, { world }: Played): string[] {
  return books.of('withdrawal').flatMap(({ id, reference, amount, state }) => {
    const ended = ['PAID', 'RETURNED', 'REFUSED'].includes(state)
    const money = moneyOf(world, reference)
    if (ended && money === (state === 'PAID' ? BigInt(amount) : 0n)) return []
    return [`the withdrawal ${id} of ${amount} is ${state}, and ${money} of it was paid`]
  })
}

export function paidOutTo(books: Books, { world }: Played): bigint {
  return books.of('withdrawal').reduce((sum, { reference }) => sum + moneyOf(world, reference), 0n)
}
