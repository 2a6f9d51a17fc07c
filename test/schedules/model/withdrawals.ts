// Withdrawals: what they are made of, who must approve them, and what becomes of their parts.

import { canStillTake, isKnown, optionOf, type Slice, take } from './claims.ts'
import { type Card, type Customer, cardOf, mayPlay, type Outflow, type Withdrawal, withdrawalOf } from './customer.ts'
import { giveBack, holdForPersons, newOutflow, openOf, settle, statusOf, waitingParts } from './outflows.ts'
import { decide, resolve, withdrawnToday } from './persons.ts'

export type Person = { readonly name: string; readonly person: string }

export type WithdrawalOrder = {
  readonly key: string
  readonly card: string
  readonly amount: number
  /** The operator who asks for the customer. */
  readonly by: Person | null
}

export type WithdrawalStatus = 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'

export function partsOf({ outflows }: Customer, { id }: Withdrawal): Outflow[] {
  return outflows.filter(({ withdrawal }) => withdrawal === id)
}

const isApproved = ({ approvals, persons }: Withdrawal) => persons.length >= approvals

/** By its parts. */
export function withdrawalStatus(customer: Customer, withdrawal: Withdrawal): WithdrawalStatus {
  const parts = partsOf(customer, withdrawal)
  const hasBegun = parts.some(({ beganAt }) => beganAt !== null)
  if (parts.some(({ review }) => review !== null)) return 'REVIEW'
  if (parts.some((part) => openOf(part) > 0)) {
    return hasBegun ? 'SENDING' : isApproved(withdrawal) ? 'APPROVED' : 'REQUESTED'
  }
  if (parts.some(({ paid }) => paid > 0)) return 'PAID'
  return withdrawal.isRefused && !hasBegun ? 'REFUSED' : 'RETURNED'
}

/** Its status, or the fault. */
export function askWithdrawal(
  customer: Customer,
  { key: idempotencyKey, card: id, amount, by }: WithdrawalOrder,
): string {
  const [key, asked] = [`${by === null ? 'customer' : 'operator'}/${idempotencyKey}`, `${amount} to ${id}`]
  const earlier = customer.withdrawals.find((one) => one.key === key)
  if (earlier !== undefined) return earlier.asked === asked ? withdrawalStatus(customer, earlier) : '10071'
  const card = cardOf(customer, id)
  if (card === undefined || !isKnown(customer, card)) return '24001'
  if (amount === 0) return '24002'
  if (amount > customer.balance) return '24007'
  if (amount > optionOf(customer, card).max) return '24003'
  const slices = take(customer, card, amount)
  const isSmall = withdrawnToday(customer) + amount <= customer.settings.withdrawalsByRule
  const byRule = by === null && mayPlay(customer) && isSmall && !needsTwo(customer, card, slices)
  const persons = by === null ? [] : [by.person]
  const terms = { key, asked, card: id, amount, by: by?.person ?? null, approvals: byRule ? 0 : 2, persons } as const
  return withdrawalStatus(customer, insert(customer, terms, slices))
}

type Terms = Pick<Withdrawal, 'key' | 'asked' | 'card' | 'amount' | 'by' | 'approvals' | 'persons'>

function insert(customer: Customer, terms: Terms, slices: readonly Slice[]): Withdrawal {
  const id = `withdrawal ${customer.withdrawals.length}`
  const withdrawal: Withdrawal = { ...terms, id, at: customer.now, hold: null, isRefused: false }
  customer.withdrawals.push(withdrawal)
  for (const [i, { kind, deposit, amount }] of slices.entries()) {
    newOutflow(customer, { id: `${id}/${i}`, kind, deposit, card: terms.card, withdrawal: id, amount })
  }
  customer.balance -= terms.amount
  return withdrawal
}

/** Whatever the amount. */
function needsTwo(customer: Customer, card: Card, slices: readonly Slice[]): boolean {
  if (card.closed || slices.some(({ of }) => of === 'freed')) return true
  const hasPaidIn = customer.deposits.some((one) => one.card === card.id && one.state === 'CAPTURED')
  return slices.some(({ kind }) => kind === 'payout') && (!hasPaidIn || card.holder !== 'customer')
}

// ---- Persons

function waitsForApproval(customer: Customer, withdrawal: Withdrawal): boolean {
  return !isApproved(withdrawal) && hasWaiting(customer, withdrawal)
}

export function hasWaiting(customer: Customer, withdrawal: Withdrawal): boolean {
  return partsOf(customer, withdrawal).some((part) => statusOf(part) === 'waiting')
}

/** Two persons; who asked for the customer is the first until approvals are void, and never approves. */
export function approve(customer: Customer, withdrawal: Withdrawal, person: string): boolean {
  if (!waitsForApproval(customer, withdrawal) || withdrawal.hold === 'operator') return false
  if (withdrawal.persons.includes(person) || withdrawal.by === person) return false
  withdrawal.persons.push(person)
  if (isApproved(withdrawal)) withdrawal.hold = null
  return true
}

/** What waits comes back. */
export function refuse(customer: Customer, withdrawal: Withdrawal): boolean {
  if (!hasWaiting(customer, withdrawal)) return false
  withdrawal.isRefused = true
  withdrawal.hold = null
  for (const part of waitingParts(customer)) if (part.withdrawal === withdrawal.id) giveBack(customer, part)
  return true
}

export function hold(customer: Customer, withdrawal: Withdrawal): boolean {
  if (!waitsForApproval(customer, withdrawal)) return false
  withdrawal.hold = 'operator'
  return true
}

export function release(customer: Customer, withdrawal: Withdrawal): boolean {
  if (!waitsForApproval(customer, withdrawal)) return false
  if (withdrawal.hold === 'operator') withdrawal.hold = null
  return true
}

type PartResolution = {
  readonly outcome: 'paid' | 'returned'
  readonly by: string
  readonly part: string | null
}

/** The part that is named, or else the only one that is in review. */
export function resolvePart(
  customer: Customer,
  withdrawal: Withdrawal,
  { outcome, by, part: name }: PartResolution,
): string {
  const unclear = partsOf(customer, withdrawal).filter(({ review }) => review !== null)
  const [part, other] = unclear.filter(({ id }) => name === null || id === name)
  if (part === undefined || other !== undefined) return 'refused'
  const decision = resolve(customer, part.id, { amount: part.amount, terms: outcome, by })
  if (decision === 'decided') settle(customer, part, outcome)
  return decision
}

/** Recorded by two persons: what no card can take was paid to a bank account. */
export function payOutside(
  customer: Customer,
  { amount, reference, by }: { readonly amount: number; readonly reference: string; readonly by: string },
): string {
  const terms = `${amount} by ${reference}`
  if (amount > optionOf(customer, null).max) {
    // What was proposed is no longer possible.
    customer.proposals = customer.proposals.filter((one) => one.subject !== 'outside-payment' || one.terms !== terms)
    return 'refused'
  }
  const first = customer.proposals.find(({ subject }) => subject === 'outside-payment')
  const decision = decide(customer, 'outside-payment', { terms, by, needsTwo: true })
  if (decision !== 'decided' || first === undefined) return decision
  const asked = { key: terms, asked: terms, card: null, amount, by: first.by, approvals: 2 } as const
  const withdrawal = insert(customer, { ...asked, persons: [first.by, by] }, take(customer, null, amount))
  for (const part of partsOf(customer, withdrawal)) part.paid = part.amount
  return decision
}

// ---- The job

/** The check before the gateway is called. `isPossible`: the call can be made now. */
export function begin(customer: Customer, part: Outflow): 'called' | 'returned' | 'waits' {
  const withdrawal = withdrawalOf(customer, part)
  const card = cardOf(customer, part.card)
  if (statusOf(part) !== 'waiting' || !isApproved(withdrawal) || withdrawal.hold !== null) return 'waits'
  if (card === undefined || !canStillTake(customer, part, card)) {
    giveBack(customer, part)
    return 'returned'
  }
  if (part.kind === 'payout' && !customer.settings.payouts) return 'waits'
  if (part.kind === 'return' && hasOpenCall(customer, part)) return 'waits'
  part.beganAt = customer.now
  part.isCalling = true
  return 'called'
}

/** Calls for one deposit go one after another. */
export function hasOpenCall({ outflows }: Customer, { deposit, id }: Outflow): boolean {
  return outflows.some((one) => one.deposit === deposit && one.id !== id && one.kind !== 'payout' && one.isCalling)
}

/** What a card can no longer take comes back, the rest waits for persons. */
export function cardChanged(customer: Customer, card: Card): void {
  for (const part of waitingParts(customer)) {
    if (part.card === card.id && !canStillTake(customer, part, card)) giveBack(customer, part)
  }
  const waiting = new Set(waitingParts(customer).map(({ withdrawal }) => withdrawal))
  for (const { id, card: its } of customer.withdrawals) {
    if (its === card.id && waiting.has(id)) holdForPersons(customer, id, 'card')
  }
}
