// How much of a deposit can be refunded, where each bound alone stands in the way; and its calls, one after another. Amounts by hand.

import { expect, test } from 'vitest'
import type { Gateway } from '../../../src/wallets/gateways/gateway.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  bankReports,
  books,
  leftOf,
  lose,
  moneyOf,
  newCard,
  newClient,
  payIn,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { refund, sweepUntilRefunds } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'

/** By our reference of the deposit: how many calls have no answer yet, and the most of them at once. */
const calls = new Map<string, { open: number; most: number }>()

function counting(port: Gateway): Gateway {
  return {
    ...port,
    async refund(payment, request) {
      const count = calls.get(payment.reference) ?? { open: 0, most: 0 }
      calls.set(payment.reference, count)
      count.open++
      count.most = Math.max(count.most, count.open)
      // Long enough for everything else that can be sent.
      await new Promise((resolve) => setTimeout(resolve, 100))
      count.open--
      return port.refund(payment, request)
    },
  }
}

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '1000.00' }, { gateway: counting })

/** A 100 captured, and 50 won. */
async function winner() {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 100)
  await win(service, client, 50)
  return { client, A, a }
}

test('winnings are not refunded: at most what is left of the deposit', async () => {
  const { a } = await winner()
  expect((await refund(service, a, '100.01')).status).toBe(409)
  expect((await refund(service, a, '30.00')).status).toBe(201)
  expect((await refund(service, a, '70.01')).status).toBe(409)
  expect((await refund(service, a, '70.00')).status).toBe(201)
  await books(service)
})

test('what is kept back is not refunded: at most what is available', async () => {
  const { client, A, a } = await winner()
  await payIn(service, client, A, 60)
  await lose(service, client, 130)
  // Of the balance of 80, 60 are not captured yet.
  expect((await moneyOf(service, client)).balance).toBe(80)
  expect((await refund(service, a, '20.01')).status).toBe(409)
  expect((await refund(service, a, '20.00')).status).toBe(201)
  await books(service)
})

test('under dispute nothing is refunded, although all of it is left', async () => {
  const { a } = await winner()
  await bankReports(service, { event: 'NOTIFICATION_OF_CHARGEBACK', reference: a, pounds: 100 })
  expect(await leftOf(service, a)).toBe(100)
  expect((await refund(service, a, '1.00')).status).toBe(409)
  await bankReports(service, { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', reference: a, pounds: 100, endsDispute: true })
  expect((await refund(service, a, '1.00')).status).toBe(201)
  await books(service)
})

test('refunds of one deposit are sent one after another', async () => {
  const { a } = await winner()
  for (const amount of ['10.00', '20.00', '30.00']) expect((await refund(service, a, amount)).status).toBe(201)
  await Promise.all([sweep(service.context), sweep(service.context)])
  await sweepUntilRefunds(service, a, ['DONE', 'DONE', 'DONE'])
  expect(calls.get(a)).toEqual({ open: 0, most: 1 })
  await books(service)
})

test('a refund and a return of one deposit are sent one after another', async () => {
  const { client, A, a } = await winner()
  expect((await refund(service, a, '10.00')).status).toBe(201)
  const ids = [
    await takeOut(service, client, { card: A, pounds: 20 }),
    await takeOut(service, client, { card: A, pounds: 30 }),
  ]
  await Promise.all([sweep(service.context), sweep(service.context)])
  for (const id of ids) await sweepUntilWithdrawal(service, id, 'PAID')
  expect(calls.get(a)).toEqual({ open: 0, most: 1 })
  await books(service)
})

test('one that waits for another is sent soon after it has ended, however long it has waited', async () => {
  const client = await newClient(service)
  const card = await newCard(service, client, 'A', { token: 'sandbox:payout-silent' })
  await payInCaptured(service, client, card, 100)
  const first = await takeOut(service, client, { card, pounds: 20 })
  // Jobs that are due in one sweep run side by side: any may be the first.
  await sweep(service.context)
  const second = await takeOut(service, client, { card, pounds: 30 })
  const states = async () => [(await withdrawalOf(service, first)).state, (await withdrawalOf(service, second)).state]
  const { reviewAfterMs } = service.context.config.wallets
  for (const end = service.clock.now() + 2 * reviewAfterMs; service.clock.now() < end; ) {
    service.clock.advance(reviewAfterMs / 100)
    await sweep(service.context)
    if ((await withdrawalOf(service, first)).state === 'REVIEW') break
  }
  expect(await states()).toEqual(['REVIEW', 'APPROVED'])
  service.clock.advance(5_000)
  await sweep(service.context)
  expect(await states()).toEqual(['REVIEW', 'SENDING'])
})
