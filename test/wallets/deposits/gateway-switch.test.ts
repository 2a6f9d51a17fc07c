// The service is restarted with another GATEWAY while deposits of the first one are not finished.

import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writing } from '../../../src/platform/database/database.ts'
import { openSandboxBank } from '../../../src/wallets/gateways/sandbox/bank.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../../harness/adyen.ts'
import { newTestDatabase, startTestService, type TestDatabase, type TestService } from '../../harness/service.ts'
import {
  deposit,
  depositStates,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  sweepUntil,
} from '../../harness/wallets.ts'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let testDatabase: TestDatabase
let service: TestService

beforeEach(async () => {
  fake = await startFakeAdyen()
  testDatabase = await newTestDatabase()
})
afterEach(async () => {
  await service.close()
  await fake.close()
  await testDatabase.remove()
})

/** Where a gateway does not answer. Elsewhere a longer one: on a busy machine an answer may take seconds. */
const SHORT_TIMEOUT = { GATEWAY_TIMEOUT_MS: '2000' }

async function start(settings: Record<string, string>): Promise<void> {
  service = await startTestService({ GATEWAY_TIMEOUT_MS: '10000', VOID_GRACE_SECONDS: '60', ...settings }, testDatabase)
}

/** A paid deposit whose capture no sweep has sent yet. */
async function uncapturedDeposit(token: string) {
  const customer = await newDepositor(service, { token })
  const reply = await deposit(service, customer)
  expect([paidOrFaultCode(reply), await depositStates(service, customer.id)]).toEqual(['paid', ['AUTHORISED']])
  return { id: customer.id, paymentId: reply.json().whoWallets.paymentId as string }
}

const atAdyen = (paymentId: string) => [...fake.payments.values()].find((one) => one.reference === paymentId)?.state

function atSandbox() {
  const bank = openSandboxBank(join(testDatabase.settings.DATA_DIR as string, 'sandbox-gateway.db'))
  try {
    return bank.payments()
  } finally {
    bank.close()
  }
}

async function jobMetric(outcome: string): Promise<number> {
  const text = await (await fetch(`${service.operatorUrl}/metrics`)).text()
  return Number(
    new RegExp(`^paddock_deposit_jobs_total\\{kind="capture",outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1],
  )
}

const endLeases = writing<{ now: number }>(
  'endLeases',
  `update deposit set lease_until = :now where state = 'AUTHORISING'`,
)

test('captures, cancels and notifications of Adyen’s deposits stay Adyen’s after a switch to the sandbox', async () => {
  await start({ GATEWAY: 'adyen', ...adyenSettings(fake.url), ...SHORT_TIMEOUT })
  const paid = await uncapturedDeposit('approve')
  const voided = await newDepositor(service, { token: 'hang-after' })
  expect(paidOrFaultCode(await deposit(service, voided))).toBe('24005')
  await service.close()

  await start({ GATEWAY: 'sandbox', ...adyenSettings(fake.url) })
  await sweepUntil(service, paid.id, ['CAPTURED'])
  expect(atAdyen(paid.paymentId)).toBe('captured')
  const [{ paymentId: voidedId }] = (await service.operator('GET', `/operator/v1/deposits?customerId=${voided.id}`))
    .body.items
  const swept = async () => {
    await sweep(service.context)
    return atAdyen(voidedId)
  }
  await expect.poll(swept).toBe('cancelled')
  expect(await depositStates(service, voided.id)).toEqual(['VOIDING'])
  const body = adyenNotification({ event: 'TECHNICAL_CANCEL', reference: voidedId, psp: 'TC' })
  const reply = await service.call('POST', '/v1/notifications/adyen', { key: null, secret: null, body })
  expect([reply.status, reply.text]).toEqual([200, '[accepted]'])
  expect(await depositStates(service, voided.id)).toEqual(['VOIDED'])
  expect(atSandbox()).toEqual([])

  const next = await uncapturedDeposit('sandbox:approve')
  await sweepUntil(service, next.id, ['CAPTURED'])
  expect(atSandbox()).toMatchObject([{ reference: next.paymentId, state: 'captured' }])
  expect(await ledgerProblems(service)).toEqual([])
})

test('the sandbox finishes its deposits after a switch to Adyen, also those whose lease has expired', async () => {
  await start(SHORT_TIMEOUT)
  const paid = await uncapturedDeposit('sandbox:approve')
  const orphan = await newDepositor(service, { token: 'sandbox:timeout-after' })
  const lost = deposit(service, orphan).catch(() => {})
  await expect.poll(() => depositStates(service, orphan.id)).toEqual(['AUTHORISING'])
  await service.context.database.run(endLeases, { now: service.clock.now() })

  const first = service
  await start({ GATEWAY: 'adyen', ...adyenSettings(fake.url) })
  await sweepUntil(service, paid.id, ['CAPTURED'])
  await lost
  await first.close()
  await sweepUntil(service, orphan.id, ['VOIDED'])
  expect(
    atSandbox()
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['cancelled', 'captured'])
  expect(fake.requests).toEqual([])
  expect(await ledgerProblems(service)).toEqual([])
})

test('a deposit whose gateway is no longer configured is sent nowhere, and continues once it is configured again', async () => {
  await start({ GATEWAY: 'adyen', ...adyenSettings(fake.url) })
  const paid = await uncapturedDeposit('approve')
  await service.close()
  const calls = fake.requests.length

  await start({})
  // The sweep of the start may have claimed the job, so tries are counted and not sweeps.
  const triesAfterPause = async () => {
    service.clock.advance(300_000)
    await sweep(service.context)
    return jobMetric('gatewayNotConfigured')
  }
  await expect.poll(triesAfterPause).toBeGreaterThanOrEqual(1)
  // Longer than REVIEW_AFTER_SECONDS: the gateway was not called, so there is nothing to review.
  service.clock.advance(90_000_000)
  const before = await jobMetric('gatewayNotConfigured')
  await expect.poll(triesAfterPause).toBeGreaterThanOrEqual(before + 2)
  expect(await depositStates(service, paid.id)).toEqual(['AUTHORISED'])
  expect(fake.requests).toHaveLength(calls)
  expect(atSandbox()).toEqual([])
  expect(service.logged()).toContain(
    'captures, cancels, refunds and withdrawals wait, because the gateway adyen is not configured: it needs ADYEN_API_KEY, ADYEN_MERCHANT_ACCOUNT and ADYEN_HMAC_KEY',
  )
  const { events } = (await service.operator('GET', `/operator/v1/deposits/${paid.paymentId}`)).body
  expect(events.at(-1)).toMatchObject({ event: 'capture repeated', detail: 'the gateway adyen is not configured' })
  const body = adyenNotification({ event: 'CAPTURE', reference: paid.paymentId, psp: 'C' })
  expect((await service.call('POST', '/v1/notifications/adyen', { key: null, secret: null, body })).status).toBe(404)
  const { clock } = service
  await service.close()

  await start(adyenSettings(fake.url))
  service.clock.advance(clock.now() - Date.now() + 300_000)
  await sweepUntil(service, paid.id, ['CAPTURED'])
  expect(atAdyen(paid.paymentId)).toBe('captured')
  expect(await ledgerProblems(service)).toEqual([])
})

/** As a later version would have left it, whose process died. */
const insertDepositOfAcme = writing<{ like: string }>(
  'insertDepositOfAcme',
  `insert into deposit (id, customer_id, api_key, payment_method_id, gateway, amount, currency, day, state, lease_until,
     created_at)
   select 'of-acme', customer_id, api_key, payment_method_id, 'acme', amount, currency, day, 'AUTHORISING', lease_until,
     created_at
   from deposit where id = :like`,
)

test('a deposit of a gateway that this version does not know is sent to no other', async () => {
  await start({ DEPOSIT_LEASE_SECONDS: '60' })
  const paid = await uncapturedDeposit('sandbox:approve')
  await sweepUntil(service, paid.id, ['CAPTURED'])
  await service.context.database.run(insertDepositOfAcme, { like: paid.paymentId })
  service.clock.advance(61_000)
  await sweep(service.context)
  service.clock.advance(600_000)
  await sweep(service.context)
  expect(await depositStates(service, paid.id)).toEqual(['CAPTURED', 'VOIDING'])
  expect(service.logged()).toContain('the gateway acme is not configured: this version has no such gateway')
  expect(atSandbox()).toMatchObject([{ reference: paid.paymentId }])
})

test('a notification of one gateway changes no deposit of another', async () => {
  await start(adyenSettings(fake.url))
  const paid = await uncapturedDeposit('sandbox:approve')
  const body = adyenNotification({ event: 'CAPTURE', reference: paid.paymentId, psp: 'C' })
  expect((await service.call('POST', '/v1/notifications/adyen', { key: null, secret: null, body })).status).toBe(200)
  expect(await depositStates(service, paid.id)).toEqual(['AUTHORISED'])
  expect(atSandbox()).toMatchObject([{ state: 'held' }])
})
