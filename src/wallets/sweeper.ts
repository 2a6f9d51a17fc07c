// The *sweeper* finishes what requests began: it voids deposits whose lease is over and runs the jobs (*capture*,
// *cancel*, *refund*, *payout*), each at the gateway that its deposit was stored with, with growing pauses. Any number of processes may
// sweep one database: each claims rows of its own.

import { DatabaseUnavailable } from '../platform/database/database.ts'
import type { PeriodicTask, StartTask } from '../platform/runtime/periodic-task.ts'
import type { WalletsContext } from './context.ts'
import { beginVoid, finishCancel, finishCaptures, sendToReview } from './deposit-transitions.ts'
import type { Gateway } from './gateways/gateway.ts'
import { howToConfigure } from './gateways/gateways.ts'
import { countJob, heldPayment, isUnresolved, postpone } from './job-run.ts'
import { claimJobs, expiredDeposits, firstDueJob, JOBS_AT_ONCE, type JobRow } from './job-store.ts'
import { sendPayout } from './payout-job.ts'
import { sendRefund } from './refund-job.ts'
import { pendingDepositWork } from './reports-store.ts'
import { settleTold } from './settle-job.ts'

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
 * Those whose lease is over. After a restart also those that waited for the gateway's answer, which nobody receives; a
 * customer who was sent to the issuer may still come back.
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
    const message = `captures, cancels, refunds and payouts wait, because the gateway ${gateway} is not configured: ${howToConfigure(gateway)}`
    log.error({ gateway, jobs: waiting }, message)
  }
}

/** Captured by the gateway, and still to be recorded. */
type Captured = { readonly id: string; readonly reason: string }

/** What was captured is recorded when all jobs have ended. A job that fails does not stop the others. */
async function runJobs(context: WalletsContext, jobs: readonly JobRow[]): Promise<void> {
  const captured: Captured[] = []
  const allRun = allSucceed(jobs.map((job) => runJob(context, job, captured)))
  await allRun.finally(() => recordCaptures(context, captured))
}

/** Waits for all, then throws what the first that failed has thrown. */
async function allSucceed(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

/**
 * A job whose gateway is not configured waits until it is, however long: no other gateway may get it, and no answer is
 * missing that a manual review could look up.
 */
async function runJob(context: WalletsContext, job: JobRow, captured: Captured[]): Promise<void> {
  const gateway = context.gateways.byName(job.gateway)
  if (gateway === undefined) {
    countJob(context, job, 'gatewayNotConfigured')
    await postpone(context, job, `the gateway ${job.gateway} is not configured`)
  } else if (job.kind === 'capture') await capture(context, gateway, job, captured)
  else if (job.kind === 'refund') await sendRefund(context, gateway, job)
  else if (job.kind === 'cancel') await cancel(context, gateway, job)
  else if (job.kind === 'settle') await settleTold(context, job)
  else if (job.kind === 'payout') await sendPayout(context, gateway, job)
  else throw new Error(`nobody runs the jobs of kind ${job.kind}`)
}

async function capture(context: WalletsContext, gateway: Gateway, job: JobRow, captured: Captured[]): Promise<void> {
  const { database } = context
  const id = job.deposit_id
  const { outcome, reason } = await gateway.capture(heldPayment(job))
  countJob(context, job, outcome)
  const now = context.now()
  if (outcome === 'captured') captured.push({ id, reason })
  else if (outcome === 'refused') {
    await database.transaction((tx) => sendToReview(tx, id, { review: 'capture-refused', reason }, now))
  } else if (isUnresolved(context, job)) {
    await database.transaction((tx) => sendToReview(tx, id, { review: 'capture-unresolved', reason }, now))
  } else await postpone(context, job, reason)
}

/** In one transaction for each reason; if it fails, one by one, so that no deposit holds up the others. */
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
  // An approval may arrive while the answer is on its way: only what was sent after the grace period says that none came.
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
  else if (outcome === 'captured') {
    await database.transaction((tx) => sendToReview(tx, id, { review: 'cancel-says-captured', reason }, now))
  } else if (outcome === 'unknown' && isUnresolved(context, job)) {
    await database.transaction((tx) => sendToReview(tx, id, { review: 'cancel-unresolved', reason }, now))
  } else await postpone(context, job, reason)
}

async function updateWaitingGauges({ database, metrics, config, now }: WalletsContext): Promise<void> {
  // Of deposits without a decision, the lease says when they began.
  const leases: Record<string, number> = {
    undecided: config.wallets.leaseMs,
    challenge: config.wallets.challengeLeaseMs,
  }
  for (const { kind, waiting, oldest } of await database.query(pendingDepositWork, {})) {
    const since = oldest === null ? now() : oldest - (leases[kind] ?? 0)
    metrics.gauge('paddock_deposit_waiting', `kind="${kind}"`, waiting)
    metrics.gauge('paddock_deposit_waiting_oldest_seconds', `kind="${kind}"`, Math.max(0, now() - since) / 1000)
  }
}
