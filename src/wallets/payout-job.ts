import type { WalletsContext } from './context.ts'
import type { Gateway, PayoutResult } from './gateways/gateway.ts'
import { countJob, isUnresolved, postpone } from './job-run.ts'
import type { JobRow } from './job-store.ts'
import type { WithdrawalRow } from './withdrawal-store.ts'
import * as sql from './withdrawal-store.ts'
import { beginSending, giveBack, pay, sendToReview } from './withdrawal-transitions.ts'

/**
 * Pays a withdrawal out. Without a result it is sent again with the same key: the gateway pays only once. One that the gateway
 * has received waits for its notification, or is asked for again.
 */
export async function sendPayout(context: WalletsContext, gateway: Gateway, job: JobRow): Promise<void> {
  if (!gateway.paysOut) {
    countJob(context, job, 'gatewayNotConfigured')
    return postpone(context, job, `the gateway ${gateway.name} has no settings for payouts`)
  }
  const id = job.withdrawal_id as number
  const withdrawal = await sending(context, id)
  if (withdrawal === undefined) return
  const said = await callGateway(context, gateway, withdrawal)
  countJob(context, job, said.outcome)
  const now = context.now()
  const isOver = isUnresolved(context, job)
  const decided = await context.database.transaction(async (tx) => {
    const locked = await tx.one(sql.lockWithdrawal, { id })
    // A notification was faster.
    if (locked?.state !== 'SENDING') return true
    if (said.outcome === 'paid') await pay(tx, locked, said, now)
    else if (said.outcome === 'returned') await giveBack(tx, locked, said.reason, now)
    else if (isOver) await sendToReview(tx, locked, { review: 'payout-unresolved', reason: said.reason }, now)
    else {
      if (said.outcome === 'received') await tx.run(sql.setReceived, { id, gatewayReference: said.gatewayReference })
      return false
    }
    return true
  })
  if (!decided) await postpone(context, job, said.reason)
}

/** undefined: it was decided meanwhile. */
async function sending({ database, now }: WalletsContext, id: number): Promise<WithdrawalRow | undefined> {
  const begun = await database.transaction((tx) => beginSending(tx, id, now()))
  if (begun !== undefined) return begun
  const stored = await database.one(sql.withdrawalById, { id })
  return stored?.state === 'SENDING' ? stored : undefined
}

async function callGateway(
  { database }: WalletsContext,
  gateway: Gateway,
  withdrawal: WithdrawalRow,
): Promise<PayoutResult> {
  const { token = '' } = (await database.one(sql.tokenOfWithdrawal, { id: withdrawal.id })) ?? {}
  // Only one that was never sent: its customer was erased in the moment before.
  if (token === '' && withdrawal.gateway_reference === null) {
    return { outcome: 'unknown', reason: 'the card was erased', gatewayReference: null }
  }
  return gateway.payout(payoutRequest(withdrawal, token))
}

export function payoutRequest(withdrawal: WithdrawalRow, token: string) {
  return {
    reference: withdrawal.reference,
    customerId: withdrawal.customer_id,
    token,
    amount: BigInt(withdrawal.amount),
    currency: withdrawal.currency,
    gatewayReference: withdrawal.gateway_reference,
  }
}
