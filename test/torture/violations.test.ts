// Each check of the torture run finds what it is for. The run itself has nothing to find.

import { expect, test } from 'vitest'
import { banViolations } from './bans.ts'
import { disputeCost, disputeViolations } from './disputes.ts'
import { captured, deposit, dispute, done, failed, line, step, withRefund } from './examples.ts'
import { exclusionViolations } from './exclusions.ts'
import { violationsOf } from './invariants.ts'
import { type Movement, movementViolations } from './movements.ts'
import { refundViolations } from './refund-violations.ts'
import { nothingPlayed, type Refund } from './refunds.ts'
import { type Line, statementViolations } from './statements.ts'

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

test('a customer who could not deposit: a credit between the two changes', () => {
  const event = (position: number, type: string, verified?: boolean) => ({
    position,
    id: `${position}`,
    type,
    subject: { type: 'customer', id: '1' },
    customerId: '1',
    data: verified === undefined ? {} : { verified },
  })
  const credited = event(3, 'deposit.authorised')
  const [off, on] = [event(1, 'customer.changed', false), event(2, 'customer.changed', true)]
  expect(banViolations([off, on, credited])).toEqual([])
  expect(banViolations([off, credited, on])).toEqual(['1: credited while the customer could not deposit'])
  expect(banViolations([off, { ...credited, customerId: '2' }, on])).toEqual([])
})

test('deposits: charged and not credited, unless two persons decided so', () => {
  const voided = { ...deposit, state: 'VOIDED' }
  const check = (captureTold?: ReadonlySet<string>) =>
    violationsOf({
      attempts: [],
      deposits: [voided],
      payments: [captured],
      limit: 5_000n,
      ...(captureTold && { captureTold }),
    })
  expect(check()).toEqual(['p: charged, not credited'])
  expect(check(new Set(['p']))).toEqual([])
})

test('refunds: not at the bank, credited back nevertheless, not requested, decided by one person, lost, left', () => {
  const check = (refund: Refund, payments = withRefund, played = nothingPlayed()) => {
    played.requested.set('p', 1)
    return refundViolations({ played, refunds: [refund], payments, byOne: 500n })
  }
  expect(check(done)).toEqual([])
  expect(check(done, new Map([['p', { ...captured, refunds: [] }]]))).toEqual([
    'refund 5: paid 7.00, the bank has not returned it',
  ])
  expect(check(failed)).toEqual(['refund 5: paid 0.00, the bank has returned it'])
  expect(check(failed, withRefund, { ...nothingPlayed(), failed: new Set(['5']) })).toEqual([])
  expect(check({ ...done, paid: '6.00' })).not.toEqual([])
  expect(check({ ...done, amount: '8.00', paid: '8.00' })).toHaveLength(1)
  expect(check({ ...done, approvedBy: 'operator 0' })).toEqual(['refund 5: sent, approved by operator 0'])
  expect(check({ ...done, state: 'SENT' })).toEqual(['refund 5: left SENT'])
  expect(check(done, withRefund, { ...nothingPlayed(), refused: new Set(['5']) })).toHaveLength(1)
  expect(check(done, withRefund, { ...nothingPlayed(), answered: new Map([['6', '7.00']]) })).toHaveLength(1)
  const twice = { played: nothingPlayed(), refunds: [done, done], payments: withRefund, byOne: 500n }
  expect(refundViolations(twice)).toEqual(['p: 2 refunds, fewer were requested'])
})

test('refunds of a day by one person: their sum', () => {
  const played = nothingPlayed()
  played.requested.set('p', 2)
  const refunds = ['5', '6'].map((id) => ({
    ...done,
    id,
    amount: '4.00',
    paid: '4.00',
    approvedBy: null,
    reference: id,
  }))
  const bank = [
    { reference: '5', amount: '400' },
    { reference: '6', amount: '400' },
  ]
  const check = (byOne: bigint) =>
    refundViolations({ played, refunds, payments: new Map([['p', { ...captured, refunds: bank }]]), byOne })
  expect(check(800n)).toEqual([])
  expect(check(799n)).toEqual(['customer 1: on 2026-05-01 one person each refunded 800, more than 799'])
})

test('refunds of the back office: twice, of another amount, never reported, not reversed', () => {
  const foreign = {
    ...done,
    origin: 'gateway' as const,
    requestedBy: null,
    approvedBy: null,
    gatewayReference: 'office-1',
  }
  const check = (refunds: Refund[], isReversed = false) => {
    const played = nothingPlayed()
    played.foreign.set('office-1', { paymentId: 'p', amount: 700n, isReversed })
    return refundViolations({ played, refunds, payments: new Map(), byOne: 500n })
  }
  expect(check([foreign])).toEqual([])
  expect(check([foreign, foreign])).toHaveLength(1)
  expect(check([{ ...foreign, amount: '8.00' }])).toHaveLength(1)
  expect(check([foreign], true)).toHaveLength(1)
  expect(check([{ ...foreign, paid: '0.00', returned: '7.00' }], true)).toEqual([])
  expect(check([foreign, { ...foreign, gatewayReference: 'office-2' }])).toHaveLength(1)
})

test('disputes: the sum of their steps, each once, at most the deposit', () => {
  const charged = [step('CHARGEBACK', 900n), step('CHARGEBACK', 900n), step('CHARGEBACK_REVERSED', 200n)]
  expect(disputeCost(charged, 1000n)).toEqual({ due: 700n, house: 0n })
  expect(disputeCost(charged, undefined)).toEqual({ due: 0n, house: 0n })
  const more = [...charged, step('SECOND_CHARGEBACK', 400n), step('CHARGEBACK_REVERSED', 900n, 'other')]
  expect(disputeCost(more, 1000n)).toEqual({ due: 1000n, house: 100n })

  const good = {
    steps: new Map([['p', charged]]),
    disputes: [dispute],
    captured: new Map([['p', 1000n]]),
    failed: new Set<string>(),
  }
  const check = (more: Partial<typeof good>) => disputeViolations({ ...good, ...more })
  expect(check({})).toEqual([])
  expect(check({ disputes: [{ ...dispute, debited: '6.00' }] })).toHaveLength(1)
  expect(check({ disputes: [{ ...dispute, charged: '9.00' }] })).toHaveLength(1)
  expect(check({ disputes: [{ ...dispute, house: '1.00' }] })).toHaveLength(1)
  expect(check({ disputes: [] })).not.toEqual([])
  expect(check({ captured: new Map() })).not.toEqual([])
  expect(check({ disputes: [], failed: new Set(['p']) })).toEqual([])
  expect(check({ steps: new Map() })).toEqual(['p: disputed by nobody'])
})
