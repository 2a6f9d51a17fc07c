// What must be stored of a customer, line by line, in words that the books of the service have too (../stored.ts).

import type { Card, Customer, Deposit, Dispute, Outflow, Withdrawal } from './customer.ts'
import { openOf, statusOf } from './outflows.ts'
import { hasWaiting, withdrawalStatus } from './withdrawals.ts'

export function linesOf(customer: Customer): string[] {
  const { balance, debt, deposits, outflows, withdrawals, disputes, cards, proposals, notifications } = customer
  const isRefund = ({ kind }: Outflow) => kind === 'refund' || kind === 'office'
  const lines = [
    `balance ${balance}, debt ${debt}`,
    ...deposits.map(depositLine),
    ...outflows.map((one) => (isRefund(one) ? refundLine(one) : partLine(one))),
    ...withdrawals.map((one) => withdrawalLine(customer, one)),
    ...disputes.map(disputeLine),
    ...cards.map(cardLine),
    ...proposals.map(({ subject, by }) => `proposal ${subject}: by ${by}`),
    ...notifications.map((one) => `notification ${one.key}: ${one.ending}${one.isSettled ? ', settled' : ''}`),
  ]
  return lines.sort()
}

function depositLine({ id, state, review, fault, captured, notReturnable }: Deposit): string {
  const words = [state, review ?? '', fault ?? '', captured, notReturnable ? 'not returnable' : '']
  return `deposit ${id}: ${words.filter((word) => word !== '').join(', ')}`
}

const sumsOf = ({ amount, paid, returned, said }: Outflow) =>
  `${amount}: paid ${paid}, returned ${returned}, kept back ${said}`

function refundLine(refund: Outflow): string {
  const { id, deposit, review, debited } = refund
  const state = refundState(refund)
  const isCalled = state === 'REQUESTED' && refund.beganAt !== null
  const words = [state, review, refund.waitsForPerson ? 'waits' : isCalled ? 'called' : null]
  return `${id}: ${words.filter((word) => word !== null).join(', ')}, of ${deposit}, ${sumsOf(refund)}, debited ${debited}`
}

function refundState(refund: Outflow): string {
  const { beganAt, isCalling, paid } = refund
  if (refund.review !== null) return 'REVIEW'
  if (openOf(refund) > 0) return beganAt === null || isCalling ? 'REQUESTED' : 'SENT'
  return paid > 0 ? 'DONE' : 'FAILED'
}

function partLine(part: Outflow): string {
  const { id, kind, deposit, review } = part
  const isCalled = kind === 'return' && part.isCalling
  const words = [statusOf(part).toUpperCase(), review ?? (isCalled ? 'called' : null)].filter((word) => word !== null)
  return `${id}: ${words.join(', ')}, ${kind} of ${deposit ?? 'winnings'}, ${sumsOf(part)}`
}

function withdrawalLine(customer: Customer, withdrawal: Withdrawal): string {
  const { id, amount, approvals, persons, hold } = withdrawal
  const approved = persons.length === 0 ? '' : ` (${persons.join(', ')})`
  const state = withdrawalStatus(customer, withdrawal)
  const isHeld = hold !== null && hasWaiting(customer, withdrawal)
  return `${id}: ${state}, ${amount}, ${approvals} persons${approved}${isHeld ? `, hold ${hold}` : ''}`
}

function disputeLine({ id, deposit, charged, paid, house, open }: Dispute): string {
  return `dispute ${id}: of ${deposit}, charged ${charged}, paid ${paid}, house ${house}, ${open ? 'open' : 'ended'}`
}

function cardLine({ id, removed, closed, accountClosed, holder }: Card): string {
  const words = [holder, removed ? 'removed' : '', closed ? 'closed' : '', accountClosed ? 'account closed' : '']
  return `card ${id}: ${words.filter((word) => word !== '').join(', ')}`
}
