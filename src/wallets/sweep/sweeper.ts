// The *sweeper* finishes what requests began: it voids deposits whose lease is over and runs the jobs (*capture*,
// *cancel*, *refund*, *part* of a withdrawal), each at the gateway that it was stored with, with growing pauses. Any number of
// processes may sweep one database: each claims rows of its own.

import { DatabaseUnavailable } from '../../platform/database/database.ts'
import type { PeriodicTask, StartTask } from '../../platform/runtime/periodic-task.ts'
import { traced } from '../../platform/tracing/span.ts'
import type { WalletsContext } from '../context.ts'
import { failCapture, finishCaptures, sendToReview } from '../deposits/captures.ts'
import { lockDepositOf } from '../deposits/facts-store.ts'
import { DEPOSIT_MACHINE } from '../deposits/machine.ts'
import type { ReviewReason } from '../deposits/reasons.ts'
import { insertDepositEvent } from '../deposits/store.ts'
import { beginVoid, finishCancel } from '../deposits/transitions.ts'
import { endDispute } from '../disputes/disputes.ts'
import { type DisputeRow, lockDispute, silentDisputes } from '../disputes/store.ts'
import type { Gateway, HeldPayment } from '../gateways/gateway.ts'
import { howToConfigure } from '../gateways/gateways.ts'
import { countJob, isUnresolved, postpone } from '../jobs/run.ts'
import { deleteJob } from '../jobs/store.ts'
import { canMove } from '../machine.ts'
import { retryNotifications } from '../notifications/notifications.ts'
import { type RefundJob, sendRefund } from '../refunds/job.ts'
import { holdForCard } from '../withdrawals/card-changes.ts'
import { withMoneyGone } from '../withdrawals/money-gone.ts'
import { type PartJob, sendPart } from '../withdrawals/send-part.ts'
import { bookEarlyNotifications } from './book-job.ts'
import { claimJobs, expiredDeposits, firstDueJob, JOBS_AT_ONCE, type JobRow, pendingWork } from './store.ts'

export const SWEEP_EVERY_MS = 1_000
const LEASES_AT_ONCE = 100

/**
 * Deposits that a killed process has left are voided before this returns: on PostgreSQL those whose lease is over, because
 * another service may still wait for the gateway; an embedded database has one service, which begins here. Jobs, which wait
 * for the gateway, run in the background.
 */
export async function startSweeper(
  context: WalletsContext,
  everyMs: number,
  startTask: StartTask,
): Promise<PeriodicTask> {
  if (context.database.engine === 'sqlite') await voidUndecided(context, 'the service was restarted')
  else await voidUndecided(context, 'the lease is over')
  const work = async (closing: AbortSignal) => {
    await sweep(context, closing)
    await updateWaitingGauges(context)
  }
  return startTask(work, {
    everyMs,
    onFailure: (error) => context.log.warn({ err: error }, 'sweeping deposits failed; the next sweep tries again'),
  })
}

export async function sweep(context: WalletsContext, closing?: AbortSignal): Promise<void> {
  await voidUndecided(context, 'the lease is over')
  await retryNotifications(context)
  await endSilentDisputes(context)
  while (!closing?.aborted) {
    const now = context.now()
    if ((await context.database.query(firstDueJob, { now })).length === 0) return
    // Longer than a call can take, so that no other process runs the job meanwhile, unless this one dies.
    const until = now + 2 * context.config.wallets.gatewayTimeoutMs + 1_000
    const jobs = await context.database.query(claimJobs, { now, until })
    logUnconfiguredGateways(context, jobs)
    await runJobs(context, jobs)
    if (jobs.length < JOBS_AT_ONCE) return
  }
}

/**
 * Voids the deposits whose lease is over; after a restart also the ones that waited for the gateway's answer, which nobody
 * receives. A customer who was sent to the issuer may still come back.
 */
async function voidUndecided(
  { database, metrics, now }: WalletsContext,
  reason: 'the lease is over' | 'the service was restarted',
): Promise<void> {
  for (;;) {
    const authorisingUntil = reason === 'the lease is over' ? now() : Number.MAX_SAFE_INTEGER
    const expired = await database.query(expiredDeposits, { now: now(), authorisingUntil, limit: LEASES_AT_ONCE })
    for (const { id, state, lease_until: lease } of expired) {
      const why = state === 'CHALLENGE' ? 'the challenge was not finished in time' : reason
      const refusal = { fault: 'authorisationFailed', reason: why, gatewayReference: null, lease } as const
      const voided = await database.transaction((tx) => beginVoid(tx, id, refusal, now()))
      if (voided !== undefined) metrics.count('paddock_deposit_leases_expired_total', `state="${state}"`)
    }
    if (expired.length < LEASES_AT_ONCE) return
  }
}

// ---- Jobs

/** One line for each gateway and batch, not for each deposit. */
function logUnconfiguredGateways({ gateways, log }: WalletsContext, jobs: readonly JobRow[]): void {
  const unconfigured = jobs.map((job) => job.gateway).filter((name) => gateways.byName(name) === undefined)
  for (const gateway of new Set(unconfigured)) {
    const waiting = unconfigured.filter((name) => name === gateway).length
    const message = `captures, cancels, refunds and withdrawals wait, because the gateway ${gateway} is not configured: ${howToConfigure(gateway)}`
    log.error({ gateway, jobs: waiting }, message)
  }
}

/** Captured by the gateway, and still to be recorded. */
type Captured = { readonly id: string; readonly reason: string }

/** What was captured is recorded when all jobs have ended. A job that fails does not stop the others. */
async function runJobs(context: WalletsContext, jobs: readonly JobRow[]): Promise<void> {
  const captured: Captured[] = []
  const allRun = allSucceed(jobs.map((job) => tracedJob(context, job, captured)))
  await allRun.finally(() => recordCaptures(context, captured))
}

/** Waits for all, then throws what the first that failed has thrown. */
async function allSucceed(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

function tracedJob(context: WalletsContext, job: JobRow, captured: Captured[]): Promise<void> {
  const attributes = { 'paddock.gateway': job.gateway, 'paddock.job.attempts': job.attempts }
  return traced(`job ${job.kind}`, attributes, () => runJob(context, job, captured))
}

/**
 * A job whose gateway is not configured waits until it is, however long: no other gateway may get it, and no answer is
 * missing that a manual review could look up.
 */
async function runJob(context: WalletsContext, job: JobRow, captured: Captured[]): Promise<void> {
  const gateway = context.gateways.byName(job.gateway)
  if (gateway === undefined) {
    countJob(context, job, 'gatewayNotConfigured')
    await wait(context, job, `the gateway ${job.gateway} is not configured`)
  } else if (job.kind === 'capture') await capture(context, gateway, job, captured)
  else if (job.kind === 'refund') await refund(context, gateway, job)
  else if (job.kind === 'cancel') await cancel(context, gateway, job)
  else if (job.kind === 'book') await bookEarlyNotifications(context, job)
  else if (job.kind === 'part') await sendPart(context, gateway, job as PartJob)
  else throw new Error(`nobody runs the jobs of kind ${job.kind}`)
}

function refund(context: WalletsContext, gateway: Gateway, job: JobRow): Promise<void> {
  const refundJob = { ...job, payment: heldPayment(job) } as RefundJob
  return sendRefund(context, gateway, refundJob, (tx, card, now) => holdForCard(tx, { ...card, takes: 'nothing' }, now))
}

function heldPayment(job: JobRow): HeldPayment {
  return {
    reference: job.deposit_id,
    gatewayReference: job.gateway_reference,
    amount: BigInt(job.amount),
    currency: job.currency,
  }
}

/** A part has a trail of its own; its withdrawal shows what waits. */
function wait(context: WalletsContext, job: JobRow, reason: string): Promise<void> {
  return postpone(context, job, async (tx, event) => {
    if (job.part_id !== null) return
    await tx.run(insertDepositEvent, { depositId: job.deposit_id, now: context.now(), event, detail: reason }, 'last')
  })
}

async function capture(context: WalletsContext, gateway: Gateway, job: JobRow, captured: Captured[]): Promise<void> {
  const { outcome, reason } = await gateway.capture(heldPayment(job))
  countJob(context, job, outcome)
  if (outcome === 'captured') captured.push({ id: job.deposit_id, reason })
  else if (outcome === 'refused') await review(context, job, 'capture-refused', reason)
  else if (isUnresolved(context, job.created_at)) await review(context, job, 'capture-unresolved', reason)
  else await wait(context, job, reason)
}

/** A capture that is refused for good debits what was credited. A notification may have been faster: then only the job ends. */
async function review(context: WalletsContext, job: JobRow, review: ReviewReason, reason: string): Promise<void> {
  const now = context.now()
  await context.database.transaction(async (tx) => {
    const deposit = await tx.one(lockDepositOf, { id: job.deposit_id })
    const kind = review.startsWith('capture') ? 'capture' : 'cancel'
    const endJob = () => tx.run(deleteJob, { depositId: job.deposit_id, kind, createdAt: job.created_at })
    if (deposit === undefined || !canMove(DEPOSIT_MACHINE, deposit.state, review)) return void (await endJob())
    // An approval came late, and its cancel is still to be sent.
    if (review === 'cancel-unresolved' && (await endJob()) === 0) return
    if (review === 'capture-refused') {
      await withMoneyGone(tx, deposit, { reason, now }, () => failCapture(tx, deposit, reason, now))
    } else await sendToReview(tx, deposit, { review, reason }, now)
  })
}

/** Records captures in one transaction for each reason; if it fails, one by one, so that no deposit holds up the others. */
async function recordCaptures({ database, now }: WalletsContext, captured: readonly Captured[]): Promise<void> {
  const record = (ids: readonly string[], reason: string) =>
    database.transaction((tx) => finishCaptures(tx, ids, reason, now()))
  const recordGroup = async (reason: string) => {
    const ids = captured.filter((one) => one.reason === reason).map(({ id }) => id)
    try {
      await record(ids, reason)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      await allSucceed(ids.map((id) => record([id], reason)))
    }
  }
  await allSucceed([...new Set(captured.map(({ reason }) => reason))].map(recordGroup))
}

async function cancel(context: WalletsContext, gateway: Gateway, job: JobRow): Promise<void> {
  const { database, config } = context
  const id = job.deposit_id
  // An approval may arrive while the answer is on its way: only a cancel that was sent after the grace period proves that none came.
  const sentAt = context.now()
  const { outcome, reason } = await gateway.cancel(heldPayment(job))
  countJob(context, job, outcome)
  const now = context.now()
  const graceOver = sentAt >= job.created_at + config.wallets.voidGraceMs
  // After a long interruption the first cancel comes late, and an approval may arrive just after it.
  const isRepeated = job.attempts > 0
  const isFinal =
    outcome === 'cancelled' || ((outcome === 'accepted' || outcome === 'notFound') && graceOver && isRepeated)
  if (isFinal) await database.transaction((tx) => finishCancel(tx, { id, job }, reason, now))
  else if (outcome === 'captured') await review(context, job, 'cancel-says-captured', reason)
  else if (outcome === 'unknown' && isUnresolved(context, job.created_at)) {
    await review(context, job, 'cancel-unresolved', reason)
  } else await wait(context, job, reason)
}

const SILENT_AT_ONCE = 100

/** Ends disputes without news for long: what is left of their deposits can go back. */
async function endSilentDisputes({ database, config, now }: WalletsContext): Promise<void> {
  const before = now() - config.wallets.disputeEndsAfterMs
  for (const { id } of await database.query(silentDisputes, { before, limit: SILENT_AT_ONCE })) {
    await database.transaction(async (tx) => {
      const dispute = (await tx.one(lockDispute, { id })) as DisputeRow
      if (dispute.changed_at < before) await endDispute(tx, dispute, 'no news for long', now())
    })
  }
}

async function updateWaitingGauges({ database, metrics, config, now }: WalletsContext): Promise<void> {
  // The lease of a deposit without a decision shows when it began.
  const leases: Record<string, number> = {
    undecided: config.wallets.leaseMs,
    challenge: config.wallets.challengeLeaseMs,
  }
  for (const { kind, waiting, oldest } of await database.query(pendingWork, {})) {
    const since = oldest === null ? now() : oldest - (leases[kind] ?? 0)
    metrics.gauge('paddock_deposit_waiting', `kind="${kind}"`, waiting)
    metrics.gauge('paddock_deposit_waiting_oldest_seconds', `kind="${kind}"`, Math.max(0, now() - since) / 1000)
  }
}
