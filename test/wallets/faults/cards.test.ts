// Faults of cards: money of one card to another, to a card that was closed or replaced after the request, and money that cannot leave.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewMethod } from '../../../src/wallets/cards/store.ts'
import { registerCard } from '../../../src/wallets/reviews/cards.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  approve,
  bankReports,
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
  refusedWithdrawal,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { type Json, startTestService, type TestService } from '../../harness/service.ts'
import { type Bank, HOLDER, newExpiry, startBank } from '../../harness/wallets.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'

let bank: Bank
let service: TestService

beforeAll(async () => {
  bank = await startBank()
  service = await startTestService({ SANDBOX_GATEWAY_URL: bank.url, WITHDRAWAL_APPROVED_UP_TO: '99.00' })
})
afterAll(async () => {
  await service.close()
  await bank.close()
})

test('after winnings went out to A, what B pays in is not A’s', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const B = await newCard(service, client, 'B')
  await payInCaptured(service, client, A, 20)
  await win(service, client, 60)
  await takeOut(service, client, { card: A, pounds: 80 })
  await payInCaptured(service, client, B, 50)
  expect(await optionsOf(service, client)).toEqual({ available: 50, keptBack: 0, A: '0', B: '50 (50 + 0 + 0)' })
  expect(await refusedWithdrawal(service, client, A, 1)).toBe('24003')
})

test('after losses, what stolen card B pays in is not A’s', async () => {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const B = await newCard(service, client, 'B')
  await payInCaptured(service, client, A, 100)
  await lose(service, client, 100)
  await payInCaptured(service, client, B, 50)
  expect(await refusedWithdrawal(service, client, A, 50)).toBe('24003')
  expect(await optionsOf(service, client)).toEqual({ available: 50, keptBack: 0, A: '0', B: '50 (50 + 0 + 0)' })
})

/** A 100 and 50 won, of which a withdrawal of 150 was approved by two persons. */
async function approvedWithdrawal() {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A')
  const a = await payInCaptured(service, client, A, 100)
  await win(service, client, 50)
  const id = await takeOut(service, client, { card: A, pounds: 150, status: 'requested' })
  await approve(service, id)
  return { client, A, a, id, path: `/operator/v1/customers/${client.id}/payment-methods/${A}` }
}

/** What the bank has paid out and returned to cards, by payment reference. */
async function paidByTheBank(paymentId: string) {
  const payments = (await (await fetch(`${bank.url}/payments`)).json()) as { reference: string; refunds: unknown[] }[]
  return payments.find(({ reference }) => reference === paymentId)?.refunds.length
}

type Change = (path: string) => Promise<{ status: number }>

const close: Change = (path) => service.operator('POST', `${path}/closure`, { reason: 'stolen' })
const remove: Change = (path) => service.operator('DELETE', path)

test.each([
  ['closed by an operator', close, 200],
  ['removed', remove, 204],
])(
  'a card %s after the approval: winnings come back, and its own waits for two persons anew',
  async (_, change, status) => {
    const { client, a, id, path } = await approvedWithdrawal()
    expect((await change(path)).status).toBe(status)
    await sweep(service.context)
    expect(await partsOf(service, id, { [a]: 'A' })).toEqual([
      'return 100 of A: paid 0, returned 0, WAITING',
      'payout 50 of winnings: paid 0, returned 50, RETURNED',
    ])
    expect(await moneyOf(service, client)).toEqual({ balance: 50, debt: 0, pending: 100 })
    expect(await paidByTheBank(a)).toBe(0)
    const waiting = await withdrawalOf(service, id)
    expect(waiting).toMatchObject({ state: 'REQUESTED', approvedBy: [], holdReason: expect.stringMatching(/\w \w/) })
    const one = await anotherOperator(service)
    await service.operator('POST', `/operator/v1/withdrawals/${id}/approval`, undefined, one)
    await sweep(service.context)
    expect(await paidByTheBank(a)).toBe(0)
    await service.operator('POST', `/operator/v1/withdrawals/${id}/approval`, undefined, await anotherOperator(service))
    await sweepUntilWithdrawal(service, id, 'PAID')
    expect(await paidByTheBank(a)).toBe(1)
    expect(await leftOf(service, a)).toBe(0)
    await books(service)
  },
)

test('the account of a card is closed after the approval: all of it comes back', async () => {
  const { client, id, path } = await approvedWithdrawal()
  const closure = ['POST', `${path.slice('/operator/v1/'.length)}/account-closure`] as const
  await twoPersons(service, closure, { note: 'a letter of the bank' })
  expect((await withdrawalOf(service, id)).state).toBe('RETURNED')
  expect(await moneyOf(service, client)).toEqual({ balance: 150, debt: 0, pending: 0 })
  await books(service)
})

test('the token of a card does not change between request and payment', async () => {
  const { client, A, a, id, path } = await approvedWithdrawal()
  const card = { number: '555555******4444', expiryDate: '12/49', country: 'GB', scheme: 'MC', ...HOLDER }
  const body = { type: 'CARD', token: 'sandbox:frictionless', limits: { minDeposit: '1.00', maxDeposit: '9.00' }, card }
  const put = async (token?: string) => (await service.operator('PUT', path, body, token)).status
  expect([await put(), await put(await anotherOperator(service))]).toEqual([409, 409])
  await sweepUntilWithdrawal(service, id, 'PAID')
  const payouts = (await (await fetch(`${bank.url}/payouts`)).json()) as { token: string; reference: string }[]
  const { parts } = await withdrawalOf(service, id)
  const references = parts.map(({ reference }: { reference: string }) => reference)
  expect(payouts.filter(({ reference }) => references.includes(reference))).toMatchObject([
    { token: 'sandbox:approve' },
  ])
  expect(await paidByTheBank(a)).toBe(1)
  expect(A).toBeGreaterThan(0)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
})

test('a card by another id needs two persons while withdrawals are open', async () => {
  const { client } = await approvedWithdrawal()
  const B = 1_000_000 + client.id
  const put = async (token?: string) => {
    const card = { number: '555555******4444', expiryDate: '12/49', country: 'GB', scheme: 'MC', ...HOLDER }
    const body = { type: 'CARD', token: 'sandbox:approve', limits: { minDeposit: '1.00', maxDeposit: '9.00' }, card }
    await service.operator('PUT', `/operator/v1/customers/${client.id}/payment-methods/${B}`, body, token)
    const { items } = (await service.operator('GET', `/operator/v1/customers/${client.id}/payment-methods`)).body
    return items.length
  }
  expect([await put(), await put(), await put(await anotherOperator(service))]).toEqual([1, 1, 2])
})

test('a token that decides nothing about money proposes no card either', async () => {
  const { client } = await approvedWithdrawal()
  const card = { id: 1_000_000 + client.id, customerId: client.id }
  const method: NewMethod = {
    ...{ type: 'CARD', token: 'sandbox:approve', min_deposit: 100n, max_deposit: 900n },
    ...{ card_number: '555555******4444', issue_date: null, expiry_date: '12/49', country: 'GB', scheme: 'MC' },
    ...{ funding: 'credit', first_name: HOLDER.firstName, last_name: HOLDER.lastName },
  }
  const token = { name: 'Feed', person: 'feed', cannotDecide: 'Sign in to decide.', firstOnly: false }
  await expect(registerCard(service.context, card, method, token)).rejects.toThrow('Sign in to decide.')
  const { items } = (await service.operator('GET', '/operator/v1/money-proposals?limit=100')).body
  expect(items.filter((one: Json) => one.customerId === `${client.id}`)).toEqual([])
})

/** A customer whose only card has expired since: 60 of its own, 30 won. */
async function expired(): Promise<{ client: Client; A: number; a: string }> {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { expiryDate: newExpiry(service, 1) })
  const a = await payInCaptured(service, client, A, 60)
  await win(service, client, 30)
  service.clock.advance(100 * 86_400_000)
  return { client, A, a }
}

test('the only card has expired: it takes back what it paid in, and two persons pay the rest outside', async () => {
  const { client, A, a } = await expired()
  expect(await optionsOf(service, client)).toEqual({ available: 90, keptBack: 0, A: '60 (60 + 0 + 0)' })
  const { items } = (await service.operator('GET', `/operator/v1/customers/${client.id}/withdrawal-options`)).body
  expect(items).toMatchObject([{ paymentMethodId: `${A}`, max: '60.00' }])
  const id = await takeOut(service, client, { card: A, pounds: 60 })
  await sweepUntilWithdrawal(service, id, 'PAID')
  expect(await partsOf(service, id, { [a]: 'A' })).toEqual(['return 60 of A: paid 60, returned 0, PAID'])
  const before = await books(service)
  const path = `customers/${client.id}/outside-payments`
  const outside = { amount: '30.00', bankReference: 'FT-2026-03-0017', note: 'to the account in the customer’s name' }
  const answers = await twoPersons(service, ['POST', path], outside)
  expect(answers.map(({ status }) => status)).toEqual([expect.any(Number), 201])
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  const after = await books(service)
  expect(after.outside_funds - before.outside_funds).toBe(30)
})

test('a payment outside that the bank returns is the customer’s again, debt first, and its claims are open again', async () => {
  const { client, A, a } = await expired()
  await twoPersons(service, ['POST', `customers/${client.id}/payment-methods/${A}/account-closure`], {
    note: 'a letter',
  })
  const before = await books(service)
  const outside = { amount: '90.00', bankReference: 'FT-2026-03-0018', note: 'to the account in the customer’s name' }
  const [, paid] = await twoPersons(service, ['POST', `customers/${client.id}/outside-payments`], outside)
  const { id } = paid.body.withdrawal
  expect(await leftOf(service, a)).toBe(0)
  // 40 of the deposit are charged back: a debt.
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 40 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 40, pending: 0 })
  const back = ['POST', `withdrawals/${id}/outside-return`] as const
  const note = { note: 'returned by the bank: account closed' }
  const one = await anotherOperator(service)
  const first = await service.operator(back[0], `/operator/v1/${back[1]}`, note, one)
  expect([first.status, first.body]).toMatchObject([200, { state: 'PAID', proposal: { outcome: 'returned' } }])
  expect((await service.operator(back[0], `/operator/v1/${back[1]}`, note, one)).status).toBe(409)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 40, pending: 0 })
  const second = await service.operator(back[0], `/operator/v1/${back[1]}`, note, await anotherOperator(service))
  expect([second.status, second.body]).toMatchObject([200, { state: 'RETURNED', returned: '90.00', proposal: null }])
  expect(await moneyOf(service, client)).toEqual({ balance: 50, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(20)
  const after = await books(service)
  expect([after.outside_funds - before.outside_funds, after.psp_captured - before.psp_captured]).toEqual([0, 40])
  // Once, and paid again under another reference.
  for (const { status } of await twoPersons(service, back, note)) expect(status).toBe(409)
  const again = { ...outside, amount: '50.00', bankReference: 'FT-2026-03-0019' }
  await bankReports(service, { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', reference: a, pounds: 40, endsDispute: true })
  const [, repaid] = await twoPersons(service, ['POST', `customers/${client.id}/outside-payments`], again)
  expect([repaid.status, await moneyOf(service, client)]).toEqual([201, { balance: 0, debt: 0, pending: 0 }])
  await books(service)
})
