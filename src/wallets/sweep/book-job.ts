import type { WalletsContext } from '../context.ts'
import { lockDepositOf } from '../deposits/facts-store.ts'
import { insertDepositEvent } from '../deposits/store.ts'
import { bookEarlyDisputes, hasEarlyDisputes } from '../disputes/disputes.ts'
import { countJob, postpone } from '../jobs/run.ts'
import { deleteJob } from '../jobs/store.ts'
import { bookRefunds, hasEarlyRefunds } from '../refunds/notified.ts'
import { withMoneyGone } from '../withdrawals/money-gone.ts'
import type { JobRow } from './store.ts'

/** Notifications of refunds and disputes that precede the capture are booked after it. */
export async function bookEarlyNotifications(context: WalletsContext, job: JobRow): Promise<void> {
  const depositId = job.deposit_id
  const isBooked = await context.database.transaction(async (tx) => {
    const deposit = await tx.one(lockDepositOf, { id: depositId })
    if (deposit === undefined) return false
    const isOver = deposit.state === 'DECLINED' || deposit.state === 'VOIDED'
    if (deposit.state !== 'CAPTURED' && !isOver) return false
    const now = context.now()
    if (!isOver && ((await hasEarlyDisputes(tx, deposit)) || (await hasEarlyRefunds(tx, deposit)))) {
      await withMoneyGone(tx, deposit, { reason: 'reported before the capture', now }, async () => {
        await bookEarlyDisputes(tx, deposit, now)
        await bookRefunds(tx, deposit, now)
      })
    }
    // A void may still turn out to have been captured: then the next notification, or the review, requests it again.
    await tx.run(deleteJob, { depositId, kind: 'book', createdAt: job.created_at })
    return true
  })
  countJob(context, job, isBooked ? 'booked' : 'waiting')
  if (isBooked) return
  await postpone(context, job, (tx, event) =>
    tx.run(insertDepositEvent, { depositId, now: context.now(), event, detail: 'the deposit is not captured yet' }),
  )
}
