// A *refund* returns money of a captured deposit to its card. An operator requests it: the amount leaves the customer's account at
// once, and a job sends it to the gateway of the deposit. docs/refunds.md has the states.

import { randomUUID } from 'node:crypto'
import type { Actor } from '../../identity/operators/person.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { transfer } from '../account/ledger.ts'
import { lockDepositOf } from '../deposits/facts-store.ts'
import { type DepositRow, insertDepositEvent } from '../deposits/store.ts'
import { insertRefundJob } from '../jobs/store.ts'
import { requestHash } from '../payment-reference.ts'
import { needsTwoPersons } from '../policy.ts'
import { leftOf, readFunds } from './claims.ts'
import { type ClaimRow, claimOfDeposit, withdrawalsOfDeposit } from './claims-store.ts'
import type { RefundRow } from './store.ts'
import * as sql from './store.ts'
import { bookOpen, ledgerTerms, recordRefundEvent } from './transitions.ts'

export type RefundOrder = {
  readonly paymentId: string
  readonly amount: bigint
  readonly reason: string
  readonly by: Actor
  readonly idempotencyKey?: string | null
  /** What had been returned of the deposit when the operator looked at it; undefined: whatever it was. */
  readonly returned?: bigint | undefined
}

export type Requested = { readonly replayed: boolean; readonly refund: RefundRow }

export async function requestRefund(context: Context, order: RefundOrder): Promise<Requested> {
  return context.database.transaction(async (tx) => {
    const deposit = await tx.one(lockDepositOf, { id: order.paymentId })
    if (deposit === undefined) throw new Refused('unknown', 'There is no such deposit.')
    const earlier = await earlierOf(tx, order)
    if (earlier !== undefined) return { replayed: true, refund: earlier }
    const claim = (await tx.one(claimOfDeposit, { id: deposit.id })) as ClaimRow
    const now = context.now()
    const { customer_id: customerId, currency } = deposit
    const { available, refundedToday } = await readFunds(tx, { customerId, currency, now })
    const withdrawn = await withdrawnText(tx, claim)
    refuseRefund(deposit, claim, { ...order, available, withdrawn })
    const terms = { deposit, withdrawn, refundedToday, order }
    return { replayed: false, refund: await insertRequested(tx, context, terms, now) }
  })
}

async function earlierOf(tx: Database, order: RefundOrder): Promise<RefundRow | undefined> {
  const { idempotencyKey = null } = order
  if (idempotencyKey === null) return undefined
  const earlier = await tx.one(sql.refundByKey, { idempotencyKey })
  if (earlier === undefined || earlier.request_hash === hashOf(order)) return earlier
  throw new Refused('conflict', 'The Idempotency-Key was used for another refund. Send another key.')
}

const hashOf = ({ paymentId, amount }: RefundOrder) => requestHash('refundDeposit', paymentId, amount)

/** `withdrawn`: what withdrawals have taken of the deposit, in words; null: nothing. */
type Terms = {
  readonly deposit: DepositRow
  readonly withdrawn: string | null
  readonly refundedToday: bigint
  readonly order: RefundOrder
}

async function withdrawnText(tx: Database, { id, withdrawn }: ClaimRow): Promise<string | null> {
  if (BigInt(withdrawn) === 0n) return null
  const ids = (await tx.query(withdrawalsOfDeposit, { id })).map((one) => one.id)
  return `${formatMoney(BigInt(withdrawn))} of the deposit was withdrawn, or is being withdrawn (withdrawal ${ids.join(', ')})`
}

async function insertRequested(
  tx: Database,
  context: Context,
  { deposit, withdrawn, refundedToday, order }: Terms,
  now: number,
): Promise<RefundRow> {
  const { amount, reason, by, idempotencyKey = null } = order
  const sum = refundedToday + amount
  const isOverSum = needsTwoPersons(context.config, 'refund', sum)
  // Money of this deposit was withdrawn before: the customer may be paid twice.
  const whyTwo = withdrawn ?? (isOverSum ? `refunds of the day add up to ${formatMoney(sum)}` : null)
  const refund = (await tx.one(sql.insertRefund, {
    ...sql.NEW_REFUND,
    reference: randomUUID(),
    deposit_id: deposit.id,
    customer_id: deposit.customer_id,
    origin: 'operator',
    amount,
    currency: deposit.currency,
    reason,
    requested_by: by.name,
    requested_person: by.person,
    needs_approval: whyTwo === null ? 0 : 1,
    idempotency_key: idempotencyKey,
    request_hash: idempotencyKey === null ? null : hashOf(order),
    debited: amount,
    now,
  })) as RefundRow
  await transfer(tx, [{ ...ledgerTerms(refund), kind: 'refund', amount }], now)
  if (whyTwo === null) await tx.run(insertRefundJob, { refundId: refund.id, now })
  await recordRefundEvent(tx, refund, { reason, now, last: whyTwo === null ? 'last' : undefined })
  if (whyTwo !== null) {
    const event = `refund ${refund.id}: needs two persons`
    await tx.run(insertDepositEvent, { depositId: deposit.id, now, event, detail: whyTwo })
  }
  return refund
}

type RefundTerms = RefundOrder & { readonly available: bigint; readonly withdrawn: string | null }

/** At most what is left of the claim, and what the customer has available; nothing while it is disputed. */
function refuseRefund(deposit: DepositRow, claim: ClaimRow, order: RefundTerms): void {
  if (deposit.state !== 'CAPTURED')
    throw new Refused('conflict', `The deposit is ${deposit.state}: only a captured one can be refunded.`)
  const returned = returnedOf(claim)
  if (order.returned !== undefined && order.returned !== returned) {
    const now = formatMoney(returned)
    throw new Refused('conflict', `By now ${now} of this deposit has been returned: look at it again.`)
  }
  if (Number(claim.disputes) > 0)
    throw new Refused('conflict', 'The deposit is disputed: wait until the dispute has ended.')
  const left = leftOf(claim)
  if (order.amount > left) {
    const why = order.withdrawn === null ? '' : `: ${order.withdrawn}`
    throw new Refused('conflict', `At most ${formatMoney(left)} of it can be refunded${why}.`)
  }
  if (order.amount > order.available)
    throw new Refused('conflict', `The customer has ${formatMoney(order.available)} available.`)
}

/** What went back to the card, by refunds, withdrawals or disputes, or is on its way. */
export function returnedOf(claim: ClaimRow): bigint {
  return BigInt(claim.refunded) + BigInt(claim.withdrawn) + BigInt(claim.charged)
}

/** Records the approval, by another person than the one who requested it. */
export async function approveRefund(context: Context, id: number, by: Actor): Promise<RefundRow> {
  return decideRefund(context, id, async (tx, refund, now) => {
    refuseUnlessWaiting(refund)
    if ((await tx.run(sql.approveRefund, { id, by: by.name, person: by.person, now })) === 0) {
      throw new Refused('conflict', 'Who requested a refund cannot approve it: another person must.')
    }
    await tx.run(insertRefundJob, { refundId: id, now })
  })
}

/** Refuses one that waits for approval: nothing is sent, and the money is credited again. */
export async function refuseApproval(context: Context, id: number, reason: string): Promise<RefundRow> {
  return decideRefund(context, id, async (tx, refund, now) => {
    refuseUnlessWaiting(refund)
    await bookOpen(tx, refund, 'returned', { gatewayReference: null, reason, now })
  })
}

function refuseUnlessWaiting({ state, needs_approval, approved_by }: RefundRow): void {
  if (state === 'REQUESTED' && needs_approval === 1 && approved_by === null) return
  throw new Refused('conflict', 'The refund does not wait for approval.')
}

export async function decideRefund(
  context: Context,
  id: number,
  decide: (tx: Database, refund: RefundRow, now: number) => Promise<void>,
): Promise<RefundRow> {
  return context.database.transaction(async (tx) => {
    const refund = await tx.one(sql.lockRefund, { id })
    if (refund === undefined) throw new Refused('unknown', `There is no refund ${id}.`)
    await decide(tx, refund, context.now())
    return (await tx.one(sql.refundById, { id })) as RefundRow
  })
}
