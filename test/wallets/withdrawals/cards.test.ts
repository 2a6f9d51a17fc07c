// What a card may take, by what is known of it, and what becomes of parts that wait when that changes.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  approve,
  bankReports,
  books,
  type Client,
  leftOf,
  moneyOf,
  newCard,
  newClient,
  optionsOf,
  partsOf,
  payInCaptured,
  refusedWithdrawal,
  sweepUntilDeposit,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { refund } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'
import { addCard, HOLDER, newExpiry } from '../../harness/wallets.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '1000.00' })

/** A 100, then B 50, and 200 won. */
async function twoCards(expiryOfA?: string) {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', expiryOfA === undefined ? {} : { expiryDate: expiryOfA })
  const B = await newCard(service, client, 'B')
  const a = await payInCaptured(service, client, A, 100)
  const b = await payInCaptured(service, client, B, 50)
  await win(service, client, 200)
  return { client, A, B, a, b, names: { [a]: 'A', [b]: 'B' } }
}

const pathOf = ({ id }: Client, card: number) => `/operator/v1/customers/${id}/payment-methods/${card}`

test.each(['expired', 'removed'])(
  'a card that is %s takes back its own by the rule and no winnings, and while it can, others get their own only',
  async (how) => {
    const { client, A, B, names } = await twoCards(newExpiry(service, 1))
    if (how === 'expired') service.clock.advance(70 * DAY_MS)
    else expect((await service.operator('DELETE', pathOf(client, A))).status).toBe(204)
    expect(await optionsOf(service, client)).toEqual({
      available: 350,
      keptBack: 0,
      A: '100 (100 + 0 + 0)',
      B: '50 (50 + 0 + 0)',
    })
    const own = await takeOut(service, client, { card: B, pounds: 50 })
    expect(await optionsOf(service, client)).toEqual({ available: 300, keptBack: 0, A: '100 (100 + 0 + 0)', B: '0' })
    const id = await takeOut(service, client, { card: A, pounds: 100 })
    expect(await optionsOf(service, client)).toEqual({ available: 200, keptBack: 0, A: '0', B: '200 (0 + 0 + 200)' })
    for (const one of [own, id]) await sweepUntilWithdrawal(service, one, 'PAID')
    expect(await partsOf(service, id, names)).toEqual(['return 100 of A: paid 100, returned 0, PAID'])
    await books(service)
  },
)

test('a deposit under dispute is reserved: other cards get their own and the winnings, its card winnings alone', async () => {
  const { client, A, B, a } = await twoCards()
  await bankReports(service, { event: 'NOTIFICATION_OF_CHARGEBACK', reference: a, pounds: 100 })
  expect(await optionsOf(service, client)).toEqual({ available: 350, keptBack: 0, A: '0', B: '250 (50 + 0 + 200)' })
  await takeOut(service, client, { card: B, pounds: 50 })
  expect(await optionsOf(service, client)).toEqual({
    available: 300,
    keptBack: 0,
    A: '200 (0 + 0 + 200)',
    B: '200 (0 + 0 + 200)',
  })
  await takeOut(service, client, { card: A, pounds: 200 })
  expect(await optionsOf(service, client)).toEqual({ available: 100, keptBack: 0, A: '0', B: '0' })
  await bankReports(service, { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', reference: a, pounds: 100, endsDispute: true })
  expect(await optionsOf(service, client)).toEqual({ available: 100, keptBack: 0, A: '100 (100 + 0 + 0)', B: '0' })
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 10 })
  expect(await optionsOf(service, client)).toEqual({ available: 90, keptBack: 0, A: '0', B: '0' })
  await books(service)
})

test.each([
  ['a dispute is reported', 'NOTIFICATION_OF_CHARGEBACK', 350],
  ['a capture failed', 'CAPTURE_FAILED', 250],
])('when %s of a deposit its parts that wait come back first', async (_, event, balance) => {
  const { client, A, a, names } = await twoCards()
  const id = await takeOut(service, client, { card: A, pounds: 100 })
  await bankReports(service, { event, reference: a, pounds: 100 })
  expect(await partsOf(service, id, names)).toEqual(['return 100 of A: paid 0, returned 100, RETURNED'])
  expect(await moneyOf(service, client)).toEqual({ balance, debt: 0, pending: 0 })
  if (event === 'CAPTURE_FAILED') await sweepUntilDeposit(service, a, 'REVIEW')
  await books(service)
})

test('what is on its way, under dispute or kept back is not refunded', async () => {
  const { client, A, a, b } = await twoCards()
  const id = await takeOut(service, client, { card: A, pounds: 60 })
  expect(await leftOf(service, a)).toBe(40)
  expect((await refund(service, a, '40.01')).status).toBe(409)
  await bankReports(service, { event: 'NOTIFICATION_OF_CHARGEBACK', reference: b, pounds: 50 })
  expect((await refund(service, b, '1.00')).status).toBe(409)
  expect((await refund(service, a, '40.00')).status).toBe(201)
  expect((await withdrawalOf(service, id)).state).toBe('APPROVED')
  await books(service)
})

test('what a dispute has taken is no longer the card’s, also when it has ended', async () => {
  const { client, A, a } = await twoCards()
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 30 })
  await bankReports(service, { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', reference: a, pounds: 30, endsDispute: true })
  expect(await leftOf(service, a)).toBe(70)
  expect(await optionsOf(service, client)).toMatchObject({ available: 320, A: '70 (70 + 0 + 0)', B: '50 (50 + 0 + 0)' })
  expect(await refusedWithdrawal(service, client, A, 71)).toBe('24003')
})

test.each(['closed', 'removed'])(
  'a card that is %s takes its own and no winnings; without its own it is no card',
  async (how) => {
    const client = await newClient(service)
    const A = await newCard(service, client, 'A')
    const unused = await newCard(service, client, 'unused')
    await payInCaptured(service, client, A, 100)
    await win(service, client, 50)
    for (const card of [A, unused]) {
      const [method, path] =
        how === 'closed' ? ['POST', `${pathOf(client, card)}/closure`] : ['DELETE', pathOf(client, card)]
      const body = how === 'closed' ? { reason: 'reported stolen' } : undefined
      expect((await service.operator(method as string, path as string, body)).status).toBeLessThan(300)
    }
    expect(await optionsOf(service, client)).toMatchObject({ available: 150, A: '100 (100 + 0 + 0)', unused: '0' })
    expect(await refusedWithdrawal(service, client, A, 101)).toBe('24003')
    expect(await refusedWithdrawal(service, client, unused, 1)).toBe('24001')
  },
)

test('what a card can take is not paid outside, also where it is freed', async () => {
  const { client, A } = await twoCards()
  const closed = await twoPersons(
    service,
    ['POST', `${pathOf(client, A).replace('/operator/v1/', '')}/account-closure`],
    {
      note: 'letter of the bank',
    },
  )
  expect(closed.map(({ status }) => status)).toEqual([200, 200])
  expect(await optionsOf(service, client)).toMatchObject({ A: '0', B: '350 (50 + 100 + 200)' })
  const body = { amount: '1.00', bankReference: 'FT-2026-03-0099', note: 'to the account in the customer’s name' }
  const answers = await twoPersons(service, ['POST', `customers/${client.id}/outside-payments`], body)
  expect(answers.map(({ status }) => status)).toEqual([409, 409])
})

/** 100 of A and 50 won wait for the job, approved by the rule. */
async function waiting(expiryOfA?: string) {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', expiryOfA === undefined ? {} : { expiryDate: expiryOfA })
  const a = await payInCaptured(service, client, A, 100)
  await win(service, client, 50)
  return { client, A, id: await takeOut(service, client, { card: A, pounds: 150 }), names: { [a]: 'A' } }
}

test('passing the expiry date holds no return; winnings, which the card takes no more, come back', async () => {
  const { client, id, names } = await waiting(newExpiry(service, 1))
  service.clock.advance(70 * DAY_MS)
  await sweepUntilWithdrawal(service, id, 'PAID')
  expect(await partsOf(service, id, names)).toEqual([
    'return 100 of A: paid 100, returned 0, PAID',
    'payout 50 of winnings: paid 0, returned 50, RETURNED',
  ])
  expect(await moneyOf(service, client)).toEqual({ balance: 50, debt: 0, pending: 0 })
  await books(service)
})

test('a card whose holder is changed before the payment waits for two persons', async () => {
  const { client, A, id } = await waiting()
  await addCard(service, client, { id: A, max: '5000.00', min: '1.00', holder: { ...HOLDER, firstName: 'Bob' } })
  await sweep(service.context)
  expect(await withdrawalOf(service, id)).toMatchObject({ state: 'REQUESTED', hold: 'card', approvedBy: [] })
  await approve(service, id)
  await sweepUntilWithdrawal(service, id, 'PAID')
  await books(service)
})

test('one person who reopens a card lets no money out: withdrawals to it still need two', async () => {
  const { client, A, B } = await twoCards()
  for (const card of [A, B]) {
    const closure = `${pathOf(client, card)}/closure`
    // Nobody has closed B.
    if (card === A) expect((await service.operator('POST', closure, { reason: 'reported stolen' })).status).toBe(200)
    expect((await service.operator('DELETE', closure)).body.closedAt).toBeNull()
  }
  const id = await takeOut(service, client, { card: A, pounds: 50, status: 'requested' })
  await takeOut(service, client, { card: B, pounds: 50 })
  await approve(service, id)
  await sweepUntilWithdrawal(service, id, 'PAID')
  await books(service)
})

test('a new expiry date is no other card: what was approved is paid', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  await payInCaptured(service, client, A, 1200)
  const id = await takeOut(service, client, { card: A, pounds: 1100, status: 'requested' })
  const approval = async () =>
    service.operator('POST', `/operator/v1/withdrawals/${id}/approval`, undefined, await anotherOperator(service))
  await approval()
  await newCard(service, client, 'A', { id: A, expiryDate: '12/48' })
  expect(await withdrawalOf(service, id)).toMatchObject({ hold: null, approvedBy: [expect.any(String)] })
  expect((await approval()).body).toMatchObject({ state: 'APPROVED', hold: null })
  await sweepUntilWithdrawal(service, id, 'PAID')
})

test('what an operator requested needs two others after a change of the card', async () => {
  const { client, A } = await twoCards()
  const [asks, one, other] = await Promise.all([1, 2, 3].map(() => anotherOperator(service)))
  const order = { amount: '100.00', paymentMethodId: `${A}`, reason: 'asked by letter' }
  const requested = await service.operator('POST', `/operator/v1/customers/${client.id}/withdrawals`, order, asks)
  expect((await service.operator('POST', `${pathOf(client, A)}/closure`, { reason: 'reported stolen' })).status).toBe(
    200,
  )
  const approval = async (token?: string) => {
    const path = `/operator/v1/withdrawals/${requested.body.id}/approval`
    const { status, body } = await service.operator('POST', path, undefined, token)
    return [status, body.state, body.waitsFor]
  }
  expect((await approval(asks))[0]).toBe(409)
  expect(await approval(one)).toEqual([200, 'REQUESTED', 'another person'])
  expect((await approval(asks))[0]).toBe(409)
  expect(await approval(other)).toEqual([200, 'APPROVED', null])
  await books(service)
})

test('a card that loses its holder’s name before the payment gives its winnings back', async () => {
  const { client, A, id, names } = await waiting()
  await addCard(service, client, { id: A, max: '5000.00', min: '1.00' })
  expect((await partsOf(service, id, names))[1]).toBe('payout 50 of winnings: paid 0, returned 50, RETURNED')
  expect((await moneyOf(service, client)).balance).toBe(50)
  expect(await refusedWithdrawal(service, client, A, 50)).toBe('24003')
  await books(service)
})
