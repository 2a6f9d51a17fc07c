// Faults of deposits that were given up while the gateway went on.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../../../src/platform/runtime/durations.ts'
import type { Gateway } from '../../../src/wallets/gateways/gateway.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, deliver, startFakeAdyen } from '../../harness/adyen.ts'
import {
  bankReports,
  books,
  moneyOf,
  newCard,
  newClient,
  payIn,
  payInCaptured,
  sweepUntilDeposit,
} from '../../harness/cashier.ts'
import { refund } from '../../harness/refunds.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { type Bank, deposit, startBank } from '../../harness/wallets.ts'

let bank: Bank
let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let service: TestService
let adyen: TestService

/** The gateway answers no cancel. */
let refusesCancels = false
/** Happens while the next cancel is on its way. */
let meanwhile: (() => Promise<unknown>) | null = null

const refusing = (port: Gateway): Gateway => ({
  ...port,
  async cancel(payment) {
    const happens = meanwhile
    meanwhile = null
    await happens?.()
    return refusesCancels ? { outcome: 'unknown', reason: 'status 500' } : port.cancel(payment)
  },
})

beforeAll(async () => {
  bank = await startBank()
  fake = await startFakeAdyen()
  service = await startTestService({ SANDBOX_GATEWAY_URL: bank.url }, undefined, { gateway: refusing })
  adyen = await startTestService({ GATEWAY: 'adyen', GATEWAY_TIMEOUT_MS: '1000', ...adyenSettings(fake.url) })
})
afterAll(async () => {
  for (const one of [service, adyen]) {
    await books(one)
    await one.close()
  }
  await fake.close()
  await bank.close()
})

async function stored(one: TestService, customerId: number) {
  const { items } = (await one.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)).body
  return (await one.operator('GET', `/operator/v1/deposits/${items[0].paymentId}`)).body
}

/** A deposit of 20 that we gave up, in this state. */
async function givenUp(state: 'VOIDING' | 'VOIDED' | 'DECLINED') {
  const client = await newClient(service)
  const token = state === 'DECLINED' ? 'sandbox:decline' : 'sandbox:error-after'
  const method = await newCard(service, client, 'A', { token })
  await deposit(service, { ticket: client.ticket, method, amount: '20.00' })
  const { paymentId } = await stored(service, client.id)
  if (state === 'VOIDED') await sweepUntilDeposit(service, paymentId, 'VOIDED')
  expect((await stored(service, client.id)).state).toBe(state)
  return { client, paymentId }
}

const SAYS_TAKEN = [
  ['CAPTURE', true],
  ['CANCELLATION', false],
  ['TECHNICAL_CANCEL', false],
] as const

test.each(
  SAYS_TAKEN.flatMap(([event, success]) =>
    (['VOIDING', 'VOIDED', 'DECLINED'] as const).map((state) => [event, success, state] as const),
  ),
)(
  '%s %s for a deposit that is %s needs manual review, and credits it when that says so',
  async (event, success, state) => {
    const { client, paymentId } = await givenUp(state)
    await bankReports(service, { event, success, reference: paymentId, pounds: 20 })
    expect(await stored(service, client.id)).toMatchObject({ state: 'REVIEW', review: 'cancel-says-captured' })
    expect((await moneyOf(service, client)).balance).toBe(0)
    const waiting = (await service.operator('GET', '/operator/v1/deposit-review')).body
    expect(waiting.items.map((one: { paymentId: string }) => one.paymentId)).toContain(paymentId)
    const resolution = { outcome: 'captured', note: 'the gateway shows the capture' }
    const resolved = await service.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, resolution)
    expect([resolved.status, resolved.body.state]).toEqual([200, 'CAPTURED'])
    expect((await moneyOf(service, client)).balance).toBe(20)
  },
)

/** A deposit of 20 whose call never reached the bank. */
async function notReached() {
  const client = await newClient(service)
  const method = await newCard(service, client, 'A', { token: 'sandbox:error-before' })
  await deposit(service, { ticket: client.ticket, method, amount: '20.00' })
  return { client, paymentId: (await stored(service, client.id)).paymentId as string }
}

/** The bank is late: it holds the money, and says so. */
async function approveLate(paymentId: string): Promise<void> {
  const late = { reference: paymentId, token: 'sandbox:approve', amount: '2000', currency: 'GBP' }
  await fetch(`${bank.url}/authorise`, { method: 'POST', body: JSON.stringify(late) })
  await bankReports(service, { event: 'AUTHORISATION', reference: paymentId, pounds: 20 })
}

test('the cancel of a late approval is sent, also if the first one has been without an answer for days by then', async () => {
  const { client, paymentId } = await notReached()
  refusesCancels = true
  service.clock.advance(service.context.config.wallets.reviewAfterMs)
  meanwhile = () => approveLate(paymentId)
  await sweep(service.context)
  expect([meanwhile, (await stored(service, client.id)).state]).toEqual([null, 'VOIDING'])
  refusesCancels = false
  await sweepUntilDeposit(service, paymentId, 'VOIDED')
  const held = (await bank.payments()).find(({ reference }) => reference === paymentId)
  expect(held?.state).toBe('cancelled')
})

test('the cancel of a late approval is not lost when the gateway refuses it for days', async () => {
  const { client, paymentId } = await notReached()
  await sweep(service.context)
  service.clock.advance(service.context.config.wallets.voidGraceMs)
  await sweepUntilDeposit(service, paymentId, 'VOIDED')
  refusesCancels = true
  await approveLate(paymentId)
  for (let turn = 0; turn < 10; turn++) {
    await sweep(service.context)
    service.clock.advance(5 * HOUR_MS)
  }
  refusesCancels = false
  // A person looks it up and decides.
  const waiting = (await service.operator('GET', '/operator/v1/deposit-review')).body
  expect(waiting.items).toContainEqual(
    expect.objectContaining({ paymentId, state: 'REVIEW', review: 'cancel-unresolved' }),
  )
  expect((await moneyOf(service, client)).balance).toBe(0)
})

test('the gateway’s reference of a late approval is stored: its refund finds the payment', async () => {
  const client = await newClient(adyen)
  const method = await newCard(adyen, client, 'A', { token: 'hang-after' })
  await deposit(adyen, { ticket: client.ticket, method, amount: '20.00' })
  const { paymentId, state, gatewayReference } = await stored(adyen, client.id)
  expect([state, gatewayReference]).toEqual(['VOIDING', null])
  const psp = [...fake.payments].find(([, one]) => one.reference === paymentId)?.[0] as string
  const tell = (event: string, success: boolean, of: object) =>
    deliver(adyen, {
      body: adyenNotification({ event, success, reference: paymentId, value: 2000, ...of }),
      headers: {},
    })
  await tell('AUTHORISATION', true, { psp })
  expect(await stored(adyen, client.id)).toMatchObject({ gatewayReference: psp })
  await tell('CANCELLATION', false, { psp: `CANCEL-${client.id}`, original: psp })
  expect(await stored(adyen, client.id)).toMatchObject({ state: 'REVIEW', gatewayReference: psp })
  // The money was taken.
  const payment = fake.payments.get(psp) as { state: string }
  payment.state = 'captured'
  const resolution = { outcome: 'captured', note: 'the gateway shows the capture' }
  await adyen.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, resolution)
  expect((await refund(adyen, paymentId, '5.00')).status).toBe(201)
  const sent = async () => {
    await sweep(adyen.context)
    return fake.requests.filter(({ path }) => path === `/v72/payments/${psp}/refunds`).length
  }
  await expect.poll(sent, { timeout: 60_000, interval: 20 }).toBe(1)
})

test.each([
  ['a capture that was refused', 'sandbox:capture-refused'],
  ['a capture that failed later', 'sandbox:approve'],
])('a CAPTURE after %s resolves the review', async (_, token) => {
  const client = await newClient(service)
  const method = await newCard(service, client, 'A', { token })
  const paymentId =
    token === 'sandbox:approve'
      ? await payInCaptured(service, client, method, 20)
      : await payIn(service, client, method, 20)
  if (token === 'sandbox:approve') {
    await bankReports(service, { event: 'CAPTURE_FAILED', reference: paymentId, pounds: 20 })
  }
  await sweepUntilDeposit(service, paymentId, 'REVIEW')
  expect(await moneyOf(service, client)).toMatchObject({ balance: 0, debt: 0 })
  const gatewayReference = `recaptured-${client.id}`
  await bankReports(service, { event: 'CAPTURE', reference: paymentId, gatewayReference, pounds: 20 })
  expect((await stored(service, client.id)).state).toBe('CAPTURED')
  expect(await moneyOf(service, client)).toMatchObject({ balance: 20, debt: 0 })
})
