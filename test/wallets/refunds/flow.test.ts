// Refunds that operators make, with the sandbox gateway.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { captured, moneyOf, refund, refundStates, refundsOf, sweepUntilRefunds } from '../../harness/refunds.ts'
import { OPERATOR_TOKEN, startTestService, type TestService } from '../../harness/service.ts'
import { deposit, ledgerProblems, newDepositor, sweepUntil } from '../../harness/wallets.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ REFUND_FOUR_EYES_ABOVE: '50.00' })
})
afterAll(async () => {
  expect(await ledgerProblems(service)).toEqual([])
  await service.close()
})

async function eventsOf(paymentId: string): Promise<string[]> {
  const { events } = (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body
  return events.map(({ event }: { event: string }) => event)
}

async function loggedKinds(paymentId: string): Promise<string[]> {
  const { events } = (await service.operator('GET', '/operator/v1/events?limit=1000')).body
  return events
    .filter(
      (one: { type: string; subject: { id: string } }) => one.subject.id === paymentId && /^refund/.test(one.type),
    )
    .map((one: { type: string }) => one.type)
}

test('a refund leaves the account at once, and is done by the job', async () => {
  const customer = await captured(service)
  const reply = await refund(service, customer.paymentId, '7.50')
  expect([reply.status, reply.body]).toMatchObject([201, { id: expect.stringMatching(/^\d+$/), state: 'REQUESTED' }])
  expect(await moneyOf(service, customer)).toEqual([1250n, 0n])
  await sweepUntilRefunds(service, customer.paymentId, ['DONE'])
  expect(await moneyOf(service, customer)).toEqual([1250n, 0n])
  const { items, returned, left } = await refundsOf(service, customer.paymentId)
  expect([returned, left]).toEqual(['7.50', '12.50'])
  expect(items[0]).toMatchObject({ amount: '7.50', requestedBy: 'bootstrap', reason: 'asked for it', approvedBy: null })
  const number = reply.body.id
  expect((await eventsOf(customer.paymentId)).slice(-2)).toEqual([
    `refund ${number}: requested`,
    `refund ${number}: done`,
  ])
  await expect.poll(() => loggedKinds(customer.paymentId)).toEqual(['refund.requested', 'refund.done'])
  const metrics = service.context.metrics.render()
  expect(metrics).toMatch(/^paddock_refund_jobs_total\{outcome="\w+"\} [1-9]/m)
  expect(metrics).not.toContain('paddock_deposit_jobs_total{kind="refund"')
})

test('at most what was captured and not returned is refunded, and at most the balance', async () => {
  const customer = await captured(service)
  expect((await refund(service, customer.paymentId, '20.01')).status).toBe(409)
  expect((await refund(service, customer.paymentId, '15.00')).status).toBe(201)
  await sweepUntilRefunds(service, customer.paymentId, ['DONE'])
  expect((await refund(service, customer.paymentId, '5.01')).status).toBe(409)
  expect((await refund(service, customer.paymentId, '5.00')).status).toBe(201)
  await sweepUntilRefunds(service, customer.paymentId, ['DONE', 'DONE'])
  expect((await refund(service, customer.paymentId, '0.01')).status).toBe(409)
  expect(await moneyOf(service, customer)).toEqual([0n, 0n])

  const spender = await captured(service)
  const other = await deposit(service, { ...spender, amount: '20.00' })
  const second = other.json().whoWallets.paymentId
  await sweepUntil(service, spender.id, ['CAPTURED', 'CAPTURED'])
  expect((await refund(service, second, '20.00')).status).toBe(201)
  await sweepUntilRefunds(service, second, ['DONE'])
  expect(await moneyOf(service, spender)).toEqual([2000n, 0n])
  expect((await refund(service, spender.paymentId, '20.00')).status).toBe(201)
})

test('a refund of nothing, of an unknown deposit and of one that is not captured is refused', async () => {
  const customer = await captured(service)
  expect((await refund(service, customer.paymentId, '0.00')).status).toBe(422)
  expect((await refund(service, 'nothing', '1.00')).status).toBe(404)
  const { ticket, method, id } = await newDepositor(service, { token: 'sandbox:decline' })
  await deposit(service, { ticket, method })
  const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body
  const refused = await refund(service, items[0].paymentId, '1.00')
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('only a captured one')])
})

test('a second click refunds nothing: by what had been returned, or by its key', async () => {
  const customer = await captured(service, 'sandbox:refund-slow')
  const seen = { returned: '0.00' }
  const clicks = await Promise.all([1, 2].map(() => refund(service, customer.paymentId, '5.00', seen)))
  expect(clicks.map(({ status }) => status).sort()).toEqual([201, 409])
  await sweepUntilRefunds(service, customer.paymentId, ['SENT'])
  const repeated = await refund(service, customer.paymentId, '5.00', seen)
  expect([repeated.status, repeated.body.detail]).toEqual([409, expect.stringContaining('5.00 of this deposit')])
  const keyed = () => refundWithKey(customer.paymentId, '4.00', `click-${customer.id}`)
  expect((await Promise.all([keyed(), keyed()])).sort()).toEqual([200, 201])
  expect(await refundWithKey(customer.paymentId, '3.00', `click-${customer.id}`)).toBe(409)
  expect(await moneyOf(service, customer)).toEqual([1100n, 0n])
})

async function refundWithKey(paymentId: string, amount: string, key: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  }
  const body = JSON.stringify({ amount, reason: 'asked for it' })
  const path = `/operator/v1/deposits/${paymentId}/refunds`
  return (await fetch(service.operatorUrl + path, { method: 'POST', headers, body })).status
}

test('a second refund of a deposit waits until the first was sent, and both are returned', async () => {
  const customer = await captured(service)
  const both = await Promise.all(['5.00', '6.00'].map((amount) => refund(service, customer.paymentId, amount)))
  expect(both.map(({ status }) => status)).toEqual([201, 201])
  await sweepUntilRefunds(service, customer.paymentId, ['DONE', 'DONE'])
  expect(await moneyOf(service, customer)).toEqual([900n, 0n])
})

test('a refund that the gateway refuses is credited back', async () => {
  const customer = await captured(service, 'sandbox:refund-failed')
  await refund(service, customer.paymentId, '5.00')
  await sweepUntilRefunds(service, customer.paymentId, ['FAILED'])
  expect(await moneyOf(service, customer)).toEqual([2000n, 0n])
  expect((await refundsOf(service, customer.paymentId)).left).toBe('20.00')
  await expect.poll(() => loggedKinds(customer.paymentId)).toEqual(['refund.requested', 'refund.failed'])
})

test('a refund without an answer is sent again, and returned once', async () => {
  const customer = await captured(service, 'sandbox:refund-unknown')
  await refund(service, customer.paymentId, '5.00')
  await sweep(service.context)
  expect(await refundStates(service, customer.paymentId)).toEqual(['REQUESTED'])
  service.clock.advance(2_000)
  await sweepUntilRefunds(service, customer.paymentId, ['DONE'])
  expect(await eventsOf(customer.paymentId)).toContain('refund repeated')
  expect(await moneyOf(service, customer)).toEqual([1500n, 0n])
})

test('a refund that is only sent is decided by an operator', async () => {
  const customer = await captured(service, 'sandbox:refund-slow')
  const done = (await refund(service, customer.paymentId, '5.00')).body.id
  await sweepUntilRefunds(service, customer.paymentId, ['SENT'])
  const failed = (await refund(service, customer.paymentId, '6.00')).body.id
  const resolve = (id: string, outcome: string) =>
    service.operator('POST', `/operator/v1/refunds/${id}/resolution`, { outcome, note: 'seen there' })
  expect((await resolve(failed, 'failed')).status).toBe(409)
  await sweepUntilRefunds(service, customer.paymentId, ['SENT', 'SENT'])
  expect((await resolve(done, 'done')).body).toMatchObject({ id: done, state: 'DONE' })
  expect((await resolve(failed, 'failed')).body).toMatchObject({ id: failed, state: 'FAILED' })
  expect((await resolve(failed, 'done')).status).toBe(409)
  expect(await moneyOf(service, customer)).toEqual([1500n, 0n])
})

test('a refund is listed by state and customer', async () => {
  const customer = await captured(service, 'sandbox:refund-slow')
  await refund(service, customer.paymentId, '5.00')
  await sweepUntilRefunds(service, customer.paymentId, ['SENT'])
  const list = async (query: string) =>
    (await service.operator('GET', `/operator/v1/refunds?${query}`)).body.items.map(
      (one: { paymentId: string }) => one.paymentId,
    )
  expect(await list(`customerId=${customer.id}`)).toEqual([customer.paymentId])
  expect(await list(`customerId=${customer.id}&state=DONE`)).toEqual([])
  expect((await list('state=SENT'))[0]).toBe(customer.paymentId)
  expect((await list('limit=1'))[0]).toBe(customer.paymentId)
})

test('a refund above the setting is sent when another operator has approved it', async () => {
  const customer = await captured(service, 'sandbox:approve', '100.00')
  const { id } = (await refund(service, customer.paymentId, '50.01')).body
  await sweep(service.context)
  expect((await refundsOf(service, customer.paymentId)).items[0]).toMatchObject({
    state: 'REQUESTED',
    needsApproval: true,
  })
  expect(await moneyOf(service, customer)).toEqual([4999n, 0n])
  const approve = (token?: string) => service.operator('POST', `/operator/v1/refunds/${id}/approval`, undefined, token)
  const same = await approve()
  expect([same.status, same.body.detail]).toEqual([409, expect.stringMatching(/another person/)])
  const token = { name: 'second pair of eyes', role: 'admin', owner: 'Olga' }
  const second = await service.operator('POST', '/operator/v1/tokens', token)
  expect((await approve(second.body.token)).body).toMatchObject({ id, state: 'REQUESTED' })
  expect((await approve(second.body.token)).status).toBe(409)
  await sweepUntilRefunds(service, customer.paymentId, ['DONE'])
  expect((await refundsOf(service, customer.paymentId)).items[0]).toMatchObject({
    requestedBy: 'bootstrap',
    approvedBy: 'second pair of eyes',
    needsApproval: false,
  })
  // By the sum of the day: another cent needs another person, too.
  expect((await refund(service, customer.paymentId, '0.01')).body).toMatchObject({ needsApproval: true })
})

test('a refund whose approval is refused is credited back and never sent', async () => {
  const customer = await captured(service, 'sandbox:approve', '100.00')
  const { id } = (await refund(service, customer.paymentId, '60.00')).body
  const refuse = () => service.operator('POST', `/operator/v1/refunds/${id}/refusal`, { reason: 'not theirs' })
  expect((await refuse()).body).toMatchObject({ id, state: 'FAILED' })
  expect((await refuse()).status).toBe(409)
  await sweep(service.context)
  expect(await refundStates(service, customer.paymentId)).toEqual(['FAILED'])
  expect(await moneyOf(service, customer)).toEqual([10000n, 0n])
})

test('the database moves no refund that is not approved, backwards, or of another amount', async () => {
  const customer = await captured(service, 'sandbox:approve', '100.00')
  const { id } = (await refund(service, customer.paymentId, '60.00')).body
  const script = (sql: string) => service.context.database.script(sql)
  for (const state of ['SENT', 'DONE', 'REVIEW']) {
    await expect(script(`update refund set state = '${state}' where id = ${id}`)).rejects.toThrow('not approved')
  }
  await expect(script(`update refund set approved_by = requested_by where id = ${id}`)).rejects.toThrow()
  await expect(script(`update refund set amount = 1 where id = ${id}`)).rejects.toThrow('terms')
  await expect(script(`delete from refund where id = ${id}`)).rejects.toThrow('kept')
  await service.operator('POST', `/operator/v1/refunds/${id}/refusal`, { reason: 'not theirs' })
  for (const state of ['REQUESTED', 'SENT', 'DONE', 'REVIEW']) {
    await expect(script(`update refund set approved_by = 'x', state = '${state}' where id = ${id}`)).rejects.toThrow()
  }
})
