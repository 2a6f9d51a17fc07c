// Nobody vanishes with money: what stands in the way of an erasure is listed.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import {
  bankReports,
  books,
  type Client,
  lose,
  moneyOf,
  newCard,
  newClient,
  payIn,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
} from '../../harness/cashier.ts'
import { useService } from '../../harness/service.ts'

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '10000.00' })

/** Closes the account and erases it: the status of the answer, and what stands in the way. */
async function erase({ id }: Client): Promise<[status: number, reason: string]> {
  const status = { status: 'closed', reason: 'asked to be forgotten' }
  expect((await service.operator('PUT', `/operator/v1/customers/${id}/status`, status)).status).toBe(200)
  const reply = await service.operator('DELETE', `/operator/v1/customers/${id}/personal-data`)
  return [reply.status, reply.body.detail ?? '']
}

test('a customer with 3,785.00 is not erased; paid out, they are after 120 days', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  await payInCaptured(service, client, A, 1000)
  await win(service, client, 2785)
  const out = await takeOut(service, client, { card: A, pounds: 3785 })
  expect(await erase(client)).toEqual([409, expect.stringContaining('withdrawal')])
  await sweepUntilWithdrawal(service, out, 'PAID')
  expect(await erase(client)).toEqual([409, expect.stringContaining('120 days')])
  service.clock.advance(121 * DAY_MS)
  expect(await erase(client)).toEqual([204, ''])
  await books(service)
})

const IN_THE_WAY: [what: string, make: (client: Client, card: number) => Promise<unknown>, words: RegExp][] = [
  ['a balance', (client) => win(service, client, 3785), /balance of 3785\.00 GBP/],
  [
    'a debt',
    async (client, card) => {
      const a = await payInCaptured(service, client, card, 50)
      await lose(service, client, 50)
      await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 50 })
      await bankReports(service, { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', reference: a, pounds: 50, endsDispute: true })
    },
    /debt of 50\.00 GBP/,
  ],
  [
    'a deposit that is not final',
    async (client, card) => {
      await payIn(service, client, card, 50)
      await lose(service, client, 50)
    },
    /deposit/,
  ],
  [
    'a refund that is not final',
    async (client, card) => {
      const a = await payInCaptured(service, client, card, 50)
      await service.operator('POST', `/operator/v1/deposits/${a}/refunds`, { amount: '50.00', reason: 'asked' })
    },
    /refund/,
  ],
  [
    'an open dispute',
    async (client, card) => {
      const a = await payInCaptured(service, client, card, 50)
      await lose(service, client, 50)
      await bankReports(service, { event: 'NOTIFICATION_OF_CHARGEBACK', reference: a, pounds: 50 })
    },
    /dispute/,
  ],
]

test.each(IN_THE_WAY)('%s stands in the way', async (_, make, words) => {
  const client = await newClient(service)
  await make(client, await newCard(service, client, 'A'))
  expect(await erase(client)).toEqual([409, expect.stringMatching(words)])
  expect((await service.operator('GET', `/operator/v1/customers/${client.id}`)).body.erasedAt).toBeUndefined()
  await books(service)
})

test('two persons write a debt off, and then nothing stands in the way', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 50)
  await lose(service, client, 50)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 50 })
  const end = { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', reference: a, pounds: 50, endsDispute: true }
  await bankReports(service, end)
  const before = await books(service)
  const body = { amount: '50.00', note: 'the customer is dead' }
  await twoPersons(service, ['POST', `customers/${client.id}/debt-write-offs`], body)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  const after = await books(service)
  expect(after.house_losses - before.house_losses).toBe(-50)
  expect(await erase(client)).toEqual([204, ''])
})
