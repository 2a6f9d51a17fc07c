// Principle 8: a dispute is a list of steps, summed in any order. Only the sum is bounded: nothing to what was captured.

import {
  type Customer,
  comesBack,
  type Deposit,
  type Dispute,
  type DisputeStep,
  debit,
  type Ending,
  sum,
} from './customer.ts'
import { moneyGone } from './outflows.ts'
import { dropProposal } from './persons.ts'

export function disputesOf({ disputes }: Customer, deposit: string): Dispute[] {
  return disputes.filter((dispute) => dispute.deposit === deposit)
}

const chargedOf = ({ charged }: Dispute) => Math.max(0, charged)

/** What all disputes of the deposit have charged, as far as it can be true. */
export function dueOf(customer: Customer, deposit: Deposit): number {
  return Math.min(deposit.captured, sum(disputesOf(customer, deposit.id), chargedOf))
}

export function isUnderDispute(customer: Customer, deposit: string): boolean {
  return disputesOf(customer, deposit).some(({ open }) => open)
}

export type Step = {
  /** The gateway's reference of the dispute. */
  readonly dispute: string
  readonly step: DisputeStep
  readonly amount: number
}

export function disputed(customer: Customer, deposit: Deposit, { dispute: id, step, amount }: Step): Ending {
  const isOver = ['DECLINED', 'VOIDING', 'VOIDED'].includes(deposit.state)
  if (isOver && !['told', 'ended'].includes(step)) return 'contradiction charged-but-not-captured'
  const dispute = disputesOf(customer, deposit.id).find((one) => one.id === id) ?? newDispute(customer, deposit, id)
  moneyGone(customer, deposit.id, () => {
    dispute.newsAt = customer.now
    dispute.open = step !== 'ended' && step !== 'charged for the last time'
    if (step.startsWith('charged')) dispute.charged += amount
    if (step === 'reversed') dispute.charged -= amount
    dropProposal(customer, `dispute ${id}`)
    if (deposit.state === 'CAPTURED') bookDisputes(customer, deposit)
  })
  closeInBounds(customer, deposit)
  if (dispute.charged < 0) return 'contradiction reversed-beyond-charge'
  const all = sum(disputesOf(customer, deposit.id), chargedOf)
  const most = deposit.state === 'CAPTURED' ? deposit.captured : deposit.amount
  return all > most ? 'contradiction charged-beyond-deposit' : 'applied'
}

function newDispute(customer: Customer, { id: deposit }: Deposit, id: string): Dispute {
  const dispute = { id, deposit, charged: 0, paid: 0, house: 0, open: true, newsAt: customer.now }
  customer.disputes.push(dispute)
  return dispute
}

/** The customer pays at most the deposit, in the order of the disputes; the house pays what goes beyond. */
export function bookDisputes(customer: Customer, deposit: Deposit): void {
  let left = deposit.captured
  for (const dispute of disputesOf(customer, deposit.id)) {
    const due = Math.min(left, chargedOf(dispute))
    left -= due
    const more = due - dispute.paid
    dispute.paid = due
    dispute.house = chargedOf(dispute) - due
    if (more > 0) debit(customer, deposit.id, more)
    else comesBack(customer, deposit.id, -more)
  }
}

/** Nothing was taken of the deposit: nobody pays more for its disputes than before, but the house. What was reversed comes back. */
export function leaveToHouse(customer: Customer, deposit: Deposit): void {
  for (const dispute of disputesOf(customer, deposit.id)) {
    const most = dispute.paid
    dispute.paid = Math.min(most, chargedOf(dispute))
    dispute.house = chargedOf(dispute) - dispute.paid
    comesBack(customer, deposit.id, most - dispute.paid)
  }
}

/** A contradiction closes by itself when the sum is in bounds again. */
function closeInBounds(customer: Customer, deposit: Deposit): void {
  const disputes = disputesOf(customer, deposit.id)
  const isBeyond = disputes.some(({ house }) => house > 0)
  for (const { id, charged } of disputes) {
    for (const one of customer.notifications) {
      if (one.subject !== `dispute ${id}`) continue
      if (one.ending === 'contradiction reversed-beyond-charge' && charged >= 0) one.isSettled = true
      if (one.ending === 'contradiction charged-beyond-deposit' && !isBeyond) one.isSettled = true
    }
  }
}

/** By two persons, or after long silence. */
export function endDispute(customer: Customer, dispute: Dispute): void {
  dispute.open = false
  dropProposal(customer, `dispute ${dispute.id}`)
}
