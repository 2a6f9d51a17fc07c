// What a gateway's notification says of a payout. They may be late, early, repeated or out of order: whatever comes back after
// it was paid ends as RETURNED, and where the gateway says both that it was paid and that it was not, an operator decides.

import type { Database } from '../platform/database/database.ts'
import type { GatewayName, GatewayNotification } from './gateways/gateway.ts'
import type { WithdrawalRow } from './withdrawal-store.ts'
import * as sql from './withdrawal-store.ts'
import { giveBack, pay, sendToReview } from './withdrawal-transitions.ts'

/** A gateway's notifications change only the withdrawals that were stored with it. */
export async function applyToWithdrawal(
  tx: Database,
  gateway: GatewayName,
  notification: GatewayNotification,
  now: number,
): Promise<void> {
  const { reference, event, success, meaning } = notification
  const withdrawal = await tx.one(sql.lockWithdrawalByReference, { reference })
  if (withdrawal === undefined || withdrawal.gateway !== gateway) return
  await tx.run(sql.insertWithdrawalEvent, { id: withdrawal.id, now, event: 'notified', detail: `${event} ${success}` })
  if (!hasTermsOf(withdrawal, notification)) return
  if (meaning === 'payoutPaid') await paid(tx, withdrawal, notification, now)
  if (meaning === 'payoutReturned') await returned(tx, withdrawal, event, now)
  if (meaning === 'payoutReversed') await reversed(tx, withdrawal, event, now)
}

/** What is said of another amount decides nothing: an operator will. */
function hasTermsOf({ amount, currency }: WithdrawalRow, notification: GatewayNotification): boolean {
  return notification.currency === currency && notification.amount === BigInt(amount)
}

const isOpen = ({ state, review }: WithdrawalRow) =>
  state === 'SENDING' || (state === 'REVIEW' && review === 'payout-unresolved')

async function paid(
  tx: Database,
  withdrawal: WithdrawalRow,
  { event, gatewayReference }: GatewayNotification,
  now: number,
) {
  if (isOpen(withdrawal)) return pay(tx, withdrawal, { gatewayReference, reason: event }, now)
  // One that came back was paid before, and this is a late notification.
  if (withdrawal.state !== 'RETURNED' || withdrawal.paid === 1) return
  await tx.run(sql.markPaid, { id: withdrawal.id })
  await sendToReview(tx, withdrawal, { review: 'paid-after-return', reason: event }, now)
}

async function returned(tx: Database, withdrawal: WithdrawalRow, event: string, now: number): Promise<void> {
  if (isOpen(withdrawal)) return giveBack(tx, withdrawal, event, now)
  if (withdrawal.state === 'PAID') {
    await sendToReview(tx, withdrawal, { review: 'returned-after-paid', reason: event }, now)
  }
}

async function reversed(tx: Database, withdrawal: WithdrawalRow, event: string, now: number): Promise<void> {
  await tx.run(sql.markPaid, { id: withdrawal.id })
  await giveBack(tx, withdrawal, event, now)
}
