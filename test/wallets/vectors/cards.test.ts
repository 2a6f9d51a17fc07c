// Computed cases 10 and 11: cards that were closed, expired or whose account is closed.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import {
  approve,
  books,
  type Client,
  leftOf,
  lose,
  moneyOf,
  newCard,
  newClient,
  optionsOf,
  partsOf,
  payInCaptured,
  reasonOf,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
} from '../../harness/cashier.ts'
import { useService } from '../../harness/service.ts'
import { type CardOptions, newExpiry } from '../../harness/wallets.ts'

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '10000.00' })

// ---- Case 10

type Paid = readonly [card: string, pounds: number]

/** A customer with these deposits, the oldest first, whose balance is then `balance`; S is closed. */
async function withStolenCard(paid: readonly Paid[], balance: number) {
  const client = await newClient(service)
  const cards: Record<string, number> = {}
  const names: Record<string, string> = {}
  let sum = 0
  for (const [name, pounds] of paid) {
    cards[name] = await newCard(service, client, name)
    names[await payInCaptured(service, client, cards[name], pounds)] = name
    sum += pounds
  }
  if (balance > sum) await win(service, client, balance - sum)
  if (balance < sum) await lose(service, client, sum - balance)
  const path = `/operator/v1/customers/${client.id}/payment-methods/${cards.S}/closure`
  expect((await service.operator('POST', path, { reason: 'stolen' })).status).toBe(200)
  return { client, cards: cards as { A: number; S: number }, names }
}

test('10: S 300 closed by an operator, A 100, balance 1,000: A takes the winnings, S its own by two persons', async () => {
  const { client, cards, names } = await withStolenCard(
    [
      ['S', 300],
      ['A', 100],
    ],
    1000,
  )
  expect(await optionsOf(service, client)).toEqual({
    available: 1000,
    keptBack: 0,
    A: '700 (100 + 0 + 600)',
    S: '300 (300 + 0 + 0)',
  })
  expect(await reasonOf(service, client, cards.S)).toMatch(/check/i)
  const toS = await takeOut(service, client, { card: cards.S, pounds: 300, status: 'requested' })
  const toA = await takeOut(service, client, { card: cards.A, pounds: 700 })
  await approve(service, toS)
  await sweepUntilWithdrawal(service, toS, 'PAID')
  await sweepUntilWithdrawal(service, toA, 'PAID')
  expect(await partsOf(service, toS, names)).toEqual(['return 300 of S: paid 300, returned 0, PAID'])
  expect(await partsOf(service, toA, names)).toEqual([
    'return 100 of A: paid 100, returned 0, PAID',
    'payout 600 of winnings: paid 600, returned 0, PAID',
  ])
  await books(service)
})

test.each([
  [
    'S older',
    [
      ['S', 300],
      ['A', 100],
    ],
    { A: '100 (100 + 0 + 0)', S: '250 (250 + 0 + 0)' },
  ],
  [
    'S newer',
    [
      ['A', 100],
      ['S', 300],
    ],
    { A: '50 (50 + 0 + 0)', S: '300 (300 + 0 + 0)' },
  ],
] as const)('10, balance 350, %s: the last captured is covered first', async (_, paid, cards) => {
  const { client } = await withStolenCard(paid, 350)
  expect(await optionsOf(service, client)).toEqual({ available: 350, keptBack: 0, ...cards })
  await books(service)
})

// ---- Case 11

type Closing = (client: Client, card: number) => Promise<unknown>

/** Two persons record that the account behind the card is closed. */
const recorded: Closing = async ({ id }, card) => {
  const path = `customers/${id}/payment-methods/${card}/account-closure`
  const answers = await twoPersons(service, ['POST', path], { note: 'a letter of the bank of 3 May' })
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
}

/** The gateway says so for good when a return is tried. */
const saidByTheGateway: Closing = async (client, card) => {
  const tried = await takeOut(service, client, { card, pounds: 100 })
  await sweepUntilWithdrawal(service, tried, 'RETURNED')
}

test.each([
  ['two persons record it', 'sandbox:approve', recorded],
  ['the gateway says so', 'sandbox:account-closed', saidByTheGateway],
] as const)('11: the account of A is closed, as %s: its claim is freed for B', async (_, token, close) => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token })
  const B = await newCard(service, client, 'B')
  const a = await payInCaptured(service, client, A, 100)
  const b = await payInCaptured(service, client, B, 50)
  const names = { [a]: 'A', [b]: 'B' }
  await win(service, client, 850)
  await close(client, A)
  const all = { available: 1000, keptBack: 0, A: '0', B: '1000 (50 + 100 + 850)' }
  expect(await optionsOf(service, client)).toEqual(all)
  expect(await leftOf(service, a)).toBe(100)
  const own = await takeOut(service, client, { card: B, pounds: 50 })
  expect(await partsOf(service, own, names)).toEqual(['return 50 of B: paid 0, returned 0, WAITING'])
  // The own claim is taken by now, so that this takes 100 freed and 50 won.
  const freed = await takeOut(service, client, { card: B, pounds: 150, status: 'requested' })
  await approve(service, freed)
  await sweepUntilWithdrawal(service, freed, 'PAID')
  expect(await partsOf(service, freed, names)).toEqual([
    'payout 100 of A: paid 100, returned 0, PAID',
    'payout 50 of winnings: paid 50, returned 0, PAID',
  ])
  expect(await leftOf(service, a)).toBe(0)
  expect(await moneyOf(service, client)).toMatchObject({ balance: 800, debt: 0 })
  await books(service)
})

test('11, at once: 150 to B take its own 50 and 100 freed, by two persons', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const B = await newCard(service, client, 'B')
  const a = await payInCaptured(service, client, A, 100)
  const b = await payInCaptured(service, client, B, 50)
  await win(service, client, 850)
  await recorded(client, A)
  const freed = await takeOut(service, client, { card: B, pounds: 150, status: 'requested' })
  await approve(service, freed)
  await sweepUntilWithdrawal(service, freed, 'PAID')
  expect(await partsOf(service, freed, { [a]: 'A', [b]: 'B' })).toEqual([
    'return 50 of B: paid 50, returned 0, PAID',
    'payout 100 of A: paid 100, returned 0, PAID',
  ])
  await books(service)
})

/** A 100 of 400 days ago, B 20 of yesterday, balance 120. */
async function oldAndNew(cardA: CardOptions) {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', cardA)
  const a = await payInCaptured(service, client, A, 100)
  service.clock.advance(399 * DAY_MS)
  const B = await newCard(service, client, 'B')
  const b = await payInCaptured(service, client, B, 20)
  service.clock.advance(DAY_MS)
  return { client, A, B, names: { [a]: 'A', [b]: 'B' } }
}

test('11: a deposit of 400 days ago whose card has expired is freed for B', async () => {
  const { client } = await oldAndNew({ expiryDate: newExpiry(service, 3) })
  expect(await optionsOf(service, client)).toEqual({ available: 120, keptBack: 0, A: '0', B: '120 (20 + 100 + 0)' })
  await books(service)
})

test('11: a deposit of 400 days ago whose card takes payouts goes back to it by one, and B gets its own', async () => {
  const { client, A, B, names } = await oldAndNew({})
  expect(await optionsOf(service, client)).toMatchObject({
    available: 120,
    keptBack: 0,
    A: expect.stringMatching(/^100 /),
    B: '20 (20 + 0 + 0)',
  })
  const toA = await takeOut(service, client, { card: A, pounds: 100 })
  const toB = await takeOut(service, client, { card: B, pounds: 20 })
  await sweepUntilWithdrawal(service, toA, 'PAID')
  await sweepUntilWithdrawal(service, toB, 'PAID')
  expect(await partsOf(service, toA, names)).toEqual(['payout 100 of A: paid 100, returned 0, PAID'])
  expect(await partsOf(service, toB, names)).toEqual(['return 20 of B: paid 20, returned 0, PAID'])
  await books(service)
})
