// What must hold between refunds, the bank's own list of them, and what was answered.

import type { Payment } from './invariants.ts'
import type { Refund, RefundsPlayed } from './refunds.ts'
import { units } from './statements.ts'

type Evidence = {
  readonly played: RefundsPlayed
  readonly refunds: readonly Refund[]
  readonly payments: ReadonlyMap<string, Payment>
  /** Refunds above it need a second operator; in hundredths. */
  readonly fourEyesAbove: bigint
}

/** The bank's refunds, by the reference that the service stores of them. */
function atBank(payments: ReadonlyMap<string, Payment>): Map<string, { payment: string; amount: bigint }> {
  const all = [...payments.values()].flatMap(({ reference: payment, refunds = [] }) =>
    refunds.map((one) => [`sandbox-${one.reference}`, { payment, amount: BigInt(one.amount) }] as const),
  )
  return new Map(all)
}

export function refundViolations({ played, refunds, payments, fourEyesAbove }: Evidence): string[] {
  const found: string[] = [...played.violations]
  const bank = atBank(payments)
  const own = refunds.filter(({ requestedBy }) => requestedBy !== null)
  for (const refund of own) {
    const returned = bank.get(refund.gatewayReference ?? '')
    for (const problem of problemsOf(refund, returned !== undefined)) found.push(`refund ${refund.id}: ${problem}`)
    if (returned !== undefined && (returned.payment !== refund.paymentId || returned.amount !== units(refund.amount)))
      found.push(`refund ${refund.id}: the bank returned ${returned.amount} of ${returned.payment}`)
  }
  const known = new Set(own.map(({ gatewayReference }) => gatewayReference))
  for (const [reference, { payment }] of bank)
    if (!known.has(reference)) found.push(`${payment}: the bank returned ${reference}, which nobody requested`)
  const byId = new Map(own.map((one) => [one.id, one]))
  for (const [id, amount] of played.answered)
    if (byId.get(id)?.amount !== amount)
      found.push(`refund ${id}: answered with ${amount}, stored ${byId.get(id)?.amount}`)
  for (const [paymentId, { length }] of countsOf(own))
    if (length > (played.requested.get(paymentId) ?? 0))
      found.push(`${paymentId}: ${length} refunds, fewer were requested`)
  return found

  function problemsOf({ id, state, amount, requestedBy, approvedBy }: Refund, isReturned: boolean): string[] {
    const problems: string[] = []
    if (state !== 'DONE' && state !== 'FAILED') problems.push(`left ${state}`)
    if (state === 'DONE' && !isReturned) problems.push('done, the bank has not returned it')
    if (state === 'FAILED' && isReturned && !played.failed.has(id))
      problems.push('credited back, the bank has returned it')
    if (isReturned && played.refused.has(id)) problems.push('refused by an operator, and sent')
    const isSeenTwice = approvedBy !== null && approvedBy !== requestedBy
    if (isReturned && units(amount) > fourEyesAbove && !isSeenTwice) problems.push(`sent, approved by ${approvedBy}`)
    return problems
  }
}

function countsOf(refunds: readonly Refund[]) {
  return Map.groupBy(refunds, ({ paymentId }) => paymentId)
}

/** What refunds have cost each customer in the end, in hundredths, by what the bank has done and said. */
export function refundCosts({ played, refunds, payments }: Evidence): Map<number, bigint> {
  const costs = new Map<number, bigint>()
  const add = (customerId: number, amount: bigint) => costs.set(customerId, (costs.get(customerId) ?? 0n) + amount)
  const bank = atBank(payments)
  for (const { id, customerId, amount, state, gatewayReference } of refunds) {
    const cameBack = state === 'FAILED' && played.failed.has(id)
    if (bank.has(gatewayReference ?? '') && !cameBack) add(Number(customerId), units(amount))
  }
  for (const [paymentId, { customerId, amount, events }] of played.foreign) {
    const isDone = payments.get(paymentId)?.state === 'captured' && !events.includes('REFUNDED_REVERSED')
    if (isDone) add(customerId, amount)
  }
  return costs
}
