// As violations.test.ts: money that goes out, balances and events.

import { expect, test } from 'vitest'
import { notificationViolations } from './bank-notifications.ts'
import { balanceViolations, totalViolations } from './books.ts'
import {
  answer,
  atBank,
  back,
  checkWithdrawals,
  deposit,
  dispute,
  done,
  paid,
  part,
  returned,
  taken,
} from './examples.ts'
import { newJournal } from './journal.ts'
import { loopViolations } from './loop-violations.ts'
import { moneyEventViolations } from './money-events.ts'
import { decideTogether } from './office.ts'
import { optionViolations, toOptions } from './options.ts'
import { refundCosts } from './refund-violations.ts'
import type { Part } from './withdrawal-decisions.ts'

test('withdrawals: paid and not, twice, returned without a credit, credited twice, refused, decided by one person', () => {
  const nothing = { returns: new Map() }
  expect(checkWithdrawals({})).toEqual([])
  expect(checkWithdrawals(nothing)).toEqual(['withdrawal 9: part 7 paid 6.00, the bank has 0'])
  expect(checkWithdrawals({ withdrawals: [back], ...nothing }, taken, returned)).toEqual([])
  expect(checkWithdrawals({ withdrawals: [back] }, taken, returned)).toEqual([
    'withdrawal 9: part 7 paid 0.00, the bank has 600',
  ])
  expect(checkWithdrawals({ withdrawals: [back], ...nothing }, taken)).toHaveLength(1)
  expect(checkWithdrawals({ withdrawals: [back], ...nothing }, taken, returned, returned)).toHaveLength(1)
  expect(checkWithdrawals({}, { ...taken, amount: -500n })).toHaveLength(1)
  expect(checkWithdrawals({ refused: new Map([['9', 'REFUSED']]) })).toHaveLength(1)
  expect(checkWithdrawals({ withdrawals: [{ ...paid, approvedBy: ['operator 0'] }] })).toHaveLength(1)
  const approvedOnce = { withdrawals: [{ ...paid, approvedBy: ['operator 0'] }] }
  expect(checkWithdrawals({ ...approvedOnce, touched: new Map([['7', 'notified']]) })).toEqual([])
  expect(checkWithdrawals({ withdrawals: [{ ...paid, approvedBy: ['operator 0', 'operator 0'] }] })).toHaveLength(1)
  expect(checkWithdrawals({ withdrawals: [{ ...paid, state: 'SENDING' }] })).not.toEqual([])
  expect(checkWithdrawals({ answers: [] })).toEqual(['withdrawal 9: answered to no key'])
  expect(checkWithdrawals({ answers: [answer, { ...answer, key: 'l' }] })).toEqual([
    'withdrawal 9: answered to two keys',
  ])
  expect(checkWithdrawals({ answers: [{ ...answer, amount: '5.00' }] })).toHaveLength(1)
})

test('parts: left, another sum than their withdrawal, another deposit, a reference twice, at the bank unasked', () => {
  const of = (...parts: Part[]) => ({ withdrawals: [{ ...paid, parts }] })
  expect(checkWithdrawals(of({ ...part, state: 'SENDING' }))).not.toEqual([])
  expect(checkWithdrawals(of(part, { ...part, id: '8' }))).not.toEqual([])
  expect(checkWithdrawals(of({ ...part, paid: '5.00' }))).not.toEqual([])
  expect(checkWithdrawals(of({ ...part, paymentId: 'q' }))).toEqual(['withdrawal 9: part 7 went back to p'])
  const unasked = { reference: 'x', amount: '100', state: 'paid' }
  expect(checkWithdrawals({ payouts: [unasked] })).toEqual(['x: the bank paid it, and no part has it'])
  expect(checkWithdrawals({ payouts: [{ ...unasked, state: 'open' }] })).toEqual([])
  expect(checkWithdrawals({ returns: new Map([...atBank, ['y', { payment: 'p', amount: 1n }]]) })).toHaveLength(1)
  // The bank said that it came back, or two persons did not find it.
  const lines = [taken, returned]
  expect(checkWithdrawals({ withdrawals: [back], touched: new Map([['7', 'notified']]) }, ...lines)).toEqual([])
  expect(checkWithdrawals({ withdrawals: [back], touched: new Map([['7', 'looked up']]) }, ...lines)).toHaveLength(1)
})

test('withdrawals by the rule, of a day; and payments outside', () => {
  const byRule = { withdrawals: [{ ...paid, approvedBy: [] }] }
  expect(checkWithdrawals({ ...byRule, byRule: 600n })).toEqual([])
  expect(checkWithdrawals({ ...byRule, byRule: 599n })).toHaveLength(1)
  const own: Part = { ...part, kind: 'outside', gatewayReference: 'FT-1' }
  const outside = { withdrawals: [{ ...paid, paymentMethodId: null, parts: [own] }], returns: new Map() }
  const bare = {
    ...outside,
    answers: [],
    withdrawals: outside.withdrawals.map((one) => ({ ...one, requestedBy: 'operator 0' })),
  }
  expect(checkWithdrawals({ ...bare, outside: new Map([['FT-1', 600n]]) })).toEqual([])
  expect(checkWithdrawals({ ...bare, outside: new Map([['FT-1', 700n]]) })).toHaveLength(1)
  expect(checkWithdrawals(bare)).toHaveLength(1)
})

test('what a card paid in: to another card, freed without a reason, given twice, winnings of nobody', () => {
  const loop = {
    ...{ withdrawals: [paid], deposits: [deposit], refunds: [], notified: new Set<string>() },
    ...{ notifiedParts: new Map(), notifiedRefunds: new Set<string>(), accountClosed: new Map() },
    isFreeing: () => false,
    hasOnlyDeposits: () => true,
  }
  const check = (more: Partial<Parameters<typeof loopViolations>[0]>) => loopViolations({ ...loop, ...more })
  const of = (...parts: Part[]) => ({ withdrawals: [{ ...paid, parts }] })
  expect(check({})).toEqual([])
  expect(check({ refunds: [done] })).toEqual(['p: gave 1300 of 10.00'])
  expect(check({ refunds: [done], notified: new Set(['p']) })).toEqual([])
  expect(check({ refunds: [done], notifiedRefunds: new Set(['5']) })).toEqual([])
  expect(check({ withdrawals: [{ ...paid, paymentMethodId: '102' }] })).toHaveLength(1)
  expect(check(of({ ...part, freed: true }))).toHaveLength(1)
  expect(check({ ...of({ ...part, freed: true }), isFreeing: () => true })).toEqual([])
  expect(check(of({ ...part, paymentId: null }))).toHaveLength(1)
  expect(check({ ...of({ ...part, paymentId: null }), hasOnlyDeposits: () => false })).toEqual([])
  expect(check({ accountClosed: new Map([['101', 0]]) })).toHaveLength(1)
})

test('options: more than is available, beyond its own while another card waits, silence', () => {
  const card = (id: string, sums: string, more: { reason?: string } = {}) => {
    const [returns = '', freed = '', winnings = '', max = ''] = sums.split(' ')
    return { ...{ id, returns, freed, winnings, max }, ...more }
  }
  const check = (available: string, options: object[], closed = new Set<string>()) =>
    optionViolations(1, toOptions({ available, options }), closed)
  const a = card('1', '1.00 0.00 0.00 1.00')
  expect(check('9.00', [a, card('2', '2.00 0.00 0.00 2.00')])).toEqual([])
  expect(check('9.00', [card('2', '2.00 1.00 6.00 9.00')])).toEqual([])
  expect(check('9.00', [a, card('2', '2.00 0.00 6.00 8.00')])).toHaveLength(1)
  expect(check('9.00', [a, card('2', '2.00 0.00 6.00 8.00')], new Set(['1']))).toEqual([])
  expect(check('0.50', [a])).toHaveLength(2)
  expect(check('9.00', [card('1', '1.00 0.00 0.00 2.00')])).toHaveLength(1)
  expect(check('9.00', [card('1', '0.00 0.00 0.00 0.00')])).toHaveLength(1)
  expect(check('9.00', [card('1', '0.00 0.00 0.00 0.00', { reason: 'why' })])).toEqual([])
})

test('decisions: by one person alone', async () => {
  const check = async (isDone: boolean) => {
    const violations: string[] = []
    const proposed = { status: 200, body: {} }
    const operators = [0, 1].map(() => async () => ({ ...proposed }))
    const office = { operators, journal: newJournal(), violations }
    let answers = 0
    // The first answer proposes; whether the second one, of the same person, has done it is what is looked for.
    const done = () => answers++ % 2 === 1 && isDone
    for (let times = 0; times < 200; times++) {
      answers = 0
      await decideTogether(office, { about: 'part 1', customerId: 1, path: '/', body: {}, isDone: done })
    }
    return violations.length > 0
  }
  expect(await check(true)).toBe(true)
  expect(await check(false)).toBe(false)
})

test('notifications: a contradiction that is not listed, listed and not answered, failed', () => {
  const outcome = { about: 'p', news: { event: 'REFUND' }, outcome: 'contradiction', contradiction: 'unknown-refund' }
  const listed = { id: '1', event: 'REFUND', contradiction: 'unknown-refund' }
  expect(notificationViolations([outcome, outcome], [listed], new Map())).toEqual([])
  const inEuros = { ...outcome, news: { ...outcome.news, currency: 'EUR' } }
  expect(notificationViolations([outcome, inEuros], [listed], new Map())).toEqual([])
  expect(notificationViolations([outcome], [], new Map())).toHaveLength(1)
  expect(notificationViolations([outcome], [], new Map([['unknown-refund', 1]]))).toEqual([])
  expect(notificationViolations([], [listed], new Map())).toHaveLength(1)
  expect(notificationViolations([outcome], [listed, { ...listed, contradiction: null }], new Map())).toEqual([
    'notification 1: REFUND failed',
  ])
})

test('balances: another sum than all that happened makes, a debt beside a balance', () => {
  const evidence = {
    deposits: [deposit],
    movements: new Map([['m', { reference: 'm', customerId: 1, kind: 'winnings', amount: '5.00' } as const]]),
    disputed: new Map([[1, 100n]]),
    refunded: refundCosts([done, { ...done, id: '6', origin: 'withdrawal' as const }], [deposit]),
    writtenOff: new Map([[1, 50n]]),
    lines: new Map(),
    inDoubt: new Map<number, bigint[]>(),
    withdrawals: [paid],
  }
  const check = (balance: bigint, debt: bigint, more = {}, inDoubt = evidence.inDoubt) =>
    balanceViolations({
      ...{ ...evidence, inDoubt },
      balances: new Map([[1, { balance, debt, pending: 0n, closing: balance, ...more }]]),
    })
  // 1000 taken, 700 refunded, 500 won, 100 charged back, 50 written off, 600 withdrawn.
  expect(check(150n, 0n)).toEqual([])
  expect(check(200n, 0n)).toHaveLength(1)
  expect(check(200n, 0n, {}, new Map([[1, [50n]]]))).toEqual([])
  expect(check(200n, 50n)).toEqual(['customer 1: has 200 and owes 50'])
  expect(check(150n, 0n, { pending: 5n })).toHaveLength(1)
  expect(check(150n, 0n, { closing: 90n })).toHaveLength(1)
  const repaid = (amount: bigint) => ({
    ...{ ...evidence, lines: new Map([[1, [{ type: 'written-off-repaid', at: 1, amount: -amount, balance: 0n }]]]) },
    balances: new Map([[1, { balance: 150n - amount, debt: 0n, pending: 0n, closing: 150n - amount }]]),
  })
  expect(balanceViolations(repaid(50n))).toEqual([])
  expect(balanceViolations(repaid(51n))).toEqual(['customer 1: the house got more back than it has written off'])
})

test('the accounts of nobody: what is not what its list adds up to', () => {
  const accounts = [
    ...[
      { kind: 'psp_uncaptured', total: '0.00' },
      { kind: 'payout_pending', total: '0.00' },
    ],
    ...[
      { kind: 'psp_captured', total: '11.00' },
      { kind: 'payout_funds', total: '0.00' },
    ],
  ]
  // Of 10.00 that were taken 7.00 were refunded, 6.00 returned and 8.00 charged back.
  const lists = { deposits: [deposit], refunds: [done], withdrawals: [paid], disputes: [{ ...dispute, house: '1.00' }] }
  expect(totalViolations({ accounts, ...lists })).toEqual([])
  expect(totalViolations({ accounts, ...lists, withdrawals: [back] })).toHaveLength(1)
  const pending = accounts.map((one) => (one.kind === 'payout_pending' ? { ...one, total: '1.00' } : one))
  expect(totalViolations({ accounts: pending, ...lists })).toHaveLength(1)
})

test('events: missing, doubled', () => {
  const event = (type: string, data: object) => ({ type, data }) as never
  const log = [
    event('movement.stake', { reference: 'm' }),
    event('refund.requested', { refundId: '5' }),
    event('refund.done', { refundId: '5' }),
    ...['requested', 'sending', 'paid'].map((name) => event(`withdrawal.${name}`, { withdrawalId: '9' })),
  ]
  const changed = { refunds: new Set<string>(), parts: new Map() }
  const check = (logged: never[], changedAgain = changed) =>
    moneyEventViolations({ log: logged, movements: ['m'], refunds: [done], withdrawals: [paid], changedAgain })
  expect(check(log)).toEqual([])
  for (const one of log) {
    expect(check(log.filter((other) => other !== one))).toHaveLength(1)
    expect(check([...log, one])).toHaveLength(1)
  }
  const again = [...log, event('refund.done', { refundId: '5' }), event('withdrawal.paid', { withdrawalId: '9' })]
  expect(check(again, { refunds: new Set(['5']), parts: new Map([['7', 'notified']]) })).toEqual([])
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
