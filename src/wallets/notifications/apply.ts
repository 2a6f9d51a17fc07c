// What a notification is about, and what it means there.

import type { Database } from '../../platform/database/database.ts'
import type { WalletsContext } from '../context.ts'
import { bookedOf } from '../deposits/booked.ts'
import { failCapture, recordCapture, recordSmallerCapture, sendToReview } from '../deposits/captures.ts'
import { type LockedDeposit, lockDepositOf } from '../deposits/facts-store.ts'
import { depositByGatewayReference, insertDepositEvent, isUndecided, setGatewayReference } from '../deposits/store.ts'
import { finishCancel, recordApproval } from '../deposits/transitions.ts'
import { bookSmallerCapture } from '../disputes/disputes.ts'
import type { GatewayName, GatewayNotification, NotificationMeaning } from '../gateways/gateway.ts'
import { ALREADY_APPLIED, APPLIED, type Applied, contradiction, NOT_OURS, type Outcome } from '../outcome.ts'
import { refundNamed } from '../refunds/store.ts'
import { withMoneyGone } from '../withdrawals/money-gone.ts'
import { applyToPayout, applyToWaitingReturn } from '../withdrawals/notified.ts'
import { hasImpossibleAmount } from './amounts.ts'
import { applyDisputed } from './disputes.ts'
import { applyReturn } from './returns.ts'

/** A gateway's notifications change only what was stored with it. */
export async function applyNotification(
  tx: Database,
  context: WalletsContext,
  gateway: GatewayName,
  notification: GatewayNotification,
): Promise<Applied> {
  const { event, success, meaning } = notification
  const now = context.now()
  const isImpossible = hasImpossibleAmount(notification)
  if (meaning.startsWith('payout')) {
    return isImpossible ? NO_AMOUNT : applyToPayout(tx, gateway, notification, now)
  }
  if (RETURNS.includes(meaning) && !isImpossible) {
    const waiting = await applyToWaitingReturn(tx, gateway, notification, now)
    if (waiting !== null) return waiting
  }
  const deposit = await lockNotified(tx, notification)
  if (deposit === undefined || deposit.gateway !== gateway) return { outcome: NOT_OURS, customerId: null }
  await tx.run(insertDepositEvent, { depositId: deposit.id, now, event: 'notified', detail: `${event} ${success}` })
  await noteReference(tx, deposit, notification)
  const outcome = isImpossible ? NO_AMOUNT.outcome : await applyToDeposit(tx, context, deposit, notification)
  return { outcome, customerId: deposit.customer_id }
}

const NO_AMOUNT: Applied = { outcome: contradiction('another-amount'), customerId: null }

/**
 * Finds a deposit by our reference of it or of a refund, or by the gateway's of a refund or of the payment, and locks it after the
 * customer's row, as everything does.
 */
async function lockNotified(tx: Database, notification: GatewayNotification): Promise<LockedDeposit | undefined> {
  const { reference, gatewayReference, paymentReference: originalReference } = notification
  const named = await tx.one(lockDepositOf, { id: reference })
  if (named !== undefined) return named
  const refund = await tx.one(refundNamed, { reference, gatewayReference, originalReference })
  const id =
    refund?.deposit_id ?? (await tx.one(depositByGatewayReference, { gatewayReference: originalReference }))?.id
  return id === undefined ? undefined : tx.one(lockDepositOf, { id })
}

/** Stores the gateway's reference: the answer that had it may be lost, and refunds need it. In a report of a refund it may be the refund's. */
async function noteReference(
  tx: Database,
  { id, gateway_reference }: LockedDeposit,
  { meaning, paymentReference }: GatewayNotification,
): Promise<void> {
  if (gateway_reference !== null || paymentReference === '' || RETURNS.includes(meaning)) return
  await tx.run(setGatewayReference, { id, gatewayReference: paymentReference })
}

const RETURNS: readonly NotificationMeaning[] = ['refunded', 'refundFailed', 'refundReversed']

async function applyToDeposit(
  tx: Database,
  context: WalletsContext,
  deposit: LockedDeposit,
  notification: GatewayNotification,
): Promise<Outcome> {
  const now = context.now()
  const { meaning } = notification
  if (meaning === 'approved') return approved(tx, context, deposit, notification)
  if (meaning === 'captured') return captured(tx, deposit, notification, now)
  if (meaning === 'captureFailed') return captureFailed(tx, deposit, notification, now)
  if (meaning === 'cancelled') return cancelled(tx, deposit, notification, now)
  if (meaning === 'cancelFailed') return saysCaptured(tx, deposit, notification, now)
  if (RETURNS.includes(meaning)) return applyReturn(tx, deposit, notification, now)
  if (meaning === 'disputed') return applyDisputed(tx, deposit, notification, now)
  return APPLIED
}

function isOfOtherTerms(deposit: LockedDeposit, { amount, currency }: GatewayNotification): boolean {
  return currency !== deposit.currency || amount !== BigInt(deposit.amount)
}

/** An approval of another amount is not credited: the lease ends, and it is cancelled. */
async function approved(
  tx: Database,
  context: WalletsContext,
  deposit: LockedDeposit,
  notification: GatewayNotification,
): Promise<Outcome> {
  if (isOfOtherTerms(deposit, notification)) {
    return contradiction(notification.currency === deposit.currency ? 'another-amount' : 'another-currency')
  }
  const { state } = deposit
  if (state === 'AUTHORISED' || state === 'CAPTURED' || state === 'REVIEW') return ALREADY_APPLIED
  await recordApproval(tx, context, deposit.id, notification.gatewayReference)
  return APPLIED
}

/** Less than the deposit is a part: the customer is debited with the rest. */
async function captured(
  tx: Database,
  deposit: LockedDeposit,
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const { event, currency } = notification
  const amount = notification.amount ?? BigInt(deposit.amount)
  const { state, review } = deposit
  if (notification.amount !== null && currency !== deposit.currency) return contradiction('another-currency')
  if (amount > BigInt(deposit.amount)) return contradiction('another-amount')
  if (state === 'CAPTURED') {
    return notification.amount === null ? ALREADY_APPLIED : capturedLess(tx, deposit, { ...notification, amount }, now)
  }
  if (isUndecided(deposit)) return contradiction('captured-before-approval')
  if (state === 'AUTHORISED' || (state === 'REVIEW' && review?.startsWith('capture-'))) {
    const capture = () => recordCapture(tx, deposit, { amount, reason: event, event: 'captured' }, now)
    await (amount === BigInt(deposit.amount) ? capture() : withMoneyGone(tx, deposit, { reason: event, now }, capture))
    return APPLIED
  }
  return saysCaptured(tx, deposit, notification, now)
}

/** The answer reported the whole as captured. A second, different amount is a contradiction: nobody knows which is meant. */
async function capturedLess(
  tx: Database,
  deposit: LockedDeposit,
  { event, key, amount }: Pick<GatewayNotification, 'event' | 'key'> & { readonly amount: bigint },
  now: number,
): Promise<Outcome> {
  if (amount === BigInt(deposit.captured)) return ALREADY_APPLIED
  if (deposit.captured !== deposit.amount) return contradiction('another-amount')
  await withMoneyGone(tx, deposit, { reason: event, now }, async () => {
    const stored = await recordSmallerCapture(tx, deposit, { amount, reason: event }, now)
    await bookSmallerCapture(tx, stored, { event, key }, now)
  })
  return APPLIED
}

/** The gateway has the money, but the customer was notified that the deposit failed, or its result is unknown. */
async function saysCaptured(
  tx: Database,
  deposit: LockedDeposit,
  { event }: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const { state, review } = deposit
  const subject = `deposit ${deposit.id}`
  if (state === 'REVIEW') {
    if (review === 'cancel-unresolved') {
      await sendToReview(tx, deposit, { review: 'cancel-says-captured', reason: event }, now)
      return contradiction('cancel-says-captured', subject)
    }
    return ALREADY_APPLIED
  }
  if (state !== 'VOIDING' && state !== 'VOIDED' && state !== 'DECLINED') return ALREADY_APPLIED
  await sendToReview(tx, deposit, { review: 'cancel-says-captured', reason: event }, now)
  return contradiction('cancel-says-captured', subject)
}

/** An amount below what was captured is the part that failed; the rest stays captured. */
async function captureFailed(
  tx: Database,
  deposit: LockedDeposit,
  notification: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const { event: reason, currency, key } = notification
  const whole = BigInt(deposit.amount)
  const amount = notification.amount ?? whole
  if (notification.amount !== null && currency !== deposit.currency) return contradiction('another-currency')
  if (amount > whole) return contradiction('another-amount')
  const { credited, captured: taken } = bookedOf(deposit)
  if (credited === 0n) return ALREADY_APPLIED
  await withMoneyGone(tx, deposit, { reason, now }, async () => {
    if (amount >= credited) return failCapture(tx, deposit, reason, now)
    const rest = { amount: credited - amount, reason }
    if (taken === 0n) return void (await recordCapture(tx, deposit, { ...rest, event: 'captured' }, now))
    await bookSmallerCapture(tx, await recordSmallerCapture(tx, deposit, rest, now), { event: reason, key }, now)
  })
  return APPLIED
}

async function cancelled(
  tx: Database,
  deposit: LockedDeposit,
  { event }: GatewayNotification,
  now: number,
): Promise<Outcome> {
  const { state, id } = deposit
  if (bookedOf(deposit).credited > 0n) return contradiction('cancelled-but-credited')
  await finishCancel(tx, { id, job: null }, event, now)
  return state === 'VOIDING' ? APPLIED : ALREADY_APPLIED
}
