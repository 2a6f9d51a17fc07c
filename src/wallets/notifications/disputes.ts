// What a notification reports about a dispute. A notice or a charge first takes back the waiting parts of its deposit.

import type { Database } from '../../platform/database/database.ts'
import type { LockedDeposit } from '../deposits/facts-store.ts'
import { applyDispute } from '../disputes/disputes.ts'
import { DISPUTE_EVENTS, isDisputeEvent } from '../disputes/events.ts'
import { disputesOfDeposit } from '../disputes/store.ts'
import type { GatewayNotification } from '../gateways/gateway.ts'
import { APPLIED, contradiction, type Outcome } from '../outcome.ts'
import { withMoneyGone } from '../withdrawals/money-gone.ts'
import { withKnownAmount } from './amounts.ts'
import { closeContradictions } from './store.ts'

/** Customer and deposit are locked. */
export async function applyDisputed(
  tx: Database,
  deposit: LockedDeposit,
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const { event, amount, currency } = notification
  if (!isDisputeEvent(event)) return APPLIED
  if (amount !== null && currency !== deposit.currency) return contradiction('another-currency')
  const isOver = deposit.state === 'DECLINED' || deposit.state === 'VOIDED' || deposit.state === 'VOIDING'
  if (isOver && DISPUTE_EVENTS[event].charges !== 0) return contradiction('charged-but-not-captured')
  const outcome = await withMoneyGone(tx, deposit, { reason: event, now }, () =>
    applyDispute(tx, deposit, { ...withKnownAmount(notification), event }, now),
  )
  await closeInBounds(tx, deposit, now)
  return outcome
}

/** A contradiction closes by itself when the sum is in bounds again. */
async function closeInBounds(tx: Database, deposit: LockedDeposit, now: number): Promise<void> {
  const disputes = await tx.query(disputesOfDeposit, { depositId: deposit.id })
  const house = disputes.reduce((sum, dispute) => sum + BigInt(dispute.house), 0n)
  for (const { id, charged } of disputes) {
    const subject = `dispute ${id}`
    if (BigInt(charged) >= 0n) {
      await tx.run(closeContradictions, { subject, contradiction: 'reversed-beyond-charge', now })
    }
    if (house === 0n) await tx.run(closeContradictions, { subject, contradiction: 'charged-beyond-deposit', now })
  }
}
