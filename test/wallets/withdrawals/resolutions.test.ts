// How much one person decides of what is in review: the sum of the customer and the day.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import {
  approve,
  books,
  moneyOf,
  newCard,
  newClient,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { type Json, useService } from '../../harness/service.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'

const service = useService({ REVIEW_AFTER_SECONDS: '60' })

/** Of each of these deposits a return, which the bank never answers. */
async function reviewed(...pounds: number[]) {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:payout-silent' })
  for (const one of pounds) await payInCaptured(service, client, A, one)
  const sum = pounds.reduce((total, one) => total + one, 0)
  const id = await takeOut(service, client, { card: A, pounds: sum, status: 'requested' })
  await approve(service, id)
  const states = async () => {
    await sweepUntilWithdrawal(service, id, 'REVIEW')
    return (await withdrawalOf(service, id)).parts.map(({ state }: Json) => state)
  }
  await expect.poll(states, { timeout: 60_000 }).toEqual(pounds.map(() => 'REVIEW'))
  return { client, id, parts: (await withdrawalOf(service, id)).parts.map((part: Json) => part.id as string) }
}

async function say(id: string, partId: string, token: string) {
  const decided = { outcome: 'returned', note: 'looked up', partId }
  const { status, body } = await service.operator('POST', `/operator/v1/withdrawals/${id}/resolution`, decided, token)
  const part = body.parts?.find((one: Json) => one.id === partId)
  return [status, part?.state, part?.proposal?.waitsFor ?? null]
}

test('parts of a withdrawal are not decided one by one by the same person, until the next day', async () => {
  const [one, other] = [await anotherOperator(service), await anotherOperator(service)]
  const { client, id, parts } = await reviewed(400, 400, 400, 400)
  const [a, b, c, d] = parts as [string, string, string, string]
  const decided = [200, 'RETURNED', null]
  const waits = [200, 'REVIEW', 'another person']
  expect([await say(id, a, one), await say(id, b, one), await say(id, c, one)]).toEqual([decided, decided, waits])
  expect((await moneyOf(service, client)).balance).toBe(800)
  // Whoever decides: it is a sum of the customer.
  expect([await say(id, d, other), await say(id, c, other)]).toEqual([waits, decided])
  service.clock.advance(DAY_MS)
  const renewed = await anotherOperator(service)
  expect(await say(id, d, renewed)).toEqual(decided)
  expect(await moneyOf(service, client)).toEqual({ balance: 1600, debt: 0, pending: 0 })
  await books(service)
})
