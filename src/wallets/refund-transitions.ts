// The changes of a refund's state. Each writes the state, the ledger, the job and the events in the transaction that it is given,
// under the lock of the customer. The money leaves the customer's account when the refund is requested, and comes back if it
// fails, whoever says so: the gateway's answer, a notification or an operator. FAILED is final.

import { eventList, logEvents, newEvent } from '../event-log/store.ts'
import type { Database } from '../platform/database/database.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import { deleteRefundJob } from './job-store.ts'
import { transfer } from './ledger.ts'
import * as sql from './refund-store.ts'
import { insertDepositEvent } from './store.ts'

/** Locks the customer and the refund; undefined: there is none. */
export const lockRefund = (tx: Database, id: number) => tx.one(sql.lockRefund, { id })

type Said = { readonly gatewayReference: string | null; readonly reason: string }

export async function sentRefund(tx: Database, id: number, said: Said, now: number): Promise<void> {
  const { gatewayReference, reason } = said
  const sent = await tx.one(sql.markRefundSent, { id, gatewayReference, now })
  if (sent !== undefined) await changed(tx, sent, reason, now)
}

export async function finishRefund(tx: Database, id: number, said: Said, now: number): Promise<void> {
  const { gatewayReference, reason } = said
  const done = await tx.one(sql.finishRefund, { id, gatewayReference, now })
  if (done !== undefined) await changed(tx, done, reason, now)
}

export async function reviewRefund(tx: Database, id: number, reason: string, now: number): Promise<void> {
  const reviewed = await tx.one(sql.reviewRefund, { id, now })
  if (reviewed !== undefined) await changed(tx, reviewed, reason, now)
}

/** Credits back what was debited. */
export async function failRefund(tx: Database, id: number, said: Said, now: number): Promise<void> {
  const { gatewayReference, reason } = said
  const failed = await tx.one(sql.failRefund, { id, gatewayReference, now })
  if (failed === undefined) return
  const debited = BigInt(failed.debited)
  if (debited > 0n) {
    await transfer(tx, [{ ...ledgerTerms(failed), kind: 'refund_failed', amount: debited }], now)
    await tx.run(sql.setRefundDebited, { id, debited: 0n })
  }
  await changed(tx, failed, reason, now)
}

export function ledgerTerms(refund: sql.RefundRow) {
  return { source: { refund_id: refund.id }, customerId: refund.customer_id, currency: refund.currency }
}

/** Ends its job, if it has one, and tells what happened. */
async function changed(tx: Database, refund: sql.RefundRow, reason: string, now: number): Promise<void> {
  await tx.run(deleteRefundJob, { refundId: refund.id })
  await tellRefund(tx, refund, reason, now)
}

const EVENTS = {
  REQUESTED: 'refund.requested',
  SENT: 'refund.sent',
  DONE: 'refund.done',
  FAILED: 'refund.failed',
  REVIEW: 'refund.review',
} as const

/** In the trail of the deposit and in the log of events. */
export async function tellRefund(tx: Database, refund: sql.RefundRow, detail: string, now: number): Promise<void> {
  const { id, deposit_id: depositId, customer_id, currency, state } = refund
  const event = `refund ${id}: ${state.toLowerCase()}`
  await tx.run(insertDepositEvent, { depositId, now, event, detail })
  const data = { refundId: `${id}`, amount: formatMoney(BigInt(refund.amount)), currency, state }
  const logged = newEvent(EVENTS[state], { type: 'deposit', id: depositId }, data, now)
  await tx.run(logEvents, { rows: eventList.of([{ ...logged, customer_id }]) })
}
