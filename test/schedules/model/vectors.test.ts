// The model against the twelve cases that were computed by hand (docs/withdrawals.md has three of them).

import { expect, test } from 'vitest'
import { closeCard, putCard, recordClosedAccount } from './cards.ts'
import { available, keptBack, leftOf, optionOf } from './claims.ts'
import { type Card, cardOf, credit, DAY_MS, depositOf, newCustomer, type Withdrawal } from './customer.ts'
import { approved, askDeposit, captured, captureFailed } from './deposits.ts'
import { disputed, dueOf } from './disputes.ts'
import { cameBack, paid, settle } from './outflows.ts'
import { officeRefunded } from './refunds.ts'
import { approve, askWithdrawal, begin, partsOf, withdrawalStatus } from './withdrawals.ts'

const SETTINGS = {
  withdrawalsByRule: 500,
  refundsByOne: 1_000,
  adjustmentsByOne: 1_000,
  resolutionsByOne: 1_000,
  returnDays: 365,
  maxParts: 50,
  depositsOfDay: 10_000,
  refusesDepositsWithDebt: false,
  payouts: true,
  reviewAfterMs: 600_000,
  disputeDays: 120,
}

function world() {
  const customer = newCustomer(SETTINGS, 'GBP', Date.UTC(2027, 0, 15, 12))
  const expiresAt = customer.now + 900 * DAY_MS
  const card = (id: string) => {
    putCard(customer, id, { token: id, expiresAt, holder: 'customer' }, 'one')
    return cardOf(customer, id) as Card
  }
  let last = 0
  const use = {
    customer,
    A: card('A'),
    B: card('B'),
    authorise(card: Card, amount: number, id = `${card.id} ${++last}`) {
      expect(askDeposit(customer, { id, card: card.id, amount, isChallenged: false })).toBe(null)
      approved(customer, use.deposit(id))
      return id
    },
    pay(card: Card, amount: number, id?: string) {
      const deposit = use.authorise(card, amount, id)
      captured(customer, use.deposit(deposit))
      return deposit
    },
    deposit: (id: string) => depositOf(customer, id) ?? expect.fail(`no deposit ${id}`),
    left: (id: string) => leftOf(customer, use.deposit(id)),
    to: (balance: number) => credit(customer, balance - customer.balance),
    /** Winnings, or stakes. */
    moves(amount: number) {
      if (amount > 0) credit(customer, amount)
      else customer.balance += amount
    },
    ask: (card: Card, amount: number) => askWithdrawal(customer, { key: `${++last}`, card: card.id, amount, by: null }),
    withdraw(card: Card, amount: number): Withdrawal {
      expect(use.ask(card, amount)).toMatch(/REQUESTED|APPROVED/)
      return customer.withdrawals.at(-1) as Withdrawal
    },
    parts: (withdrawal: Withdrawal) =>
      partsOf(customer, withdrawal).map(({ kind, deposit, amount }) => `${kind} ${deposit ?? 'winnings'} ${amount}`),
    begin(withdrawal: Withdrawal) {
      for (const person of ['one', 'two']) approve(customer, withdrawal, person)
      const parts = partsOf(customer, withdrawal)
      for (const part of parts) expect(begin(customer, part)).toBe('called')
      return parts
    },
    paid(withdrawal: Withdrawal) {
      for (const part of use.begin(withdrawal)) expect(paid(customer, part, part.amount)).toBe('applied')
    },
    max: (card: Card) => optionOf(customer, card).max,
    option(card: Card) {
      const { own, freed, winnings } = optionOf(customer, card)
      return `${own} + ${freed} + ${winnings}`
    },
    said: () => `balance ${customer.balance}, debt ${customer.debt}`,
    dispute(id: string, step: 'told' | 'charged' | 'reversed' | 'ended', amount = 0) {
      return disputed(customer, use.deposit(id), { dispute: `of ${id}`, step, amount })
    },
    due: (id: string) => dueOf(customer, use.deposit(id)),
    house: () => customer.disputes.reduce((sum, { house }) => sum + house, 0),
  }
  return use
}

test('1: each card gets what it paid in, then the winnings are free', () => {
  for (const next of ['all to B', 'B only'] as const) {
    const { A, B, ...use } = world()
    use.pay(A, 100)
    const b = use.pay(B, 50)
    use.to(1_000)
    expect([use.option(A), use.option(B)]).toEqual(['100 + 0 + 0', '50 + 0 + 0'])
    use.paid(use.withdraw(A, 100))
    expect([use.max(A), use.option(B)]).toEqual([0, '50 + 0 + 850'])
    if (next === 'all to B') {
      expect(use.parts(use.withdraw(B, 900))).toEqual([`return ${b} 50`, 'payout winnings 850'])
    } else {
      use.paid(use.withdraw(B, 50))
      expect([use.max(A), use.max(B), available(use.customer)]).toEqual([850, 850, 850])
    }
  }
})

test('2: winnings that were withdrawn do not reduce what a card deposits later', () => {
  const { A, B, ...use } = world()
  const a = use.pay(A, 100)
  use.moves(400)
  const withdrawal = use.withdraw(A, 500)
  expect(use.parts(withdrawal)).toEqual([`return ${a} 100`, 'payout winnings 400'])
  use.paid(withdrawal)
  use.pay(A, 50)
  use.pay(B, 50)
  expect([use.option(A), use.option(B)]).toEqual(['50 + 0 + 0', '50 + 0 + 0'])
})

test('3: the card that paid in last is covered first', () => {
  const { A, B, ...use } = world()
  use.pay(A, 100)
  use.moves(-100)
  use.pay(B, 50)
  expect([use.max(A), use.max(B)]).toEqual([0, 50])
  use.moves(70)
  expect([use.option(A), use.option(B)]).toEqual(['70 + 0 + 0', '50 + 0 + 0'])
})

test('4: a part that fails comes back, the other part is paid', () => {
  const { A, ...use } = world()
  use.pay(A, 30, 'd1')
  use.pay(A, 50, 'd2')
  use.moves(20)
  const withdrawal = use.withdraw(A, 60)
  expect(use.parts(withdrawal)).toEqual(['return d2 50', 'return d1 10'])
  const [d2, d1] = use.begin(withdrawal)
  if (d1 === undefined || d2 === undefined) return expect.fail()
  expect(cameBack(use.customer, d2, 50)).toBe('applied')
  expect([use.customer.balance, use.left('d1'), use.left('d2')]).toEqual([90, 20, 50])
  expect(withdrawalStatus(use.customer, withdrawal)).toBe('SENDING')
  paid(use.customer, d1, 10)
  expect(withdrawalStatus(use.customer, withdrawal)).toBe('PAID')
  expect(use.option(A)).toBe('70 + 0 + 20')
})

test('5: what is credited but not captured is kept back', () => {
  for (const capture of ['succeeds', 'fails'] as const) {
    const { A, B, ...use } = world()
    use.pay(A, 100)
    const b = use.deposit(use.authorise(B, 50))
    expect([available(use.customer), keptBack(use.customer), use.max(A), use.max(B)]).toEqual([100, 50, 100, 0])
    use.moves(-80)
    expect([use.max(A), use.max(B)]).toEqual([20, 0])
    if (capture === 'succeeds') {
      captured(use.customer, b)
      expect([use.max(A), use.max(B)]).toEqual([20, 50])
    } else {
      captureFailed(use.customer, b)
      expect([use.customer.balance, use.max(A)]).toEqual([20, 20])
    }
  }
})

test('6: a chargeback of a deposit that was returned', () => {
  for (const next of ['reversed', 'the return failed'] as const) {
    const { A, ...use } = world()
    const a = use.pay(A, 100)
    const withdrawal = use.withdraw(A, 100)
    use.paid(withdrawal)
    use.dispute(a, 'charged', 100)
    expect([use.said(), use.left(a)]).toEqual(['balance 0, debt 100', 0])
    if (next === 'reversed') use.dispute(a, 'reversed', 100)
    else for (const part of partsOf(use.customer, withdrawal)) cameBack(use.customer, part, 100)
    expect([use.said(), use.left(a)]).toEqual(['balance 0, debt 0', 0])
  }
})

test('7: a dispute takes back what waits, and reserves what is left', () => {
  const { A, ...use } = world()
  const a = use.pay(A, 100)
  const withdrawal = use.withdraw(A, 100)
  use.dispute(a, 'charged', 30)
  expect(withdrawalStatus(use.customer, withdrawal)).toBe('RETURNED')
  expect([use.said(), use.left(a), use.max(A)]).toEqual(['balance 70, debt 0', 70, 0])
  use.dispute(a, 'reversed', 10)
  expect([use.customer.balance, use.max(A)]).toEqual([80, 0])
  use.dispute(a, 'ended')
  expect(use.max(A)).toBe(80)
})

test('8: the steps of a dispute are summed in any order, and bounded', () => {
  const { A, ...use } = world()
  const [a, b, c, d] = [use.pay(A, 100), use.pay(A, 100), use.pay(A, 100), use.pay(A, 100)]
  use.dispute(a, 'charged', 20)
  use.dispute(a, 'reversed', 5)
  expect(use.dispute(a, 'charged', 5)).toBe('applied')
  expect(use.due(a)).toBe(20)
  expect(use.dispute(b, 'reversed', 5)).toBe('contradiction reversed-beyond-charge')
  expect(use.due(b)).toBe(0)
  expect(use.dispute(b, 'charged', 20)).toBe('applied')
  expect(use.due(b)).toBe(15)
  use.dispute(c, 'charged', 20)
  const { balance } = use.customer
  expect(use.dispute(c, 'reversed', 25)).toBe('contradiction reversed-beyond-charge')
  expect([use.due(c), use.customer.balance]).toEqual([0, balance + 20])
  expect(use.dispute(d, 'charged', 130)).toBe('contradiction charged-beyond-deposit')
  expect([use.due(d), use.house()]).toEqual([100, 30])
})

test('9: a refund of the back office takes back what waits, and both orders end alike', () => {
  for (const first of ['the refund', 'the call'] as const) {
    const { A, ...use } = world()
    const a = use.pay(A, 100)
    const withdrawal = use.withdraw(A, 100)
    const parts = first === 'the call' ? use.begin(withdrawal) : []
    officeRefunded(use.customer, use.deposit(a), { amount: 40, theirs: 'r' })
    if (first === 'the call') expect(use.said()).toBe('balance 0, debt 40')
    for (const part of parts) cameBack(use.customer, part, 100)
    expect([use.said(), use.left(a)]).toEqual(['balance 60, debt 0', 60])
  }
})

test('10: a card that was closed as stolen gets its own by two persons', () => {
  for (const order of ['S is older', 'S is newer'] as const) {
    const { A, B: S, ...use } = world()
    for (const card of order === 'S is older' ? [S, A] : [A, S]) use.pay(card, card === S ? 300 : 100)
    closeCard(use.customer, S.id)
    if (order === 'S is older') {
      use.to(1_000)
      expect([use.option(A), use.max(S)]).toEqual(['100 + 0 + 600', 300])
      const withdrawal = use.withdraw(S, 300)
      expect(withdrawal.approvals).toBe(2)
      continue
    }
    use.moves(-50)
    expect([use.max(A), use.max(S)]).toEqual([50, 300])
  }
  const { A, B: S, ...use } = world()
  use.pay(S, 300)
  use.pay(A, 100)
  closeCard(use.customer, S.id)
  use.moves(-50)
  expect([use.max(A), use.max(S)]).toEqual([100, 250])
})

test('11: freed claims go to another card, by two persons', () => {
  const { A, B, ...use } = world()
  use.pay(A, 100)
  use.pay(B, 50)
  for (const person of ['one', 'two']) recordClosedAccount(use.customer, A.id, person)
  use.to(1_000)
  expect(use.option(B)).toBe('50 + 100 + 850')
  expect(use.withdraw(B, 50).approvals).toBe(0)
  use.pay(B, 50)
  expect(use.withdraw(B, 150).approvals).toBe(2)
})

test('11: an old deposit of an expired card is freed, that of an open one is paid out', () => {
  for (const state of ['expired', 'open'] as const) {
    const { A, B, ...use } = world()
    use.pay(A, 100)
    use.customer.now += 400 * DAY_MS
    if (state === 'expired') A.expiresAt = use.customer.now - 1
    use.pay(B, 20)
    if (state === 'expired') {
      expect(use.option(B)).toBe('20 + 100 + 0')
    } else {
      expect([use.max(A), use.option(B)]).toEqual([100, '20 + 0 + 0'])
      expect(use.parts(use.withdraw(A, 100))).toEqual(['payout A 1 100'])
    }
  }
})

test('12: a return that failed and is then said to be paid', () => {
  for (const next of ['in time', 'too late'] as const) {
    const { A, B, ...use } = world()
    const a = use.pay(A, 100)
    const [part] = use.begin(use.withdraw(A, 100))
    if (part === undefined) return expect.fail()
    cameBack(use.customer, part, 100)
    expect(use.customer.balance).toBe(100)
    if (next === 'too late') use.paid(use.withdraw(A, 100))
    expect(paid(use.customer, part, 100)).toBe('contradiction paid-after-return')
    if (next === 'in time') {
      expect([keptBack(use.customer), use.ask(A, 100)]).toEqual([100, '24003'])
      settle(use.customer, part, 'paid')
      expect([use.said(), use.left(a)]).toEqual(['balance 0, debt 0', 0])
    } else {
      settle(use.customer, part, 'paid')
      expect([use.said(), use.left(a)]).toEqual(['balance 0, debt 100', 0])
      const b = use.pay(B, 100)
      expect([use.said(), use.left(b), use.max(B)]).toEqual(['balance 0, debt 0', 100, 0])
      use.moves(30)
      expect(use.max(B)).toBe(30)
    }
  }
})
