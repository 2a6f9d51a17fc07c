// The job of a part: a return is a refund of its deposit, everything else a payout to the card. Without a result it is sent again with
// the same key: the gateway pays once. A payout without a result for long is looked up until it has one.

import type { Database } from '../../platform/database/database.ts'
import { noPayoutReason } from '../cards/cards.ts'
import { recordClosure } from '../cards/closures.ts'
import { type MethodRow, methodById } from '../cards/store.ts'
import type { WalletsContext } from '../context.ts'
import { type DepositRow, depositById } from '../deposits/store.ts'
import type { Gateway, PayoutLookup, PayoutResult, RefundResult } from '../gateways/gateway.ts'
import { BEHIND_ANOTHER, countJob, isUnresolved, postpone, waitForAnother } from '../jobs/run.ts'
import { deletePartJob, type Job } from '../jobs/store.ts'
import { changed, mustChange } from '../machine.ts'
import { openOf, reportPaid, reportReturned } from '../refunds/outgoing.ts'
import { noteRefusal } from '../refunds/refusals.ts'
import { markBegunRefundSent, otherCallOf } from '../refunds/store.ts'
import { holdForCard } from './card-changes.ts'
import { beginPart, type PartRow, partsOf, setPartReference } from './part-store.ts'
import { applyReport, outgoingOf, type Part, returnWaiting, sendPartToReview, type TimedReport } from './parts.ts'
import { insertReturn } from './returns.ts'
import type { WithdrawalRow } from './store.ts'
import { lockWithdrawal } from './store.ts'
import { isApproved, recordEvents, refreshState } from './transitions.ts'

export type PartJob = Job & { readonly part_id: number; readonly withdrawal_id: number }

type Begun = { readonly part: PartRow; readonly card: MethodRow; readonly deposit: DepositRow | undefined }

export async function sendPart(context: WalletsContext, gateway: Gateway, job: PartJob): Promise<void> {
  const id = job.withdrawal_id
  const because = (detail: string) => (tx: Database, event: string) =>
    recordEvents(tx, id, [{ event, detail }], context.now())
  const begun = await context.database.transaction((tx) => begin(tx, context, gateway, job))
  if (typeof begun === 'string') {
    countJob(context, job, 'waits')
    return begun === BEHIND_ANOTHER
      ? waitForAnother(context, job, because(begun))
      : postpone(context, job, because(begun))
  }
  if (begun === undefined) return
  const result = await call(gateway, begun)
  countJob(context, job, result.outcome)
  const begunAt = begun.part.begun_at as number
  const isDecided = await context.database.transaction((tx) =>
    record(tx, job, { result, isOver: isUnresolved(context, begunAt) }, context.now()),
  )
  if (!isDecided) await postpone(context, job, because(result.reason))
}

/**
 * Committed before the gateway is called: everything that was approved is checked again under the lock. A part that its card can no longer
 * take comes back. Returns why it waits; undefined: there is nothing to send.
 */
async function begin(
  tx: Database,
  context: WalletsContext,
  gateway: Gateway,
  { part_id, withdrawal_id }: PartJob,
): Promise<Begun | string | undefined> {
  const withdrawal = (await tx.one(lockWithdrawal, { id: withdrawal_id })) as WithdrawalRow
  const { part, others } = await readParts(tx, { withdrawal_id, part_id })
  const card = (await tx.one(methodById, { id: withdrawal.payment_method_id ?? -1 })) as MethodRow
  const deposit = part.deposit_id === null ? undefined : await tx.one(depositById, { id: part.deposit_id })
  // Without a result for long, a payout is still looked up.
  const isLookedUp = part.state === 'REVIEW' && part.review === 'unresolved' && part.kind === 'payout'
  if (part.state === 'SENDING' || isLookedUp) return { part, card, deposit }
  if (part.state !== 'WAITING' || withdrawal.hold !== null || !isApproved(withdrawal)) {
    await tx.run(deletePartJob, { partId: part_id })
    return undefined
  }
  const now = context.now()
  const reason = cannotTake(part, { card, deposit }, now)
  if (reason !== null) {
    await returnWaiting(tx, withdrawal, ({ id }) => id === part.id, { gatewayReference: null, reason, now })
    return undefined
  }
  if (part.kind === 'payout' && !gateway.paysOut) return `the gateway ${gateway.name} has no settings for payouts`
  if (part.kind === 'return') {
    const other = await tx.one(otherCallOf, { depositId: part.deposit_id ?? '', id: -1 })
    if (other !== undefined) return BEHIND_ANOTHER
  }
  const sending = changed(await tx.one(beginPart, { id: part.id, now }), `part ${part.id}`)
  if (part.kind === 'return') await insertReturn(tx, sending, { begunAt: now, now })
  await refreshState(tx, withdrawal, { detail: '', parts: [sending, ...others] }, now)
  return { part: sending, card, deposit }
}

type PartOf = Pick<PartJob, 'part_id' | 'withdrawal_id'>

async function readParts(tx: Database, { part_id, withdrawal_id: withdrawalId }: PartOf) {
  const parts = await tx.query(partsOf, { withdrawalId })
  const part = parts.find(({ id }) => id === part_id) as PartRow
  return { part, others: parts.filter((one) => one !== part) }
}

/** Passing the expiry date holds no return. What the gateway refuses for good is not sent again. null: it can. */
function cannotTake({ kind }: PartRow, { card, deposit }: Pick<Begun, 'card' | 'deposit'>, now: number): string | null {
  if (card.account_closed_at !== null) return 'the account behind the card is closed'
  if (kind === 'payout') return noPayoutReason(card, true, now)
  return deposit?.return_refused === 1 ? 'this deposit cannot be returned to the card' : null
}

type Result = RefundResult | PayoutResult | PayoutLookup

async function call(gateway: Gateway, { part, card, deposit }: Begun): Promise<Result> {
  const { reference, currency } = part
  const amount = BigInt(part.amount)
  if (part.kind === 'return' && deposit !== undefined) {
    const payment = {
      reference: deposit.id,
      gatewayReference: deposit.gateway_reference,
      amount: BigInt(deposit.amount),
      currency,
    }
    return gateway.refund(payment, { reference, amount, isReturn: true, gatewayReference: part.gateway_reference })
  }
  const holder = { firstName: card.first_name ?? '', lastName: card.last_name ?? '' }
  const request = { reference, customerId: part.customer_id, token: card.token, holder, amount, currency }
  // One that a person looks at is only looked up.
  return part.state === 'REVIEW' ? gateway.lookUpPayout(request) : gateway.payout(request)
}

/** false: it has no result yet, and is sent or looked up again. */
async function record(
  tx: Database,
  { part_id, withdrawal_id }: PartJob,
  { result, isOver }: { readonly result: Result; readonly isOver: boolean },
  now: number,
): Promise<boolean> {
  const withdrawal = (await tx.one(lockWithdrawal, { id: withdrawal_id })) as WithdrawalRow
  const { part, others } = await readParts(tx, { withdrawal_id, part_id })
  const isAwaited = part.state === 'SENDING' || (part.state === 'REVIEW' && part.review === 'unresolved')
  const { outcome, reason, gatewayReference } = result
  const report = { gatewayReference, reason, now }
  if (!isAwaited) {
    await comparePaid(tx, { withdrawal, part }, outcome, report)
    return true
  }
  const open = openOf(outgoingOf(part))
  if (outcome === 'done' || outcome === 'paid') {
    await apply(reportPaid(outgoingOf(part), open))
  } else if (outcome === 'refused' || outcome === 'returned') {
    await apply(reportReturned(outgoingOf(part), open))
    await noteCardRefusal(tx, { withdrawal, part }, result, now)
  } else if (outcome !== 'unfunded' && isOver && part.state === 'SENDING') {
    await sendPartToReview(tx, { withdrawal, part }, { review: 'unresolved' }, report)
    if (part.kind === 'return') await tx.run(deletePartJob, { partId: part.id })
    return part.kind === 'return'
  } else {
    mustChange(await tx.run(setPartReference, { id: part.id, gatewayReference, reason }), `part ${part.id}`)
    if (outcome === 'received') await tx.run(markBegunRefundSent, { partId: part.id, gatewayReference, now })
    return false
  }
  return true

  async function apply(reported: ReturnType<typeof reportPaid>): Promise<void> {
    if (reported.outcome !== 'applied') throw new Error(`part ${part.id}: nothing is open`)
    await applyReport(tx, { withdrawal, part, others }, reported, report)
  }
}

/** A notification or a person was faster. That it was paid contradicts what is credited again. */
async function comparePaid(tx: Database, of: Part, outcome: Result['outcome'], report: TimedReport): Promise<void> {
  if (outcome !== 'done' && outcome !== 'paid') return
  const sums = outgoingOf(of.part)
  const reported = reportPaid(sums, sums.amount)
  if (reported.outcome === 'contradiction') await sendPartToReview(tx, of, reported, report)
}

async function noteCardRefusal(
  tx: Database,
  { withdrawal, part }: { readonly withdrawal: WithdrawalRow; readonly part: PartRow },
  { refusal, reason }: Result,
  now: number,
): Promise<void> {
  const id = withdrawal.payment_method_id as number
  if (part.kind === 'return') await noteRefusal(tx, part.deposit_id as string, { refusal, reason }, now)
  else if (refusal === 'account-closed') await recordClosure(tx, { id, now, note: `the gateway: ${reason}` })
  if (refusal === 'account-closed') {
    await holdForCard(tx, { id, customerId: part.customer_id, takes: 'nothing' }, now)
  }
}
