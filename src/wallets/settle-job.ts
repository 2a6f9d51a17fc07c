import type { WalletsContext } from './context.ts'
import { lockDepositWithFacts } from './deposit-facts-store.ts'
import { settleDisputes } from './disputes.ts'
import { countJob, postpone } from './job-run.ts'
import { deleteJob, type JobRow } from './job-store.ts'
import { settleRefunds } from './refund-notifications.ts'
import { wasCaptured } from './returned-money.ts'

/** Books refunds and disputes that were told before their deposit was captured. */
export async function settleTold(context: WalletsContext, job: JobRow): Promise<void> {
  const depositId = job.deposit_id
  const isSettled = await context.database.transaction(async (tx) => {
    const deposit = await tx.one(lockDepositWithFacts, { id: depositId })
    if (deposit === undefined) return false
    const isCaptured = wasCaptured(deposit)
    const isOver = deposit.state === 'DECLINED' || deposit.state === 'VOIDED'
    if (!isCaptured && !isOver) return false
    const now = context.now()
    if (isCaptured) {
      await settleDisputes(tx, deposit, now)
      await settleRefunds(tx, deposit, now)
    }
    // A void may still turn out to have been captured: then the next notification, or the review, asks again.
    await tx.run(deleteJob, { depositId, kind: 'settle', createdAt: job.created_at })
    return true
  })
  countJob(context, job, isSettled ? 'settled' : 'waiting')
  if (!isSettled) await postpone(context, job, 'the deposit is not captured yet')
}
