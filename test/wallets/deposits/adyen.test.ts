// Deposits, jobs and notifications with the Adyen gateway.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceOf } from '../../../src/wallets/account/ledger.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../../harness/adyen.ts'
import { type Json, startTestService, type TestService } from '../../harness/service.ts'
import {
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  slowGateway,
  sweepUntil,
} from '../../harness/wallets.ts'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let service: TestService
/** For calls that Adyen does not answer. */
let impatient: TestService
const slow = slowGateway()

beforeAll(async () => {
  fake = await startFakeAdyen()
  const settings = { GATEWAY: 'adyen', VOID_GRACE_SECONDS: '600', ...adyenSettings(fake.url) }
  service = await startTestService(settings)
  const short = { ...settings, GATEWAY_TIMEOUT_MS: '400' }
  impatient = await startTestService(short, undefined, { gateway: slow.observe })
})
afterAll(async () => {
  await service.close()
  await impatient.close()
  await fake.close()
})

function notify(options: Parameters<typeof adyenNotification>[0], to = service) {
  return to.call('POST', '/v1/notifications/adyen', {
    key: null,
    secret: null,
    headers: { 'content-type': 'application/json' },
    body: adyenNotification(options),
  })
}

test.each([
  'pspReference',
  'originalReference',
  'merchantReference',
  'merchantAccountCode',
  'eventCode',
  'success',
  'value',
  'currency',
])('an unsigned notification is answered with 401 whatever it contains: %s', async (field) => {
  for (const junk of [{ toString: 1 }, [{ toString: 1 }], { valueOf: null, toString: null }, { toJSON: 1 }, null, 7]) {
    const item = { [field]: junk, amount: { [field]: junk }, additionalData: { hmacSignature: 'x' } }
    const body = JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] })
    const reply = await service.call('POST', '/v1/notifications/adyen', { key: null, secret: null, body })
    expect([junk, reply.status]).toEqual([junk, 401])
  }
})

async function paymentIdOf(customerId: number, at = service): Promise<string> {
  return (await at.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)).body.items[0].paymentId
}

test('an approved deposit is captured; a capture that fails days later needs manual review', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'approve' })
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
  await sweepUntil(service, id, ['CAPTURED'])
  const reference = await paymentIdOf(id)
  expect((await notify({ event: 'CAPTURE_FAILED', reference, psp: 'CF1' })).text).toBe('[accepted]')
  expect(await depositStates(service, id)).toEqual(['REVIEW'])
  expect(await ledgerProblems(service)).toEqual([])
  const path = `/operator/v1/deposits/${reference}/resolution`
  expect((await service.operator('POST', path, { outcome: 'voided' })).status).toBe(200)
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(0n)
  expect(await ledgerProblems(service)).toEqual([])
})

test('the notification of a cancel completes a void', async () => {
  const { id, ticket, method } = await newDepositor(impatient, { token: 'hang-after' })
  expect(paidOrFaultCode(await deposit(impatient, { ticket, method }))).toBe('24005')
  await sweepUntil(impatient, id, ['VOIDING'])
  const reference = await paymentIdOf(id, impatient)
  // A late approval must not credit a deposit that was decided void.
  expect((await notify({ event: 'AUTHORISATION', reference, psp: 'LATE' }, impatient)).status).toBe(200)
  expect(await depositStates(impatient, id)).toEqual(['VOIDING'])
  await sweep(impatient.context)
  expect([...fake.payments.values()].find((one) => one.reference === reference)?.state).toBe('cancelled')
  expect((await notify({ event: 'TECHNICAL_CANCEL', reference, psp: 'TC1' }, impatient)).status).toBe(200)
  expect(await depositStates(impatient, id)).toEqual(['VOIDED'])
  expect(await balanceOf(impatient.context.database, id, 'GBP')).toBe(0n)
  expect(await ledgerProblems(impatient)).toEqual([])
})

test('an approval after a completed void is cancelled again', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'reset' })
  expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('24005')
  const reference = await paymentIdOf(id)
  await notify({ event: 'TECHNICAL_CANCEL', reference, psp: 'TC2' })
  expect(await depositStates(service, id)).toEqual(['VOIDED'])
  await notify({ event: 'AUTHORISATION', reference, psp: 'LATE2' })
  await sweep(service.context)
  expect(fake.requests.filter(({ path }) => path === '/v72/payments/LATE2/cancels')).toHaveLength(1)
  expect(await depositStates(service, id)).toEqual(['VOIDED'])
})

test.each(['CAPTURE', 'TECHNICAL_CANCEL'])(
  'of a payment that %s alone tells of, the money goes back to the card',
  async (event) => {
    const { id, ticket, method } = await newDepositor(impatient, { token: 'hang-after' })
    expect(paidOrFaultCode(await deposit(impatient, { ticket, method }))).toBe('24005')
    const reference = await paymentIdOf(id, impatient)
    const [original = ''] = [...fake.payments].find(([, one]) => one.reference === reference) ?? []
    const payment = fake.payments.get(original)
    if (payment !== undefined) payment.state = 'captured'
    await notify({ event, success: event === 'CAPTURE', reference, psp: `${event} 1`, original }, impatient)
    const path = `/operator/v1/deposits/${reference}`
    expect((await impatient.operator('GET', path)).body).toMatchObject({ state: 'REVIEW', gatewayReference: original })
    await impatient.call('PUT', '/v1/wallets/me/time-out?hours=24', { ticket })
    const resolution = { outcome: 'captured', note: 'the gateway shows the capture' }
    expect((await impatient.operator('POST', `${path}/resolution`, resolution)).body.state).toBe('CAPTURED')
    const refunded = () => fake.requests.filter((one) => one.path === `/v72/payments/${original}/refunds`)
    await expect
      .poll(async () => {
        await sweep(impatient.context)
        return refunded().length
      })
      .toBe(1)
    expect(await balanceOf(impatient.context.database, id, 'GBP')).toBe(0n)
    expect(await ledgerProblems(impatient)).toEqual([])
  },
)

test('an amount that is no whole number is no amount, and none of 0 or less moves anything', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'approve' })
  await deposit(service, { ticket, method })
  const reference = await paymentIdOf(id)
  const { gatewayReference: original } = (await service.operator('GET', `/operator/v1/deposits/${reference}`)).body
  const events = ['CAPTURE_FAILED', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_REVERSED']
  const values = [0, -5, 0.5, 2 ** 53, '1000'] as number[]
  for (const event of events) {
    for (const value of values) await notify({ event, reference, psp: `N ${event}`, original, value })
  }
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(1000n)
  const { items } = (await service.operator('GET', '/operator/v1/notifications/unapplied?limit=100')).body
  const ours = items.filter((one: Json) => one.reference === reference)
  expect(ours.map(({ contradiction }: Json) => contradiction)).toEqual(Array(20).fill('another-amount'))
  // What only informs is known, whatever its amount.
  await notify({ event: 'NOTIFICATION_OF_FRAUD', reference, psp: 'N told', original, value: 0 })
  const disputes = (await service.operator('GET', `/operator/v1/disputes?customerId=${id}`)).body.items
  expect(disputes).toMatchObject([{ state: 'OPENED', debited: '0.00' }])
  expect(await ledgerProblems(service)).toEqual([])
})

test('a notified approval credits once, in any order and however often it is sent', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'approve' })
  const reply = await deposit(service, { ticket, method })
  const reference = reply.json().whoWallets.paymentId
  await Promise.all(Array.from({ length: 8 }, () => notify({ event: 'AUTHORISATION', reference, psp: 'PSPX' })))
  await Promise.all(Array.from({ length: 3 }, (_, index) => notify({ event: 'CAPTURE', reference, psp: `C${index}` })))
  await sweepUntil(service, id, ['CAPTURED'])
  expect(await balanceOf(service.context.database, id, 'GBP')).toBe(1000n)
  expect(await ledgerProblems(service)).toEqual([])
  const { events } = (await service.operator('GET', `/operator/v1/deposits/${reference}`)).body
  expect(events.filter((one: { event: string }) => one.event === 'notified')).toHaveLength(4)
})

test('a notified approval of another amount is ignored', async () => {
  const { id, ticket, method } = await newDepositor(impatient, { token: 'hang' })
  slow.meanwhile(async () => {
    const reference = await paymentIdOf(id, impatient)
    await notify({ event: 'AUTHORISATION', reference, psp: 'BIG', value: 100_000 }, impatient)
  })
  expect(paidOrFaultCode(await deposit(impatient, { ticket, method }))).toBe('24005')
  expect(await balanceOf(impatient.context.database, id, 'GBP')).toBe(0n)
})

test('an approval that is notified before the call ends determines the answer', async () => {
  const { id, ticket, method } = await newDepositor(impatient, { token: 'hang' })
  slow.meanwhile(async () => {
    await notify({ event: 'AUTHORISATION', reference: await paymentIdOf(id, impatient), psp: 'EARLY' }, impatient)
  })
  expect(paidOrFaultCode(await deposit(impatient, { ticket, method }))).toBe('paid')
  expect(await balanceOf(impatient.context.database, id, 'GBP')).toBe(1000n)
})

test('a notification without Adyen’s signature is refused and changes nothing', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'approve' })
  const reference = (await deposit(service, { ticket, method })).json().whoWallets.paymentId
  await sweepUntil(service, id, ['CAPTURED'])
  const forged = await notify({ event: 'CAPTURE_FAILED', reference, key: '00'.repeat(32) })
  expect(forged.status).toBe(401)
  expect(await depositStates(service, id)).toEqual(['CAPTURED'])
  expect((await notify({ event: 'AUTHORISATION', reference: 'nobody-knows', psp: 'N' })).status).toBe(200)
})

test('a notification that contradicts the state of a deposit is listed, and moves no money', async () => {
  const captured = await newDepositor(service, { token: 'approve' })
  const declined = await newDepositor(service, { token: 'refuse-2' })
  const voided = await newDepositor(service, { token: 'reset' })
  for (const one of [captured, declined, voided]) await deposit(service, one)
  await sweepUntil(service, captured.id, ['CAPTURED'])
  await notify({ event: 'TECHNICAL_CANCEL', reference: await paymentIdOf(voided.id), psp: 'FIT1' })
  const all = [captured, declined, voided]
  const tell = async (event: string) => {
    for (const one of all) {
      const told = { event, reference: await paymentIdOf(one.id), psp: `FIT-${one.id}-${event}` }
      expect([event, (await notify(told)).status]).toEqual([event, 200])
    }
    return Promise.all(all.map(async ({ id }) => (await depositStates(service, id))[0]))
  }
  expect(await tell('TECHNICAL_CANCEL')).toEqual(['CAPTURED', 'DECLINED', 'VOIDED'])
  expect(await tell('AUTHORISATION')).toEqual(['CAPTURED', 'DECLINED', 'VOIDED'])
  // It took money of deposits that failed.
  expect(await tell('CAPTURE')).toEqual(['CAPTURED', 'REVIEW', 'REVIEW'])
  const { items } = (await service.operator('GET', '/operator/v1/notifications/unapplied?limit=100')).body
  const listed = await Promise.all(
    all.map(async ({ id }) => {
      const reference = await paymentIdOf(id)
      return items.filter((one: Json) => one.reference === reference).map((one: Json) => one.contradiction)
    }),
  )
  expect(listed).toEqual([['cancelled-but-credited'], ['cancel-says-captured'], ['cancel-says-captured']])
  expect(await ledgerProblems(service)).toEqual([])
})
