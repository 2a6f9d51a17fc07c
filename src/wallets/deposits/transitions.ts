// The changes of a deposit's state. Each writes the state, the ledger, the job that follows and the event in the
// transaction that it is given, and ends it. Requests, the sweeper and notifications all change deposits here.

import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type NewTransfer, transfer } from '../account/ledger.ts'
import type { TransferKind } from '../account/ledger-store.ts'
import { WRONG_CV2_LIMIT } from '../cards/cards.ts'
import { reportCard } from '../cards/events.ts'
import { countWrongCv2, resetWrongCv2 } from '../cards/store.ts'
import type { DepositFault } from '../faults.ts'
import type { AuthorisationRequest, ChallengeAction, Decision } from '../gateways/gateway.ts'
import { deleteJob, insertJob } from '../jobs/store.ts'
import { canMove, changed, nextState } from '../machine.ts'
import type { Period } from '../periods.ts'
import {
  challengeDeposit,
  type DepositWithChallenge,
  depositWithChallenge,
  insertChallenge,
} from './challenge-store.ts'
import { lockDepositOf } from './facts-store.ts'
import { DEPOSIT_MACHINE } from './machine.ts'
import { type BrokenRule, creditFault } from './rules.ts'
import {
  approveDeposit,
  type DepositRow,
  declineDeposit,
  insertDepositEvent,
  lockDeposit,
  setGatewayReference,
  setVoided,
  voidDeposit,
} from './store.ts'

export type DecidedRequest = Pick<AuthorisationRequest, 'reference' | 'amount' | 'currency' | 'challenge'>

/** One that waits for the customer comes with its challenge. */
export type DecidedDeposit = DepositRow & Partial<DepositWithChallenge>

/** Records the gateway's decision (T2). Returns the deposit as stored afterwards, also when a void had been decided before. */
export async function recordDecision(
  tx: Database,
  context: Context,
  { reference: id, challenge }: DecidedRequest,
  decision: Decision,
): Promise<DecidedDeposit> {
  if (decision.outcome === 'challenge') {
    return recordChallenge(tx, context, id, { ...decision.action, returnUrl: challenge?.returnUrl ?? '' })
  }
  if (decision.outcome === 'approved') return recordApproval(tx, context, id, decision.gatewayReference)
  const now = context.now()
  if (decision.outcome === 'refused') return recordRefusal(tx, id, decision, now)
  const why =
    decision.outcome === 'unusable'
      ? decision
      : { fault: 'authorisationFailed' as const, reason: decision.reason, gatewayReference: null }
  return (await beginVoid(tx, id, why, now)) ?? lockedDeposit(tx, id)
}

/**
 * The deposit waits for the customer, with a lease of its own. If it was voided meanwhile, it stays void: its cancel ends
 * the challenge at the gateway.
 */
async function recordChallenge(
  tx: Database,
  context: Context,
  id: string,
  { url, method, data, returnUrl }: ChallengeAction & { returnUrl: string },
): Promise<DecidedDeposit> {
  const now = context.now()
  const leaseUntil = now + context.config.wallets.challengeLeaseMs
  const challenged = await tx.one(challengeDeposit, { id, leaseUntil })
  if (challenged === undefined) {
    await lockedDeposit(tx, id)
    return (await tx.one(depositWithChallenge, { id })) ?? vanished(id)
  }
  const challenge = { url, method, data: JSON.stringify(data) }
  await tx.run(insertChallenge, { depositId: id, ...challenge, returnUrl })
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'challenged', detail: '' }, 'last')
  return { ...challenged, ...challenge, lease_until: leaseUntil }
}

/** The database no longer has the deposit, although it was stored (docs/invariants.md, what is not promised). */
export class DepositVanished extends Error {}

async function lockedDeposit(tx: Database, id: string): Promise<DepositRow> {
  return (await tx.one(lockDeposit, { id })) ?? vanished(id)
}

function vanished(id: string): never {
  throw new DepositVanished(`there is no deposit ${id}`)
}

/**
 * An approval is credited only if the rules still allow the deposit: the customer, the card or a limit may have changed
 * while the gateway decided. Otherwise it is voided with the fault of the rule, which is the client's answer.
 */
export async function recordApproval(
  tx: Database,
  context: Context,
  id: string,
  gatewayReference: string,
): Promise<DepositRow> {
  const deposit = (await tx.one(lockDepositOf, { id })) ?? vanished(id)
  // Read under the locks, so that no credit has a later time than a change that forbids it.
  const now = context.now()
  const broken = await creditFault(context, tx, deposit)
  const decided =
    broken === null
      ? await credit(tx, id, gatewayReference, now)
      : await beginVoid(tx, id, { ...broken, reason: noLongerAllowed(broken), gatewayReference }, now)
  return decided ?? cancelLateApproval(tx, deposit, gatewayReference, now)
}

function noLongerAllowed({ fault, period }: BrokenRule): string {
  return `approved, but no longer allowed: ${fault}${period === null ? '' : ` (own limit of the ${period})`}`
}

/** undefined: it had been decided before. */
async function credit(
  tx: Database,
  id: string,
  gatewayReference: string,
  now: number,
): Promise<DepositRow | undefined> {
  const approved = await tx.one(approveDeposit, { id, gatewayReference, now })
  if (approved === undefined) return undefined
  await transfer(tx, [transferOf('credit', approved)], now)
  await tx.run(insertJob, { depositId: id, kind: 'capture', now })
  if (approved.wrong_cv2 > 0) await tx.run(resetWrongCv2, { id: approved.payment_method_id })
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'authorised', detail: gatewayReference }, 'last')
  return approved
}

type TransferredDeposit = Pick<DepositRow, 'id' | 'customer_id' | 'amount' | 'currency'>

/** A transfer of the deposit's own amount, currency and customer. */
export function transferOf(kind: TransferKind, deposit: TransferredDeposit): NewTransfer {
  const { id, customer_id: customerId, amount, currency } = deposit
  return { kind, source: { deposit_id: id }, customerId, currency, amount: BigInt(amount) }
}

/** An approval that arrives after the deposit failed credits nothing: its hold is cancelled. */
async function cancelLateApproval(
  tx: Database,
  deposit: DepositRow,
  gatewayReference: string,
  now: number,
): Promise<DepositRow> {
  if (deposit.state === 'VOIDING' || deposit.state === 'VOIDED' || deposit.state === 'DECLINED') {
    const event = { depositId: deposit.id, now, event: 'approved too late', detail: gatewayReference }
    await tx.run(setGatewayReference, { id: deposit.id, gatewayReference })
    await tx.run(insertJob, { depositId: deposit.id, kind: 'cancel', now })
    await tx.run(insertDepositEvent, event, 'last')
  }
  return deposit
}

type Refusal = { fault: DepositFault; period?: Period | null; reason: string }

async function recordRefusal(tx: Database, id: string, { fault, reason }: Refusal, now: number): Promise<DepositRow> {
  const declined = await tx.one(declineDeposit, { id, fault, now })
  if (declined === undefined) return lockedDeposit(tx, id)
  if (fault === 'cv2Invalid') {
    const { payment_method_id } = declined
    await countWrong(tx, payment_method_id, now)
  }
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'declined', detail: reason }, 'last')
  return declined
}

async function countWrong(tx: Database, id: number, now: number): Promise<void> {
  const { customer_id, wrong_cv2 } = changed(await tx.one(countWrongCv2, { id }), `card ${id}`)
  if (wrong_cv2 === WRONG_CV2_LIMIT) await reportCard(tx, { id, customerId: customer_id, kind: 'card.blocked' }, now)
}

/** `lease`: the one that is over; absent: any. */
type VoidReason = Refusal & { gatewayReference: string | null; lease?: number | null }

/**
 * Committed before the client reads that the deposit failed; the cancel job then makes it true at the gateway.
 * undefined: it had been decided before.
 */
export async function beginVoid(
  tx: Database,
  id: string,
  { fault, period = null, reason, gatewayReference, lease = null }: VoidReason,
  now: number,
): Promise<DepositRow | undefined> {
  const voided = await tx.one(voidDeposit, { id, fault, period, gatewayReference, lease, now })
  if (voided === undefined) return undefined
  await tx.run(insertJob, { depositId: id, kind: 'cancel', now })
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'voiding', detail: reason }, 'last')
  return voided
}

/** `job`: the cancel that was sent. One that was requested since, because an approval came late, is still to be sent. */
export async function finishCancel(
  tx: Database,
  { id, job }: { id: string; job: { created_at: number } | null },
  reason: string,
  now: number,
): Promise<void> {
  const deposit = await lockedDeposit(tx, id)
  const deleted = await tx.run(deleteJob, { depositId: id, kind: 'cancel', createdAt: job?.created_at ?? null })
  if (job !== null && deleted === 0) return
  // The cancel of a late approval: the deposit had failed before.
  if (!canMove(DEPOSIT_MACHINE, deposit.state, 'cancelled')) return
  const to = nextState(DEPOSIT_MACHINE, deposit.state, 'cancelled')
  changed(await tx.one(setVoided, { id, from: deposit.state, to }), `the cancel of deposit ${id}`)
  await tx.run(insertDepositEvent, { depositId: id, now, event: 'voided', detail: reason }, 'last')
}
