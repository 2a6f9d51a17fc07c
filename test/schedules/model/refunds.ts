// Refunds: by operators, and those that the gateway's back office makes without us.

import { available, leftOf } from './claims.ts'
import { type Customer, type Deposit, debit, depositOf, type Ending, type Outflow, sum } from './customer.ts'
import { isUnderDispute } from './disputes.ts'
import { giveBack, moneyGone, newOutflow, nextRefund, openOf, settle, statusOf } from './outflows.ts'
import { refundedToday, resolve } from './persons.ts'
import { hasOpenCall, type Person } from './withdrawals.ts'

export type RefundOrder = {
  readonly deposit: string
  readonly amount: number
  readonly by: Person
  readonly key: string | null
  /** What had gone back when the operator looked; null: they do not say. */
  readonly seen: number | null
}

const out = (outflows: readonly Outflow[]) => sum(outflows, ({ amount, returned }) => amount - returned)

/** What went back to the card, or is on its way. */
export function goneBack(customer: Customer, deposit: string): number {
  const charged = customer.disputes.filter((one) => one.deposit === deposit)
  const outflows = customer.outflows.filter((one) => one.deposit === deposit)
  return out(outflows) + sum(charged, (one) => Math.max(0, one.charged))
}

export function askRefund(customer: Customer, { deposit: id, amount, by, key, seen }: RefundOrder): string {
  const deposit = depositOf(customer, id)
  if (deposit === undefined) return 'refused'
  const earlier = customer.outflows.find((one) => one.key === key && key !== null)
  if (earlier !== undefined) return earlier.deposit === id && earlier.amount === amount ? 'accepted' : 'refused'
  if (deposit.state !== 'CAPTURED' || isUnderDispute(customer, id)) return 'refused'
  if (seen !== null && seen !== goneBack(customer, id)) return 'refused'
  if (amount > leftOf(customer, deposit) || amount > available(customer)) return 'refused'
  const isRepeated = out(customer.outflows.filter((one) => one.deposit === id && one.withdrawal !== null)) > 0
  const waitsForPerson = isRepeated || refundedToday(customer) + amount > customer.settings.refundsByOne
  const terms = {
    id: nextRefund(customer),
    kind: 'refund',
    deposit: id,
    card: deposit.card,
    withdrawal: null,
    amount,
  } as const
  newOutflow(customer, terms, { by: by.person, key, waitsForPerson })
  customer.balance -= amount
  return 'accepted'
}

export function approveRefund(refund: Outflow, person: string): string {
  if (!refund.waitsForPerson || statusOf(refund) !== 'waiting' || refund.by === person) return 'refused'
  refund.waitsForPerson = false
  return 'accepted'
}

/** It comes back, and never begins. */
export function refuseRefund(customer: Customer, refund: Outflow): string {
  if (!refund.waitsForPerson || statusOf(refund) !== 'waiting') return 'refused'
  refund.waitsForPerson = false
  giveBack(customer, refund)
  return 'accepted'
}

/** The job's check, before it calls the gateway. */
export function beginRefund(customer: Customer, refund: Outflow): 'called' | 'waits' {
  if (statusOf(refund) !== 'waiting' || refund.waitsForPerson || hasOpenCall(customer, refund)) return 'waits'
  refund.beganAt = customer.now
  refund.isCalling = true
  return 'called'
}

/** One that was sent, or is in review. A return belongs to its withdrawal. */
export function resolveRefund(
  customer: Customer,
  refund: Outflow,
  { outcome, by }: { readonly outcome: 'paid' | 'returned'; readonly by: string },
): string {
  const isSent = refund.beganAt !== null && !refund.isCalling && openOf(refund) > 0
  if (refund.review === null && !isSent) return 'refused'
  const decision = resolve(customer, refund.id, { amount: refund.amount, terms: outcome, by })
  if (decision === 'decided') settle(customer, refund, outcome)
  return decision
}

/** It has left the card's account already: first the balance, then debt. Before the capture nothing is debited. */
export function officeRefunded(
  customer: Customer,
  deposit: Deposit,
  { amount, theirs }: { readonly amount: number; readonly theirs: string },
): Ending {
  if (amount > deposit.amount) return 'contradiction another-amount'
  const isOver = ['DECLINED', 'VOIDING', 'VOIDED'].includes(deposit.state)
  if (isOver || deposit.review?.startsWith('cancel-')) return 'contradiction refunded-but-not-captured'
  moneyGone(customer, deposit.id, () => {
    const isDebited = deposit.state === 'CAPTURED'
    const terms = {
      id: nextRefund(customer),
      kind: 'office',
      deposit: deposit.id,
      card: deposit.card,
      withdrawal: null,
    } as const
    const now = { paid: amount, beganAt: customer.now, theirs, debited: isDebited ? amount : 0 }
    newOutflow(customer, { ...terms, amount }, now)
    if (isDebited) debit(customer, deposit.id, amount)
  })
  return 'applied'
}
