// Computed cases 1 to 4: the last captured deposit is covered first, a card gets its own, and winnings go out when no card has a claim.

import { expect, test } from 'vitest'
import {
  bankReports,
  books,
  type Client,
  leftOf,
  lose,
  moneyOf,
  newCard,
  newClient,
  optionsOf,
  partReference,
  partsOf,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { useService } from '../../harness/service.ts'

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '10000.00' })

type Player = Client & { A: number; B: number }

async function twoCards(tokenOfA = 'sandbox:approve'): Promise<Player> {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: tokenOfA })
  return { ...client, A, B: await newCard(service, client, 'B') }
}

/** A 100, then B 50, balance 1,000. */
async function caseOne() {
  const client = await twoCards()
  const a = await payInCaptured(service, client, client.A, 100)
  const b = await payInCaptured(service, client, client.B, 50)
  await win(service, client, 850)
  return { client, names: { [a]: 'A', [b]: 'B' }, a, b }
}

test('1: A 100, then B 50, balance 1,000: each card its own, then everything to B', async () => {
  const { client, names, a, b } = await caseOne()
  const { A, B } = client
  expect(await optionsOf(service, client)).toEqual({
    available: 1000,
    keptBack: 0,
    A: '100 (100 + 0 + 0)',
    B: '50 (50 + 0 + 0)',
  })
  const before = await books(service)
  const first = await takeOut(service, client, { card: A, pounds: 100 })
  expect(await optionsOf(service, client)).toEqual({ available: 900, keptBack: 0, A: '0', B: '900 (50 + 0 + 850)' })
  const second = await takeOut(service, client, { card: B, pounds: 900 })
  await sweepUntilWithdrawal(service, first, 'PAID')
  await sweepUntilWithdrawal(service, second, 'PAID')
  expect(await partsOf(service, first, names)).toEqual(['return 100 of A: paid 100, returned 0, PAID'])
  expect(await partsOf(service, second, names)).toEqual([
    'return 50 of B: paid 50, returned 0, PAID',
    'payout 850 of winnings: paid 850, returned 0, PAID',
  ])
  const after = await books(service)
  expect(after.psp_captured - before.psp_captured).toBe(150)
  expect(after.payout_funds - before.payout_funds).toBe(850)
  expect(after.payout_pending).toBe(before.payout_pending)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect([await leftOf(service, a), await leftOf(service, b)]).toEqual([0, 0])
})

test('1, instead of the rest: 50 to B, and both cards may take what was won', async () => {
  const { client, names } = await caseOne()
  const { A, B } = client
  await takeOut(service, client, { card: A, pounds: 100 })
  const second = await takeOut(service, client, { card: B, pounds: 50 })
  expect(await partsOf(service, second, names)).toEqual(['return 50 of B: paid 0, returned 0, WAITING'])
  expect(await optionsOf(service, client)).toEqual({
    available: 850,
    keptBack: 0,
    A: '850 (0 + 0 + 850)',
    B: '850 (0 + 0 + 850)',
  })
})

test('2: winnings that went out take no claim: what A pays in later goes back to A, and what B pays in to B', async () => {
  const client = await twoCards()
  const { A, B } = client
  const first = await payInCaptured(service, client, A, 100)
  await win(service, client, 400)
  const withdrawal = await takeOut(service, client, { card: A, pounds: 500 })
  await sweepUntilWithdrawal(service, withdrawal, 'PAID')
  expect(await partsOf(service, withdrawal, { [first]: 'A' })).toEqual([
    'return 100 of A: paid 100, returned 0, PAID',
    'payout 400 of winnings: paid 400, returned 0, PAID',
  ])
  const a = await payInCaptured(service, client, A, 50)
  const b = await payInCaptured(service, client, B, 50)
  expect(await optionsOf(service, client)).toEqual({
    available: 100,
    keptBack: 0,
    A: '50 (50 + 0 + 0)',
    B: '50 (50 + 0 + 0)',
  })
  expect([await leftOf(service, first), await leftOf(service, a), await leftOf(service, b)]).toEqual([0, 50, 50])
  await books(service)
})

test('3: after A’s money was lost, what B pays in goes back to B alone', async () => {
  const client = await twoCards()
  const { A, B } = client
  await payInCaptured(service, client, A, 100)
  await lose(service, client, 100)
  await payInCaptured(service, client, B, 50)
  expect(await optionsOf(service, client)).toEqual({ available: 50, keptBack: 0, A: '0', B: '50 (50 + 0 + 0)' })
  await win(service, client, 70)
  expect(await optionsOf(service, client)).toEqual({
    available: 120,
    keptBack: 0,
    A: '70 (70 + 0 + 0)',
    B: '50 (50 + 0 + 0)',
  })
  await books(service)
})

test('4: of a withdrawal of two deposits one part fails: it is credited, and its claim is left again', async () => {
  const client = await twoCards('sandbox:payout-slow')
  const { A } = client
  const d1 = await payInCaptured(service, client, A, 30)
  const d2 = await payInCaptured(service, client, A, 50)
  const names = { [d1]: 'd1', [d2]: 'd2' }
  await win(service, client, 20)
  const withdrawal = await takeOut(service, client, { card: A, pounds: 60 })
  expect(await partsOf(service, withdrawal, names)).toEqual([
    'return 50 of d2: paid 0, returned 0, WAITING',
    'return 10 of d1: paid 0, returned 0, WAITING',
  ])
  await sweepUntilWithdrawal(service, withdrawal, 'SENDING')
  const reference = await partReference(service, withdrawal, d2)
  await bankReports(service, { event: 'REFUND', success: false, reference, pounds: 50 })
  expect(await moneyOf(service, client)).toEqual({ balance: 90, debt: 0, pending: 10 })
  await sweepUntilWithdrawal(service, withdrawal, 'PAID')
  expect(await partsOf(service, withdrawal, names)).toEqual([
    'return 50 of d2: paid 0, returned 50, RETURNED',
    'return 10 of d1: paid 10, returned 0, PAID',
  ])
  expect(await withdrawalOf(service, withdrawal)).toMatchObject({ state: 'PAID', paid: '10.00', returned: '50.00' })
  expect(await moneyOf(service, client)).toEqual({ balance: 90, debt: 0, pending: 0 })
  expect([await leftOf(service, d1), await leftOf(service, d2)]).toEqual([20, 50])
  expect(await optionsOf(service, client)).toEqual({ available: 90, keptBack: 0, A: '90 (70 + 0 + 20)', B: '0' })
  await books(service)
})
