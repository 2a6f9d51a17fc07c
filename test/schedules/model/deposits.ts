// Deposits: when money is in the balance, and when it is a claim of the card that paid.

import {
  type Customer,
  cardOf,
  credit,
  type Deposit,
  type DepositReview,
  debit,
  type Ending,
  isExcluded,
  isToday,
  mayPlay,
  sum,
} from './customer.ts'
import { bookDisputes, disputesOf, leaveToHouse } from './disputes.ts'
import { moneyGone, newOutflow, nextRefund } from './outflows.ts'
import { dropProposal, resolve } from './persons.ts'

export type DepositOrder = {
  readonly id: string
  readonly card: string
  readonly amount: number
  readonly isChallenged: boolean
}

export const LEASE_MS = 30_000
export const CHALLENGE_LEASE_MS = 600_000

const isUndecided = ({ state }: Deposit) => state === 'AUTHORISING' || state === 'CHALLENGE'
const isFailed = ({ state }: Deposit) => state === 'DECLINED' || state === 'VOIDING' || state === 'VOIDED'

/** The answer, as far as it is certain before the bank is asked; null: the bank is asked. */
export function askDeposit(customer: Customer, order: DepositOrder): string | null {
  const earlier = customer.deposits.find(({ id }) => id === order.id)
  if (earlier !== undefined) return answerAgain(earlier, order)
  const isInFlight = customer.deposits.some(isUndecided)
  const fault = brokenRule(customer, { ...order, askedAt: customer.now, isCounted: false }, isInFlight)
  if (fault !== null) return fault
  const fresh = { state: 'AUTHORISING', review: null, fault: null, captured: 0, capturedAt: 0, jobAt: 0 } as const
  const times = { askedAt: customer.now, leaseUntil: customer.now + LEASE_MS }
  customer.deposits.push({ ...order, ...fresh, ...times, notReturnable: false })
  return null
}

/** The same key with the same request gets the same answer. */
function answerAgain(earlier: Deposit, { card, amount, isChallenged }: DepositOrder): string {
  if (earlier.card !== card || earlier.amount !== amount || earlier.isChallenged !== isChallenged) return '10071'
  return answerOf(earlier)
}

/** What the customer reads of it: void means that it was approved, and that nothing of it is credited any more. */
export function answerOf(deposit: Deposit): string {
  const { state, fault, isChallenged } = deposit
  if (isUndecided(deposit)) return state === 'CHALLENGE' && isChallenged ? 'challenge' : '24011'
  if (fault !== null) return fault
  // makeTransaction knows no other answer.
  return !isChallenged || state === 'CAPTURED' || isUncaptured(deposit) ? 'paid' : 'void'
}

type Ruled = Pick<Deposit, 'card' | 'amount' | 'askedAt'> & { readonly isCounted: boolean }

/** In the order of ruling R9. */
function brokenRule(customer: Customer, { card: id, amount, askedAt, isCounted }: Ruled, isInFlight: boolean) {
  const { settings, debt, deposits } = customer
  const card = cardOf(customer, id)
  if (card === undefined || card.removed || card.closed) return '24001'
  if (!mayPlay(customer) || (debt > 0 && settings.refusesDepositsWithDebt)) return '24004'
  if (isInFlight) return '24011'
  if (card.expiresAt <= askedAt) return '24010'
  const counted = deposits.filter((one) => !isFailed(one) && isToday({ ...customer, now: askedAt }, one.askedAt))
  const used = sum(counted, (one) => one.amount) + (isCounted ? 0 : amount)
  return used > settings.depositsOfDay ? '24008' : null
}

// ---- The bank's decision

export function challenged(customer: Customer, deposit: Deposit): void {
  if (deposit.state !== 'AUTHORISING') return
  deposit.state = 'CHALLENGE'
  deposit.leaseUntil = customer.now + CHALLENGE_LEASE_MS
}

/** Credited only if the rules still allow it. A late approval is cancelled again. */
export function approved(customer: Customer, deposit: Deposit): void {
  if (isFailed(deposit)) deposit.jobAt = customer.now
  if (!isUndecided(deposit)) return
  const fault = brokenRule(customer, { ...deposit, isCounted: true }, false)
  if (fault !== null) {
    voided(customer, deposit, fault)
    return
  }
  deposit.state = 'AUTHORISED'
  deposit.jobAt = customer.now
  credit(customer, deposit.amount)
}

export function declined(deposit: Deposit, fault: string): void {
  if (!isUndecided(deposit)) return
  deposit.state = 'DECLINED'
  deposit.fault = fault
}

/** It will never be credited; a cancel makes sure that the bank holds nothing. */
export function voided(customer: Customer, deposit: Deposit, fault = '24005'): void {
  if (!isUndecided(deposit)) return
  deposit.state = 'VOIDING'
  deposit.fault = fault
  deposit.jobAt = customer.now
}

export function leaseIsOver({ now }: Customer, deposit: Deposit): boolean {
  return isUndecided(deposit) && deposit.leaseUntil <= now
}

// ---- Captures and cancels

/** Credited, and not certain to be taken from the card. */
export function isUncaptured({ state, review }: Deposit): boolean {
  return state === 'AUTHORISED' || (state === 'REVIEW' && review === 'capture-unresolved')
}

/** Less than the amount is a part: the customer is debited with the rest. */
export function captured(customer: Customer, deposit: Deposit, amount = deposit.amount): void {
  const wasCredited = isUncaptured(deposit)
  const change = () => {
    deposit.state = 'CAPTURED'
    endReview(customer, deposit)
    deposit.captured = amount
    deposit.capturedAt = customer.now
    if (!wasCredited) credit(customer, deposit.amount)
    debit(customer, deposit.id, deposit.amount - amount)
  }
  if (amount < deposit.amount) moneyGone(customer, deposit.id, change)
  else change()
}

/** The bank took less than it had said: the customer is debited with the rest, and loses no more by disputes than was taken. */
export function capturedLess(customer: Customer, deposit: Deposit, amount: number): void {
  moneyGone(customer, deposit.id, () => {
    debit(customer, deposit.id, deposit.captured - amount)
    deposit.captured = amount
    const isBeyond = sum(disputesOf(customer, deposit.id), ({ paid }) => paid) > amount
    if (isBeyond) bookDisputes(customer, deposit)
  })
}

function endReview(customer: Customer, deposit: Deposit): void {
  deposit.review = null
  dropProposal(customer, `deposit ${deposit.id}`)
}

/** Nothing of it is a claim any longer, and what was credited is debited. */
export function captureFailed(customer: Customer, deposit: Deposit): void {
  const review = deposit.state === 'AUTHORISED' ? 'capture-refused' : 'capture-failed'
  moneyGone(customer, deposit.id, () => takeBack(customer, deposit, review))
}

function takeBack(customer: Customer, deposit: Deposit, review: DepositReview | null): void {
  const amount = deposit.state === 'CAPTURED' ? deposit.captured : isUncaptured(deposit) ? deposit.amount : 0
  deposit.state = review === null ? 'VOIDED' : 'REVIEW'
  endReview(customer, deposit)
  deposit.review = review
  deposit.captured = 0
  debit(customer, deposit.id, amount)
}

export function toReview(customer: Customer, deposit: Deposit, review: DepositReview): void {
  deposit.state = 'REVIEW'
  endReview(customer, deposit)
  deposit.review = review
}

export function cancelled(deposit: Deposit): void {
  if (deposit.state === 'VOIDING') deposit.state = 'VOIDED'
}

/** The customer was told that it failed, or it is unknown, and the gateway has the money. */
export function saysCaptured(customer: Customer, deposit: Deposit): Ending {
  if (!isFailed(deposit) && deposit.review !== 'cancel-unresolved') return 'already-applied'
  toReview(customer, deposit, 'cancel-says-captured')
  return 'contradiction cancel-says-captured'
}

// ---- What was reported before the capture

/** A refund of the back office, or a dispute, that the customer has not paid for. */
export function unbookedOf(customer: Customer, deposit: Deposit): number {
  if (deposit.state !== 'CAPTURED') return 0
  const refunds = customer.outflows.filter((one) => one.kind === 'office' && one.deposit === deposit.id)
  const disputes = customer.disputes.filter((one) => one.deposit === deposit.id)
  const unpaid = sum(disputes, (one) => Math.max(0, one.charged) - one.paid - one.house)
  return sum(refunds, (one) => Math.max(0, one.paid - one.debited)) + Math.max(0, unpaid)
}

/** Whether what was reported before the capture is still to be debited, or credited. */
export function isUnbooked(customer: Customer, deposit: Deposit): boolean {
  if (deposit.state !== 'CAPTURED') return false
  const disputes = customer.disputes.filter((one) => one.deposit === deposit.id)
  return disputes.some((one) => Math.max(0, one.charged) !== one.paid + one.house) || unbookedOf(customer, deposit) > 0
}

export function bookEarly(customer: Customer, deposit: Deposit): void {
  moneyGone(customer, deposit.id, () => bookIn(customer, deposit))
}

function bookIn(customer: Customer, deposit: Deposit): void {
  bookDisputes(customer, deposit)
  for (const refund of customer.outflows) {
    if (refund.kind !== 'office' || refund.deposit !== deposit.id) continue
    debit(customer, deposit.id, Math.max(0, refund.paid - refund.debited))
    refund.debited = Math.max(refund.debited, refund.paid)
  }
}

// ---- Persons

type Resolution = { readonly outcome: 'captured' | 'voided'; readonly by: string }

/** One or two persons have looked it up. Money of somebody who is excluded meanwhile goes back to the card. */
export function resolveDeposit(customer: Customer, deposit: Deposit, { outcome, by }: Resolution): string {
  if (deposit.state !== 'REVIEW') return 'not in review'
  const isUncredited = outcome === 'captured' && deposit.review?.startsWith('cancel-') === true
  const passesOn = isUncredited && isExcluded(customer)
  const fault = isUncredited && !passesOn ? brokenRule(customer, { ...deposit, isCounted: true }, false) : null
  if (fault !== null) return fault
  const decision = resolve(customer, `deposit ${deposit.id}`, { amount: deposit.amount, terms: outcome, by })
  if (decision !== 'decided') return decision
  if (passesOn) passOn(customer, deposit, by)
  else
    moneyGone(customer, deposit.id, () => {
      if (outcome === 'voided') {
        takeBack(customer, deposit, null)
        return leaveToHouse(customer, deposit)
      }
      captured(customer, deposit)
      bookIn(customer, deposit)
    })
  return 'resolved'
}

/** The balance stays, also where there is a debt. */
function passOn(customer: Customer, deposit: Deposit, by: string): void {
  deposit.state = 'CAPTURED'
  endReview(customer, deposit)
  deposit.captured = deposit.amount
  deposit.capturedAt = customer.now
  const refund = { kind: 'refund', deposit: deposit.id, card: deposit.card, withdrawal: null } as const
  newOutflow(customer, { ...refund, id: nextRefund(customer), amount: deposit.amount }, { by })
}
