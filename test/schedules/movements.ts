// Movements that the sportsbook reports, some of them twice or with other terms, and what must be true of them at the end.

import fc from 'fast-check'
import { Refused } from '../../src/platform/runtime/refused.ts'
import { applyMovements, type Movement } from '../../src/wallets/movements.ts'
import { ask, movementAnswers } from './answers.ts'
import type { Books } from './books.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'

const MOVEMENTS = {
  bet: { reference: 'bet', kind: 'stake', amount: 700n },
  'another bet': { reference: 'another bet', kind: 'stake', amount: 600n },
  'bet with other terms': { reference: 'bet', kind: 'stake', amount: 500n },
  'negative bet': { reference: 'negative bet', kind: 'stake', amount: -100n },
  winner: { reference: 'winner', kind: 'winnings', amount: 900n },
  correction: { reference: 'correction', kind: 'adjustment', amount: -200n },
} as const

export type MovementPlan = (keyof typeof MOVEMENTS)[]

/** Each a batch. */
export const movementPlans: fc.Arbitrary<MovementPlan[]> = fc.array(
  fc.array(
    fc.constantFrom('bet', 'bet', 'winner', 'winner', ...(Object.keys(MOVEMENTS) as (keyof typeof MOVEMENTS)[])),
    { minLength: 1, maxLength: 2 },
  ),
  { maxLength: 3 },
)

export async function playMovements(process: Process, played: Played, plan: MovementPlan): Promise<void> {
  const { customerId, moved } = played
  const batch = plan.map((name): Movement => {
    const { reference, kind, amount } = MOVEMENTS[name]
    return { kind, amount, reference: `${customerId} ${reference}`, customerId, betId: null }
  })
  await ask(process, played, {
    what: plan.join(', '),
    expected: (books) => movementAnswers(books, batch),
    async work({ database, now }) {
      const results = await database.transaction((tx) => applyMovements(tx, batch, now))
      const answers = results.map((result) => (result instanceof Refused ? 'refused' : result.outcome))
      for (const [i, answer] of answers.entries()) if (answer !== 'refused') moved.add(batch[i]?.reference ?? '')
      return answers.join(', ')
    },
  })
}

export function movementViolations(books: Books, { moved }: Played): string[] {
  const stored = new Set(books.of('movement').map(({ id }) => id))
  const lost = [...moved].filter((reference) => !stored.has(reference))
  return lost.map((reference) => `the movement ${reference} was answered, and is not there`)
}

/** What all of them add to the balance. */
export function movedBy(books: Books): bigint {
  return books
    .of('movement')
    .reduce((sum, { of, amount }) => sum + (of === 'stake' ? -BigInt(amount) : BigInt(amount)), 0n)
}
