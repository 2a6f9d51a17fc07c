// What the gateway's notifications report about refunds, also about the ones that a person made in its back office: these are debited
// when they are reported, as far as the balance goes, and the rest becomes a debt.

import type { Database } from '../../platform/database/database.ts'
import { debit } from '../account/ledger.ts'
import type { DepositRow } from '../deposits/store.ts'
import type { GatewayNotification } from '../gateways/gateway.ts'
import { insertJob } from '../jobs/store.ts'
import { mustChange } from '../machine.ts'
import { ALREADY_APPLIED, APPLIED, contradiction, type Outcome } from '../outcome.ts'
import { isOtherPayment, reportPaid, reportReturned } from './outgoing.ts'
import type { RefundRow } from './store.ts'
import * as sql from './store.ts'
import { applyReport, ledgerTerms, outgoingOf, recordRefundEvent, sendRefundToReview } from './transitions.ts'

/**
 * By our reference, which gateways echo, or by the gateway's. A reversal may have a reference of its own: it is then about the one refund of
 * this amount that was sent; and so is a failure, where the gateway has not answered. 'several': they cannot be distinguished.
 */
export async function refundOfNotification(
  tx: Database,
  deposit: DepositRow,
  notification: GatewayNotification,
): Promise<RefundRow | 'several' | undefined> {
  const { reference, gatewayReference, paymentReference: originalReference, meaning, amount } = notification
  const named = await tx.one(sql.refundNamed, { reference, gatewayReference, originalReference })
  if (named !== undefined) return tx.one(sql.lockRefund, { id: named.id })
  if (meaning === 'refunded') return undefined
  const [one, other] = await tx.query(sql.refundsOfAmount, {
    depositId: deposit.id,
    amount: amount ?? BigInt(deposit.amount),
    unanswered: meaning === 'refundFailed' ? 1 : 0,
  })
  if (other !== undefined) return 'several'
  return one && tx.one(sql.lockRefund, { id: one.id })
}

/** Applies a report about an operator's refund, or one of the back office. */
export async function applyToRefund(
  tx: Database,
  refund: RefundRow,
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const { event, meaning, currency } = notification
  // A reversal may have a reference of its own: the refund keeps the one that its other notifications have.
  const gatewayReference = meaning === 'refundReversed' ? null : notification.gatewayReference
  const report = { gatewayReference, reason: event, now }
  const subject = `refund ${refund.id}`
  const amount = notification.amount ?? BigInt(refund.amount)
  if (isUnsent(refund)) {
    await sendRefundToReview(tx, refund, { review: 'never-sent' }, report)
    return contradiction('never-sent', subject)
  }
  if (notification.amount !== null && currency !== refund.currency) return contradiction('another-currency')
  const sums = outgoingOf(refund)
  const isOther = isOtherPayment(refund.gateway_reference, gatewayReference)
  const reported = meaning === 'refunded' ? reportPaid(sums, amount, isOther) : reportReturned(sums, amount)
  if (reported.outcome === 'applied') {
    await applyReport(tx, refund, reported, report)
    return APPLIED
  }
  if (reported.outcome === 'already-applied') return ALREADY_APPLIED
  await sendRefundToReview(tx, refund, reported, report)
  return contradiction(reported.review, subject)
}

/** Its call has not begun, and no person has decided yet what a report about it means. */
function isUnsent({ state, begun_at, review }: RefundRow): boolean {
  return begun_at === null && (state === 'REQUESTED' || review === 'never-sent')
}

/** One that nobody requested here. Waiting parts of the deposit must have been taken back before. */
export async function recordBackOfficeRefund(
  tx: Database,
  deposit: DepositRow,
  notification: GatewayNotification,
  now: number,
): Promise<void> {
  const { event, gatewayReference } = notification
  const amount = notification.amount ?? BigInt(deposit.amount)
  const refund = (await tx.one(sql.insertRefund, {
    ...sql.NEW_REFUND,
    reference: `${deposit.gateway} ${gatewayReference}`,
    deposit_id: deposit.id,
    customer_id: deposit.customer_id,
    origin: 'gateway',
    amount,
    currency: deposit.currency,
    reason: 'made at the gateway',
    requested_by: '',
    requested_person: '',
    state: 'DONE',
    debited: 0n,
    paid: amount,
    gateway_reference: gatewayReference,
    begun_at: now,
    now,
  })) as RefundRow
  await debitBackOfficeRefund(tx, deposit, refund, now)
  await recordRefundEvent(tx, refund, { reason: event, now })
}

/** Before the capture nothing is credited that could be debited: the job *book* does it after the capture. */
async function debitBackOfficeRefund(tx: Database, deposit: DepositRow, refund: RefundRow, now: number): Promise<void> {
  if (deposit.state !== 'CAPTURED') {
    return void (await tx.run(insertJob, { depositId: deposit.id, kind: 'book', now }))
  }
  const amount = BigInt(refund.paid)
  await debit(tx, { ...ledgerTerms(refund), amount }, { balance: 'refund', debt: 'refund_debt' }, now)
  mustChange(await tx.run(sql.setRefundDebited, { id: refund.id, debited: amount }), `refund ${refund.id}`)
}

const isDue = ({ origin, paid, debited }: RefundRow) => origin === 'gateway' && BigInt(paid) > BigInt(debited)

export async function hasEarlyRefunds(tx: Database, { id: depositId }: Pick<DepositRow, 'id'>): Promise<boolean> {
  return (await tx.query(sql.refundsOfDeposit, { depositId })).some(isDue)
}

/** Debits what was reported before the deposit was captured. Customer and deposit are locked. */
export async function bookRefunds(tx: Database, deposit: DepositRow, now: number): Promise<void> {
  for (const refund of await tx.query(sql.refundsOfDeposit, { depositId: deposit.id })) {
    if (isDue(refund)) await debitBackOfficeRefund(tx, deposit, refund, now)
  }
}
