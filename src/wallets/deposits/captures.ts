// The changes of a deposit after it was authorised: what the gateway took of it, and what it took not. Each writes the state, the ledger
// and the event in the transaction that it is given, and ends the job.

import type { Database } from '../../platform/database/database.ts'
import { debit, type NewTransfer, transfer } from '../account/ledger.ts'
import { depositIds } from '../jobs/deposit-ids.ts'
import { deleteCaptureJobs, deleteJob } from '../jobs/store.ts'
import { changed, nextState } from '../machine.ts'
import { dropProposal } from '../proposals.ts'
import { bookedOf } from './booked.ts'
import { DEPOSIT_MACHINE } from './machine.ts'
import type { ReviewReason } from './reasons.ts'
import * as sql from './store.ts'
import { transferOf } from './transitions.ts'

/** Records that AUTHORISED deposits were captured whole. The caller has run their jobs, or has locked the deposit. */
export async function finishCaptures(tx: Database, ids: readonly string[], reason: string, now: number): Promise<void> {
  const captured = await tx.query(sql.captureDeposits, { ...depositIds(ids), now })
  await tx.run(deleteCaptureJobs, depositIds(ids))
  if (captured.length === 0) return
  const transfers = captured.map((deposit) => transferOf('capture', deposit))
  await transfer(tx, transfers, now)
  const capturedIds = depositIds(captured.map(({ id }) => id))
  await tx.run(sql.insertDepositEvents, { ...capturedIds, now, event: 'captured', detail: reason }, 'last')
}

/** What the gateway did not take of what was credited. */
const SHORT = { balance: 'capture_short', debt: 'reversal_debt' } as const

type Captured = { readonly amount: bigint; readonly reason: string; readonly event: 'captured' | 'resolved' }

/**
 * The gateway has taken money of a deposit that is AUTHORISED or in REVIEW. What was not credited, or was taken back, is credited
 * now; what the gateway did not take is debited. Customer and deposit are locked.
 */
export async function recordCapture(
  tx: Database,
  deposit: sql.DepositRow,
  { amount, reason, event }: Captured,
  now: number,
): Promise<sql.DepositRow> {
  const to = nextState(DEPOSIT_MACHINE, deposit.state, 'captured')
  const stored = changed(
    await tx.one(sql.setCaptured, { id: deposit.id, from: deposit.state, to, captured: amount, capturedAt: now }),
    `the capture of deposit ${deposit.id}`,
  )
  await endReview(tx, deposit)
  const terms = await stepOf(tx, deposit)
  const { credited } = bookedOf(deposit)
  const missing = BigInt(deposit.amount) - credited
  if (missing > 0n) await transfer(tx, [{ ...terms, kind: 'credit', amount: missing }], now)
  await transfer(tx, [{ ...terms, kind: 'capture', amount }], now)
  const short = BigInt(deposit.amount) - amount
  if (short > 0n) await debit(tx, { ...terms, amount: short }, SHORT, now)
  await tx.run(deleteJob, { depositId: deposit.id, kind: 'capture', createdAt: null })
  await tx.run(deleteJob, { depositId: deposit.id, kind: 'cancel', createdAt: null })
  await tx.run(sql.insertDepositEvent, { depositId: deposit.id, now, event, detail: reason })
  return stored
}

/** The gateway has taken less than it had answered. Waiting parts of the deposit must have been taken back before. */
export async function recordSmallerCapture(
  tx: Database,
  deposit: sql.DepositRow,
  { amount, reason }: Pick<Captured, 'amount' | 'reason'>,
  now: number,
): Promise<sql.DepositRow> {
  const { id, state: from } = deposit
  const to = nextState(DEPOSIT_MACHINE, from, 'captured-less')
  const change = { id, from, to, captured: amount, capturedAt: now }
  const stored = changed(await tx.one(sql.setCaptured, change), `the capture of deposit ${id}`)
  const terms = { ...(await stepOf(tx, deposit)), amount: BigInt(deposit.captured) - amount }
  await transfer(tx, [{ ...terms, kind: 'uncapture' }], now)
  await debit(tx, terms, SHORT, now)
  await tx.run(sql.insertDepositEvent, { depositId: id, now, event: 'captured less', detail: reason })
  return stored
}

/** As `recordCapture`, for money that is refunded at once: returns the transfers, which the caller writes. */
export async function recordUncreditedCapture(
  tx: Database,
  deposit: sql.DepositRow,
  detail: string,
  now: number,
): Promise<NewTransfer[]> {
  const to = nextState(DEPOSIT_MACHINE, deposit.state, 'captured')
  const amount = BigInt(deposit.amount)
  changed(
    await tx.one(sql.setCaptured, { id: deposit.id, from: deposit.state, to, captured: amount, capturedAt: now }),
    `the capture of deposit ${deposit.id}`,
  )
  await endReview(tx, deposit)
  await tx.run(sql.insertDepositEvent, { depositId: deposit.id, now, event: 'resolved', detail })
  const terms = await stepOf(tx, deposit)
  return [
    { ...terms, kind: 'credit', amount },
    { ...terms, kind: 'capture', amount },
  ]
}

/** The terms of its next transfers: a deposit that is captured again after a failure has a step for each time. */
async function stepOf(tx: Database, deposit: sql.DepositRow): Promise<Omit<NewTransfer, 'kind' | 'amount'>> {
  const { id, customer_id: customerId, currency } = deposit
  const { steps } = (await tx.one(sql.depositSteps, { id })) as { steps: number }
  return { source: { deposit_id: id, step: steps }, customerId, currency }
}

/** Voids a proposal about this review: it decides nothing about a later one. */
async function endReview(tx: Database, { id, state }: Pick<sql.DepositRow, 'id' | 'state'>): Promise<void> {
  if (state === 'REVIEW') await dropProposal(tx, `deposit ${id}`)
}

/** What was credited is debited again: first the balance, the remainder becomes debt. */
async function takeCreditBack(tx: Database, deposit: sql.DepositRow, now: number): Promise<void> {
  const { credited, captured } = bookedOf(deposit)
  const terms = await stepOf(tx, deposit)
  if (captured > 0n) await transfer(tx, [{ ...terms, kind: 'uncapture', amount: captured }], now)
  if (credited > 0n) {
    await debit(tx, { ...terms, amount: credited }, { balance: 'reversal', debt: 'reversal_debt' }, now)
  }
}

/** The gateway refused to take the money, or returned it. Waiting parts of the deposit must have been taken back before. */
export async function failCapture(tx: Database, deposit: sql.DepositRow, reason: string, now: number): Promise<void> {
  const review = deposit.state === 'AUTHORISED' ? 'capture-refused' : 'capture-failed'
  await takeCreditBack(tx, deposit, now)
  await sendToReview(tx, deposit, { review, reason }, now)
}

/** An operator resolves it (reviews/). The deposit is locked, and can make this move. */
export async function sendToReview(
  tx: Database,
  { id, state }: sql.DepositRow,
  { review, reason }: { review: ReviewReason; reason: string },
  now: number,
): Promise<void> {
  const to = nextState(DEPOSIT_MACHINE, state, review)
  await endReview(tx, { id, state })
  await tx.run(deleteJob, { depositId: id, kind: review.startsWith('capture') ? 'capture' : 'cancel', createdAt: null })
  changed(await tx.one(sql.setReview, { id, from: state, to, review, now }), `the review of deposit ${id}`)
  await tx.run(sql.insertDepositEvent, { depositId: id, now, event: `review: ${review}`, detail: reason })
}

/** Nothing was taken: what is still credited is taken back. Waiting parts of the deposit must have been taken back before. */
export async function resolveAsVoided(
  tx: Database,
  deposit: sql.DepositRow,
  detail: string,
  now: number,
): Promise<void> {
  const to = nextState(DEPOSIT_MACHINE, deposit.state, 'resolved as voided')
  await endReview(tx, deposit)
  await takeCreditBack(tx, deposit, now)
  changed(await tx.one(sql.setVoided, { id: deposit.id, from: deposit.state, to }), `the review of ${deposit.id}`)
  await tx.run(sql.insertDepositEvent, { depositId: deposit.id, now, event: 'resolved', detail })
}
