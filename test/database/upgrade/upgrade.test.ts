// An installation of the version before money-rules, with rows that it wrote itself, is migrated, and goes on by the rules of today.
// What each customer is worth was computed by hand, with the deposits in the order of time: docs/withdrawals.md has the rules.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { checkLedger } from '../../../src/wallets/books/ledger-check.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../../harness/adyen.ts'
import { openTestDatabase } from '../../harness/old-schema.ts'
import {
  type Json,
  newTestDatabase,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../../harness/service.ts'
import { addCard, HOLDER } from '../../harness/wallets.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'
import { loadEarlierVersion } from './load.ts'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let home: TestDatabase
let service: TestService
/** Problems of the ledger between the migration and the first start. */
let migrated: readonly string[]

beforeAll(async () => {
  fake = await startFakeAdyen()
  home = await newTestDatabase('empty')
  const now = await loadEarlierVersion(home)
  // As if the upgrade came at once: whatever depends on days that passed has its own tests.
  vi.setSystemTime(now)
  const database = openTestDatabase(home)
  expect(await migrate(database, now)).toContain('0135-money-rules')
  migrated = (await checkLedger(database)).problems
  await database.close()
  service = await startTestService({ DAILY_DEPOSIT_LIMIT: '100000.00', ...adyenSettings(fake.url) }, home)
  await untilSwept()
})
afterAll(async () => {
  vi.useRealTimers()
  await service.close()
  await fake.close()
  await home.remove()
})

/** What can be sent is sent; the rest waits for persons or notifications. */
async function untilSwept(): Promise<void> {
  for (let sweeps = 0; sweeps < 5; sweeps++) {
    await sweep(service.context)
    service.clock.advance(10_000)
  }
}

async function own(customerId: number, path: string): Promise<Json> {
  const ticket = (await service.context.sessions?.issue(customerId, null))?.ticket ?? ''
  const reply = await service.call('GET', `/v1/wallets/me/${path}`, { ticket, accept: 'application/json' })
  return reply.status === 204 ? null : reply.json().whoWallets
}

/** `A 60 (60 + 0 + 0)`: the first card may take 60, of it returns, freed claims and winnings. */
async function optionsOf(customerId: number): Promise<string> {
  const { options, available, keptBack } = await own(customerId, 'withdrawals/options')
  const cards = options.map(({ id, max, returns, freed, winnings }: Json) => {
    const name = String.fromCharCode(64 + Number(id) - customerId * 10)
    return `${name} ${Number(max)} (${Number(returns)} + ${Number(freed)} + ${Number(winnings)})`
  })
  const kept = keptBack.map(({ amount }: Json) => Number(amount))
  return [`available ${Number(available)}`, ...(kept.length > 0 ? [`kept back ${kept}`] : []), ...cards].join(', ')
}

async function moneyOf(customerId: number): Promise<string> {
  const { balance, debt, pending } = await own(customerId, 'balance')
  return `${Number(balance)}, ${Number(debt)} owed, ${Number(pending)} pending`
}

/** Oldest first, each with its parts: what it took of which deposit of the customer, counted from 1, or of winnings. */
async function withdrawalsOf(customerId: number): Promise<string[]> {
  const listed = await own(customerId, 'withdrawals')
  const reply = await service.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)
  const deposits = reply.body.items.map(({ paymentId }: Json) => paymentId).toReversed()
  return [listed?.withdrawals ?? []]
    .flat()
    .toReversed()
    .map(({ status, part }: Json) => {
      const parts = [part].flat().map((one: Json) => {
        const of = one.paymentId === undefined ? 'winnings' : `deposit ${deposits.indexOf(one.paymentId) + 1}`
        return `${one.kind} ${Number(one.amount)} of ${of} ${one.status}`
      })
      return `${status}: ${parts.join(', ')}`
    })
}

type Expected = { money: string; options: string; withdrawals?: string[] }

const A = (amount: number) => `available ${amount}, A ${amount} (${amount} + 0 + 0)`
const NOTHING = 'available 0, A 0 (0 + 0 + 0)'
/** A disputed claim, or winnings of a card whose holder is not known. */
const reserved = (amount: number) => `available ${amount}, A 0 (0 + 0 + 0)`
const has = (amount: number, more: Partial<Expected> = {}): Expected => ({
  money: `${amount}, 0 owed, 0 pending`,
  options: A(amount),
  ...more,
})

const CASES: Readonly<Record<number, Expected>> = {
  // A 100, B 50, won 850; 100 to A, then 450 to B.
  101: has(450, {
    options: 'available 450, A 0 (0 + 0 + 0), B 0 (0 + 0 + 0)',
    withdrawals: [
      'paid: payout 100 of deposit 1 paid',
      'paid: payout 50 of deposit 2 paid, payout 400 of winnings paid',
    ],
  }),
  // A 100, lost, B 50, and these 50 to A; then won 130. A has half of its claim left.
  102: has(130, {
    options: 'available 130, A 50 (50 + 0 + 0), B 50 (50 + 0 + 0)',
    withdrawals: ['paid: payout 50 of deposit 1 paid'],
  }),
  103: has(60, { withdrawals: ['paid: payout 40 of deposit 1 paid'] }),
  // 30, then 50, won 120; withdrawn 60 and 90.
  104: has(50, {
    options: reserved(50),
    withdrawals: [
      'paid: payout 50 of deposit 2 paid, payout 10 of deposit 1 paid',
      'paid: payout 20 of deposit 1 paid, payout 70 of winnings paid',
    ],
  }),
  105: has(100, { withdrawals: ['returned: payout 40 of deposit 1 returned'] }),
  106: has(1500, { withdrawals: ['refused: payout 1200 of deposit 1 returned'] }),
  107: {
    money: '20, 0 owed, 110 pending',
    options: reserved(20),
    withdrawals: ['review: payout 100 of deposit 1 review, payout 10 of winnings review'],
  },
  // Refunds of 100: 40 done, 30 sent, 20 failed, 25 in review; 1,200 of 1,500 not approved.
  111: has(60),
  112: has(70),
  113: has(100),
  114: has(75),
  115: has(300),
  // Lost 80, and 50 were refunded in the back office.
  116: { money: '0, 30 owed, 0 pending', options: NOTHING },
  // Disputes of 100: reported; charged 30; charged 20 and reversed 5, 20; charged again; lost; won; over; over, then charged 30.
  121: has(100, { options: reserved(100) }),
  122: has(70, { options: reserved(70) }),
  123: has(85, { options: reserved(85) }),
  124: has(100, { options: reserved(100) }),
  125: has(80),
  126: has(80),
  127: has(100),
  128: has(100),
  129: has(70, { options: reserved(70) }),
  // 100, lost 90, charged back 100, then deposited 50.
  130: { money: '0, 40 owed, 0 pending', options: NOTHING },
  // Captures that were refused, failed, or have no result.
  141: has(100, { options: 'available 0, kept back 100, A 0 (0 + 0 + 0)' }),
  142: has(100, { options: 'available 0, kept back 100, A 0 (0 + 0 + 0)' }),
  143: has(100, { options: 'available 0, kept back 100, A 0 (0 + 0 + 0)' }),
  144: has(0),
  145: has(0),
  146: has(0),
  147: has(0),
  // Adyen's payouts of 40 (152: of 120 with 50 won): sent; sent; failed and paid; paid and failed; paid and reversed; failed and paid.
  151: { money: '60, 0 owed, 40 pending', options: A(60), withdrawals: ['review: payout 40 of deposit 1 review'] },
  152: {
    money: '30, 0 owed, 120 pending',
    options: reserved(30),
    withdrawals: ['review: payout 100 of deposit 1 review, payout 20 of winnings review'],
  },
  153: has(100, {
    options: 'available 60, kept back 40, A 60 (60 + 0 + 0)',
    withdrawals: ['review: payout 40 of deposit 1 review'],
  }),
  154: has(60, { withdrawals: ['review: payout 40 of deposit 1 review'] }),
  155: has(100, { withdrawals: ['returned: payout 40 of deposit 1 returned'] }),
  156: has(60, { withdrawals: ['paid: payout 40 of deposit 1 paid'] }),
  // 100 pounds with A; then 50 euros with B, of which 20 went back.
  161: has(30, {
    options: 'available 30, A 0 (0 + 0 + 0), B 30 (30 + 0 + 0)',
    withdrawals: ['paid: payout 20 of deposit 2 paid'],
  }),
  // Of 1,500 1,200 wait: not approved, held, approved by one person.
  171: {
    money: '300, 0 owed, 1200 pending',
    options: A(300),
    withdrawals: ['requested: return 1200 of deposit 1 waiting'],
  },
  172: {
    money: '300, 0 owed, 1200 pending',
    options: A(300),
    withdrawals: ['requested: return 1200 of deposit 1 waiting'],
  },
  173: {
    money: '300, 0 owed, 1200 pending',
    options: A(300),
    withdrawals: ['requested: return 1200 of deposit 1 waiting'],
  },
  // Approved, and sent after the upgrade.
  174: has(40, { withdrawals: ['paid: return 60 of deposit 1 paid'] }),
  // 100, won 50, all approved: the card takes no payouts.
  175: {
    money: '50, 0 owed, 100 pending',
    options: reserved(50),
    withdrawals: ['requested: return 100 of deposit 1 waiting, payout 50 of winnings returned'],
  },
  // A 100, lost, B 50; these 50 were approved to A.
  176: has(50, {
    options: 'available 50, A 0 (0 + 0 + 0), B 50 (50 + 0 + 0)',
    withdrawals: ['returned: payout 50 of winnings returned'],
  }),
  // 60 of 100 approved, then the card was closed.
  177: { money: '40, 0 owed, 60 pending', options: A(40), withdrawals: ['requested: return 60 of deposit 1 waiting'] },
  // 60 of 100 approved, then 30 of the deposit charged back.
  178: has(70, { options: reserved(70), withdrawals: ['returned: payout 60 of winnings returned'] }),
  // A 100, B 100; 90 to A approved, the rest lost, and B charged back.
  179: {
    money: '0, 100 owed, 90 pending',
    options: 'available 0, A 0 (0 + 0 + 0), B 0 (0 + 0 + 0)',
    withdrawals: ['requested: return 90 of deposit 1 waiting'],
  },
  // 20, charged back 7 and refunded 6 before the capture.
  181: has(7, { options: reserved(7) }),
  // A 100, B 50 captured after the upgrade.
  182: has(150, { options: 'available 150, A 100 (100 + 0 + 0), B 50 (50 + 0 + 0)' }),
  183: has(90),
  184: has(0),
}

describe('right after the upgrade', () => {
  test('the ledger adds up, before and after the parts of withdrawals are written', async () => {
    expect(migrated).toEqual([])
    expect((await checkLedger(service.context.database)).problems).toEqual([])
  })

  test.each(Object.entries(CASES))('customer %s', async (id, { money, options, withdrawals = [] }) => {
    const customerId = Number(id)
    expect(await moneyOf(customerId)).toBe(money)
    expect(await optionsOf(customerId)).toBe(options)
    expect(await withdrawalsOf(customerId)).toEqual(withdrawals)
  })
})

// ---- How it goes on

async function operator(method: string, path: string, body?: object, token?: string): Promise<Json> {
  const reply = await service.operator(method, `/operator/v1/${path}`, body, token)
  expect([200, 201, 204], JSON.stringify(reply.body)).toContain(reply.status)
  return reply.body
}

/** Of the only withdrawal, refund or dispute of a customer, or of their first deposit. */
async function firstOf(customerId: number, list: 'withdrawals' | 'refunds' | 'disputes' | 'deposits'): Promise<Json> {
  return (await operator('GET', `${list}?customerId=${customerId}`)).items.at(-1)
}

async function idOf(customerId: number, list: 'withdrawals' | 'refunds' | 'disputes' | 'deposits'): Promise<string> {
  const first = await firstOf(customerId, list)
  return list === 'deposits' ? first.paymentId : first.id
}

async function adyenSays(customerId: number, success: boolean, value: number): Promise<void> {
  const { reference } = await firstOf(customerId, 'withdrawals')
  const body = adyenNotification({ event: 'PAYOUT_THIRDPARTY', reference, psp: `PSP${customerId}`, value, success })
  expect((await service.call('POST', '/v1/notifications/adyen', { key: null, secret: null, body })).text).toBe(
    '[accepted]',
  )
}

async function resolve(
  customerId: number,
  list: 'withdrawals' | 'refunds' | 'deposits',
  outcome: string,
): Promise<void> {
  await operator('POST', `${list}/${await idOf(customerId, list)}/resolution`, { outcome, note: 'seen at the gateway' })
}

describe('how it goes on', () => {
  let colleague: string
  beforeAll(async () => {
    colleague = await anotherOperator(service)
  })

  test('notifications of the payouts that the earlier version sent are understood', async () => {
    await adyenSays(151, true, 4_000)
    expect([await moneyOf(151), ...(await withdrawalsOf(151))]).toEqual([
      '60, 0 owed, 0 pending',
      'paid: payout 40 of deposit 1 paid',
    ])
    await adyenSays(152, false, 12_000)
    expect([await moneyOf(152), await optionsOf(152), ...(await withdrawalsOf(152))]).toEqual([
      '150, 0 owed, 0 pending',
      'available 150, A 100 (100 + 0 + 0)',
      'returned: payout 100 of deposit 1 returned, payout 20 of winnings returned',
    ])
  })

  test('persons resolve what was in review', async () => {
    await resolve(153, 'withdrawals', 'paid')
    expect([await moneyOf(153), await optionsOf(153)]).toEqual(['60, 0 owed, 0 pending', A(60)])
    await resolve(154, 'withdrawals', 'returned')
    expect([await moneyOf(154), await optionsOf(154)]).toEqual(['100, 0 owed, 0 pending', A(100)])
    await resolve(114, 'refunds', 'failed')
    expect([await moneyOf(114), await optionsOf(114)]).toEqual(['100, 0 owed, 0 pending', A(100)])
    await resolve(141, 'deposits', 'voided')
    await resolve(142, 'deposits', 'captured')
    await resolve(145, 'deposits', 'captured')
    expect([await moneyOf(141), await moneyOf(142), await optionsOf(142)]).toEqual([
      '0, 0 owed, 0 pending',
      '100, 0 owed, 0 pending',
      A(100),
    ])
    expect([await moneyOf(145), await optionsOf(145)]).toEqual(['100, 0 owed, 0 pending', A(100)])
  })

  test('what waits for a second person is approved by one who is somebody else', async () => {
    const approve = async (customerId: number, token?: string) =>
      operator('POST', `withdrawals/${await idOf(customerId, 'withdrawals')}/approval`, undefined, token)
    await approve(171)
    await approve(171, colleague)
    await approve(173, colleague)
    // Requested with a token that has no owner, as the tests' own: the same person.
    const requested = await idOf(180, 'withdrawals')
    expect((await service.operator('POST', `/operator/v1/withdrawals/${requested}/approval`)).status).toBe(409)
    await approve(180, colleague)
    await operator('POST', `refunds/${await idOf(115, 'refunds')}/approval`, undefined, colleague)
    const held = await idOf(172, 'withdrawals')
    await operator('DELETE', `withdrawals/${held}/hold`)
    await operator('POST', `withdrawals/${held}/refusal`, { reason: 'Not your card.' })
    await untilSwept()
    expect([await withdrawalsOf(171), await withdrawalsOf(172), await withdrawalsOf(173)]).toEqual([
      ['paid: return 1200 of deposit 1 paid'],
      ['refused: return 1200 of deposit 1 returned'],
      ['paid: return 1200 of deposit 1 paid'],
    ])
    expect((await firstOf(180, 'withdrawals')).state).toBe('PAID')
    expect((await firstOf(115, 'refunds')).state).toBe('DONE')
  })

  test('a refund that was sent is done when its notification comes, and a dispute ends by two persons', async () => {
    await operator('POST', 'sandbox/disputes', {
      paymentId: await idOf(112, 'deposits'),
      event: 'REFUND',
      amount: '30.00',
    })
    expect((await firstOf(112, 'refunds')).state).toBe('DONE')
    expect(await moneyOf(112)).toBe('70, 0 owed, 0 pending')
    // Delivered again: a step of a dispute that the earlier version has applied.
    const again = { paymentId: await idOf(122, 'deposits'), event: 'CHARGEBACK', amount: '30.00' }
    await operator('POST', 'sandbox/disputes', again)
    expect(await moneyOf(122)).toBe('70, 0 owed, 0 pending')
    const dispute = await idOf(123, 'disputes')
    await operator('POST', `disputes/${dispute}/end`, { note: 'no news' })
    await operator('POST', `disputes/${dispute}/end`, { note: 'no news' }, colleague)
    expect(await optionsOf(123)).toBe(A(85))
  })

  test('with the name of its holder a card takes winnings', async () => {
    await addCard(service, { id: 101 }, { id: 1012, max: '5000.00', holder: HOLDER })
    expect(await optionsOf(101)).toBe('available 450, A 0 (0 + 0 + 0), B 450 (0 + 0 + 450)')
  })

  test('every statement ends with the balance, its lines add up, and so does the ledger', async () => {
    for (const customerId of Object.keys(CASES).map(Number)) {
      const { statement } = await own(customerId, 'statement?from=2026-01-01&blockSize=100')
      const lines = [statement.line ?? []].flat()
      const sum = lines.reduce((total: number, { amount }: Json) => total + Math.round(Number(amount) * 100), 0)
      const { balance } = await own(customerId, 'balance')
      expect([customerId, statement.closing, sum / 100], `${customerId}`).toEqual([
        customerId,
        balance,
        Number(balance),
      ])
    }
    expect((await operator('GET', 'ledger/check')).problems).toEqual([])
  })
})
