// The job of a part: a return is a refund of its deposit, everything else a payout to the card. Without a result it is sent again with
// the same key: the gateway pays once. A payout without a result for long is looked up until it has one.

import type { Database, Last } from '../../platform/database/database.ts'
import { noPayoutReason } from '../cards/cards.ts'
import { recordClosure } from '../cards/closures.ts'
import type { WalletsContext } from '../context.ts'
import type { Gateway, PayoutLookup, PayoutResult, RefundResult } from '../gateways/gateway.ts'
import { BEHIND_ANOTHER, countJob, isUnresolved, postpone, waitForAnother } from '../jobs/run.ts'
import { deletePartJob, type Job } from '../jobs/store.ts'
import { changed, mustChange } from '../machine.ts'
import { openOf, reportPaid, reportReturned } from '../refunds/outgoing.ts'
import { noteRefusal } from '../refunds/refusals.ts'
import { markBegunRefundSent } from '../refunds/store.ts'
import type { TimedReport } from '../refunds/transitions.ts'
import { holdForCard } from './card-changes.ts'
import { beginPart, type PartToSend, partsToSend, setPartReference } from './part-store.ts'
import { applyReport, outgoingOf, type Part, returnWaiting, sendPartToReview } from './parts.ts'
import { insertReturn } from './returns.ts'
import type { WithdrawalRow } from './store.ts'
import { lockWithdrawal } from './store.ts'
import { isApproved, recordEvents, refreshState } from './transitions.ts'

export type PartJob = Job & { readonly part_id: number; readonly withdrawal_id: number }

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
  const begunAt = begun.begun_at as number
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
): Promise<PartToSend | string | undefined> {
  const withdrawal = (await tx.one(lockWithdrawal, { id: withdrawal_id })) as WithdrawalRow
  const { part, others } = await readParts(tx, { withdrawal_id, part_id })
  // Without a result for long, a payout is still looked up.
  const isLookedUp = part.state === 'REVIEW' && part.review === 'unresolved' && part.kind === 'payout'
  if (part.state === 'SENDING' || isLookedUp) return part
  if (part.state !== 'WAITING' || withdrawal.hold !== null || !isApproved(withdrawal)) {
    await tx.run(deletePartJob, { partId: part_id })
    return undefined
  }
  const now = context.now()
  const reason = cannotTake(part, now)
  if (reason !== null) {
    await returnWaiting(tx, withdrawal, ({ id }) => id === part.id, { gatewayReference: null, reason, now })
    return undefined
  }
  if (part.kind === 'payout' && !gateway.paysOut) return `the gateway ${gateway.name} has no settings for payouts`
  if (part.kind === 'return' && part.is_behind === 1) return BEHIND_ANOTHER
  const sending = changed(await tx.one(beginPart, { id: part.id, now }), `part ${part.id}`)
  if (part.kind === 'return') await insertReturn(tx, sending, { begunAt: now, now })
  await refreshState(tx, withdrawal, { detail: '', parts: [sending, ...others], last: 'last' }, now)
  return { ...part, ...sending }
}

type PartOf = Pick<PartJob, 'part_id' | 'withdrawal_id'>

async function readParts(tx: Database, { part_id, withdrawal_id: withdrawalId }: PartOf) {
  const parts = await tx.query(partsToSend, { withdrawalId })
  const part = parts.find(({ id }) => id === part_id) as PartToSend
  return { part, others: parts.filter((one) => one !== part) }
}

/** Passing the expiry date holds no return. What the gateway refuses for good is not sent again. null: it can. */
function cannotTake(part: PartToSend, now: number): string | null {
  if (part.account_closed_at !== null) return 'the account behind the card is closed'
  if (part.kind === 'payout') return noPayoutReason(part, true, now)
  return part.return_refused === 1 ? 'this deposit cannot be returned to the card' : null
}

type Result = RefundResult | PayoutResult | PayoutLookup

async function call(gateway: Gateway, part: PartToSend): Promise<Result> {
  const { reference, currency } = part
  const amount = BigInt(part.amount)
  if (part.kind === 'return') {
    const payment = {
      reference: part.deposit_id as string,
      gatewayReference: part.deposit_gateway_reference,
      amount: BigInt(part.deposit_amount as string),
      currency,
    }
    return gateway.refund(payment, { reference, amount, isReturn: true, gatewayReference: part.gateway_reference })
  }
  const holder = { firstName: part.first_name ?? '', lastName: part.last_name ?? '' }
  const request = { reference, customerId: part.customer_id, token: part.token, holder, amount, currency }
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
    await apply(reportPaid(outgoingOf(part), open), 'last')
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

  async function apply(reported: ReturnType<typeof reportPaid>, last?: Last): Promise<void> {
    if (reported.outcome !== 'applied') throw new Error(`part ${part.id}: nothing is open`)
    await applyReport(tx, { withdrawal, part, others }, reported, { ...report, last })
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
  { withdrawal, part }: Part,
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
