// What the gateway's notifications say about refunds, also about those that somebody made in its back office: these are
// debited when they are told, as far as the balance goes, and the rest becomes a debt.

import type { Database } from '../platform/database/database.ts'
import { disputedAmount } from './disputes.ts'
import type { GatewayNotification } from './gateways/gateway.ts'
import { insertJob } from './job-store.ts'
import type { RefundRow } from './refund-store.ts'
import * as sql from './refund-store.ts'
import { failRefund, finishRefund, ledgerTerms, tellRefund } from './refund-transitions.ts'
import { debitReturned, wasCaptured } from './returned-money.ts'
import type { DepositRow } from './store.ts'

/** Customer and deposit are locked. One that failed stays failed, in whatever order its notifications arrive. */
export async function applyRefund(
  tx: Database,
  deposit: DepositRow,
  notification: GatewayNotification,
  now: number,
): Promise<void> {
  const { event, meaning } = notification
  const refund = await refundOf(tx, deposit, notification)
  if (refund === undefined) return recordForeign(tx, deposit, notification, now)
  // A reversal may have a reference of its own: the refund keeps the one that its other notifications have.
  const gatewayReference = meaning === 'refundReversed' ? refund.gateway_reference : notification.gatewayReference
  const said = { gatewayReference, reason: event }
  await (meaning === 'refunded' ? finishRefund(tx, refund.id, said, now) : failRefund(tx, refund.id, said, now))
}

/**
 * By the gateway's reference or by ours. A notification that has neither, because it was faster than the answer to our call,
 * is about the refund of this amount that we are sending. A reversal is first of all about one that was sent or done: what is not sent
 * yet cannot come back.
 */
async function refundOf(
  tx: Database,
  deposit: DepositRow,
  notification: GatewayNotification,
): Promise<RefundRow | undefined> {
  const { reference, gatewayReference, paymentReference: originalReference, meaning } = notification
  const depositId = deposit.id
  const known = await tx.one(sql.refundByReference, { depositId, reference, gatewayReference, originalReference })
  if (known !== undefined) return known
  const ofAmount = { depositId, amount: disputedAmount(deposit, notification) }
  const reversed = meaning === 'refundReversed' ? await tx.one(sql.refundToReverse, ofAmount) : undefined
  return reversed ?? tx.one(sql.refundOnItsWay, ofAmount)
}

async function recordForeign(
  tx: Database,
  deposit: DepositRow,
  notification: GatewayNotification,
  now: number,
): Promise<void> {
  const { event, gatewayReference, meaning } = notification
  const state = meaning === 'refunded' ? 'DONE' : 'FAILED'
  const refund = (await tx.one(sql.insertRefund, {
    reference: `${deposit.gateway} ${gatewayReference}`,
    depositId: deposit.id,
    customerId: deposit.customer_id,
    origin: 'gateway',
    amount: disputedAmount(deposit, notification),
    currency: deposit.currency,
    reason: 'made at the gateway',
    by: '',
    needsApproval: 0,
    state,
    gatewayReference,
    now,
  })) as RefundRow
  if (state === 'DONE') await debitForeign(tx, deposit, refund, now)
  await tellRefund(tx, refund, event, now)
}

async function debitForeign(tx: Database, deposit: DepositRow, refund: RefundRow, now: number): Promise<void> {
  if (!wasCaptured(deposit)) return void (await tx.run(insertJob, { depositId: deposit.id, kind: 'settle', now }))
  const amount = BigInt(refund.amount)
  await debitReturned(tx, { ...ledgerTerms(refund), amount }, { balance: 'refund', debt: 'refund_debt' }, now)
  await tx.run(sql.setRefundDebited, { id: refund.id, debited: amount })
}

/** Debits what was told before the deposit was captured. Customer and deposit are locked. */
export async function settleRefunds(tx: Database, deposit: DepositRow, now: number): Promise<void> {
  for (const refund of await tx.query(sql.refundsOfDeposit, { depositId: deposit.id })) {
    const isDue = refund.origin === 'gateway' && refund.state === 'DONE' && BigInt(refund.debited) === 0n
    if (isDue) await debitForeign(tx, deposit, refund, now)
  }
}
