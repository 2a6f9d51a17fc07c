// What the gateway tells by itself drives the same conditional moves as its answers do: it can be late, early,
// repeated or out of order, and never credits a voided deposit.

import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { approve, finishCancel, finishCapture, sendToReview } from './decide.ts'
import type { GatewayNotification } from './gateways/gateway.ts'
import { type DepositRow, insertDepositEvent, insertNotification, lockDeposit } from './store.ts'

export async function takeNotification(context: Context, notification: GatewayNotification): Promise<void> {
  const { event, success, reference, key } = notification
  const now = context.now()
  await context.database.transaction(async (tx) => {
    const row = { gateway: context.gateway.name, key, event, success: success ? 1 : 0, depositId: reference, now }
    if ((await tx.run(insertNotification, row)) === 0) return
    const deposit = await tx.one(lockDeposit, { id: reference })
    if (deposit === undefined) return
    await tx.run(insertDepositEvent, { depositId: reference, now, event: 'notified', detail: `${event} ${success}` })
    await apply(tx, deposit, notification, now)
  })
}

async function apply(tx: Database, deposit: DepositRow, notification: GatewayNotification, now: number): Promise<void> {
  const { meaning, event, gatewayReference } = notification
  const { id } = deposit
  // An approval of another amount is none of ours to credit: the lease ends, and it is cancelled.
  if (meaning === 'approved' && sameTerms(deposit, notification)) await approve(tx, deposit, gatewayReference, now)
  if (meaning === 'captured') await finishCapture(tx, id, event, now)
  if (meaning === 'cancelled') await finishCancel(tx, { id, job: null }, event, now)
  if (meaning === 'captureFailed') {
    await sendToReview(tx, id, deposit.state === 'CAPTURED' ? 'capture-failed' : 'capture-refused', event, now)
  }
}

function sameTerms(deposit: DepositRow, { amount, currency }: GatewayNotification): boolean {
  return deposit.currency === currency && BigInt(deposit.amount) === amount
}
