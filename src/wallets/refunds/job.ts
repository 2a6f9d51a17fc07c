import type { Database } from '../../platform/database/database.ts'
import type { WalletsContext } from '../context.ts'
import { insertDepositEvent } from '../deposits/store.ts'
import type { Gateway, HeldPayment, RefundResult } from '../gateways/gateway.ts'
import { BEHIND_ANOTHER, countJob, isUnresolved, postpone, waitForAnother } from '../jobs/run.ts'
import type { Job } from '../jobs/store.ts'
import { reportPaid } from './outgoing.ts'
import { type ClosedCard, noteRefusal } from './refusals.ts'
import type { RefundRow } from './store.ts'
import * as sql from './store.ts'
import { bookOpen, markSent, outgoingOf, sendRefundToReview, type TimedReport } from './transitions.ts'

/** With the refund and the payment of its deposit. */
export type RefundJob = Job & { readonly refund_id: number; readonly payment: HeldPayment }

/** In the transaction that stores it. */
type OnClosed = (tx: Database, card: ClosedCard, now: number) => Promise<void>

/**
 * Sends an operator's refund. An unknown result is sent again with the same key: the gateway returns the money only once. `onClosed`: the
 * gateway reports that the account behind the card is closed.
 */
export async function sendRefund(
  context: WalletsContext,
  gateway: Gateway,
  job: RefundJob,
  onClosed: OnClosed,
): Promise<void> {
  const depositId = job.payment.reference
  const because = (detail: string) => (tx: Database, event: string) =>
    tx.run(insertDepositEvent, { depositId, now: context.now(), event, detail })
  const refund = await context.database.transaction((tx) => begin(tx, job, context.now()))
  if (refund === 'waits') return waitForAnother(context, job, because(BEHIND_ANOTHER))
  if (refund === undefined) return
  const { reference, amount } = refund
  const result = await gateway.refund(job.payment, {
    reference,
    amount: BigInt(amount),
    isReturn: false,
    gatewayReference: null,
  })
  countJob(context, job, result.outcome)
  if (result.outcome === 'unknown' && !isUnresolved(context, refund.begun_at as number)) {
    return postpone(context, job, because(result.reason))
  }
  await context.database.transaction((tx) => record(tx, refund.id, { result, onClosed }, context.now()))
}

/** Committed before the gateway is called. undefined: it was decided meanwhile. */
async function begin(tx: Database, job: RefundJob, now: number): Promise<RefundRow | 'waits' | undefined> {
  const refund = await tx.one(sql.lockRefund, { id: job.refund_id })
  if (refund?.state !== 'REQUESTED') return undefined
  if (refund.begun_at !== null) return refund
  return (await tx.one(sql.beginRefund, { id: refund.id, now }, 'last')) ?? 'waits'
}

type Answered = { readonly result: RefundResult; readonly onClosed: OnClosed }

async function record(tx: Database, id: number, { result, onClosed }: Answered, now: number): Promise<void> {
  const refund = await tx.one(sql.lockRefund, { id })
  if (refund === undefined) return
  const { outcome, gatewayReference, reason } = result
  const report = { gatewayReference, reason, now }
  if (!isAwaited(refund)) {
    if (outcome === 'done') await comparePaid(tx, refund, report)
  } else if (outcome === 'done') await bookOpen(tx, refund, 'paid', { ...report, last: 'last' })
  else if (outcome === 'refused') {
    await bookOpen(tx, refund, 'returned', report)
    const closed = await noteRefusal(tx, refund.deposit_id, result, now)
    if (closed !== null) await onClosed(tx, closed, now)
  } else if (refund.state === 'REQUESTED') {
    if (outcome === 'received') await markSent(tx, refund, report, now)
    else await sendRefundToReview(tx, refund, { review: 'unresolved' }, report)
  }
}

function isAwaited({ state, review }: RefundRow): boolean {
  return state === 'REQUESTED' || state === 'SENT' || (state === 'REVIEW' && review === 'unresolved')
}

/** A notification or a person was faster. That it was paid contradicts what is credited again. */
async function comparePaid(tx: Database, refund: RefundRow, report: TimedReport): Promise<void> {
  const sums = outgoingOf(refund)
  const reported = reportPaid(sums, sums.amount)
  if (reported.outcome === 'contradiction') await sendRefundToReview(tx, refund, reported, report)
}
