// What the runs of all jobs have in common.

import type { Database } from '../../platform/database/database.ts'
import type { WalletsContext } from '../context.ts'
import { type Job, postponeJob } from './store.ts'

const MAX_PAUSE_MS = 300_000

export function countJob({ metrics }: WalletsContext, { kind }: Job, outcome: string): void {
  if (kind === 'refund') metrics.count('paddock_refund_jobs_total', `outcome="${outcome}"`)
  else if (kind === 'part') metrics.count('paddock_payout_jobs_total', `outcome="${outcome}"`)
  else metrics.count('paddock_deposit_jobs_total', `kind="${kind}",outcome="${outcome}"`)
}

/** Without a result for so long that it needs manual review. `since`: when the gateway was called first. */
export function isUnresolved({ config, now }: WalletsContext, since: number): boolean {
  return now() >= since + config.wallets.reviewAfterMs
}

type Report = (tx: Database, event: string) => Promise<unknown>

/** 1, 2, 4, … seconds, up to 5 minutes. `report`: an event, which only the first time is worth. */
export function postpone(context: WalletsContext, job: Job, report: Report): Promise<void> {
  const pauseMs = Math.min(1_000 * 2 ** job.attempts, MAX_PAUSE_MS)
  return runAgain(context, job, { pauseMs, attempts: job.attempts + 1 }, report)
}

/** Refunds and returns of one deposit are sent one after another. */
export const BEHIND_ANOTHER = 'another refund of the deposit has no answer yet'
const BEHIND_ANOTHER_MS = 5_000

/** The job has not begun: its attempts count from when it does. */
export function waitForAnother(context: WalletsContext, job: Job, report: Report): Promise<void> {
  return runAgain(context, job, { pauseMs: BEHIND_ANOTHER_MS, attempts: 1 }, report)
}

type Again = { readonly pauseMs: number; readonly attempts: number }

async function runAgain(
  { database, now }: WalletsContext,
  job: Job,
  { pauseMs, attempts }: Again,
  report: Report,
): Promise<void> {
  const postponed = { id: job.id, createdAt: job.created_at, runAt: now() + pauseMs, attempts }
  if (job.attempts > 0) return void (await database.run(postponeJob, postponed))
  await database.transaction(async (tx) => {
    await tx.run(postponeJob, postponed)
    await report(tx, `${job.kind} repeated`)
  })
}
