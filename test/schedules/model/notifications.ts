// What a notification of the gateway is about, and what it does: principle 6 and 7. Each ends in exactly one way.

import {
  type Customer,
  cardOf,
  type Deposit,
  depositOf,
  type Ending,
  type Notification,
  type Outflow,
} from './customer.ts'
import { approved, cancelled, captured, capturedLess, captureFailed, isUncaptured, saysCaptured } from './deposits.ts'
import { disputed } from './disputes.ts'
import { cameBack, neverSent, paid, refusedForGood, statusOf } from './outflows.ts'
import { officeRefunded } from './refunds.ts'
import { cardChanged } from './withdrawals.ts'

/** The customer is the one whom it names; what names nobody is not ours. */
export function notified(customer: Customer, told: Notification): void {
  const { key } = told
  if (customer.notifications.some((one) => one.key === key)) return
  const stored = { key, told, ending: 'applied' as Ending, subject: subjectOf(told), isSettled: false, isDue: false }
  stored.ending = apply(customer, told)
  customer.notifications.push(stored)
}

/** One that came before what it is about. */
export function tryAgain(customer: Customer, key: string): void {
  const stored = customer.notifications.find((one) => one.key === key)
  if (stored?.isDue !== true) return
  stored.isDue = false
  stored.ending = apply(customer, stored.told)
}

function subjectOf({ says, theirs }: Notification): string | null {
  return says === 'disputed' ? `dispute ${theirs}` : null
}

function apply(customer: Customer, notification: Notification): Ending {
  const { says } = notification
  const named = outflowNamed(customer, notification)
  if (says.startsWith('payout')) {
    return named?.kind === 'payout' ? report(customer, named, notification) : 'not-ours'
  }
  const deposit = depositOf(customer, notification.deposit) ?? depositOf(customer, named?.deposit ?? null)
  if (deposit === undefined) return 'not-ours'
  if (says.startsWith('refund')) return returned(customer, deposit, named, notification)
  return applyToDeposit(customer, deposit, notification)
}

/** By our reference, or by theirs where it is known. */
function outflowNamed({ outflows }: Customer, { outflow, theirs, says }: Notification): Outflow | undefined {
  const mayName = outflows.filter(({ kind }) => (kind === 'payout') === says.startsWith('payout'))
  return mayName.find(({ id, theirs: known }) => id === outflow || (known !== null && known === theirs))
}

// ---- Money that goes out

function report(customer: Customer, outflow: Outflow, notification: Notification): Ending {
  const { says, amount, currency, refusal, theirs } = notification
  const knows = outflow.theirs
  // What came back, or was resolved, without a call is over: it may be paid as well.
  if (outflow.beganAt === null && (statusOf(outflow) === 'waiting' || outflow.review === 'never-sent')) {
    if (theirs !== '') outflow.theirs = theirs
    return neverSent(customer, outflow)
  }
  if (currency !== customer.currency) return 'contradiction another-currency'
  const isOther = knows !== null && theirs !== '' && theirs !== knows
  // A reversal may have a reference of its own.
  if (theirs !== '' && says !== 'refundReversed') outflow.theirs = theirs
  if (says === 'refunded' || says === 'payoutPaid') return paid(customer, outflow, amount, isOther)
  const ending = cameBack(customer, outflow, amount)
  if (ending === 'applied' && refusal !== null) refused(customer, outflow, refusal)
  return ending
}

/** What it means for the next time, and for what waits. */
export function refused(customer: Customer, outflow: Outflow, refusal: string): void {
  refusedForGood(customer, outflow, refusal)
  const card = cardOf(customer, outflow.card)
  if (refusal === 'account-closed' && card !== undefined) cardChanged(customer, card)
}

function returned(
  customer: Customer,
  deposit: Deposit,
  named: Outflow | undefined,
  notification: Notification,
): Ending {
  const { says, amount, currency, theirs } = notification
  if (named !== undefined) return report(customer, named, notification)
  if (says === 'refunded') {
    if (currency !== customer.currency) return 'contradiction another-currency'
    const ending = officeRefunded(customer, deposit, { amount, theirs })
    // Failures and reversals may have come before it.
    if (ending === 'applied') {
      for (const one of customer.notifications) one.isDue ||= one.ending === 'contradiction unknown-refund'
    }
    return ending
  }
  // A reversal may have a reference of its own, a failure only where theirs is not known.
  const fit = customer.outflows.filter(
    (one) => one.deposit === deposit.id && one.kind !== 'payout' && one.beganAt !== null && one.amount === amount,
  )
  const mayBe = fit.filter((each) => each.returned < each.amount && (says === 'refundReversed' || each.theirs === null))
  const [one, other] = mayBe
  if (one === undefined) return 'contradiction unknown-refund'
  return other === undefined ? report(customer, one, notification) : 'contradiction several-refunds'
}

// ---- Deposits

function applyToDeposit(customer: Customer, deposit: Deposit, notification: Notification): Ending {
  const { says, amount, currency, step, theirs } = notification
  const isOfOther = currency !== customer.currency
  if (says === 'disputed') {
    if (isOfOther) return 'contradiction another-currency'
    return disputed(customer, deposit, { dispute: theirs, step: step ?? 'told', amount })
  }
  if (says === 'approved') {
    if (isOfOther) return 'contradiction another-currency'
    if (amount !== deposit.amount) return 'contradiction another-amount'
    const isKnown = ['AUTHORISED', 'CAPTURED', 'REVIEW'].includes(deposit.state)
    approved(customer, deposit)
    return isKnown ? 'already-applied' : 'applied'
  }
  if (says === 'captured') return saysTaken(customer, deposit, { amount, isOfOther })
  if (says === 'captureFailed') {
    if (isOfOther) return 'contradiction another-currency'
    if (amount > deposit.amount) return 'contradiction another-amount'
    if (deposit.state !== 'CAPTURED' && !isUncaptured(deposit)) return 'already-applied'
    const counted = deposit.state === 'CAPTURED' ? deposit.captured : deposit.amount
    if (amount >= counted) captureFailed(customer, deposit)
    else if (deposit.state === 'CAPTURED') capturedLess(customer, deposit, counted - amount)
    else captured(customer, deposit, counted - amount)
    return 'applied'
  }
  if (says === 'cancelFailed') return saysCaptured(customer, deposit)
  if (isUncaptured(deposit) || deposit.state === 'CAPTURED') return 'contradiction cancelled-but-credited'
  const isVoiding = deposit.state === 'VOIDING'
  cancelled(deposit)
  return isVoiding ? 'applied' : 'already-applied'
}

type Taken = { readonly amount: number; readonly isOfOther: boolean }

/** Less than ours is a part, more is a contradiction. */
function saysTaken(customer: Customer, deposit: Deposit, { amount, isOfOther }: Taken): Ending {
  if (isOfOther) return 'contradiction another-currency'
  if (amount > deposit.amount) return 'contradiction another-amount'
  if (deposit.state === 'CAPTURED') {
    if (amount === deposit.captured) return 'already-applied'
    // Once a part is known, nobody knows what another one means.
    if (deposit.captured < deposit.amount) return 'contradiction another-amount'
    capturedLess(customer, deposit, amount)
    return 'applied'
  }
  if (deposit.state === 'AUTHORISING' || deposit.state === 'CHALLENGE') return 'contradiction captured-before-approval'
  const isAwaited = deposit.state === 'AUTHORISED' || deposit.review?.startsWith('capture-')
  if (!isAwaited) return saysCaptured(customer, deposit)
  captured(customer, deposit, amount)
  return 'applied'
}
