// What must hold between refunds, the bank's own list of them, and what was answered.

import type { Deposit, Payment } from './invariants.ts'
import type { Refund, RefundsPlayed } from './refunds.ts'
import { units } from './statements.ts'

type Evidence = {
  readonly played: RefundsPlayed
  readonly refunds: readonly Refund[]
  readonly payments: ReadonlyMap<string, Payment>
  /** What one person may refund to a customer on a day; in hundredths. */
  readonly byOne: bigint
}

export type BankRefund = { readonly payment: string; readonly amount: bigint }

/** The bank's refunds and returns, by our reference of them. */
export function refundsAtBank(payments: ReadonlyMap<string, Payment>): Map<string, BankRefund> {
  const all = [...payments.values()].flatMap(({ reference: payment, refunds = [] }) =>
    refunds.map((one) => [one.reference, { payment, amount: BigInt(one.amount) }] as const),
  )
  return new Map(all)
}

export function refundViolations({ played, refunds, payments, byOne }: Evidence): string[] {
  const found: string[] = [...played.violations]
  const bank = refundsAtBank(payments)
  const own = refunds.filter(({ origin }) => origin === 'operator')
  for (const refund of own) {
    const returned = bank.get(refund.reference)
    for (const problem of problemsOf(refund, returned !== undefined)) found.push(`refund ${refund.id}: ${problem}`)
    if (returned !== undefined && (returned.payment !== refund.paymentId || returned.amount !== units(refund.amount)))
      found.push(`refund ${refund.id}: the bank returned ${returned.amount} of ${returned.payment}`)
  }
  const byId = new Map(own.map((one) => [one.id, one]))
  for (const [id, amount] of played.answered)
    if (byId.get(id)?.amount !== amount)
      found.push(`refund ${id}: answered with ${amount}, stored ${byId.get(id)?.amount}`)
  for (const [paymentId, { length }] of Map.groupBy(own, (one) => one.paymentId))
    if (length > (played.requested.get(paymentId) ?? 0))
      found.push(`${paymentId}: ${length} refunds, fewer were requested`)
  return [...found, ...foreignViolations(played, refunds), ...aloneViolations(own, played, byOne)]

  function problemsOf({ id, state, amount, paid, returned, ...refund }: Refund, isAtBank: boolean): string[] {
    const problems: string[] = []
    if (state !== 'DONE' && state !== 'FAILED') problems.push(`left ${state}`)
    else if (units(paid) + units(returned) !== units(amount))
      problems.push(`paid ${paid} and returned ${returned} of ${amount}`)
    else if (units(paid) > 0n !== (state === 'DONE')) problems.push(`${state} with ${paid} paid`)
    const isKnown = !played.failed.has(id)
    if (isKnown && units(paid) !== (isAtBank ? units(amount) : 0n))
      problems.push(`paid ${paid}, the bank has ${isAtBank ? '' : 'not '}returned it`)
    if (isAtBank && played.refused.has(id)) problems.push('refused by an operator, and sent')
    const { requestedBy, approvedBy } = refund
    if (isAtBank && units(amount) > byOne && (approvedBy === null || approvedBy === requestedBy))
      problems.push(`sent, approved by ${approvedBy}`)
    return problems
  }
}

/** Each that was reported is stored once, of its amount; one that was reversed came back. */
function foreignViolations({ foreign }: RefundsPlayed, refunds: readonly Refund[]): string[] {
  const found: string[] = []
  const listed = Map.groupBy(
    refunds.filter(({ origin }) => origin === 'gateway'),
    ({ gatewayReference }) => gatewayReference ?? '',
  )
  for (const [reference, { paymentId, amount, isReversed }] of foreign) {
    const [one, ...others] = listed.get(reference) ?? []
    // One of a deposit whose capture failed is a contradiction, and stored nowhere.
    if (one === undefined) continue
    if (others.length > 0) found.push(`${paymentId}: ${reference} is stored ${others.length + 1} times`)
    const paid = isReversed ? 0n : amount
    if (one.paymentId !== paymentId || units(one.amount) !== amount || units(one.paid) !== paid)
      found.push(`refund ${one.id}: ${reference} is of ${one.amount}, with ${one.paid} paid, not ${paid}`)
  }
  for (const [reference, [one]] of listed)
    if (!foreign.has(reference)) found.push(`refund ${one?.id}: the bank never reported ${reference}`)
  return found
}

/** By the sum of a customer and a day. Of what was reported otherwise later, when each was requested is not known. */
function aloneViolations(own: readonly Refund[], { failed }: RefundsPlayed, byOne: bigint): string[] {
  const alone = own.filter(({ id, approvedBy, state }) => approvedBy === null && state === 'DONE' && !failed.has(id))
  const days = Map.groupBy(alone, ({ customerId, createdAt }) => `customer ${customerId}: on ${createdAt.slice(0, 10)}`)
  return [...days].flatMap(([day, refunds]) => {
    const sum = refunds.reduce((total, { amount }) => total + units(amount), 0n)
    return sum > byOne ? [`${day} one person each refunded ${sum}, more than ${byOne}`] : []
  })
}

/** What refunds have cost each customer in the end, in hundredths. Those of the bank only of deposits that are captured. */
export function refundCosts(refunds: readonly Refund[], deposits: readonly Deposit[]): Map<number, bigint> {
  const captured = new Set(deposits.filter(({ state }) => state === 'CAPTURED').map(({ paymentId }) => paymentId))
  const costs = new Map<number, bigint>()
  for (const { customerId, paid, origin, paymentId } of refunds) {
    if (origin === 'withdrawal' || (origin === 'gateway' && !captured.has(paymentId))) continue
    costs.set(Number(customerId), (costs.get(Number(customerId)) ?? 0n) + units(paid))
  }
  return costs
}
