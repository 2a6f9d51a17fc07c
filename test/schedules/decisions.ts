// What operators decide about withdrawals and refunds, at any moment.

import fc from 'fast-check'
import { Refused } from '../../src/platform/runtime/refused.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import { approveRefund, refuseApproval } from '../../src/wallets/refund.ts'
import {
  approveWithdrawal,
  holdWithdrawal,
  refuseWithdrawal,
  releaseWithdrawal,
  resolveWithdrawal,
} from '../../src/wallets/withdrawal-decisions.ts'
import { ask } from './answers.ts'
import { type Books, balanceOf, type Row, readBooks } from './books.ts'
import type { Played } from './played.ts'
import type { Process } from './process.ts'
import { moneyOf } from './world.ts'

/** The last two are of withdrawals in review; who says that one was paid has looked at the bank's books. */
const DECIDERS = [
  'first operator',
  'second operator',
  'refuses',
  'holds',
  'releases',
  'says it was paid',
  'says it came back',
] as const
export type Decider = (typeof DECIDERS)[number]

export const deciders: fc.Arbitrary<Decider[]> = fc.array(
  fc.constantFrom<Decider[]>('first operator', 'second operator', 'second operator', ...DECIDERS),
  { maxLength: 4 },
)

export async function acceptedOrRefused(deciding: Promise<unknown>): Promise<string> {
  try {
    await deciding
    return 'accepted'
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}

/** Of every withdrawal and refund, also where it is too late. */
export async function playDecision(process: () => Process, played: Played, decider: Decider): Promise<void> {
  const books = await readBooks(played.world, played.customerId, played.world.clock.now)
  const decide = (row: Row, decision: Decision) =>
    ask(process(), played, {
      what: `${row.what} ${row.id}: ${decider}`,
      work: (context) => acceptedOrRefused(decision.work(context, Number(row.id))),
      expected: (now) => (decision.isAllowed(sameRow(now, row), now) ? 'accepted' : 'refused'),
    })
  for (const row of books.of('withdrawal')) {
    const decision = decisionOn(row, played, decider)
    if (decision !== null) await decide(row, decision)
  }
  for (const row of books.of('refund')) {
    const decision = refundDecisionOf(decider)
    if (decision !== null) await decide(row, decision)
  }
}

function sameRow(books: Books, { what, id }: Row): Row {
  return books.of(what).find((row) => row.id === id) as Row
}

type Decision = {
  readonly work: (context: WalletsContext, id: number) => Promise<unknown>
  isAllowed(row: Row, books: Books): boolean
}

const isRequested = ({ state }: Row) => state === 'REQUESTED'
const NOTE = { reason: 'no', by: 'a third operator' }

/** null: there is nothing to say. */
function decisionOn(row: Row, { world }: Played, decider: Decider): Decision | null {
  if (decider === 'says it was paid') return moneyOf(world, row.reference) > 0n ? resolution('paid') : null
  if (decider === 'says it came back') return resolution('returned')
  if (decider === 'refuses') {
    const isAllowed = ({ state }: Row) => state === 'REQUESTED' || state === 'APPROVED'
    return { work: (context, id) => refuseWithdrawal(context, id, NOTE), isAllowed }
  }
  if (decider === 'holds') return { work: (context, id) => holdWithdrawal(context, id, NOTE), isAllowed: isRequested }
  if (decider === 'releases')
    return { work: (context, id) => releaseWithdrawal(context, id, NOTE.by), isAllowed: isRequested }
  return {
    work: (context, id) => approveWithdrawal(context, id, decider),
    isAllowed: (now) => isRequested(now) && now.held === null && now.by !== decider,
  }
}

/** Before one counts as returned the bank is told never to pay it. */
function resolution(outcome: 'paid' | 'returned'): Decision {
  return {
    work: (context, id) => resolveWithdrawal(context, id, { outcome, note: 'looked up', by: NOTE.by }),
    isAllowed: ({ state, review, amount }, books) =>
      state === 'REVIEW' &&
      (outcome === 'returned' || review !== 'paid-after-return' || balanceOf(books) >= BigInt(amount)),
  }
}

function refundDecisionOf(decider: Decider): Decision | null {
  const isWaiting = ({ state, held }: Row) => state === 'REQUESTED' && held !== null
  if (decider === 'refuses')
    return { work: (context, id) => refuseApproval(context, id, NOTE.reason), isAllowed: isWaiting }
  if (decider !== 'first operator' && decider !== 'second operator') return null
  return {
    work: (context, id) => approveRefund(context, id, decider),
    isAllowed: (row) => isWaiting(row) && row.by !== decider,
  }
}
