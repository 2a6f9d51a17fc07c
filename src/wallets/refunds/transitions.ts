// The changes of a refund's state. Each writes the state, the ledger, the job and the events in the transaction that it is given,
// under the lock of the customer. The money leaves the customer's account when the refund is requested, and is credited again as far
// as it does not arrive or comes back. The return of a withdrawal's part moves no money here: its part does (withdrawals/).

import { eventList, logEvents, type NewEvent, newEvent } from '../../event-log/store.ts'
import type { Database, Last } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { debit, transfer } from '../account/ledger.ts'
import { insertDepositEvent } from '../deposits/store.ts'
import { deleteRefundJob } from '../jobs/store.ts'
import { changed, nextState } from '../machine.ts'
import { dropProposal } from '../proposals.ts'
import { refundKinds } from './event-kinds.ts'
import { REFUND_MACHINE, type RefundEvent } from './machine.ts'
import {
  type Outgoing,
  type OutgoingReview,
  openOf,
  type Reported,
  reportPaid,
  reportReturned,
  reviewAfter,
} from './outgoing.ts'
import type { RefundRow } from './store.ts'
import * as sql from './store.ts'

/** What the gateway, a notification or a person has reported. */
export type Report = { readonly gatewayReference: string | null; readonly reason: string }
export type TimedReport = Report & TimedReason

type TimedReason = {
  readonly reason: string
  readonly now: number
  /** Nothing follows in the transaction. */
  readonly last?: Last | undefined
}

export function outgoingOf({ amount, paid, returned, kept_back }: RefundRow): Outgoing {
  return { amount: BigInt(amount), paid: BigInt(paid), returned: BigInt(returned), keptBack: BigInt(kept_back) }
}

/** The event that sums of paid and returned mean. */
export function eventOf(sums: Omit<Outgoing, 'keptBack'>): 'sent' | 'paid' | 'returned' {
  if (openOf(sums) > 0n) return 'sent'
  return sums.paid > 0n ? 'paid' : 'returned'
}

type Change = {
  readonly event: RefundEvent
  readonly sums: Outgoing
  readonly review?: OutgoingReview
  readonly debited: bigint
}

async function change(
  tx: Database,
  refund: RefundRow,
  { event, sums, review, debited }: Change,
  { gatewayReference, reason, now, last }: TimedReport,
): Promise<RefundRow> {
  const to = nextState(REFUND_MACHINE, refund.state, event)
  const stored = changed(
    await tx.one(sql.changeRefund, {
      id: refund.id,
      from: refund.state,
      to,
      review: review ?? null,
      paid: sums.paid,
      returned: sums.returned,
      keptBack: sums.keptBack,
      debited,
      gatewayReference,
      now,
    }),
    `refund ${refund.id}`,
  )
  await tx.run(deleteRefundJob, { refundId: refund.id })
  // A proposal concerned the state that the refund leaves.
  if (refund.state === 'REVIEW' || refund.state === 'SENT') await dropProposal(tx, `refund ${refund.id}`)
  await recordRefundEvent(tx, stored, { reason, now, last })
  return stored
}

/** The gateway has received it, and will report its result. */
export async function markSent(tx: Database, refund: RefundRow, report: Report, now: number): Promise<void> {
  const debited = BigInt(refund.debited)
  await change(tx, refund, { event: 'sent', sums: outgoingOf(refund), debited }, { ...report, now })
}

export async function sendRefundToReview(
  tx: Database,
  refund: RefundRow,
  { review, keptBack = 0n }: { readonly review: OutgoingReview; readonly keptBack?: bigint },
  report: TimedReport,
): Promise<void> {
  const event = review === 'unresolved' ? 'unresolved' : 'contradicted'
  const sums = { ...outgoingOf(refund), keptBack }
  await change(tx, refund, { event, sums, review, debited: BigInt(refund.debited) }, report)
}

/** What was debited for it and did not arrive is credited again. It stays in review while something is kept back. */
export async function applyReport(
  tx: Database,
  refund: RefundRow,
  reported: Extract<Reported, { outcome: 'applied' }>,
  report: TimedReport,
): Promise<void> {
  const { paid, returned, keptBack } = reported
  const sums = { amount: BigInt(refund.amount), paid, returned, keptBack }
  const back = reported.unpaid + reported.back
  const debited = BigInt(refund.debited)
  const credited = back < debited ? back : debited
  const review = reviewAfter(refund.review, sums)
  const move = review === null ? { event: eventOf(sums) } : ({ event: 'contradicted', review } as const)
  const last = credited > 0n ? undefined : report.last
  const stored = await change(tx, refund, { ...move, sums, debited: debited - credited }, { ...report, last })
  if (credited > 0n) {
    await transfer(tx, [{ ...ledgerTerms(stored), kind: 'refund_failed', amount: credited }], report.now)
  }
}

/**
 * The result that a gateway's answer or a person reports for all that is open; if a person reports `returned` of another amount than ours, also
 * for what counts as paid.
 */
export async function bookOpen(
  tx: Database,
  refund: RefundRow,
  outcome: 'paid' | 'returned',
  report: TimedReport,
): Promise<void> {
  const sums = { ...outgoingOf(refund), keptBack: 0n }
  const open = openOf(sums)
  const isAll = refund.review === 'another-amount'
  const reported = outcome === 'paid' ? reportPaid(sums, open) : reportReturned(sums, isAll ? open + sums.paid : open)
  if (reported.outcome !== 'applied') throw new Error(`refund ${refund.id}: nothing is open`)
  await applyReport(tx, refund, reported, report)
}

/**
 * It was credited again, and had been paid after all: debited once more, first the balance, then the debt. What was still open has been
 * paid with it.
 */
export async function confirmPaid(tx: Database, refund: RefundRow, report: TimedReport): Promise<void> {
  const before = outgoingOf(refund)
  const { keptBack: amount } = before
  const paid = before.paid + openOf(before) + amount
  const sums = { amount: before.amount, paid, returned: before.returned - amount, keptBack: 0n }
  const debited = BigInt(refund.debited) + amount
  const stored = await change(tx, refund, { event: eventOf(sums), sums, debited }, report)
  await debit(tx, { ...ledgerTerms(stored), amount }, { balance: 'refund', debt: 'refund_debt' }, report.now)
}

/** Nothing moves: it stays as it was before the contradiction. */
export async function dismissReview(tx: Database, refund: RefundRow, report: TimedReport): Promise<void> {
  const sums = { ...outgoingOf(refund), keptBack: 0n }
  await change(tx, refund, { event: eventOf(sums), sums, debited: BigInt(refund.debited) }, report)
}

export function ledgerTerms({ id, moves, customer_id: customerId, currency }: RefundRow) {
  return { source: { refund_id: id, step: moves }, customerId, currency }
}

const EVENTS = {
  REQUESTED: 'refund.requested',
  SENT: 'refund.sent',
  DONE: 'refund.done',
  FAILED: 'refund.failed',
  REVIEW: 'refund.review',
} as const

/** Records the event in the trail of the deposit and in the log of events. */
export async function recordRefundEvent(
  tx: Database,
  refund: RefundRow,
  { reason, now, last }: TimedReason,
): Promise<void> {
  const logged = await recordInTrail(tx, refund, reason, now)
  await tx.run(logEvents, { rows: eventList.of([logged]) }, last)
}

/** Records the event in the trail of the deposit alone. Returns it as the log of events is to have it. */
export async function recordInTrail(tx: Database, refund: RefundRow, reason: string, now: number): Promise<NewEvent> {
  const { id, deposit_id: depositId, customer_id: customerId, currency, state } = refund
  const event = `refund ${id}: ${state.toLowerCase()}`
  await tx.run(insertDepositEvent, { depositId, now, event, detail: reason })
  const data = { refundId: `${id}`, amount: formatMoney(BigInt(refund.amount)), currency, state }
  return newEvent(refundKinds, EVENTS[state], { id: depositId, customerId, data, now })
}
