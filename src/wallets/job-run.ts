// What the runs of all jobs have in common.

import type { WalletsContext } from './context.ts'
import type { HeldPayment } from './gateways/gateway.ts'
import { type JobRow, postponeJob } from './job-store.ts'
import { insertDepositEvent } from './store.ts'
import { insertWithdrawalEvent } from './withdrawal-store.ts'

const MAX_PAUSE_MS = 300_000

export function countJob({ metrics }: WalletsContext, { kind }: JobRow, outcome: string): void {
  if (kind === 'refund') metrics.count('paddock_refund_jobs_total', `outcome="${outcome}"`)
  else if (kind === 'payout') metrics.count('paddock_payout_jobs_total', `outcome="${outcome}"`)
  else metrics.count('paddock_deposit_jobs_total', `kind="${kind}",outcome="${outcome}"`)
}

/** Without a result for so long that it needs manual review. */
export function isUnresolved({ config, now }: WalletsContext, job: JobRow): boolean {
  return now() >= job.created_at + config.wallets.reviewAfterMs
}

/** 1, 2, 4, … seconds, up to 5 minutes. Only the first time is worth an event. */
export async function postpone({ database, now }: WalletsContext, job: JobRow, reason: string): Promise<void> {
  const { deposit_id: depositId, withdrawal_id: withdrawalId, kind, attempts } = job
  const runAt = now() + Math.min(1_000 * 2 ** attempts, MAX_PAUSE_MS)
  const postponed = { id: job.id, createdAt: job.created_at, runAt }
  if (attempts > 0) return void (await database.run(postponeJob, postponed))
  await database.transaction(async (tx) => {
    await tx.run(postponeJob, postponed)
    const event = { now: now(), event: `${kind} repeated`, detail: reason }
    if (withdrawalId !== null) await tx.run(insertWithdrawalEvent, { ...event, id: withdrawalId }, 'last')
    else await tx.run(insertDepositEvent, { ...event, depositId }, 'last')
  })
}

export function heldPayment(job: JobRow): HeldPayment {
  return {
    reference: job.deposit_id,
    gatewayReference: job.gateway_reference,
    amount: BigInt(job.amount),
    currency: job.currency,
  }
}
