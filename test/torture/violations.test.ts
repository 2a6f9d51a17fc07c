// Each check of the torture run finds what it is for. The run itself has nothing to find.

import { expect, test } from 'vitest'
import { balanceViolations } from './books.ts'
import { disputeViolations } from './disputes.ts'
import { exclusionViolations } from './exclusions.ts'
import { newJournal } from './journal.ts'
import { moneyEventViolations } from './money-events.ts'
import { type Movement, movementViolations } from './movements.ts'
import { refundCosts, refundViolations } from './refund-violations.ts'
import { nothingPlayed, type Refund } from './refunds.ts'
import { type Line, statementViolations } from './statements.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'
import { closedLoopViolations, withdrawalViolations } from './withdrawal-violations.ts'

const line = (type: string, amount: bigint, balance: bigint, more: Partial<Line> = {}): Line => ({
  ...{ type, at: 1_000, amount, balance },
  ...more,
})

test('a statement: a line that does not follow, a negative balance, a sum that is not the balance', () => {
  const good = [line('deposit', 1000n, 1000n), line('stake', -400n, 600n)]
  expect(statementViolations(1, { lines: good, closing: 600n })).toEqual([])
  expect(statementViolations(1, { lines: good, closing: 500n })).toEqual([
    'customer 1: the lines add up to 600, the balance is 500',
  ])
  expect(statementViolations(1, { lines: [line('deposit', 1000n, 900n)], closing: 900n })).toEqual([
    'customer 1: line 1 (deposit 1000) leads from 0 to 900',
  ])
  expect(statementViolations(1, { lines: [line('stake', -400n, -400n)], closing: -400n })).toEqual([
    'customer 1: line 1 (stake -400) leaves the balance -400',
  ])
})

test('movements: lost, doubled, of another amount, never sent', () => {
  const stake: Movement = { reference: 'm-1', customerId: 1, kind: 'stake', amount: '4.00' }
  const applied = new Map([['m-1', stake]])
  const lines = (...own: Line[]) => new Map([[1, own]])
  const one = line('stake', -400n, 0n, { reference: 'm-1' })
  expect(movementViolations(applied, lines(one))).toEqual([])
  expect(movementViolations(applied, lines())).toEqual(['m-1: answered as applied, not on the statement'])
  expect(movementViolations(applied, lines(one, one))).toEqual(['m-1: applied twice'])
  expect(movementViolations(applied, lines({ ...one, amount: -500n }))).toHaveLength(1)
  expect(movementViolations(new Map(), lines(one))).toHaveLength(1)
})

test('a customer in a time-out: a stake or a deposit after it began', () => {
  const lines = new Map([[1, [line('winnings', 500n, 500n), line('stake', -400n, 100n)]]])
  expect(exclusionViolations(new Map([[1, 1_000]]), lines)).toEqual([])
  expect(exclusionViolations(new Map([[1, 999]]), lines)).toEqual(['customer 1: stake -400 in a time-out'])
})

const captured = { reference: 'p', amount: '1000', state: 'captured' }
const withRefund = new Map([['p', { ...captured, refunds: [{ reference: 'r', amount: '700' }] }]])
const done: Refund = {
  id: '5',
  paymentId: 'p',
  customerId: '1',
  amount: '7.00',
  state: 'DONE',
  requestedBy: 'operator 0',
  needsApproval: false,
  approvedBy: 'operator 1',
  gatewayReference: 'sandbox-r',
  createdAt: '2026-05-01T12:00:00.000Z',
}

test('refunds: not at the bank, credited back nevertheless, not requested, seen by one operator, lost, left', () => {
  const check = (refund: Refund, payments = withRefund, played = nothingPlayed()) => {
    played.requested.set('p', 1)
    return refundViolations({ played, refunds: [refund], payments, fourEyesAbove: 500n })
  }
  expect(check(done)).toEqual([])
  expect(check(done, new Map([['p', { ...captured, refunds: [] }]]))).toEqual([
    'refund 5: done, the bank has not returned it',
  ])
  expect(check({ ...done, state: 'FAILED' })).toEqual(['refund 5: credited back, the bank has returned it'])
  expect(check({ ...done, state: 'FAILED' }, withRefund, { ...nothingPlayed(), failed: new Set(['5']) })).toEqual([])
  expect(check({ ...done, gatewayReference: null })).toHaveLength(2)
  expect(check({ ...done, amount: '8.00' })).toHaveLength(1)
  expect(check({ ...done, approvedBy: 'operator 0' })).toEqual(['refund 5: sent, approved by operator 0'])
  expect(check({ ...done, state: 'SENT' })).toEqual(['refund 5: left SENT'])
  expect(check(done, withRefund, { ...nothingPlayed(), refused: new Set(['5']) })).toHaveLength(1)
  expect(check(done, withRefund, { ...nothingPlayed(), answered: new Map([['6', '7.00']]) })).toHaveLength(1)
  const twice = { played: nothingPlayed(), refunds: [done, done], payments: withRefund, fourEyesAbove: 500n }
  expect(refundViolations(twice)).toEqual(['p: 2 refunds, fewer were requested'])
})

test('disputes: another amount or state than what was told, of a deposit that was never captured', () => {
  const payments = new Map([['p', captured]])
  const told = new Map([['p', { customerId: 1, amount: 1000n, events: ['CHARGEBACK' as const] }]])
  const dispute = { paymentId: 'p', state: 'CHARGED_BACK', debited: '10.00' }
  expect(disputeViolations({ told, payments, disputes: [dispute] })).toEqual([])
  expect(disputeViolations({ told, payments, disputes: [{ ...dispute, debited: '0.00' }] })).toHaveLength(1)
  expect(disputeViolations({ told, payments, disputes: [{ ...dispute, state: 'TOLD' }] })).toHaveLength(1)
  expect(disputeViolations({ told, payments, disputes: [] })).toHaveLength(1)
  expect(disputeViolations({ told, payments, disputes: [dispute, dispute] })).toHaveLength(1)
  expect(disputeViolations({ told, payments: new Map(), disputes: [dispute] })).toHaveLength(1)
  expect(disputeViolations({ told: new Map(), payments, disputes: [dispute] })).toEqual(['p: disputed by nobody'])
})

const paid: Withdrawal = {
  id: '9',
  reference: 'w',
  customerId: '1',
  paymentMethodId: '101',
  amount: '6.00',
  state: 'PAID',
  requestedBy: null,
  approvedBy: ['operator 0', 'operator 1'],
  heldBy: null,
  createdAt: '2026-05-01T12:00:01.000Z',
}
const payout = { reference: 'w', amount: '600', state: 'paid' }
const taken = line('withdrawal', -600n, 0n, { reference: '9' })
const returned = line('withdrawal-returned', 600n, 600n, { reference: '9' })
const answer = { key: 'k', customerId: 1, amount: '6.00', card: '101', id: '9' }

test('withdrawals: paid and not, twice, returned without a credit, credited twice, refused, seen by one operator', () => {
  const good = { withdrawals: [paid], payouts: [payout], answers: [answer], refused: new Set<string>() }
  const check = (more: Partial<Parameters<typeof withdrawalViolations>[0]>, ...lines: Line[]) =>
    withdrawalViolations({ ...good, lines: new Map([[1, lines.length === 0 ? [taken] : lines]]), ...more })
  const notPaid = { ...payout, state: 'open' }
  const back = { ...paid, state: 'RETURNED' }
  expect(check({})).toEqual([])
  expect(check({ payouts: [notPaid] })).toEqual(['withdrawal 9: PAID, the bank has not paid it'])
  expect(check({ payouts: [payout, { ...payout, reference: 'other' }] })).toHaveLength(1)
  expect(check({ payouts: [{ ...payout, amount: '601' }] })).toHaveLength(1)
  expect(check({ withdrawals: [back], payouts: [notPaid] }, taken, returned)).toEqual([])
  expect(check({ withdrawals: [back] }, taken, returned)).toEqual(['withdrawal 9: RETURNED, the bank has paid it'])
  expect(check({ withdrawals: [back], payouts: [notPaid] }, taken)).toHaveLength(1)
  expect(check({ withdrawals: [back], payouts: [notPaid] }, taken, returned, returned)).toHaveLength(1)
  expect(check({}, { ...taken, amount: -500n })).toHaveLength(1)
  expect(check({ refused: new Set(['9']) })).toHaveLength(1)
  expect(check({ withdrawals: [{ ...paid, approvedBy: ['operator 0'] }] })).toHaveLength(1)
  expect(check({ withdrawals: [{ ...paid, approvedBy: ['operator 0', 'operator 0'] }] })).toHaveLength(1)
  expect(check({ withdrawals: [{ ...paid, state: 'SENDING' }] })).not.toEqual([])
  expect(check({ answers: [] })).toEqual(['withdrawal 9: answered to no key'])
  expect(check({ answers: [answer, { ...answer, key: 'l' }] })).toEqual(['withdrawal 9: answered to two keys'])
  expect(check({ answers: [{ ...answer, amount: '5.00' }] })).toHaveLength(1)
})

test('the closed loop: a withdrawal to a card that gets more than it gave', () => {
  const deposits = [{ paymentId: 'p', customerId: '1', paymentMethodId: '101' }]
  const loop = { withdrawals: [paid], payouts: [payout], deposits, refunds: [], payments: new Map([['p', captured]]) }
  const everybody = () => true
  expect(closedLoopViolations(loop, everybody)).toEqual([])
  expect(closedLoopViolations({ ...loop, refunds: [done] }, everybody)).toEqual(['card 101: got 300 more than it gave'])
  expect(closedLoopViolations({ ...loop, refunds: [done] }, () => false)).toEqual([])
  const later = { ...done, createdAt: '2026-05-01T12:00:02.000Z' }
  expect(closedLoopViolations({ ...loop, refunds: [later] }, everybody)).toEqual([])
})

test('balances: another sum than all that happened makes, a debt beside a balance', () => {
  const payments = withRefund
  const played = nothingPlayed()
  const ofRefunds = { played, refunds: [done], payments, fourEyesAbove: 500n }
  const evidence = {
    deposits: [{ paymentId: 'p', customerId: '1' }] as never[],
    payments,
    movements: new Map([['m', { reference: 'm', customerId: 1, kind: 'winnings', amount: '5.00' } as const]]),
    told: new Map([['p', { customerId: 1, amount: 100n, events: ['CHARGEBACK' as const] }]]),
    refunded: refundCosts(ofRefunds),
    withdrawals: [paid],
    payouts: [payout],
  }
  const check = (balance: bigint, debt: bigint, more = {}) =>
    balanceViolations({
      ...evidence,
      balances: new Map([[1, { balance, debt, pending: 0n, closing: balance, ...more }]]),
    })
  // 1000 taken, 700 refunded, 500 won, 100 charged back, 600 withdrawn.
  expect(check(100n, 0n)).toEqual([])
  expect(check(200n, 0n)).toHaveLength(1)
  expect(check(200n, 100n)).toEqual(['customer 1: has 200 and owes 100'])
  expect(check(100n, 0n, { pending: 5n })).toHaveLength(1)
  expect(check(100n, 0n, { closing: 90n })).toHaveLength(1)
})

test('events: missing, doubled', () => {
  const event = (type: string, data: object) => ({ type, data }) as never
  const log = [
    event('movement.stake', { reference: 'm' }),
    event('refund.requested', { refundId: '5' }),
    event('refund.done', { refundId: '5' }),
    ...['requested', 'sending', 'paid'].map((name) => event(`withdrawal.${name}`, { withdrawalId: '9' })),
  ]
  const check = (logged: never[]) =>
    moneyEventViolations({ log: logged, movements: ['m'], refunds: [done], withdrawals: [paid] })
  expect(check(log)).toEqual([])
  for (const one of log) {
    expect(check(log.filter((other) => other !== one))).toHaveLength(1)
    expect(check([...log, one])).toHaveLength(1)
  }
})

test('a violation is printed with what its clients did, and the kills between', () => {
  const journal = newJournal()
  journal.note('withdrawal approved', 1, 'withdrawal 9, 6.00 to card 101, key k')
  journal.note('killed', null, 'the service')
  journal.note('withdrawal approved', 2, 'withdrawal 99, 6.00 to card 201, key l')
  journal.note('withdrawal refusal 409', 1, 'withdrawal 9 by operator 0')
  const texts = (violation: string) => journal.leadingTo(violation).map((one) => one.slice(13))
  expect(texts('withdrawal 9: left SENDING')).toEqual([
    'withdrawal approved: withdrawal 9, 6.00 to card 101, key k',
    'killed: the service',
    'withdrawal refusal 409: withdrawal 9 by operator 0',
  ])
  expect(texts('customer 2: has 1 and owes 0')).toEqual(['withdrawal approved: withdrawal 99, 6.00 to card 201, key l'])
  expect(journal.counts.get('withdrawal approved')).toBe(2)
})
