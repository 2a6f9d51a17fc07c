// What a notification reports about money that goes back to a card: an operator's refund, the return of a withdrawal's part, or a refund that
// a person made in the gateway's back office.

import type { Database } from '../../platform/database/database.ts'
import type { LockedDeposit } from '../deposits/facts-store.ts'
import type { GatewayName, GatewayNotification } from '../gateways/gateway.ts'
import { APPLIED, contradiction, type Outcome } from '../outcome.ts'
import { applyToRefund, recordBackOfficeRefund, refundOfNotification } from '../refunds/notified.ts'
import { noteRefusal } from '../refunds/refusals.ts'
import { holdForCard } from '../withdrawals/card-changes.ts'
import { withMoneyGone } from '../withdrawals/money-gone.ts'
import { applyToPart } from '../withdrawals/notified.ts'
import { retryUnknownRefunds } from './store.ts'

/** Customer and deposit are locked. */
export async function applyReturn(
  tx: Database,
  deposit: LockedDeposit,
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const refund = await refundOfNotification(tx, deposit, notification)
  if (refund === 'several') return contradiction('several-refunds')
  if (refund === undefined) return unknownRefund(tx, deposit, notification, now)
  if (refund.part_id !== null) {
    const gateway = deposit.gateway as GatewayName
    return applyToPart(tx, { id: refund.part_id, gateway }, notification, now)
  }
  const outcome = await applyToRefund(tx, refund, notification, now)
  if (outcome.outcome === 'applied') await noteRefused(tx, deposit, notification, now)
  return outcome
}

/** What the refusal means for the next time, and for what waits. */
async function noteRefused(
  tx: Database,
  deposit: LockedDeposit,
  { refusal, reason, event }: GatewayNotification,
  now: number,
): Promise<void> {
  const closed = await noteRefusal(tx, deposit.id, { refusal, reason: reason === '' ? event : reason }, now)
  if (closed !== null) await holdForCard(tx, { ...closed, takes: 'nothing' }, now)
}

async function unknownRefund(
  tx: Database,
  deposit: LockedDeposit,
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const { meaning, event, amount, currency } = notification
  if (meaning !== 'refunded') return contradiction('unknown-refund')
  if (amount !== null && currency !== deposit.currency) return contradiction('another-currency')
  if (amount !== null && amount > BigInt(deposit.amount)) return contradiction('another-amount')
  const { state, review } = deposit
  const isOver = state === 'DECLINED' || state === 'VOIDING' || state === 'VOIDED'
  if (isOver || (state === 'REVIEW' && review?.startsWith('cancel-'))) {
    return contradiction('refunded-but-not-captured')
  }
  await withMoneyGone(tx, deposit, { reason: event, now }, () => recordBackOfficeRefund(tx, deposit, notification, now))
  await tx.run(retryUnknownRefunds, { customerId: deposit.customer_id, now })
  return APPLIED
}
