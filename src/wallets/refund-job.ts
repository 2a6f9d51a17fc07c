import type { WalletsContext } from './context.ts'
import type { Gateway } from './gateways/gateway.ts'
import { countJob, heldPayment, isUnresolved, postpone } from './job-run.ts'
import type { JobRow } from './job-store.ts'
import { failRefund, finishRefund, lockRefund, reviewRefund, sentRefund } from './refund-transitions.ts'

/** Sends a refund. An unknown result is sent again with the same key: the gateway returns the money only once. */
export async function sendRefund(context: WalletsContext, gateway: Gateway, job: JobRow): Promise<void> {
  const { refund_id: id, refund_reference: reference, refund_amount: amount } = job
  if (id === null || reference === null || amount === null) throw new Error(`the job ${job.id} has no refund`)
  const said = await gateway.refund(heldPayment(job), { reference, amount: BigInt(amount) })
  countJob(context, job, said.outcome)
  const now = context.now()
  if (said.outcome === 'unknown' && !isUnresolved(context, job)) return postpone(context, job, said.reason)
  await context.database.transaction(async (tx) => {
    await lockRefund(tx, id)
    if (said.outcome === 'done') await finishRefund(tx, id, said, now)
    else if (said.outcome === 'received') await sentRefund(tx, id, said, now)
    else if (said.outcome === 'refused') await failRefund(tx, id, said, now)
    else await reviewRefund(tx, id, said.reason, now)
  })
}
