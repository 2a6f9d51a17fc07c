// What a gateway's notifications report about a part. They may be late, early, repeated or out of order; where the gateway reports both that
// a part was paid and that it was not, persons decide.

import type { Database } from '../../platform/database/database.ts'
import { recordClosure } from '../cards/closures.ts'
import type { GatewayName, GatewayNotification } from '../gateways/gateway.ts'
import { ALREADY_APPLIED, APPLIED, type Applied, contradiction, NOT_OURS, type Outcome } from '../outcome.ts'
import { isOtherPayment, reportPaid, reportReturned } from '../refunds/outgoing.ts'
import { noteRefusal } from '../refunds/refusals.ts'
import { holdForCard } from './card-changes.ts'
import { type PartRow, partById, partNamed, partsOf, returnNamed, type StoredPart } from './part-store.ts'
import { applyReport, outgoingOf, type Part, sendPartToReview } from './parts.ts'
import type { WithdrawalRow } from './store.ts'
import { lockWithdrawal } from './store.ts'
import { recordEvents } from './transitions.ts'

/** Applies a notification to a payout, found by our reference or by the gateway's. A gateway's notifications change only what was stored with it. */
export async function applyToPayout(
  tx: Database,
  gateway: GatewayName,
  notification: GatewayNotification,
  now: number,
): Promise<Applied> {
  const { reference, gatewayReference } = notification
  const named = await tx.one(partNamed, { reference, gatewayReference })
  if (named?.gateway !== gateway) return { outcome: NOT_OURS, customerId: null }
  const outcome =
    named.before_parts === 1
      ? await applyToOldPayout(tx, named.withdrawal_id, notification, now)
      : await applyToPart(tx, { id: named.id, gateway }, notification, now)
  return { outcome, customerId: named.customer_id }
}

/** Applies a notification to a return whose call has not begun, so that it has no refund yet. null: none has our reference. */
export async function applyToWaitingReturn(
  tx: Database,
  gateway: GatewayName,
  notification: GatewayNotification,
  now: number,
): Promise<{ readonly outcome: Outcome; readonly customerId: number } | null> {
  const named = await tx.one(returnNamed, { reference: notification.reference })
  if (named === undefined) return null
  return { outcome: await applyToPart(tx, { id: named.id, gateway }, notification, now), customerId: named.customer_id }
}

/** The notification of a return names its refund, and so its part. */
export async function applyToPart(
  tx: Database,
  { id, gateway }: { readonly id: number; readonly gateway: GatewayName },
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const found = (await tx.one(partById, { id })) as StoredPart
  if (found.gateway !== gateway) return NOT_OURS
  const withdrawal = (await tx.one(lockWithdrawal, { id: found.withdrawal_id })) as WithdrawalRow
  const part = (await tx.one(partById, { id })) as StoredPart
  await recordNotified(tx, withdrawal.id, notification, now)
  const { amount, currency } = notification
  if (isUnsent(part)) return neverSent(tx, { withdrawal, part }, notification, now)
  if (amount !== null && currency !== part.currency) return contradiction('another-currency')
  return applyNotified(tx, { withdrawal, part }, { notification, amount: amount ?? BigInt(part.amount) }, now)
}

function recordNotified(tx: Database, id: number, { event, success }: GatewayNotification, now: number) {
  return recordEvents(tx, id, [{ event: 'notified', detail: `${event} ${success}` }], now)
}

/** Its call has not begun, and no person has decided yet what a report about it means. */
function isUnsent({ state, begun_at, review }: PartRow): boolean {
  return begun_at === null && (state === 'WAITING' || review === 'never-sent')
}

/** No part of the withdrawal is sent until persons have looked the payment up. */
async function neverSent(
  tx: Database,
  of: Part,
  { gatewayReference, event }: GatewayNotification,
  now: number,
): Promise<Outcome> {
  await sendPartToReview(tx, of, { review: 'never-sent' }, { gatewayReference, reason: event, now })
  return contradiction('never-sent', `withdrawal ${of.withdrawal.id}`)
}

type Reported = { readonly notification: GatewayNotification; readonly amount: bigint }

const PAID = ['payoutPaid', 'refunded']

async function applyNotified(
  tx: Database,
  of: Part,
  { notification, amount }: Reported,
  now: number,
): Promise<Outcome> {
  const { meaning, event, reason } = notification
  const { part } = of
  const isReversal = meaning === 'refundReversed'
  const report = {
    gatewayReference: isReversal ? null : notification.gatewayReference,
    reason: reason === '' ? event : reason,
    now,
  }
  const sums = outgoingOf(part)
  // A payout of an earlier version has two references: of its submission and of its confirmation.
  const isOther = of.withdrawal.before_parts === 0 && isOtherPayment(part.gateway_reference, report.gatewayReference)
  const reported = PAID.includes(meaning) ? reportPaid(sums, amount, isOther) : reportReturned(sums, amount)
  if (reported.outcome === 'applied') {
    await applyReport(tx, of, reported, report)
    if (!PAID.includes(meaning)) await noteRefused(tx, of, notification, now)
    return APPLIED
  }
  if (reported.outcome === 'already-applied') return ALREADY_APPLIED
  await sendPartToReview(tx, of, reported, report)
  return contradiction(reported.review, `withdrawal ${part.withdrawal_id}`)
}

async function noteRefused(
  tx: Database,
  { withdrawal, part }: Part,
  { refusal, reason, event }: GatewayNotification,
  now: number,
): Promise<void> {
  const words = reason === '' ? event : reason
  if (part.kind === 'return') await noteRefusal(tx, part.deposit_id as string, { refusal, reason: words }, now)
  const id = withdrawal.payment_method_id
  if (refusal !== 'account-closed' || id === null) return
  await recordClosure(tx, { id, now, note: `the gateway: ${words}` })
  await holdForCard(tx, { id, customerId: part.customer_id, takes: 'nothing' }, now)
}

/** A payout of an earlier version was one for all parts: a report about it is spread over them. */
async function applyToOldPayout(
  tx: Database,
  id: number,
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const withdrawal = (await tx.one(lockWithdrawal, { id })) as WithdrawalRow
  await recordNotified(tx, id, notification, now)
  const { amount, currency } = notification
  if (amount !== null && (currency !== withdrawal.currency || amount !== BigInt(withdrawal.amount))) {
    return contradiction(currency === withdrawal.currency ? 'another-amount' : 'another-currency')
  }
  const outcomes: Outcome[] = []
  for (const part of await tx.query(partsOf, { withdrawalId: id })) {
    const current = (await tx.one(lockWithdrawal, { id })) as WithdrawalRow
    const of = { withdrawal: current, part }
    outcomes.push(await applyNotified(tx, of, { notification, amount: BigInt(part.amount) }, now))
  }
  const worst = outcomes.find(({ outcome }) => outcome === 'contradiction')
  return worst ?? outcomes.find(({ outcome }) => outcome === 'applied') ?? ALREADY_APPLIED
}
