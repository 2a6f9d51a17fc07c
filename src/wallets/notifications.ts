// Notifications of a gateway drive the same conditional changes of state as its answers do. They may be late, early,
// repeated or out of order, and never credit a voided deposit. Refunds and disputes are debited once, in whatever order they are told.

import type { Database } from '../platform/database/database.ts'
import type { WalletsContext } from './context.ts'
import { lockDepositWithFacts } from './deposit-facts-store.ts'
import { finishCancel, finishCaptures, recordApproval, sendToReview } from './deposit-transitions.ts'
import { applyDispute } from './disputes.ts'
import type { GatewayName, GatewayNotification, NotificationMeaning } from './gateways/gateway.ts'
import { applyRefund } from './refund-notifications.ts'
import { depositOfRefund } from './refund-store.ts'
import { type DepositRow, depositByGatewayReference, insertDepositEvent, insertNotification } from './store.ts'
import { applyToWithdrawal } from './withdrawal-notifications.ts'

/** A gateway's notifications change only the deposits that were stored with it. */
export async function applyNotification(
  context: WalletsContext,
  gateway: GatewayName,
  notification: GatewayNotification,
): Promise<void> {
  const { event, success, reference, key, meaning } = notification
  const now = context.now()
  await context.database.transaction(async (tx) => {
    const row = { gateway, key, event, success: success ? 1 : 0, depositId: reference, now }
    if ((await tx.run(insertNotification, row)) === 0) return
    if (meaning.startsWith('payout')) return applyToWithdrawal(tx, gateway, notification, now)
    const deposit = await lockNotified(tx, notification)
    if (deposit === undefined || deposit.gateway !== gateway) return
    await tx.run(insertDepositEvent, { depositId: deposit.id, now, event: 'notified', detail: `${event} ${success}` })
    await applyToDeposit(tx, context, deposit, notification)
  })
}

/**
 * By our reference of the deposit or of the refund, or by the gateway's of the payment or of the refund. With the customer's row, which an
 * approval needs and everybody locks before the deposit.
 */
async function lockNotified(tx: Database, notification: GatewayNotification): Promise<DepositRow | undefined> {
  const { reference, paymentReference } = notification
  const named = await tx.one(lockDepositWithFacts, { id: reference })
  if (named !== undefined) return named
  const refunded = await tx.one(depositOfRefund, { reference, gatewayReference: paymentReference })
  const id =
    refunded?.deposit_id ?? (await tx.one(depositByGatewayReference, { gatewayReference: paymentReference }))?.id
  return id === undefined ? undefined : tx.one(lockDepositWithFacts, { id })
}

const REFUND_MEANINGS: readonly NotificationMeaning[] = ['refunded', 'refundFailed', 'refundReversed']

async function applyToDeposit(
  tx: Database,
  context: WalletsContext,
  deposit: DepositRow,
  notification: GatewayNotification,
): Promise<void> {
  const now = context.now()
  const { meaning, event, gatewayReference } = notification
  const { id } = deposit
  // An approval of another amount is not credited: the lease ends, and it is cancelled.
  if (meaning === 'approved' && sameTerms(deposit, notification)) {
    await recordApproval(tx, context, id, gatewayReference)
  }
  if (meaning === 'captured') await finishCaptures(tx, [id], event, now)
  if (meaning === 'cancelled') await finishCancel(tx, { id, job: null }, event, now)
  if (meaning === 'captureFailed') {
    const review = deposit.state === 'CAPTURED' ? 'capture-failed' : 'capture-refused'
    await sendToReview(tx, id, { review, reason: event }, now)
  }
  if (REFUND_MEANINGS.includes(meaning)) await applyRefund(tx, deposit, notification, now)
  if (meaning === 'disputed') await applyDispute(tx, deposit, notification, now)
}

function sameTerms(deposit: DepositRow, { amount, currency }: GatewayNotification): boolean {
  return deposit.currency === currency && BigInt(deposit.amount) === amount
}
