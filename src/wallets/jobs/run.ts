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

/** 1, 2, 4, … seconds, up to 5 minutes. `report`: an event, which only the first time is worth. */
export async function postpone(
  { database, now }: WalletsContext,
  job: Job,
  report: (tx: Database, event: string) => Promise<unknown>,
): Promise<void> {
  const { kind, attempts } = job
  const runAt = now() + Math.min(1_000 * 2 ** attempts, MAX_PAUSE_MS)
  const postponed = { id: job.id, createdAt: job.created_at, runAt }
  if (attempts > 0) return void (await database.run(postponeJob, postponed))
  await database.transaction(async (tx) => {
    await tx.run(postponeJob, postponed)
    await report(tx, `${kind} repeated`)
  })
}
