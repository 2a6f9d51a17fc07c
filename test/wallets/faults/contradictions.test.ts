// Notifications that contradict what waits, what was paid, and what came back: the subject goes to review, nothing of it is sent, and
// persons settle it.

import { expect, test } from 'vitest'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  bankReports,
  books,
  type Client,
  leftOf,
  moneyOf,
  newCard,
  newClient,
  optionsOf,
  partReference,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  twoPersons,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { refund, refundsOf, sweepUntilRefunds } from '../../harness/refunds.ts'
import { type Json, useService } from '../../harness/service.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'

const service = useService()

/** 600 were paid in with A, and 200 won. */
async function cashier(token = 'sandbox:approve') {
  const client = await newClient(service)
  const A = await newCard(service, client, 'A', { token })
  const a = await payInCaptured(service, client, A, 600)
  await win(service, client, 200)
  return { client, A, a }
}

/** The contradictions about a customer that nobody has settled. */
async function contradictionsOf({ id }: Client): Promise<Json[]> {
  const { items } = (await service.operator('GET', '/operator/v1/notifications/unapplied?limit=100')).body
  return items.filter((one: Json) => one.customerId === `${id}`)
}

async function expectContradiction(client: Client, name: string, subject: { type: string; id: string }) {
  expect(await contradictionsOf(client)).toMatchObject([{ contradiction: name, subject }])
}

const decideWithdrawal = (id: string, outcome: string, token?: string) =>
  service.operator('POST', `/operator/v1/withdrawals/${id}/resolution`, { outcome, note: 'looked up' }, token)

/** What the bank knows of the payment of a deposit. */
async function paymentReference(paymentId: string): Promise<string> {
  return (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body.gatewayReference
}

async function neverSent(client: Client, id: string, paymentId: string) {
  await expectContradiction(client, 'never-sent', { type: 'withdrawal', id })
  const withdrawal = await withdrawalOf(service, id)
  expect(withdrawal).toMatchObject({ state: 'REVIEW', parts: [{ state: 'REVIEW', review: 'never-sent' }] })
  expect(withdrawal.parts[0].why).toMatch(/never sent/)
  for (const { status } of await twoPersons(service, ['POST', `withdrawals/${id}/approval`])) expect(status).toBe(409)
  const refusal = { reason: 'It is looked up.' }
  const refused = await service.operator('POST', `/operator/v1/withdrawals/${id}/refusal`, refusal)
  expect(refused.status).toBe(409)
  for (let turn = 0; turn < 3; turn++) {
    await sweep(service.context)
    service.clock.advance(60_000)
  }
  expect((await withdrawalOf(service, id)).state).toBe('REVIEW')
  expect((await refundsOf(service, paymentId)).items.filter((one: Json) => one.origin === 'gateway')).toEqual([])
  expect(await moneyOf(service, client)).toEqual({ balance: 200, debt: 0, pending: 600 })
}

test.each(['paid', 'returned'])('a return that waits and is reported as paid is looked up: %s', async (outcome) => {
  const { client, A, a } = await cashier()
  const id = await takeOut(service, client, { card: A, pounds: 600, status: 'requested' })
  const reference = await partReference(service, id)
  const told = { event: 'REFUND', reference, pounds: 600, paymentReference: await paymentReference(a) }
  await bankReports(service, told)
  await neverSent(client, id, a)
  expect((await decideWithdrawal(id, outcome)).body.state).toBe(outcome === 'paid' ? 'PAID' : 'RETURNED')
  const isPaid = outcome === 'paid'
  expect(await moneyOf(service, client)).toEqual({ balance: isPaid ? 200 : 800, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(isPaid ? 0 : 600)
  expect((await refundsOf(service, a)).items).toMatchObject([
    { origin: 'withdrawal', state: isPaid ? 'DONE' : 'FAILED' },
  ])
  await books(service)
  // The same effect is there, or it contradicts what was decided.
  await bankReports(service, {
    ...told,
    event: isPaid ? 'REFUND_FAILED' : 'REFUND',
    gatewayReference: `another ${reference}`,
  })
  const { state, parts } = await withdrawalOf(service, id)
  expect([state, parts[0].review]).toEqual(isPaid ? ['RETURNED', null] : ['REVIEW', 'paid-after-return'])
  await books(service)
})

test.each([
  ['requested', 'paid'],
  ['approved', 'returned'],
])('a payout that waits, %s, and is reported as paid is looked up: %s', async (status, outcome) => {
  const { client, A, a } = await cashier()
  // The return goes first, so that the payout alone is left.
  const first = await takeOut(service, client, { card: A, pounds: 600, status: 'requested' })
  await twoPersons(service, ['POST', `withdrawals/${first}/approval`])
  await sweepUntilWithdrawal(service, first, 'PAID')
  const id = await takeOut(service, client, { card: A, pounds: 200, status: 'requested' })
  if (status === 'approved') await twoPersons(service, ['POST', `withdrawals/${id}/approval`])
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'PAYOUT_THIRDPARTY', reference, pounds: 200 })
  await expectContradiction(client, 'never-sent', { type: 'withdrawal', id })
  await sweep(service.context)
  expect(await withdrawalOf(service, id)).toMatchObject({ state: 'REVIEW', parts: [{ review: 'never-sent' }] })
  expect((await decideWithdrawal(id, outcome)).body.state).toBe(outcome === 'paid' ? 'PAID' : 'RETURNED')
  expect(await moneyOf(service, client)).toEqual({ balance: outcome === 'paid' ? 0 : 200, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(0)
  await books(service)
})

test('what was held waits for nobody any more once it is in review', async () => {
  const { client, A, a } = await cashier()
  const id = await takeOut(service, client, { card: A, pounds: 800, status: 'requested' })
  await service.operator('PUT', `/operator/v1/withdrawals/${id}/hold`, { reason: 'We look at your card.' })
  const [first, second] = (await withdrawalOf(service, id)).parts
  const hold = async () => {
    const { body } = await service.operator('GET', `/operator/v1/withdrawals/${id}`)
    return [body.state, body.hold, body.holdReason]
  }
  await bankReports(service, {
    event: 'REFUND',
    reference: first.reference,
    pounds: 600,
    paymentReference: await paymentReference(a),
  })
  expect(await hold()).toEqual(['REVIEW', 'operator', 'We look at your card.'])
  await bankReports(service, { event: 'PAYOUT_THIRDPARTY', reference: second.reference, pounds: 200 })
  expect(await hold()).toEqual(['REVIEW', null, null])
})

test('one part that was never sent is in review, and the others go out once they are approved', async () => {
  const { client, A, a } = await cashier()
  const id = await takeOut(service, client, { card: A, pounds: 800, status: 'requested' })
  const { parts } = await withdrawalOf(service, id)
  const payout = parts.find((part: Json) => part.kind === 'payout')
  await bankReports(service, { event: 'PAYOUT_THIRDPARTY', reference: payout.reference, pounds: 200 })
  expect((await withdrawalOf(service, id)).state).toBe('REVIEW')
  expect((await decideWithdrawal(id, 'paid')).body.state).toBe('REQUESTED')
  await twoPersons(service, ['POST', `withdrawals/${id}/approval`])
  await sweepUntilWithdrawal(service, id, 'PAID')
  expect(await withdrawalOf(service, id)).toMatchObject({ paid: '800.00', returned: '0.00' })
  expect(await leftOf(service, a)).toBe(0)
  await books(service)
})

test.each(['done', 'failed'])(
  'a refund that waits for approval and is reported as paid is looked up: %s',
  async (outcome) => {
    const client = await newClient(service)
    const A = await newCard(service, client, 'A')
    const a = await payInCaptured(service, client, A, 1500)
    const body = { amount: '1200.00', reason: 'asked for it' }
    const requested = await service.operator(
      'POST',
      `/operator/v1/deposits/${a}/refunds`,
      body,
      await anotherOperator(service),
    )
    const { id } = requested.body
    const { reference } = (await refundsOf(service, a)).items[0]
    const told = { event: 'REFUND', reference, pounds: 1200 }
    await bankReports(service, told)
    await expectContradiction(client, 'never-sent', { type: 'refund', id })
    expect((await refundsOf(service, a)).items).toMatchObject([{ id, state: 'REVIEW', review: 'never-sent' }])
    const approval = await service.operator(
      'POST',
      `/operator/v1/refunds/${id}/approval`,
      undefined,
      await anotherOperator(service),
    )
    expect(approval.status).toBe(409)
    await sweep(service.context)
    const path = `refunds/${id}/resolution`
    const [first, second] = await twoPersons(service, ['POST', path], { outcome, note: 'looked up' })
    expect([first.body.state, second.body.state]).toEqual(['REVIEW', outcome === 'done' ? 'DONE' : 'FAILED'])
    expect(await moneyOf(service, client)).toEqual({ balance: outcome === 'done' ? 300 : 1500, debt: 0, pending: 0 })
    expect(await leftOf(service, a)).toBe(outcome === 'done' ? 300 : 1500)
    await books(service)
  },
)

test('a withdrawal that was refused and is reported as paid is in review, and kept back', async () => {
  const { client, A } = await cashier()
  const id = await takeOut(service, client, { card: A, pounds: 600, status: 'requested' })
  const reference = await partReference(service, id)
  await service.operator('POST', `/operator/v1/withdrawals/${id}/refusal`, { reason: 'Not now.' })
  await bankReports(service, { event: 'REFUND', reference, pounds: 600 })
  await expectContradiction(client, 'paid-after-return', { type: 'withdrawal', id })
  expect(await withdrawalOf(service, id)).toMatchObject({ state: 'REVIEW', parts: [{ review: 'paid-after-return' }] })
  expect(await optionsOf(service, client)).toMatchObject({ available: 200, keptBack: 600 })
  expect((await decideWithdrawal(id, 'paid')).body.state).toBe('PAID')
  expect(await moneyOf(service, client)).toEqual({ balance: 200, debt: 0, pending: 0 })
  await books(service)
})

test('a part that is reported as paid again by another reference of the gateway was paid twice', async () => {
  const { client, A } = await cashier()
  const id = await takeOut(service, client, { card: A, pounds: 600, status: 'requested' })
  await twoPersons(service, ['POST', `withdrawals/${id}/approval`])
  await sweepUntilWithdrawal(service, id, 'PAID')
  const reference = await partReference(service, id)
  // The same effect is there.
  await bankReports(service, { event: 'REFUND', reference, pounds: 600 })
  expect(await contradictionsOf(client)).toEqual([])
  await bankReports(service, { event: 'REFUND', reference, pounds: 600, gatewayReference: `second ${reference}` })
  await expectContradiction(client, 'paid-twice', { type: 'withdrawal', id })
  expect(await withdrawalOf(service, id)).toMatchObject({ state: 'REVIEW', parts: [{ review: 'paid-twice' }] })
  expect((await decideWithdrawal(id, 'paid')).body).toMatchObject({ state: 'PAID', paid: '600.00' })
  expect(await moneyOf(service, client)).toEqual({ balance: 200, debt: 0, pending: 0 })
  await books(service)
})

test('a refund that is reported as paid again by another reference of the gateway was paid twice', async () => {
  const { client, a } = await cashier()
  const { id } = (await refund(service, a, '50.00')).body
  await sweepUntilRefunds(service, a, ['DONE'])
  const { reference } = (await refundsOf(service, a)).items[0]
  await bankReports(service, { event: 'REFUND', reference, pounds: 50, gatewayReference: `second ${reference}` })
  await expectContradiction(client, 'paid-twice', { type: 'refund', id })
  expect((await refundsOf(service, a)).items).toMatchObject([{ state: 'REVIEW', review: 'paid-twice' }])
  const resolution = { outcome: 'done', note: 'the gateway shows one' }
  expect((await service.operator('POST', `/operator/v1/refunds/${id}/resolution`, resolution)).body.state).toBe('DONE')
  expect(await moneyOf(service, client)).toEqual({ balance: 750, debt: 0, pending: 0 })
  await books(service)
})

test('that a part of what came back did not arrive is not what came back', async () => {
  const { client, A, a } = await cashier('sandbox:payout-returned')
  const id = await takeOut(service, client, { card: A, pounds: 500 })
  await sweepUntilWithdrawal(service, id, 'RETURNED')
  const reference = await partReference(service, id)
  await bankReports(service, { event: 'REFUND_FAILED', reference, pounds: 500 })
  expect(await contradictionsOf(client)).toEqual([])
  await bankReports(service, { event: 'REFUND_FAILED', reference, pounds: 100 })
  await expectContradiction(client, 'another-amount', { type: 'withdrawal', id })
  expect((await decideWithdrawal(id, 'returned')).body.state).toBe('RETURNED')
  expect(await moneyOf(service, client)).toEqual({ balance: 800, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(600)
  await books(service)
})

/** 600 were paid in, of which 60 were sent back and the bank has not answered. */
async function sentRefund() {
  const { client, a } = await cashier('sandbox:refund-slow')
  const { id } = (await refund(service, a, '60.00')).body
  await sweepUntilRefunds(service, a, ['SENT'])
  const { reference } = (await refundsOf(service, a)).items[0]
  return { client, a, id, reference }
}

test('a refund that is reported as paid in another currency is not paid', async () => {
  const { client, a, reference } = await sentRefund()
  await bankReports(service, { event: 'REFUND', reference, pounds: 60, currency: 'EUR' })
  expect(await contradictionsOf(client)).toMatchObject([{ contradiction: 'another-currency' }])
  expect((await refundsOf(service, a)).items).toMatchObject([{ state: 'SENT' }])
  expect(await moneyOf(service, client)).toEqual({ balance: 740, debt: 0, pending: 0 })
  await books(service)
})

test('a refund that came back and is reported as paid with more than it was is another amount', async () => {
  const { client, a, id, reference } = await sentRefund()
  await bankReports(service, { event: 'REFUND_FAILED', reference, pounds: 60 })
  expect(await moneyOf(service, client)).toEqual({ balance: 800, debt: 0, pending: 0 })
  await bankReports(service, { event: 'REFUND', reference, pounds: 70 })
  await expectContradiction(client, 'another-amount', { type: 'refund', id })
  expect((await refundsOf(service, a)).items).toMatchObject([{ state: 'REVIEW', review: 'another-amount' }])
  expect(await optionsOf(service, client)).toMatchObject({ available: 800, keptBack: 0 })
  await books(service)
})
