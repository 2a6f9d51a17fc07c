// A *refund* returns money of a captured deposit to its card. An operator requests it: the amount leaves the customer's account at
// once, and a job sends it to the gateway of the deposit. docs/refunds.md has the states.

import { randomUUID } from 'node:crypto'
import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import { Refused } from '../platform/runtime/refused.ts'
import { lockDepositWithFacts } from './deposit-facts-store.ts'
import { insertRefundJob } from './job-store.ts'
import { transfer } from './ledger.ts'
import type { RefundFacts, RefundRow } from './refund-store.ts'
import * as sql from './refund-store.ts'
import { failRefund, finishRefund, ledgerTerms, lockRefund, tellRefund } from './refund-transitions.ts'
import type { DepositRow } from './store.ts'

export type RefundOrder = {
  readonly paymentId: string
  readonly amount: bigint
  readonly reason: string
  readonly by: string
  /** What had been returned of the deposit when the operator looked at it; undefined: whatever it was. */
  readonly returned?: bigint | undefined
}

export async function requestRefund(context: Context, order: RefundOrder): Promise<RefundRow> {
  return context.database.transaction(async (tx) => {
    const deposit = await tx.one(lockDepositWithFacts, { id: order.paymentId })
    if (deposit === undefined) throw new Refused('unknown', 'There is no such deposit.')
    const { customer_id: customerId, currency } = deposit
    // A statement of its own: it sees what others committed while this one waited for the locks.
    const facts = (await tx.one(sql.refundFacts, { depositId: deposit.id, customerId, currency })) as RefundFacts
    refuseRefund(deposit, facts, order)
    const now = context.now()
    const needsApproval = order.amount > context.config.wallets.refundFourEyesAbove
    const refund = await insertRequested(tx, deposit, { ...order, needsApproval, now })
    await transfer(tx, [{ ...ledgerTerms(refund), kind: 'refund', amount: order.amount }], now)
    await tx.run(sql.setRefundDebited, { id: refund.id, debited: order.amount })
    if (!needsApproval) await tx.run(insertRefundJob, { refundId: refund.id, now })
    await tellRefund(tx, refund, order.reason, now)
    return refund
  })
}

async function insertRequested(
  tx: Database,
  deposit: DepositRow,
  { amount, reason, by, needsApproval, now }: RefundOrder & { needsApproval: boolean; now: number },
): Promise<RefundRow> {
  const refund = await tx.one(sql.insertRefund, {
    reference: randomUUID(),
    depositId: deposit.id,
    customerId: deposit.customer_id,
    origin: 'operator',
    amount,
    currency: deposit.currency,
    reason,
    by,
    needsApproval: needsApproval ? 1 : 0,
    state: 'REQUESTED',
    gatewayReference: null,
    now,
  })
  return refund as RefundRow
}

/** At most what was captured and not returned, and what the customer has. */
function refuseRefund({ state, amount }: DepositRow, facts: RefundFacts, order: RefundOrder): void {
  if (state !== 'CAPTURED')
    throw new Refused('conflict', `The deposit is ${state}: only a captured one can be refunded.`)
  const returned = returnedOf(facts)
  if (order.returned !== undefined && order.returned !== returned) {
    const now = formatMoney(returned)
    throw new Refused('conflict', `By now ${now} of this deposit has been returned: look at it again.`)
  }
  if (facts.in_flight === 1) throw new Refused('conflict', 'A refund of this deposit has not been sent yet.')
  const left = BigInt(amount) - returned
  if (order.amount > left)
    throw new Refused('conflict', `At most ${formatMoney(left < 0n ? 0n : left)} of it can be refunded.`)
  const balance = BigInt(facts.balance)
  if (order.amount > balance) throw new Refused('conflict', `The customer’s balance is ${formatMoney(balance)}.`)
}

/** What went back to the card, by refunds or by disputes. */
export function returnedOf({ refunded, charged_back }: Pick<RefundFacts, 'refunded' | 'charged_back'>): bigint {
  return BigInt(refunded) + BigInt(charged_back)
}

/** Another operator than the one who requested it. */
export async function approveRefund(context: Context, id: number, by: string): Promise<RefundRow> {
  return decideRefund(context, id, async (tx, refund, now) => {
    if (refund.state !== 'REQUESTED' || refund.needs_approval === 0 || refund.approved_by !== null) {
      throw new Refused('conflict', 'The refund does not wait for approval.')
    }
    if ((await tx.run(sql.approveRefund, { id, by, now })) === 0) {
      throw new Refused('conflict', 'Who requested a refund cannot approve it: ask another operator.')
    }
    await tx.run(insertRefundJob, { refundId: id, now })
  })
}

/** Of one that waits for approval: nothing is sent, and the money is credited back. */
export async function refuseApproval(context: Context, id: number, reason: string): Promise<RefundRow> {
  return decideRefund(context, id, async (tx, refund, now) => {
    if (refund.state !== 'REQUESTED' || refund.needs_approval === 0 || refund.approved_by !== null) {
      throw new Refused('conflict', 'The refund does not wait for approval.')
    }
    await failRefund(tx, id, { gatewayReference: null, reason }, now)
  })
}

/** An operator has looked it up at the gateway. */
export async function resolveRefund(
  context: Context,
  id: number,
  { outcome, note }: { outcome: 'done' | 'failed'; note: string },
): Promise<RefundRow> {
  return decideRefund(context, id, async (tx, refund, now) => {
    if (refund.state !== 'REVIEW' && refund.state !== 'SENT') {
      throw new Refused('conflict', `The refund is ${refund.state}: only one that is SENT or in REVIEW can be decided.`)
    }
    const said = { gatewayReference: null, reason: note }
    await (outcome === 'done' ? finishRefund(tx, id, said, now) : failRefund(tx, id, said, now))
  })
}

async function decideRefund(
  context: Context,
  id: number,
  decide: (tx: Database, refund: RefundRow, now: number) => Promise<void>,
): Promise<RefundRow> {
  return context.database.transaction(async (tx) => {
    const refund = await lockRefund(tx, id)
    if (refund === undefined) throw new Refused('unknown', `There is no refund ${id}.`)
    await decide(tx, refund, context.now())
    return (await tx.one(sql.refundById, { id })) as RefundRow
  })
}
