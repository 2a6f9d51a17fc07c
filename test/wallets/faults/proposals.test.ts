// What one person has proposed is void once its ground has changed: it waits no longer, and nobody confirms it.

import { expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/database.ts'
import { resolveRefund } from '../../../src/wallets/reviews/refunds.ts'
import { resolveWithdrawal } from '../../../src/wallets/reviews/withdrawals.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  bankReports,
  books,
  type Client,
  lose,
  moneyOf,
  newCard,
  newClient,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
} from '../../harness/cashier.ts'
import { refundsOf, sweepUntilRefunds } from '../../harness/refunds.ts'
import { type Json, useService } from '../../harness/service.ts'
import { addCard, HOLDER } from '../../harness/wallets.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'

const service = useService()

async function proposalsOf({ id }: Client): Promise<string[]> {
  const { items } = (await service.operator('GET', '/operator/v1/money-proposals?limit=100')).body
  return items.filter((one: Json) => one.customerId === `${id}`).map((one: Json) => one.kind)
}

async function decide({ id }: Client, path: string, body: object) {
  return service.operator('POST', `/operator/v1/customers/${id}/${path}`, body, await anotherOperator(service))
}

/** 100 were paid in and spent, and the bank has charged them back. */
async function debtor() {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 100)
  await lose(service, client, 100)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 100 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 100, pending: 0 })
  return { client, A, a }
}

const ALL = { amount: '100.00', note: 'has moved abroad' }

test.each([40, 100])('a debt that is paid with %i is not written off as it was proposed', async (paid) => {
  const { client } = await debtor()
  expect((await decide(client, 'debt-write-offs', ALL)).status).toBe(200)
  expect(await proposalsOf(client)).toEqual(['debt-write-off'])
  await win(service, client, paid)
  expect(await proposalsOf(client)).toEqual([])
  const confirmation = await decide(client, 'debt-write-offs', ALL)
  expect([confirmation.status, confirmation.body.detail]).toEqual([409, expect.stringMatching(/owes \d/)])
  expect(await proposalsOf(client)).toEqual([])
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 100 - paid, pending: 0 })
})

test('a debt that has grown is proposed again', async () => {
  const { client, A } = await debtor()
  await decide(client, 'debt-write-offs', ALL)
  // Pays the debt, and is charged back: the same debt, of another deposit.
  const b = await payInCaptured(service, client, A, 100)
  await bankReports(service, { event: 'CHARGEBACK', reference: b, pounds: 100 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 100, pending: 0 })
  expect(await proposalsOf(client)).toEqual([])
  await decide(client, 'debt-write-offs', ALL)
  expect((await moneyOf(service, client)).debt).toBe(100)
  await decide(client, 'debt-write-offs', ALL)
  expect((await moneyOf(service, client)).debt).toBe(0)
  await books(service)
})

const OLGA = { name: 'Olga', person: 'olga' }

/** What follows each commit happens before the answer. */
function thenAlways(work: () => Promise<unknown>) {
  const { database } = service.context
  const transaction = async <Result>(decide: (tx: Database) => Promise<Result>) => {
    const result = await database.transaction(decide)
    await work()
    return result
  }
  return { ...service.context, database: { ...database, transaction } }
}

test.each(['refund', 'withdrawal'] as const)(
  'who proposes what becomes of a %s is answered so, also if another one confirms it before the answer',
  async (kind) => {
    const client = await newClient(service)
    const A = await newCard(service, client, 'A', {
      token: `sandbox:${kind === 'refund' ? 'refund-slow' : 'payout-silent'}`,
    })
    const a = await payInCaptured(service, client, A, 1500)
    const one = await anotherOperator(service)
    const order =
      kind === 'refund'
        ? (['POST', `deposits/${a}/refunds`, { amount: '1500.00', reason: 'asked' }] as const)
        : ([
            'POST',
            `customers/${client.id}/withdrawals`,
            { amount: '1500.00', paymentMethodId: `${A}`, reason: 'asked' },
          ] as const)
    const { id } = (await service.operator(order[0], `/operator/v1/${order[1]}`, order[2], one)).body
    await twoPersons(service, ['POST', `${kind}s/${id}/approval`])
    if (kind === 'refund') await sweepUntilRefunds(service, a, ['SENT'])
    else {
      await sweep(service.context)
      service.clock.advance(service.context.config.wallets.reviewAfterMs)
      await sweepUntilWithdrawal(service, id, 'REVIEW')
    }
    const two = await anotherOperator(service)
    const confirms = (outcome: string) =>
      service.operator('POST', `/operator/v1/${kind}s/${id}/resolution`, { outcome, note: 'looked up' }, two)
    const terms = { note: 'looked up', by: OLGA }
    const answer =
      kind === 'refund'
        ? await resolveRefund(
            thenAlways(() => confirms('failed')),
            Number(id),
            { ...terms, outcome: 'failed' },
          )
        : await resolveWithdrawal(
            thenAlways(() => confirms('returned')),
            Number(id),
            { ...terms, outcome: 'returned', partId: null },
          )
    expect(answer.proposal).toMatchObject({ by: OLGA })
    expect('refund' in answer ? answer.refund.state : answer.withdrawal.state).toBe(
      kind === 'refund' ? 'SENT' : 'REVIEW',
    )
    expect((await moneyOf(service, client)).balance).toBe(1500)
    if (kind === 'refund') expect((await refundsOf(service, a)).items).toMatchObject([{ state: 'FAILED' }])
  },
)

test('a card with a new expiry date has an account', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { expiryDate: '12/40' })
  const closure = `payment-methods/${A}/account-closure`
  const note = { note: 'a letter of the bank' }
  const isClosed = async () => {
    const { items } = (await service.operator('GET', `/operator/v1/customers/${client.id}/payment-methods`)).body
    return items.find((one: Json) => one.id === `${A}`).accountClosedAt !== null
  }
  await decide(client, closure, note)
  // The same card again changes nothing.
  await newCard(service, client, 'A', { id: A, expiryDate: '12/40' })
  expect(await proposalsOf(client)).toEqual(['account-closure'])
  await newCard(service, client, 'A', { id: A, expiryDate: '12/45' })
  expect(await proposalsOf(client)).toEqual([])
  await decide(client, closure, note)
  expect(await isClosed()).toBe(false)
  await decide(client, closure, note)
  expect(await isClosed()).toBe(true)
})

test('what the gateway says of a closed account need not be proposed any longer', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token: 'sandbox:account-closed' })
  await payInCaptured(service, client, A, 100)
  await decide(client, `payment-methods/${A}/account-closure`, { note: 'a letter of the bank' })
  const id = await takeOut(service, client, { card: A, pounds: 100 })
  await sweepUntilWithdrawal(service, id, 'RETURNED')
  expect(await proposalsOf(client)).toEqual([])
})

test('a payment outside that a card can take meanwhile is refused, and waits no longer', async () => {
  const client = await newClient(service)
  const A = await addCard(service, client)
  await payInCaptured(service, client, A, 100)
  await win(service, client, 50)
  const payment = { amount: '50.00', bankReference: `FT-${client.id}`, note: 'a statement of the bank' }
  expect((await decide(client, 'outside-payments', payment)).status).toBe(200)
  expect(await proposalsOf(client)).toEqual(['outside-payment'])
  await newCard(service, client, 'B', { holder: HOLDER })
  const confirmation = await decide(client, 'outside-payments', payment)
  expect([confirmation.status, confirmation.body.detail]).toEqual([409, expect.stringMatching(/cards can take/)])
  expect(await proposalsOf(client)).toEqual([])
})
