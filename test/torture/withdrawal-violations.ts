// What must hold between withdrawals and their parts, the bank's own lists of returns and payouts, the statements and what was answered.

import type { Touched } from './part-news.ts'
import type { BankRefund } from './refund-violations.ts'
import { type Line, type Lines, units } from './statements.ts'
import type { Part, Withdrawal } from './withdrawal-decisions.ts'
import type { WithdrawalAnswer } from './withdrawals.ts'

export type Payout = { reference: string; amount: string; state: string }

type Evidence = {
  readonly withdrawals: readonly Withdrawal[]
  readonly payouts: readonly Payout[]
  /** The bank's refunds and returns, by our reference. */
  readonly returns: ReadonlyMap<string, BankRefund>
  /** Of operators' refunds, which are in the same list. */
  readonly refunds: ReadonlySet<string>
  readonly answers: readonly WithdrawalAnswer[]
  /** Ids whose refusal was answered, with the state of the answer. */
  readonly refused: ReadonlyMap<string, string>
  /** Parts of which the bank or two persons said something. */
  readonly touched: ReadonlyMap<string, Touched>
  /** What was recorded as paid outside, by the bank's reference. */
  readonly outside: ReadonlyMap<string, bigint>
  /** What the rule approves for a customer and a day; in hundredths. */
  readonly byRule: bigint
  readonly lines: Lines
}

const ENDED = ['PAID', 'RETURNED', 'REFUSED']

export function withdrawalViolations(evidence: Evidence): string[] {
  const { withdrawals, answers, refused, touched, byRule, lines } = evidence
  const found: string[] = []
  const linesOf = linesByWithdrawal(lines)
  for (const withdrawal of withdrawals) {
    const { id, state, amount, paid, parts, approvedBy } = withdrawal
    const report = (problem: string) => found.push(`withdrawal ${id}: ${problem}`)
    const sum = (column: 'amount' | 'paid' | 'returned') =>
      parts.reduce((total, part) => total + units(part[column]), 0n)
    if (!ENDED.includes(state)) report(`left ${state}`)
    if (sum('amount') !== units(amount)) report(`its parts add up to ${sum('amount')}, not ${amount}`)
    if (ENDED.includes(state) && sum('paid') + sum('returned') !== units(amount))
      report(`paid ${paid}, and not all of the rest came back`)
    if (ENDED.includes(state) && sum('paid') > 0n !== (state === 'PAID')) report(`${state} with ${paid} paid`)
    for (const part of parts) found.push(...partViolations(withdrawal, part, evidence))
    const isTouched = parts.some((part) => touched.has(part.id))
    const moved = (linesOf.get(id) ?? []).reduce((total, line) => total + line.amount, 0n)
    if (!isTouched && moved !== -sum('paid')) report(`the statement has ${moved} for it, ${paid} was paid`)
    if (refused.get(id) === 'REFUSED' && state !== 'REFUSED') report(`it was answered as REFUSED, and is ${state}`)
    if (new Set(approvedBy).size !== approvedBy.length) report(`approved by ${approvedBy.join(' and ')}`)
    // By the rule nobody, else two. What one has approved was not sent: persons may have decided that the bank paid it nevertheless.
    if (!isTouched && sum('paid') > 0n && approvedBy.length === 1) report(`paid, approved by ${approvedBy[0]} alone`)
  }
  return [
    ...found,
    ...bankViolations(evidence),
    ...outsideViolations(evidence),
    ...answerViolations(withdrawals, answers),
    ...ruleViolations(withdrawals, touched, byRule),
  ]
}

/** What the bank has of a part, in hundredths: nothing, or all of it. */
function atBank({ kind, reference }: Part, { payouts, returns }: Evidence): bigint {
  if (kind === 'return') return returns.get(reference)?.amount ?? 0n
  const paid = payouts.find((one) => one.reference === reference && one.state === 'paid')
  return BigInt(paid?.amount ?? '0')
}

function partViolations({ id }: Withdrawal, part: Part, evidence: Evidence): string[] {
  const { touched, returns } = evidence
  const found: string[] = []
  const report = (problem: string) => found.push(`withdrawal ${id}: part ${part.id} ${problem}`)
  const { kind, state, amount, paid, returned, reference, paymentId } = part
  if (state !== 'PAID' && state !== 'RETURNED') return [`withdrawal ${id}: part ${part.id} is left ${state}`]
  if (units(paid) + units(returned) !== units(amount)) report(`paid ${paid} and returned ${returned} of ${amount}`)
  if (kind === 'outside') return found
  const has = atBank(part, evidence)
  if (has !== 0n && has !== units(amount)) report(`is of ${amount}, the bank has ${has}`)
  if (kind === 'return' && has !== 0n && returns.get(reference)?.payment !== paymentId)
    report(`went back to ${returns.get(reference)?.payment}`)
  const how = touched.get(part.id)
  if (how !== 'notified' && units(paid) !== has) report(`paid ${paid}, the bank has ${has}`)
  return found
}

/** Nothing is at the bank that nobody asked for, and no two of ours share what is there. */
function bankViolations({ withdrawals, payouts, returns, refunds }: Evidence): string[] {
  const found: string[] = []
  const parts = withdrawals.flatMap((one) => one.parts)
  const references = parts.map(({ reference }) => reference)
  const known = new Set([...references, ...refunds])
  if (new Set(references).size !== references.length) found.push('withdrawals: two parts share a reference')
  for (const { reference, state } of payouts)
    if (state === 'paid' && !known.has(reference)) found.push(`${reference}: the bank paid it, and no part has it`)
  for (const [reference, { payment }] of returns)
    if (!known.has(reference)) found.push(`${payment}: the bank returned ${reference}, which nobody requested`)
  return found
}

/** What two persons recorded is booked once, and nothing else is. */
function outsideViolations({ withdrawals, outside }: Evidence): string[] {
  const booked = new Map<string, bigint[]>()
  for (const { amount, parts } of withdrawals) {
    const reference = parts.find(({ kind }) => kind === 'outside')?.gatewayReference ?? null
    if (reference !== null) booked.set(reference, [...(booked.get(reference) ?? []), units(amount)])
  }
  return [...booked].flatMap(([reference, amounts]) => {
    const isOnce = amounts.length === 1 && amounts[0] === outside.get(reference)
    return isOnce
      ? []
      : [`${reference}: ${outside.get(reference)} was recorded as paid outside, ${amounts.join(', ')} booked`]
  })
}

/** In the order of their statement. */
function linesByWithdrawal(lines: Lines): Map<string, Line[]> {
  const all = [...lines.values()].flat().filter(({ type }) => /^(withdrawal|part-|return-|payout-|outside-)/.test(type))
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

/** By the sum of a customer and a day. Of what came back later, when each was requested is not known. */
function ruleViolations(
  withdrawals: readonly Withdrawal[],
  touched: ReadonlyMap<string, Touched>,
  byRule: bigint,
): string[] {
  const own = withdrawals.filter(
    ({ approvedBy, requestedBy, parts }) =>
      requestedBy === null && approvedBy.length === 0 && !parts.some(({ id }) => touched.has(id)),
  )
  const days = Map.groupBy(own, ({ customerId, createdAt }) => `customer ${customerId}: on ${createdAt.slice(0, 10)}`)
  return [...days].flatMap(([day, paid]) => {
    const sum = paid.reduce((total, one) => total + units(one.paid), 0n)
    return sum > byRule ? [`${day} ${sum} was paid by the rule, more than ${byRule}`] : []
  })
}
