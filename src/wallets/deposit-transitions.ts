// The changes of a deposit's state. Each writes the state, the ledger, the job that follows and the event in the
// transaction that it is given. Requests, the sweeper and notifications all change deposits here.

import type { Database } from '../database/database.ts'
import type { DepositFault } from './faults.ts'
import type { Authorisation } from './gateways/gateway.ts'
import { transfer } from './ledger.ts'
import {
  approveDeposit,
  captureDeposit,
  countWrongCv2,
  type DepositRow,
  type DepositState,
  declineDeposit,
  deleteJob,
  finishVoid,
  insertDepositEvent,
  insertJob,
  lockDeposit,
  resetWrongCv2,
  reviewDeposit,
  voidDeposit,
} from './store.ts'

/** Records the gateway's decision (T2). Returns the deposit as stored afterwards, also when a void had been decided before. */
export async function recordDecision(
  tx: Database,
  id: string,
  decision: Authorisation,
  now: number,
): Promise<DepositRow> {
  const deposit = await lockedDeposit(tx, id)
  if (decision.outcome === 'approved') await recordApproval(tx, deposit, decision.gatewayReference, now)
  else if (decision.outcome === 'refused') await recordRefusal(tx, deposit, decision, now)
  else if (decision.outcome === 'unusable') await beginVoid(tx, id, decision, now)
  else {
    const { reason } = decision
    await beginVoid(tx, id, { fault: 'authorisationFailed', reason, gatewayReference: null }, now)
  }
  return lockedDeposit(tx, id)
}

async function lockedDeposit(tx: Database, id: string): Promise<DepositRow> {
  return (await tx.one(lockDeposit, { id })) as DepositRow
}

/** An approval that arrives after the void was decided credits nothing: its hold is cancelled. */
export async function recordApproval(
  tx: Database,
  deposit: DepositRow,
  gatewayReference: string,
  now: number,
): Promise<void> {
  const { id } = deposit
  if ((await tx.run(approveDeposit, { id, gatewayReference, now })) === 1) {
    await transfer(tx, 'credit', deposit, now)
    await tx.run(insertJob, { depositId: id, kind: 'capture', now })
    await tx.run(resetWrongCv2, { id: deposit.payment_method_id })
    await tx.run(insertDepositEvent, { depositId: id, now, event: 'authorised', detail: gatewayReference })
  } else if (deposit.state === 'VOIDING' || deposit.state === 'VOIDED') {
    await tx.run(insertJob, { depositId: id, kind: 'cancel', now })
    await tx.run(insertDepositEvent, { depositId: id, now, event: 'approved too late', detail: gatewayReference })
  }
}

type Refusal = { fault: DepositFault; reason: string }

async function recordRefusal(
  tx: Database,
  deposit: DepositRow,
  { fault, reason }: Refusal,
  now: number,
): Promise<void> {
  if ((await tx.run(declineDeposit, { id: deposit.id, fault, now })) === 0) return
  if (fault === 'cv2Invalid') await tx.run(countWrongCv2, { id: deposit.payment_method_id })
  await tx.run(insertDepositEvent, { depositId: deposit.id, now, event: 'declined', detail: reason })
}

/** Committed before the client reads that the deposit failed; the cancel job then makes it true at the gateway. */
export async function beginVoid(
  tx: Database,
  id: string,
  { fault, reason, gatewayReference }: Refusal & { gatewayReference: string | null },
  now: number,
): Promise<void> {
  if ((await tx.run(voidDeposit, { id, fault, gatewayReference, now })) === 0) return
  await tx.run(insertJob, { depositId: id, kind: 'cancel', now })
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'voiding', detail: reason })
}

export async function finishCapture(tx: Database, id: string, reason: string, now: number): Promise<void> {
  const deposit = await lockedDeposit(tx, id)
  await tx.run(deleteJob, { depositId: id, kind: 'capture', createdAt: null })
  if ((await tx.run(captureDeposit, { id })) === 0) return
  await transfer(tx, 'capture', deposit, now)
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'captured', detail: reason })
}

/** `job`: the cancel that was sent. One that was requested since, because an approval came late, is still to be sent. */
export async function finishCancel(
  tx: Database,
  { id, job }: { id: string; job: { created_at: number } | null },
  reason: string,
  now: number,
): Promise<void> {
  await lockedDeposit(tx, id)
  const deleted = await tx.run(deleteJob, { depositId: id, kind: 'cancel', createdAt: job?.created_at ?? null })
  if (job !== null && deleted === 0) return
  if ((await tx.run(finishVoid, { id })) === 0) return
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'voided', detail: reason })
}

type ReviewReason =
  | 'capture-refused'
  | 'capture-unresolved'
  | 'capture-failed'
  | 'cancel-says-captured'
  | 'cancel-unresolved'

const REVIEWED_FROM: Record<ReviewReason, readonly DepositState[]> = {
  'capture-refused': ['AUTHORISED'],
  'capture-unresolved': ['AUTHORISED'],
  'capture-failed': ['CAPTURED'],
  'cancel-says-captured': ['VOIDING', 'VOIDED'],
  'cancel-unresolved': ['VOIDING'],
}

/** Needs manual review: an operator resolves it (resolution.ts). */
export async function sendToReview(
  tx: Database,
  id: string,
  { review, reason }: { review: ReviewReason; reason: string },
  now: number,
): Promise<void> {
  await lockedDeposit(tx, id)
  await tx.run(deleteJob, { depositId: id, kind: review.startsWith('capture') ? 'capture' : 'cancel', createdAt: null })
  for (const from of REVIEWED_FROM[review]) {
    if ((await tx.run(reviewDeposit, { id, review, from })) === 0) continue
    await tx.run(insertDepositEvent, { depositId: id, now, event: `review: ${review}`, detail: reason })
    return
  }
}
