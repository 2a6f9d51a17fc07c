// The moves of a deposit that are decided in one transaction: the state, the ledger, the job that follows and the
// event trail together or not at all. The request, the sweeper, notifications and operators all decide here.

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
  forgetWrongCv2,
  insertDepositEvent,
  insertJob,
  lockDeposit,
  reviewDeposit,
  voidDeposit,
} from './store.ts'

/** T2: what the gateway said becomes what is. Answers the deposit as it then stands, whoever decided it. */
export async function decide(tx: Database, id: string, said: Authorisation, now: number): Promise<DepositRow> {
  const deposit = await locked(tx, id)
  if (said.outcome === 'approved') await approve(tx, deposit, said.gatewayReference, now)
  else if (said.outcome === 'refused') await decline(tx, deposit, said, now)
  else {
    const [fault, reference] =
      said.outcome === 'unusable' ? [said.fault, said.gatewayReference] : ['authorisationFailed' as const, null]
    await beginVoid(tx, id, { fault, reason: said.reason, gatewayReference: reference }, now)
  }
  return locked(tx, id)
}

async function locked(tx: Database, id: string): Promise<DepositRow> {
  return (await tx.one(lockDeposit, { id })) as DepositRow
}

/** An approval that comes after the void was decided credits nothing: what it holds is cancelled. */
export async function approve(tx: Database, deposit: DepositRow, gatewayReference: string, now: number): Promise<void> {
  const { id } = deposit
  if ((await tx.run(approveDeposit, { id, gatewayReference, now })) === 1) {
    await transfer(tx, 'credit', deposit, now)
    await tx.run(insertJob, { depositId: id, kind: 'capture', now })
    await tx.run(forgetWrongCv2, { id: deposit.payment_method_id })
    await tx.run(insertDepositEvent, { depositId: id, now, event: 'authorised', detail: gatewayReference })
  } else if (deposit.state === 'VOIDING' || deposit.state === 'VOIDED') {
    await tx.run(insertJob, { depositId: id, kind: 'cancel', now })
    await tx.run(insertDepositEvent, { depositId: id, now, event: 'approved too late', detail: gatewayReference })
  }
}

type Refusal = { fault: DepositFault; reason: string }

async function decline(tx: Database, deposit: DepositRow, { fault, reason }: Refusal, now: number): Promise<void> {
  if ((await tx.run(declineDeposit, { id: deposit.id, fault, now })) === 0) return
  if (fault === 'cv2Invalid') await tx.run(countWrongCv2, { id: deposit.payment_method_id })
  await tx.run(insertDepositEvent, { depositId: deposit.id, now, event: 'declined', detail: reason })
}

/** Decided before anybody is told that the deposit failed; the cancel job makes it true at the gateway. */
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
  const deposit = await locked(tx, id)
  await tx.run(deleteJob, { depositId: id, kind: 'capture', createdAt: null })
  if ((await tx.run(captureDeposit, { id })) === 0) return
  await transfer(tx, 'capture', deposit, now)
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'captured', detail: reason })
}

/** `job`: the cancel that was done; one that was asked for since (an approval came late) is still to be done. */
export async function finishCancel(
  tx: Database,
  { id, job }: { id: string; job: { created_at: number } | null },
  reason: string,
  now: number,
): Promise<void> {
  await locked(tx, id)
  const ended = await tx.run(deleteJob, { depositId: id, kind: 'cancel', createdAt: job?.created_at ?? null })
  if (job !== null && ended === 0) return
  if ((await tx.run(finishVoid, { id })) === 0) return
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'voided', detail: reason })
}

export type ReviewReason =
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

/** No program may decide this: an operator resolves it (resolution.ts). */
export async function sendToReview(
  tx: Database,
  id: string,
  { review, reason }: { review: ReviewReason; reason: string },
  now: number,
): Promise<void> {
  await locked(tx, id)
  await tx.run(deleteJob, { depositId: id, kind: review.startsWith('capture') ? 'capture' : 'cancel', createdAt: null })
  for (const from of REVIEWED_FROM[review]) {
    if ((await tx.run(reviewDeposit, { id, review, from })) === 0) continue
    await tx.run(insertDepositEvent, { depositId: id, now, event: `review: ${review}`, detail: reason })
    return
  }
}
