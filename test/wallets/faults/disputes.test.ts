// Faults of disputes and of the debts that they leave.

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
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
} from '../../harness/cashier.ts'
import { disputesOf } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '10000.00', REVIEW_AFTER_SECONDS: '86400' })

test('a reversal of 5 of a chargeback of 20 credits 5', async () => {
  const client = await newClient(service)
  const a = await payInCaptured(service, client, await newCard(service, client, 'A'), 20)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 20 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 5 })
  expect(await moneyOf(service, client)).toEqual({ balance: 5, debt: 0, pending: 0 })
  // Sent twice, it is applied once.
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 5 })
  expect(await moneyOf(service, client)).toEqual({ balance: 5, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(5)
  await books(service)
})

/** 60 are on their way to A, of two deposits, and B was charged back: a debt of 30. */
async function withDebt() {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-slow' })
  const d1 = await payInCaptured(service, client, A, 40)
  const d2 = await payInCaptured(service, client, A, 20)
  const id = await takeOut(service, client, { card: A, pounds: 60 })
  await sweepUntilWithdrawal(service, id, 'SENDING')
  const b = await payInCaptured(service, client, await newCard(service, client, 'B'), 30)
  await lose(service, client, 30)
  await bankReports(service, { event: 'CHARGEBACK', reference: b, pounds: 30 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 30, pending: 60 })
  const references = [await partReference(service, id, d1), await partReference(service, id, d2)] as [string, string]
  return { client, id, d1, d2, references }
}

test('two parts of one withdrawal come back, and each pays what it can of the debt', async () => {
  const { client, id, d1, d2, references } = await withDebt()
  const [one, two] = references
  await bankReports(service, { event: 'REFUND', success: false, reference: two, pounds: 20 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 10, pending: 40 })
  await bankReports(service, { event: 'REFUND', success: false, reference: one, pounds: 40 })
  expect(await moneyOf(service, client)).toEqual({ balance: 30, debt: 0, pending: 0 })
  expect(await partsOf(service, id, { [d1]: 'd1', [d2]: 'd2' })).toEqual([
    'return 20 of d2: paid 0, returned 20, RETURNED',
    'return 40 of d1: paid 0, returned 40, RETURNED',
  ])
  await books(service)
})

test('one part comes back in two steps, and each pays what it can of the debt', async () => {
  const { client, id, d1, d2, references } = await withDebt()
  const [one, two] = references
  await bankReports(service, { event: 'REFUND', reference: two, pounds: 20 })
  await bankReports(service, { event: 'REFUND', success: false, reference: one, pounds: 15 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 15, pending: 25 })
  await bankReports(service, { event: 'REFUND', success: false, reference: one, pounds: 25 })
  expect(await moneyOf(service, client)).toEqual({ balance: 10, debt: 0, pending: 0 })
  expect(await partsOf(service, id, { [d1]: 'd1', [d2]: 'd2' })).toEqual([
    'return 20 of d2: paid 20, returned 0, PAID',
    'return 40 of d1: paid 0, returned 40, RETURNED',
  ])
  await books(service)
})

test('a debt is what it is when a credit pays it, whatever else happens to the customer at the same time', async () => {
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    const client = await newClient(service)
    const A = await newCard(service, client, 'A')
    const a = await payInCaptured(service, client, A, 100)
    const b = await payInCaptured(service, client, A, 30)
    await lose(service, client, 130)
    await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 100 })
    expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 100, pending: 0 })
    await Promise.all([
      win(service, client, 30),
      bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 20 }),
      win(service, client, 40),
      bankReports(service, { event: 'REFUND', reference: b, pounds: 10 }),
      win(service, client, 50),
      sweep(service.context),
      bankReports(service, { event: 'CHARGEBACK', reference: b, pounds: 15 }),
    ])
    // −100 + 30 + 20 + 40 − 10 + 50 − 15
    expect(await moneyOf(service, client)).toEqual({ balance: 15, debt: 0, pending: 0 })
  }
  await books(service)
})

test('a part that was paid in part and does not arrive at all pays one debt with both', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-slow' })
  const B = await newCard(service, client, 'B')
  await payInCaptured(service, client, A, 50)
  const b = await payInCaptured(service, client, B, 40)
  const id = await takeOut(service, client, { card: A, pounds: 50 })
  await sweepUntilWithdrawal(service, id, 'SENDING')
  await lose(service, client, 40)
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'REFUND', reference, pounds: 30 })
  await bankReports(service, { event: 'CHARGEBACK', reference: b, pounds: 40 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 40, pending: 20 })
  await bankReports(service, { event: 'REFUND_FAILED', reference, pounds: 50 })
  expect(await moneyOf(service, client)).toEqual({ balance: 10, debt: 0, pending: 0 })
  await books(service)
})

// ---- What comes back after the house has written the debt off

/** A 100, spent, and charged back; of the debt two persons write off so many pounds. */
async function writtenOff(pounds: number) {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 100)
  await lose(service, client, 100)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 100 })
  const before = await books(service)
  await writeOff(client, pounds)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 100 - pounds, pending: 0 })
  const lost = async () => (await books(service)).house_losses - before.house_losses
  expect(await lost()).toBe(-pounds)
  return { client, A, a, lost }
}

async function writeOff({ id }: Client, pounds: number): Promise<void> {
  const body = { amount: `${pounds}.00`, note: 'cannot be collected' }
  const [, second] = await twoPersons(service, ['POST', `customers/${id}/debt-write-offs`], body)
  expect(second.status).toBe(201)
}

test('a chargeback that is reversed gives the house what it wrote off', async () => {
  const { client, a, lost } = await writtenOff(100)
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 40 })
  expect([await moneyOf(service, client), await lost()]).toEqual([{ balance: 0, debt: 0, pending: 0 }, -60])
  await win(service, client, 10)
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 60 })
  expect([await moneyOf(service, client), await lost()]).toEqual([{ balance: 10, debt: 0, pending: 0 }, 0])
  expect(await leftOf(service, a)).toBe(100)
  // Charged again, it is owed again, and a reversal of what nobody wrote off is the customer's.
  await bankReports(service, { event: 'SECOND_CHARGEBACK', reference: a, pounds: 100 })
  expect([await moneyOf(service, client), await lost()]).toEqual([{ balance: 0, debt: 90, pending: 0 }, 0])
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 100 })
  expect([await moneyOf(service, client), await lost()]).toEqual([{ balance: 10, debt: 0, pending: 0 }, 0])
})

test('a part of the debt was written off: the house first, then what is still owed, then the customer', async () => {
  const { client, a, lost } = await writtenOff(60)
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 45 })
  expect([await moneyOf(service, client), await lost()]).toEqual([{ balance: 0, debt: 40, pending: 0 }, -15])
  await win(service, client, 25)
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 55 })
  // 15 to the house, 15 that are owed, 25 to the customer.
  expect([await moneyOf(service, client), await lost()]).toEqual([{ balance: 25, debt: 0, pending: 0 }, 0])
})

test('what a bank took of the balance and returns is the customer’s, whatever was written off for another deposit', async () => {
  const { client, A, lost } = await writtenOff(100)
  const b = await payInCaptured(service, client, A, 50)
  await bankReports(service, { event: 'CHARGEBACK', reference: b, pounds: 50 })
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: b, pounds: 50 })
  expect([await moneyOf(service, client), await lost()]).toEqual([{ balance: 50, debt: 0, pending: 0 }, -100])
})

test('a refund of the back office that comes back gives the house what it wrote off', async () => {
  const client = await newClient(service)
  const a = await payInCaptured(service, client, await newCard(service, client, 'A'), 100)
  await lose(service, client, 70)
  const told = { reference: a, pounds: 100, gatewayReference: `office ${a}` }
  await bankReports(service, { ...told, event: 'REFUND' })
  const before = await books(service)
  await writeOff(client, 70)
  await bankReports(service, { ...told, event: 'REFUNDED_REVERSED' })
  expect(await moneyOf(service, client)).toEqual({ balance: 30, debt: 0, pending: 0 })
  expect((await books(service)).house_losses).toBe(before.house_losses)
})

test('a withdrawal that comes back gives the house what it wrote off of its deposit', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 100)
  const id = await takeOut(service, client, { card: A, pounds: 100 })
  await sweepUntilWithdrawal(service, id, 'PAID')
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 100 })
  const before = await books(service)
  await writeOff(client, 80)
  await bankReports(service, { event: 'REFUND_FAILED', reference: await partReference(service, id), pounds: 100 })
  // 80 to the house, 20 that are owed.
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect((await books(service)).house_losses).toBe(before.house_losses)
  expect(await leftOf(service, a)).toBe(0)
})

test('news of a dispute that has ended opens it again, and keeps what is left of its deposit until it ends again', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 100)
  const told = (event: string) => bankReports(service, { event, reference: a, pounds: 30 })
  const dispute = async () => (await disputesOf(service, a))[0]
  await told('CHARGEBACK')
  expect(await optionsOf(service, client)).toMatchObject({ available: 70, A: '0' })
  await told('DISPUTE_DEFENSE_PERIOD_ENDED')
  expect((await dispute()).endedAt).toEqual(expect.any(String))
  expect(await optionsOf(service, client)).toMatchObject({ available: 70, A: '70 (70 + 0 + 0)' })
  await told('ISSUER_COMMENTS')
  expect((await dispute()).endedAt).toBeNull()
  expect(await optionsOf(service, client)).toMatchObject({ available: 70, A: '0' })
  await twoPersons(service, ['POST', `disputes/${(await dispute()).id}/end`], { note: 'the bank has closed the case' })
  expect(await optionsOf(service, client)).toMatchObject({ available: 70, A: '70 (70 + 0 + 0)' })
  await books(service)
})
