// The *sweeper* finishes what requests began: it voids deposits whose lease is over and does the jobs (*capture*,
// *cancel*) with growing pauses. Any number of processes may sweep one database: each takes rows of its own.

import type { Context } from '../context.ts'
import { beginVoid, finishCancel, finishCapture, sendToReview } from './decide.ts'
import type { HeldPayment } from './gateways/gateway.ts'
import { waitingWork } from './reports-store.ts'
import { claimJobs, expiredDeposits, insertDepositEvent, JOBS_AT_ONCE, type JobRow, postponeJob } from './store.ts'

export const SWEEP_EVERY_MS = 1_000
const LEASES_AT_ONCE = 100
const LONGEST_PAUSE_MS = 300_000

export type Sweeper = { close(): Promise<void> }

/** The leases are swept before this returns; jobs, which wait for the gateway, go on beside the requests. */
export async function startSweeper(context: Context, everyMs: number): Promise<Sweeper> {
  await sweepLeases(context)
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running = tick()

  async function tick(): Promise<void> {
    try {
      await sweep(context, () => closed)
      await gaugeWork(context)
    } catch (error) {
      context.log.warn({ err: error }, 'sweeping deposits failed; it is tried again')
    }
    if (closed) return
    timer = setTimeout(() => {
      running = tick()
    }, everyMs)
    timer.unref()
  }

  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

export async function sweep(context: Context, stopped: () => boolean = () => false): Promise<void> {
  await sweepLeases(context)
  for (;;) {
    if (stopped()) return
    const now = context.now()
    // Longer than a call can take: nobody else does the job meanwhile, unless we die.
    const until = now + 2 * context.config.wallets.gatewayTimeoutMs + 1_000
    const jobs = await context.database.query(claimJobs, { now, until })
    const done = await Promise.allSettled(
      jobs.map((job) => (job.kind === 'capture' ? capture(context, job) : cancel(context, job))),
    )
    for (const one of done) if (one.status === 'rejected') throw one.reason
    if (jobs.length < JOBS_AT_ONCE) return
  }
}

async function sweepLeases(context: Context): Promise<void> {
  for (;;) {
    const expired = await context.database.transaction(async (tx) => {
      const now = context.now()
      const rows = await tx.query(expiredDeposits, { now, limit: LEASES_AT_ONCE })
      const why = { fault: 'authorisationFailed', reason: 'the lease is over', gatewayReference: null } as const
      for (const { id } of rows) await beginVoid(tx, id, why, now)
      return rows.length
    })
    if (expired > 0) context.metrics.count('paddock_deposit_leases_expired_total', '', expired)
    if (expired < LEASES_AT_ONCE) return
  }
}

async function capture(context: Context, job: JobRow): Promise<void> {
  const { database } = context
  const id = job.deposit_id
  const { outcome, reason } = await context.gateway.capture(paymentOf(job))
  const now = context.now()
  context.metrics.count('paddock_deposit_jobs_total', `kind="capture",outcome="${outcome}"`)
  if (outcome === 'captured') await database.transaction((tx) => finishCapture(tx, id, reason, now))
  else if (outcome === 'refused')
    await database.transaction((tx) => sendToReview(tx, id, 'capture-refused', reason, now))
  else if (beyondHorizon(context, job, now)) {
    await database.transaction((tx) => sendToReview(tx, id, 'capture-unresolved', reason, now))
  } else await postpone(context, job, reason, now)
}

async function cancel(context: Context, job: JobRow): Promise<void> {
  const { database, config } = context
  const id = job.deposit_id
  const { outcome, reason } = await context.gateway.cancel(paymentOf(job), job.attempts)
  const now = context.now()
  context.metrics.count('paddock_deposit_jobs_total', `kind="cancel",outcome="${outcome}"`)
  const graceOver = now >= job.created_at + config.wallets.voidGraceMs
  const settled = outcome === 'cancelled' || ((outcome === 'accepted' || outcome === 'notFound') && graceOver)
  if (settled) await database.transaction((tx) => finishCancel(tx, { id, job }, reason, now))
  else if (outcome === 'captured') {
    await database.transaction((tx) => sendToReview(tx, id, 'cancel-says-captured', reason, now))
  } else if (outcome === 'unknown' && beyondHorizon(context, job, now)) {
    await database.transaction((tx) => sendToReview(tx, id, 'cancel-unresolved', reason, now))
  } else await postpone(context, job, reason, now)
}

function beyondHorizon({ config }: Context, job: JobRow, now: number): boolean {
  return now >= job.created_at + config.wallets.reviewAfterMs
}

/** 1, 2, 4, … seconds, up to 5 minutes. Only the first time is worth an event. */
async function postpone(context: Context, job: JobRow, reason: string, now: number): Promise<void> {
  const pauseMs = Math.min(1_000 * 2 ** (job.attempts - 1), LONGEST_PAUSE_MS)
  await context.database.transaction(async (tx) => {
    await tx.run(postponeJob, { depositId: job.deposit_id, kind: job.kind, runAt: now + pauseMs })
    if (job.attempts === 1)
      await tx.run(insertDepositEvent, {
        depositId: job.deposit_id,
        now,
        event: `${job.kind} repeated`,
        detail: reason,
      })
  })
}

function paymentOf(job: JobRow): HeldPayment {
  return {
    reference: job.deposit_id,
    gatewayReference: job.gateway_reference,
    amount: BigInt(job.amount),
    currency: job.currency,
  }
}

async function gaugeWork({ database, metrics, config, now }: Context): Promise<void> {
  for (const { kind, waiting, oldest } of await database.query(waitingWork, {})) {
    const since = oldest === null ? now() : kind === 'undecided' ? oldest - config.wallets.leaseMs : oldest
    metrics.gauge('paddock_deposit_waiting', `kind="${kind}"`, waiting)
    metrics.gauge('paddock_deposit_waiting_oldest_seconds', `kind="${kind}"`, Math.max(0, now() - since) / 1000)
  }
}
