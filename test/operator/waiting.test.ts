// What waits for the caller, and what waits for another person: withdrawals, refunds and reviews in their lists.

import { beforeAll, expect, test } from 'vitest'
import { operatorNamed, type TestOperator } from '../harness/operators.ts'
import { captured, refund, sentRefund } from '../harness/refunds.ts'
import { type Json, useService } from '../harness/service.ts'
import { reviewedWithdrawal, sweepUntilPaid, waitingWithdrawal, win, withdrawn } from '../harness/withdrawals.ts'

const service = useService()
let ann: TestOperator
let bob: TestOperator

beforeAll(async () => {
  ann = await operatorNamed(service, 'Ann')
  bob = await operatorNamed(service, 'Bob')
})

async function read(by: TestOperator, path: string): Promise<Json> {
  const { status, body } = await by('GET', `/operator/v1/${path}`)
  expect([path, status]).toEqual([path, 200])
  return body
}

const idsOf = async (by: TestOperator, path: string): Promise<string[]> =>
  (await read(by, path)).items.map(({ id }: Json) => id)

test('withdrawals: one that I have approved or requested waits for another person, one in review for anybody', async () => {
  const [mine, others] = [(await waitingWithdrawal(service)).id, (await waitingWithdrawal(service)).id]
  const reviewed = (await reviewedWithdrawal(service)).id
  expect((await ann('POST', `/operator/v1/withdrawals/${mine}/approval`)).body.waitsFor).toBe('another person')
  const { customer } = await waitingWithdrawal(service)
  await service.operator('PUT', `/operator/v1/customers/${customer.id}`, { status: 'self-excluded' })
  const body = { amount: '4.00', paymentMethodId: `${customer.cards[0]}`, reason: 'asked by letter' }
  const requested = (await ann('POST', `/operator/v1/customers/${customer.id}/withdrawals`, body)).body
  expect(requested).toMatchObject({ waitsFor: 'another person', requestedBy: expect.stringMatching(/^Ann/) })
  const path = (whom: string) => `withdrawals?limit=100&waitsFor=${whom}`
  expect(await idsOf(ann, path('another+person'))).toEqual([mine, requested.id])
  expect(await idsOf(ann, path('me'))).toEqual(expect.arrayContaining([others, reviewed]))
  expect(await idsOf(bob, path('another+person'))).toEqual([])
  expect(await idsOf(bob, path('me'))).toEqual(expect.arrayContaining([mine, others, reviewed, requested.id]))
  expect(await idsOf(bob, `${path('me')}&state=REVIEW`)).toEqual([reviewed])
  expect(await idsOf(bob, `${path('me')}&customerId=${customer.id}`)).toContain(requested.id)
  // Page by page.
  const first = await read(bob, 'withdrawals?waitsFor=me&limit=1')
  const second = await read(bob, `withdrawals?waitsFor=me&limit=1&cursor=${first.cursor}`)
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([mine, others])
})

test('a withdrawal that an operator holds waits for nobody until it is released', async () => {
  const { id } = await waitingWithdrawal(service)
  const path = `/operator/v1/withdrawals/${id}`
  const held = (await ann('PUT', `${path}/hold`, { reason: 'Please send us a proof of your address.' })).body
  expect(held).toMatchObject({
    hold: 'operator',
    heldBy: expect.stringMatching(/^Ann/),
    waitsFor: null,
    needsApproval: true,
  })
  const refused = await bob('POST', `${path}/approval`)
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringMatching(/^Ann.* release it first/)])
  expect((await bob('DELETE', `${path}/hold`)).body).toMatchObject({ hold: null, heldBy: null, waitsFor: 'me' })
})

test('a withdrawal says why it needs two persons, which card was meant, and that it probably repeats another', async () => {
  const { id: first, customer } = await waitingWithdrawal(service)
  const shown = await read(ann, `withdrawals/${first}`)
  expect(shown).toMatchObject({ lastFour: '1111', scheme: 'VISA', expiryDate: '12/49', repeats: null })
  expect(shown.events).toContainEqual({
    at: expect.any(String),
    event: 'needs two persons',
    detail: 'withdrawals of the day add up to 1200.00',
  })
  const { ticket, cards } = customer
  const [small, again] = [
    await withdrawn(service, { ticket, card: cards[0] as number, amount: '30.00' }),
    await withdrawn(service, { ticket, card: cards[0] as number, amount: '30.00' }),
  ]
  expect([
    (await read(ann, `withdrawals/${small}`)).repeats,
    (await read(ann, `withdrawals/${again}`)).repeats,
  ]).toEqual([null, small])
  expect((await ann('POST', `/operator/v1/withdrawals/${again}/approval`)).body.repeats).toBe(small)
  await bob('POST', `/operator/v1/withdrawals/${again}/approval`)
  expect((await sweepUntilPaid(service, again)).repeats).toBeNull()
})

test('a part says what it pays back, what became of it and why it needs manual review', async () => {
  const { id, customer } = await reviewedWithdrawal(service)
  const { items } = await read(ann, `deposits?customerId=${customer.id}`)
  const { parts, ...withdrawal } = await read(ann, `withdrawals/${id}`)
  expect(withdrawal).toMatchObject({ amount: '20.00', paid: '0.00', returned: '0.00', waitsFor: 'me' })
  expect(parts).toEqual([
    {
      ...{ id: expect.any(String), kind: 'return', paymentId: items[0].paymentId, freed: false, amount: '20.00' },
      ...{ paid: '0.00', returned: '0.00', state: 'REVIEW', review: 'unresolved', proposal: null, gateway: 'sandbox' },
      why: expect.stringMatching(/^The gateway has not reported .*\.$/),
      reason: expect.any(String),
      reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
      gatewayReference: null,
      changedAt: expect.any(String),
    },
  ])
  const { items: refunds } = await read(ann, `refunds?customerId=${customer.id}`)
  expect(refunds[0]).toMatchObject({ origin: 'withdrawal', withdrawalId: id, requestedBy: null, waitsFor: null })
  const resolution = { outcome: 'paid', note: 'the gateway shows it' }
  const elsewhere = await ann('POST', `/operator/v1/refunds/${refunds[0].id}/resolution`, { outcome: 'done' })
  expect([elsewhere.status, elsewhere.body.detail]).toEqual([409, expect.stringContaining('part of a withdrawal')])
  const other = await ann('POST', `/operator/v1/withdrawals/${id}/resolution`, { ...resolution, partId: '999999999' })
  expect(other.status).toBe(409)
  const paid = (await ann('POST', `/operator/v1/withdrawals/${id}/resolution`, resolution)).body
  expect(paid).toMatchObject({ state: 'PAID', paid: '20.00', parts: [{ state: 'PAID', review: null, why: null }] })
})

test('the options say what is kept back, and of each card where its money comes from', async () => {
  const { id, method } = await captured(service)
  await win(service, { id }, '7.00')
  expect(await read(ann, `customers/${id}/withdrawal-options`)).toEqual({
    available: '27.00',
    keptBack: [],
    reason: null,
    items: [
      {
        ...{ paymentMethodId: `${method}`, lastFour: '1111', scheme: 'VISA', expiryDate: '12/49' },
        ...{ max: '20.00', returns: '20.00', freed: '0.00', winnings: '0.00' },
        reason: expect.stringContaining('holder is not known'),
      },
    ],
  })
  expect((await ann('GET', '/operator/v1/customers/999999999/withdrawal-options')).status).toBe(404)
})

test('refunds: what I have requested waits for another person; a resolution that I have proposed too', async () => {
  const { paymentId } = await captured(service, 'sandbox:approve', '1500.00')
  const body = { amount: '1200.00', reason: 'asked for it' }
  const requested = (await ann('POST', `/operator/v1/deposits/${paymentId}/refunds`, body)).body
  expect(requested).toMatchObject({
    state: 'REQUESTED',
    needsApproval: true,
    waitsFor: 'another person',
    amount: '1200.00',
  })
  expect(await idsOf(ann, 'refunds?state=REQUESTED&waitsFor=another+person')).toContain(requested.id)
  expect(await idsOf(ann, 'refunds?state=REQUESTED&waitsFor=me')).not.toContain(requested.id)
  expect(await idsOf(bob, 'refunds?state=REQUESTED&waitsFor=me')).toContain(requested.id)
  const sent = await sentRefund(service)
  expect((await read(ann, 'refunds?state=SENT')).items.find(({ id }: Json) => id === sent)).toMatchObject({
    waitsFor: null,
    proposal: null,
  })
})

test('an operator’s refund is made once for its Idempotency-Key: 201, then 200', async () => {
  const { paymentId } = await captured(service)
  const send = async (key: string, amount: string, by = ann) => {
    const headers = { authorization: `Bearer ${by.token}`, 'content-type': 'application/json', 'idempotency-key': key }
    const body = JSON.stringify({ amount, reason: 'asked for it' })
    const path = `${service.operatorUrl}/operator/v1/deposits/${paymentId}/refunds`
    const reply = await fetch(path, { method: 'POST', headers, body })
    return [reply.status, (await reply.json()) as Json] as const
  }
  const [[first, made], [second, repeated]] = [await send('a', '5.00'), await send('a', '5.00')]
  expect([first, second, repeated.id]).toEqual([201, 200, made.id])
  const [status, other] = await send('a', '6.00')
  expect([status, other.detail]).toEqual([409, expect.stringContaining('was used for another refund')])
  const [repeatedByAnother, { id }] = await send('a', '5.00', bob)
  expect([repeatedByAnother, id]).toEqual([200, made.id])
  expect((await send('b', '5.00'))[0]).toBe(201)
  const refunds = await read(ann, `deposits/${paymentId}/refunds`)
  expect([refunds.items.length, refunds.returned, refunds.left]).toEqual([2, '10.00', '10.00'])
})

test('a deposit of which a withdrawal has returned money is refunded by two persons', async () => {
  const { ticket, method, paymentId } = await captured(service)
  await sweepUntilPaid(service, await withdrawn(service, { ticket, card: method, amount: '4.00' }))
  const { body } = await refund(service, paymentId, '5.00')
  expect(body).toMatchObject({ needsApproval: true })
})
