// What must hold between withdrawals, the bank's own list of payouts, the statements and what was answered.

import type { Payment } from './invariants.ts'
import { type Line, type Lines, units } from './statements.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'
import type { WithdrawalAnswer } from './withdrawals.ts'

export type Payout = { reference: string; amount: string; state: string }

type Evidence = {
  readonly withdrawals: readonly Withdrawal[]
  readonly payouts: readonly Payout[]
  readonly answers: readonly WithdrawalAnswer[]
  /** Ids whose refusal was answered. */
  readonly refused: ReadonlySet<string>
  readonly lines: Lines
}

const LINES_OF_STATE: Readonly<Record<string, string>> = {
  PAID: 'withdrawal',
  RETURNED: 'withdrawal, withdrawal-returned',
  REFUSED: 'withdrawal, withdrawal-returned',
}

export function withdrawalViolations({ withdrawals, payouts, answers, refused, lines }: Evidence): string[] {
  const found: string[] = []
  const paid = new Map(payouts.filter(({ state }) => state === 'paid').map((one) => [one.reference, one]))
  const linesOf = linesByWithdrawal(lines)
  for (const withdrawal of withdrawals) {
    const { id, state, reference, amount, approvedBy } = withdrawal
    const payout = paid.get(reference)
    const report = (problem: string) => found.push(`withdrawal ${id}: ${problem}`)
    const due = LINES_OF_STATE[state]
    if (due === undefined) report(`left ${state}`)
    if ((state === 'PAID') !== (payout !== undefined)) report(`${state}, the bank has ${payout ? '' : 'not '}paid it`)
    if (payout !== undefined && BigInt(payout.amount) !== units(amount)) report(`the bank paid ${payout.amount}`)
    const own = linesOf.get(id) ?? []
    const types = own.map(({ type }) => type).join(', ')
    if (due !== undefined && types !== due) report(`${state}, with the lines ${types}`)
    if (own.some((line) => (line.amount < 0n ? -line.amount : line.amount) !== units(amount)))
      report('a line has another amount')
    if (refused.has(id) && state !== 'REFUSED') report(`its refusal was answered, and it is ${state}`)
    if (new Set(approvedBy).size !== approvedBy.length) report(`approved by ${approvedBy.join(' and ')}`)
    // By the rule nobody, else two.
    if (payout !== undefined && approvedBy.length === 1) report(`paid, approved by ${approvedBy[0]} alone`)
  }
  const known = new Set(withdrawals.map(({ reference }) => reference))
  for (const { reference } of paid.values())
    if (!known.has(reference)) found.push(`${reference}: the bank paid it, and no withdrawal has it`)
  return [...found, ...answerViolations(withdrawals, answers)]
}

/** In the order of their statement. */
function linesByWithdrawal(lines: Lines): Map<string, Line[]> {
  const all = [...lines.values()].flat().filter(({ type }) => /^(withdrawal|payout)/.test(type))
  return Map.groupBy(all, ({ reference = '' }) => reference)
}

/** Each key has the withdrawal that it was answered, and no withdrawal of a customer is without a key. */
function answerViolations(withdrawals: readonly Withdrawal[], answers: readonly WithdrawalAnswer[]): string[] {
  const found: string[] = []
  const byId = new Map(withdrawals.map((one) => [one.id, one]))
  const answered = new Set<string>()
  for (const { key, id, amount, card, customerId } of answers) {
    if (id === null) continue
    if (answered.has(id)) found.push(`withdrawal ${id}: answered to two keys`)
    answered.add(id)
    const stored = byId.get(id)
    const terms = `${stored?.customerId} ${stored?.paymentMethodId} ${stored?.amount}`
    if (terms !== `${customerId} ${card} ${amount}`)
      found.push(`withdrawal ${id}: answered to ${key}, stored as ${terms}`)
  }
  for (const { id, requestedBy } of withdrawals)
    if (requestedBy === null && !answered.has(id)) found.push(`withdrawal ${id}: answered to no key`)
  return found
}

type Loop = {
  readonly withdrawals: readonly Withdrawal[]
  readonly payouts: readonly Payout[]
  readonly deposits: readonly { paymentId: string; customerId: string; paymentMethodId: string }[]
  readonly refunds: readonly { paymentId: string; amount: string; state: string; createdAt: string }[]
  readonly payments: ReadonlyMap<string, Payment>
}

/**
 * The closed loop, for customers who won nothing and had no disputes: no withdrawal made a card get more than was taken from it.
 * A refund may: it goes to the card of its deposit, also when that card has had the money before by a withdrawal. Where
 * something was won, the card that was used last may get more (closed-loop.test.ts).
 */
export function closedLoopViolations(loop: Loop, hasOnlyDeposits: (customerId: number) => boolean): string[] {
  const taken = new Map<string, bigint>()
  const returned: { card: string; at: string; amount: bigint; isWithdrawal: boolean }[] = []
  const refunds = Map.groupBy(loop.refunds, ({ paymentId }) => paymentId)
  for (const { paymentId, customerId, paymentMethodId: card } of loop.deposits) {
    const payment = loop.payments.get(paymentId)
    if (!hasOnlyDeposits(Number(customerId)) || payment?.state !== 'captured') continue
    taken.set(card, (taken.get(card) ?? 0n) + BigInt(payment.amount))
    for (const { amount, state, createdAt: at } of refunds.get(paymentId) ?? [])
      if (state === 'DONE') returned.push({ card, at, amount: units(amount), isWithdrawal: false })
  }
  const paid = new Set(loop.payouts.filter(({ state }) => state === 'paid').map(({ reference }) => reference))
  const out = loop.withdrawals.filter((one) => hasOnlyDeposits(Number(one.customerId)) && paid.has(one.reference))
  for (const { paymentMethodId: card, amount, createdAt: at } of out)
    returned.push({ card, at, amount: units(amount), isWithdrawal: true })
  const found: string[] = []
  // Of the same millisecond the refund counts as the later one, since which was first is not known.
  const inOrder = returned.sort(
    (one, other) => one.at.localeCompare(other.at) || Number(other.isWithdrawal) - Number(one.isWithdrawal),
  )
  for (const { card, amount, isWithdrawal } of inOrder) {
    const left = (taken.get(card) ?? 0n) - amount
    taken.set(card, left)
    if (isWithdrawal && left < 0n) found.push(`card ${card}: got ${-left} more than it gave`)
  }
  return found
}
