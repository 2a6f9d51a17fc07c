// Computed cases 5 and 12: what is credited and not captured is kept back, and so is what the gateway says has left although it was credited.

import { expect, test } from 'vitest'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
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
  payIn,
  payInCaptured,
  refusedWithdrawal,
  sweepUntilDeposit,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { useService } from '../../harness/service.ts'

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '10000.00', RESOLUTION_FOUR_EYES_ABOVE: '50.00' })

/** A 100 captured, B 50 authorised, balance 150; then 80 are lost. */
async function caseFive(tokenOfB: string) {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const B = await newCard(service, client, 'B', { token: tokenOfB })
  await payInCaptured(service, client, A, 100)
  const b = await payIn(service, client, B, 50)
  expect(await optionsOf(service, client)).toEqual({ available: 100, keptBack: 50, A: '100 (100 + 0 + 0)', B: '0' })
  await lose(service, client, 80)
  expect(await optionsOf(service, client)).toEqual({ available: 20, keptBack: 50, A: '20 (20 + 0 + 0)', B: '0' })
  expect(await refusedWithdrawal(service, client, A, 21)).toBe('24003')
  return { client, b }
}

test('5: a deposit that is not captured yet is kept back; captured, it is covered first', async () => {
  const { client, b } = await caseFive('sandbox:approve')
  await sweepUntilDeposit(service, b, 'CAPTURED')
  expect(await optionsOf(service, client)).toEqual({
    available: 70,
    keptBack: 0,
    A: '20 (20 + 0 + 0)',
    B: '50 (50 + 0 + 0)',
  })
  await books(service)
})

test('5, charged back before its capture: until the debit is booked it is kept back', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payIn(service, client, A, 50)
  await win(service, client, 20)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 50 })
  await bankReports(service, { event: 'CAPTURE', reference: a, pounds: 50 })
  expect(await moneyOf(service, client)).toEqual({ balance: 70, debt: 0, pending: 0 })
  expect(await optionsOf(service, client)).toMatchObject({ available: 20, keptBack: 50 })
  const booked = async () => {
    await sweep(service.context)
    return (await moneyOf(service, client)).balance
  }
  await expect.poll(booked, { timeout: 60_000, interval: 20 }).toBe(20)
  expect(await optionsOf(service, client)).toMatchObject({ available: 20, keptBack: 0 })
  await books(service)
})

test('5, its capture fails instead: the customer is debited, and A keeps what it had', async () => {
  const { client, b } = await caseFive('sandbox:capture-refused')
  const before = await books(service)
  await sweepUntilDeposit(service, b, 'REVIEW')
  const after = await books(service)
  expect(after.customer - before.customer).toBe(-50)
  expect(after.psp_uncaptured - before.psp_uncaptured).toBe(50)
  expect(await moneyOf(service, client)).toEqual({ balance: 20, debt: 0, pending: 0 })
  expect(await optionsOf(service, client)).toEqual({ available: 20, keptBack: 0, A: '20 (20 + 0 + 0)', B: '0' })
  const body = { outcome: 'voided', note: 'the gateway shows no capture' }
  expect((await service.operator('POST', `/operator/v1/deposits/${b}/resolution`, body)).status).toBe(200)
  expect(await optionsOf(service, client)).toEqual({ available: 20, keptBack: 0, A: '20 (20 + 0 + 0)', B: '0' })
  await books(service)
})

/** A 100, and withdrawal 1 of it, whose return the bank refused. */
async function caseTwelve() {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-returned' })
  const a = await payInCaptured(service, client, A, 100)
  const first = await takeOut(service, client, { card: A, pounds: 100 })
  await sweepUntilWithdrawal(service, first, 'RETURNED')
  expect(await moneyOf(service, client)).toEqual({ balance: 100, debt: 0, pending: 0 })
  expect(await optionsOf(service, client)).toEqual({ available: 100, keptBack: 0, A: '100 (100 + 0 + 0)' })
  const reference = await partReference(service, first)
  const paidAfterAll = () => bankReports(service, { event: 'REFUND', reference, pounds: 100 })
  return { client, A, a, first, paidAfterAll }
}

/** Two persons record that the money has arrived. */
async function resolveAsPaid(client: Client, id: string): Promise<void> {
  const body = { outcome: 'paid', note: 'the gateway shows it' }
  const [one, other] = await twoPersons(service, ['POST', `withdrawals/${id}/resolution`], body)
  expect([one.status, one.body.state, other.status, other.body.state]).toEqual([200, 'REVIEW', 200, 'PAID'])
  expect((await moneyOf(service, client)).pending).toBe(0)
}

test('12: a return that failed and was paid nevertheless is kept back until two persons have looked', async () => {
  const { client, A, a, first, paidAfterAll } = await caseTwelve()
  await paidAfterAll()
  expect(await partsOf(service, first, { [a]: 'A' })).toEqual(['return 100 of A: paid 0, returned 100, REVIEW'])
  expect((await withdrawalOf(service, first)).state).toBe('REVIEW')
  expect(await optionsOf(service, client)).toEqual({ available: 0, keptBack: 100, A: '0' })
  expect(await refusedWithdrawal(service, client, A, 100)).toBe('24003')
  await resolveAsPaid(client, first)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(0)
  await books(service)
})

test('12, a second withdrawal was paid before: what went out twice is a debt, which the next deposit pays', async () => {
  const { client, A, a, first, paidAfterAll } = await caseTwelve()
  const second = await takeOut(service, client, { card: A, pounds: 100 })
  await sweepUntilWithdrawal(service, second, 'SENDING')
  const reference = await partReference(service, second)
  await bankReports(service, { event: 'REFUND', reference, pounds: 100 })
  expect((await withdrawalOf(service, second)).state).toBe('PAID')
  await paidAfterAll()
  await resolveAsPaid(client, first)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 100, pending: 0 })
  expect(await leftOf(service, a)).toBe(0)
  const B = await newCard(service, client, 'B')
  const b = await payInCaptured(service, client, B, 100)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect(await leftOf(service, b)).toBe(100)
  expect(await optionsOf(service, client)).toEqual({ available: 0, keptBack: 0, A: '0', B: '0' })
  await win(service, client, 30)
  expect(await optionsOf(service, client)).toEqual({ available: 30, keptBack: 0, A: '0', B: '30 (30 + 0 + 0)' })
  await books(service)
})
