// What goes out, or may: refunds by operators, refunds of the gateway's back office, and the parts of withdrawals. Each step has its own
// amount.

import { type Customer, cardOf, comesBack, debit, depositOf, type Ending, type Outflow } from './customer.ts'
import { dropProposal } from './persons.ts'

type Terms = Pick<Outflow, 'id' | 'kind' | 'deposit' | 'card' | 'withdrawal' | 'amount'>
type More = Partial<Pick<Outflow, 'by' | 'key' | 'waitsForPerson' | 'debited' | 'paid' | 'beganAt' | 'theirs'>>

export function newOutflow(customer: Customer, terms: Terms, more: More = {}): Outflow {
  const nothing = { theirs: null, paid: 0, returned: 0, beganAt: null, isCalling: false, review: null, said: 0 }
  const refund = { by: null, key: null, waitsForPerson: false, debited: terms.amount }
  const outflow: Outflow = { ...terms, ...nothing, ...refund, ...more, askedAt: customer.now }
  customer.outflows.push(outflow)
  return outflow
}

/** Refunds are numbered in the order of their requests, those of the back office among them. */
export function nextRefund({ outflows }: Customer): string {
  return `refund ${outflows.filter(({ kind }) => kind === 'refund' || kind === 'office').length}`
}

export const openOf = ({ amount, paid, returned }: Outflow) => amount - paid - returned

export type OutflowStatus = 'waiting' | 'sending' | 'paid' | 'returned' | 'review'

export function statusOf(outflow: Outflow): OutflowStatus {
  if (outflow.review !== null) return 'review'
  if (openOf(outflow) > 0) return outflow.beganAt === null ? 'waiting' : 'sending'
  return outflow.paid > 0 ? 'paid' : 'returned'
}

const waits = (outflow: Outflow) => statusOf(outflow) === 'waiting'

/** The customer has it again, as far as they have paid for it. */
export function giveBack(customer: Customer, outflow: Outflow, amount = openOf(outflow)): void {
  const unpaid = Math.min(openOf(outflow), amount)
  const credited = Math.min(outflow.debited, amount)
  outflow.paid -= amount - unpaid
  outflow.returned += amount
  outflow.debited -= credited
  comesBack(customer, outflow.deposit ?? outflow.id, credited)
}

/** Parts of withdrawals whose call has not begun. */
export function waitingParts(customer: Customer): Outflow[] {
  return customer.outflows.filter((one) => one.withdrawal !== null && waits(one))
}

/**
 * A deposit's money goes another way: a dispute, a refund of the back office, a capture that failed. First its parts and
 * refunds that wait come back, then the customer is debited, and while they owe money what waits of other deposits needs two persons again.
 */
export function moneyGone(customer: Customer, deposit: string | null, debits: () => void): void {
  const waiting = customer.outflows.filter((one) => one.deposit === deposit && deposit !== null && waits(one))
  for (const one of waiting) {
    one.waitsForPerson = false
    giveBack(customer, one)
  }
  debits()
  holdWhileDebt(customer)
}

export function holdWhileDebt(customer: Customer): void {
  if (customer.debt === 0) return
  const waiting = new Set(waitingParts(customer).map(({ withdrawal }) => withdrawal))
  for (const { id, hold } of customer.withdrawals)
    if (waiting.has(id) && hold !== 'debt') holdForPersons(customer, id, 'debt')
}

/** Whatever was approved waits for persons again, never for the rule. What an operator holds stays held. */
export function holdForPersons({ withdrawals }: Customer, id: string | null, hold: 'card' | 'debt'): void {
  const withdrawal = withdrawals.find((one) => one.id === id)
  if (withdrawal === undefined) return
  withdrawal.approvals = 2
  withdrawal.persons = []
  if (withdrawal.hold !== 'operator') withdrawal.hold = hold
}

// ---- What the gateway says

/** Nothing of it is sent until persons have looked it up. */
export function neverSent(customer: Customer, outflow: Outflow): Ending {
  outflow.review = 'never-sent'
  outflow.waitsForPerson = false
  dropProposal(customer, outflow.id)
  return 'contradiction never-sent'
}

/** So much has arrived. `isOther`: the gateway knows it by another reference than before, so it is another payment. */
export function paid(customer: Customer, outflow: Outflow, amount: number, isOther = false): Ending {
  const { returned, said } = outflow
  outflow.isCalling = false
  if (amount > outflow.amount) return contradicted(customer, outflow, 0)
  const open = openOf(outflow)
  if (amount <= open) {
    outflow.paid += amount
    return reported(customer, outflow)
  }
  if (amount <= outflow.paid + said) {
    return isOther ? contradicted(customer, outflow, 0, 'paid-twice') : 'already-applied'
  }
  return contradicted(customer, outflow, Math.min(amount - open, returned - said))
}

/** So much did not arrive, or came back. */
export function cameBack(customer: Customer, outflow: Outflow, amount: number): Ending {
  outflow.isCalling = false
  if (amount > outflow.amount) return contradicted(customer, outflow, 0)
  if (amount > openOf(outflow) + outflow.paid) {
    return amount === outflow.returned ? 'already-applied' : contradicted(customer, outflow, 0)
  }
  giveBack(customer, outflow, amount)
  return reported(customer, outflow)
}

/** Persons decide only what is still unclear. */
function reported(customer: Customer, outflow: Outflow): Ending {
  dropProposal(customer, outflow.id)
  if (outflow.review !== 'unresolved' || openOf(outflow) === 0)
    outflow.review = outflow.said > 0 ? 'paid-after-return' : null
  return 'applied'
}

function contradicted(
  customer: Customer,
  outflow: Outflow,
  said: number,
  otherwise: 'another-amount' | 'paid-twice' = 'another-amount',
): Ending {
  outflow.said += said
  outflow.review = outflow.said === 0 ? otherwise : 'paid-after-return'
  dropProposal(customer, outflow.id)
  return `contradiction ${outflow.review}`
}

/** For good, with the reason: a closed account frees the claims of its card, a deposit that cannot be returned is paid out. */
export function refusedForGood(customer: Customer, outflow: Outflow, refusal: string): void {
  const deposit = depositOf(customer, outflow.deposit)
  if (refusal === 'deposit' && outflow.kind !== 'payout' && deposit !== undefined) deposit.notReturnable = true
  const card = cardOf(customer, outflow.card)
  if (refusal !== 'account-closed' || card === undefined) return
  card.accountClosed = true
  dropProposal(customer, `account-closure ${card.id}`)
}

// ---- What persons say of one that is unclear

/** Nothing moves where nothing is open, unless what counts as paid did not arrive. */
export function settle(customer: Customer, outflow: Outflow, outcome: 'paid' | 'returned'): void {
  const { review, said } = outflow
  outflow.review = null
  outflow.said = 0
  // What persons have looked up was returned, and no longer refused.
  for (const one of customer.withdrawals) if (one.id === outflow.withdrawal) one.isRefused = false
  outflow.isCalling = false
  dropProposal(customer, outflow.id)
  if (outcome === 'returned') {
    giveBack(customer, outflow, openOf(outflow) + (review === 'another-amount' ? outflow.paid : 0))
    return
  }
  const debits = () => {
    outflow.paid += openOf(outflow) + said
    outflow.returned -= said
    outflow.debited += said
    debit(customer, outflow.deposit ?? outflow.id, said)
  }
  if (review === 'paid-after-return') moneyGone(customer, outflow.deposit, debits)
  else debits()
}
