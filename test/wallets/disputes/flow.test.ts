// Disputes, and refunds that were made at the gateway, as its notifications tell them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatMoney } from '../../../src/platform/runtime/money.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../../harness/adyen.ts'
import {
  captured,
  disputesOf,
  moneyOf,
  refund,
  refundsOf,
  spend,
  sweepUntilRefunds,
  tell,
} from '../../harness/refunds.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { deposit, ledgerProblems, paidOrFaultCode, sweepUntil } from '../../harness/wallets.ts'

let service: TestService
let strict: TestService
let adyen: TestService
let fake: Awaited<ReturnType<typeof startFakeAdyen>>

beforeAll(async () => {
  fake = await startFakeAdyen()
  service = await startTestService()
  strict = await startTestService({ DEPOSITS_WITH_DEBT: 'refused' })
  adyen = await startTestService({ GATEWAY: 'adyen', ...adyenSettings(fake.url) })
})
afterAll(async () => {
  for (const one of [service, strict, adyen]) {
    expect(await ledgerProblems(one)).toEqual([])
    await one.close()
  }
  await fake.close()
})

test('what the bank only tells moves nothing, and is listed with its deadline', async () => {
  const customer = await captured(service)
  await tell(service, customer.paymentId, 'NOTIFICATION_OF_CHARGEBACK')
  expect(await moneyOf(service, customer)).toEqual([2000n, 0n])
  const [dispute] = await disputesOf(service, customer.paymentId)
  expect(dispute).toMatchObject({ state: 'OPENED', amount: '20.00', debited: '0.00', evidence: 'open' })
  expect(Date.parse(dispute.answerBy)).toBeGreaterThan(service.clock.now())
  const due = async () => (await service.operator('GET', '/operator/v1/disputes?due=yes')).body.items
  expect((await due()).map(({ id }: { id: string }) => id)).toContain(dispute.id)
  for (const query of ['', '?state=OPENED']) {
    const { items } = (await service.operator('GET', `/operator/v1/disputes${query}`)).body
    expect(items.map(({ id }: { id: string }) => id)).toContain(dispute.id)
  }
  await tell(service, customer.paymentId, 'INFORMATION_SUPPLIED')
  expect((await due()).map(({ id }: { id: string }) => id)).not.toContain(dispute.id)
  await tell(service, customer.paymentId, 'DISPUTE_DEFENSE_PERIOD_ENDED')
  expect((await disputesOf(service, customer.paymentId))[0]).toMatchObject({ evidence: 'over', state: 'OPENED' })
})

test('a chargeback takes the balance and leaves the rest as a debt, which the next credits pay first', async () => {
  const customer = await captured(service)
  await spend(service, customer.id, '15.00')
  await tell(service, customer.paymentId, 'CHARGEBACK')
  expect(await moneyOf(service, customer)).toEqual([0n, 1500n])
  await tell(service, customer.paymentId, 'CHARGEBACK')
  expect(await moneyOf(service, customer)).toEqual([0n, 1500n])
  expect(paidOrFaultCode(await deposit(service, { ...customer, amount: '10.00' }))).toBe('paid')
  expect(await moneyOf(service, customer)).toEqual([0n, 500n])
  expect(paidOrFaultCode(await deposit(service, { ...customer, amount: '10.00' }))).toBe('paid')
  expect(await moneyOf(service, customer)).toEqual([500n, 0n])
  await tell(service, customer.paymentId, 'CHARGEBACK_REVERSED')
  expect(await moneyOf(service, customer)).toEqual([2500n, 0n])
  await tell(service, customer.paymentId, 'SECOND_CHARGEBACK')
  expect(await moneyOf(service, customer)).toEqual([500n, 0n])
  // It ends the dispute; what moved money was reported before.
  await tell(service, customer.paymentId, 'PREARBITRATION_LOST')
  expect(await moneyOf(service, customer)).toEqual([500n, 0n])
  expect((await disputesOf(service, customer.paymentId))[0]).toMatchObject({ state: 'LOST', debited: '20.00' })
})

test('with the setting, deposits of a customer with a debt are 24004', async () => {
  const customer = await captured(strict)
  await spend(strict, customer.id, '20.00')
  await tell(strict, customer.paymentId, 'CHARGEBACK', '5.00')
  expect(await moneyOf(strict, customer)).toEqual([0n, 500n])
  expect(paidOrFaultCode(await deposit(strict, { ...customer, amount: '10.00' }))).toBe('24004')
  await tell(strict, customer.paymentId, 'CHARGEBACK_REVERSED', '5.00')
  expect(await moneyOf(strict, customer)).toEqual([0n, 0n])
  expect(paidOrFaultCode(await deposit(strict, { ...customer, amount: '10.00' }))).toBe('paid')
})

test('a reversal that arrives before its chargeback leaves nothing debited', async () => {
  const customer = await captured(service)
  for (const event of ['CHARGEBACK_REVERSED', 'CHARGEBACK', 'NOTIFICATION_OF_CHARGEBACK']) {
    await tell(service, customer.paymentId, event)
    expect(await moneyOf(service, customer)).toEqual([2000n, 0n])
  }
  expect((await disputesOf(service, customer.paymentId))[0]).toMatchObject({ state: 'REVERSED', debited: '0.00' })
})

test('a chargeback of a deposit that was partly refunded takes its amount, and nothing more can be refunded', async () => {
  const customer = await captured(service)
  await refund(service, customer.paymentId, '5.00')
  await sweepUntilRefunds(service, customer.paymentId, ['DONE'])
  await tell(service, customer.paymentId, 'CHARGEBACK')
  expect(await moneyOf(service, customer)).toEqual([0n, 500n])
  expect(await refundsOf(service, customer.paymentId)).toMatchObject({ returned: '25.00', left: '0.00' })
  expect((await refund(service, customer.paymentId, '1.00')).status).toBe(409)
})

test('a refund that the gateway has only received is done, or comes back, when it tells so', async () => {
  const customer = await captured(service, 'sandbox:refund-slow')
  await refund(service, customer.paymentId, '5.00')
  await sweepUntilRefunds(service, customer.paymentId, ['SENT'])
  await tell(service, customer.paymentId, 'REFUND')
  await sweepUntilRefunds(service, customer.paymentId, ['DONE'])
  expect(await moneyOf(service, customer)).toEqual([1500n, 0n])
  await tell(service, customer.paymentId, 'REFUND_FAILED')
  await tell(service, customer.paymentId, 'REFUNDED_REVERSED')
  await sweepUntilRefunds(service, customer.paymentId, ['FAILED'])
  expect(await moneyOf(service, customer)).toEqual([2000n, 0n])
})

test('what is told before the capture is debited when the deposit is captured', async () => {
  const { id, ticket, method } = await captured(service)
  const reply = await deposit(service, { ticket, method, amount: '20.00' })
  const paymentId = reply.json().whoWallets.paymentId
  await tell(service, paymentId, 'CHARGEBACK', '7.00')
  await tell(service, paymentId, 'REFUND', '6.00')
  expect(await moneyOf(service, { id })).toEqual([4000n, 0n])
  expect(await ledgerProblems(service)).toEqual([])
  await sweepUntil(service, id, ['CAPTURED', 'CAPTURED'])
  // The job that debits it has not run yet.
  expect(await ledgerProblems(service)).toEqual([])
  const settled = async () => {
    await sweep(service.context)
    service.clock.advance(5_000)
    return moneyOf(service, { id })
  }
  await expect.poll(settled, { timeout: 60_000, interval: 20 }).toEqual([2700n, 0n])
})

test.each([
  ['captured', [1300n, 0n]],
  ['voided', [0n, 700n]],
])('a disputed deposit whose capture failed is resolved as %s', async (outcome, money) => {
  const customer = await captured(service)
  await tell(service, customer.paymentId, 'CHARGEBACK', '7.00')
  await tell(service, customer.paymentId, 'CAPTURE_FAILED')
  await sweepUntil(service, customer.id, ['REVIEW'])
  expect(await moneyOf(service, customer)).toEqual([0n, 700n])
  const path = `/operator/v1/deposits/${customer.paymentId}/resolution`
  expect((await service.operator('POST', path, { outcome, note: 'asked the bank' })).status).toBe(200)
  expect(await moneyOf(service, customer)).toEqual(money)
})

test.each([
  ['CHARGEBACK_REVERSED', '3.00', 400n, 0n],
  ['SECOND_CHARGEBACK', '5.00', 700n, 500n],
])('%s while the capture has failed: the customer pays no more for a deposit that is voided', async (event, ...of) => {
  const [amount, debt, house] = of
  const customer = await captured(service)
  await tell(service, customer.paymentId, 'CHARGEBACK', '7.00')
  await tell(service, customer.paymentId, 'CAPTURE_FAILED')
  await tell(service, customer.paymentId, event, amount)
  expect(await ledgerProblems(service)).toEqual([])
  const path = `/operator/v1/deposits/${customer.paymentId}/resolution`
  const resolve = (outcome: string) => service.operator('POST', path, { outcome, note: 'asked the bank' })
  expect((await resolve('voided')).status).toBe(200)
  expect(await moneyOf(service, customer)).toEqual([0n, debt])
  const [dispute] = (await service.operator('GET', `/operator/v1/disputes?paymentId=${customer.paymentId}`)).body.items
  expect(dispute).toMatchObject({ debited: formatMoney(debt), house: formatMoney(house) })
  expect(await ledgerProblems(service)).toEqual([])
  // It was captured after all: the house has lost nothing.
  await tell(service, customer.paymentId, 'CAPTURE')
  expect((await resolve('captured')).status).toBe(200)
  expect(await moneyOf(service, customer)).toEqual([2000n - debt - house, 0n])
  expect(await ledgerProblems(service)).toEqual([])
})

// ---- Adyen

function notify(options: Parameters<typeof adyenNotification>[0]) {
  const headers = { 'content-type': 'application/json' }
  const body = adyenNotification(options)
  return adyen.call('POST', '/v1/notifications/adyen', { key: null, secret: null, headers, body })
}

test('Adyen tells that a refund is done, by either reference', async () => {
  for (const by of ['gateway', 'ours'] as const) {
    const customer = await captured(adyen, 'approve')
    await refund(adyen, customer.paymentId, '5.00')
    await sweepUntilRefunds(adyen, customer.paymentId, ['SENT'])
    const { gatewayReference } = (await refundsOf(adyen, customer.paymentId)).items[0]
    const request = fake.requests.findLast(({ path }) => path.endsWith('/refunds'))
    const reference = by === 'ours' ? `${request?.body.reference}` : customer.paymentId
    const psp = by === 'ours' ? 'ANOTHER' : gatewayReference
    expect((await notify({ event: 'REFUND', reference, psp: `${psp}`, value: 500 })).text).toBe('[accepted]')
    await sweepUntilRefunds(adyen, customer.paymentId, ['DONE'])
    expect(await moneyOf(adyen, customer)).toEqual([1500n, 0n])
  }
})

test('Adyen tells that a refund came back, by a reference of the reversal alone', async () => {
  for (const original of ['payment', 'refund'] as const) {
    const customer = await captured(adyen, 'approve')
    await refund(adyen, customer.paymentId, '5.00')
    await sweepUntilRefunds(adyen, customer.paymentId, ['SENT'])
    const { gatewayReference } = (await refundsOf(adyen, customer.paymentId)).items[0]
    await notify({ event: 'REFUND', reference: customer.paymentId, psp: gatewayReference, value: 500 })
    await sweepUntilRefunds(adyen, customer.paymentId, ['DONE'])
    const psp = `REVERSAL-${customer.id}`
    const named =
      original === 'payment' ? { reference: customer.paymentId } : { reference: 'unknown', original: gatewayReference }
    await notify({ event: 'REFUNDED_REVERSED', ...named, psp, value: 500 })
    expect((await refundsOf(adyen, customer.paymentId)).items).toMatchObject([{ state: 'FAILED', gatewayReference }])
    expect(await moneyOf(adyen, customer)).toEqual([2000n, 0n])
    // Late, and of the other kind.
    await notify({ event: 'REFUND', reference: customer.paymentId, psp: gatewayReference, value: 500 })
    await notify({ event: 'REFUND_FAILED', reference: customer.paymentId, psp: gatewayReference, value: 500 })
    expect(await moneyOf(adyen, customer)).toEqual([2000n, 0n])
  }
})

test('what came back is the refund that was done, not one of the same amount that is still to be sent', async () => {
  const customer = await captured(adyen, 'approve')
  await refund(adyen, customer.paymentId, '5.00')
  await sweepUntilRefunds(adyen, customer.paymentId, ['SENT'])
  const { gatewayReference } = (await refundsOf(adyen, customer.paymentId)).items[0]
  await notify({ event: 'REFUND', reference: customer.paymentId, psp: gatewayReference, value: 500 })
  await sweepUntilRefunds(adyen, customer.paymentId, ['DONE'])
  await refund(adyen, customer.paymentId, '5.00')
  const psp = `REVERSAL-${customer.id}`
  await notify({ event: 'REFUNDED_REVERSED', reference: customer.paymentId, psp, value: 500 })
  await sweepUntilRefunds(adyen, customer.paymentId, ['FAILED', 'SENT'])
  expect(await moneyOf(adyen, customer)).toEqual([1500n, 0n])
})

test('a refund of the back office that failed leaves one of the same amount as it is', async () => {
  const customer = await captured(adyen, 'approve')
  await refund(adyen, customer.paymentId, '5.00')
  await sweepUntilRefunds(adyen, customer.paymentId, ['SENT'])
  await notify({ event: 'REFUND_FAILED', reference: customer.paymentId, psp: `BACK-${customer.id}`, value: 500 })
  await sweepUntilRefunds(adyen, customer.paymentId, ['SENT'])
  expect(await moneyOf(adyen, customer)).toEqual([1500n, 0n])
  expect(await unappliedOf(customer.paymentId)).toEqual(['unknown-refund'])
})

async function unappliedOf(paymentId: string): Promise<string[]> {
  const { items } = (await adyen.operator('GET', '/operator/v1/notifications/unapplied')).body
  return items
    .filter(({ reference }: { reference: string }) => reference === paymentId)
    .map(({ contradiction }: { contradiction: string }) => contradiction)
}

test('a refund made in Adyen’s back office is debited, as far as the balance goes', async () => {
  const customer = await captured(adyen, 'approve')
  await spend(adyen, customer.id, '17.00')
  await notify({ event: 'REFUND', reference: customer.paymentId, psp: `BACK-${customer.id}`, value: 500 })
  expect((await refundsOf(adyen, customer.paymentId)).items).toMatchObject([
    { state: 'DONE', amount: '5.00', requestedBy: null },
  ])
  expect(await moneyOf(adyen, customer)).toEqual([0n, 200n])
  await notify({ event: 'REFUND_FAILED', reference: customer.paymentId, psp: `BACK-${customer.id}`, value: 500 })
  expect(await moneyOf(adyen, customer)).toEqual([300n, 0n])
})

test('a refund whose result is reported before its call began is looked up, and not sent', async () => {
  const customer = await captured(adyen, 'approve')
  await refund(adyen, customer.paymentId, '5.00')
  const [{ reference }] = (await refundsOf(adyen, customer.paymentId)).items
  await notify({ event: 'REFUND', reference, psp: `EARLY-${customer.id}`, value: 500 })
  await sweep(adyen.context)
  expect((await refundsOf(adyen, customer.paymentId)).items).toMatchObject([{ state: 'REVIEW', review: 'never-sent' }])
  expect(await moneyOf(adyen, customer)).toEqual([1500n, 0n])
})

test('a dispute of Adyen is found by the reference of the payment, with its deadline', async () => {
  const customer = await captured(adyen, 'approve')
  const { gatewayReference } = (await adyen.operator('GET', `/operator/v1/deposits/${customer.paymentId}`)).body
  const told = { reference: 'unknown', original: gatewayReference, psp: `DISPUTE-${customer.id}`, value: 1200 }
  await notify({ ...told, event: 'CHARGEBACK', answerBy: '2030-12-18T10:15:30+01:00' })
  expect(await disputesOf(adyen, customer.paymentId)).toMatchObject([
    { state: 'CHARGED_BACK', amount: '12.00', debited: '12.00', answerBy: '2030-12-18T09:15:30.000Z' },
  ])
  expect(await moneyOf(adyen, customer)).toEqual([800n, 0n])
})
