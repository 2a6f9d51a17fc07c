// The gateway's own view of a payment beside ours.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { type Json, startTestService, type TestService, useService } from '../harness/service.ts'
import { type Bank, deposit, newDepositor, startBank, sweepUntil } from '../harness/wallets.ts'

const service = useService()

async function newDeposit(on: TestService, token: string, states: string[]): Promise<string> {
  const payer = await newDepositor(on, { token })
  await deposit(on, { ...payer, amount: '12.34' })
  await sweepUntil(on, payer.id, states)
  const { items } = (await on.operator('GET', `/operator/v1/deposits?customerId=${payer.id}`)).body
  return items[0].paymentId
}

async function view(on: TestService, paymentId: string): Promise<Json> {
  const reply = await on.operator('GET', `/operator/v1/deposits/${paymentId}/gateway`)
  expect(reply.status).toBe(200)
  return reply.body
}

const terms = { amount: '12.34', currency: 'GBP' }

test.each([
  ['sandbox:approve', 'CAPTURED', 'captured', { state: 'captured', ...terms }],
  ['sandbox:insufficient-funds', 'DECLINED', 'none', { state: 'none', amount: null, currency: null }],
])('both sides of a deposit with %s agree', async (token, state, ours, theirs) => {
  const paymentId = await newDeposit(service, token, [state])
  expect(await view(service, paymentId)).toMatchObject({
    ours: { state: ours, ...terms },
    theirs,
    differences: [],
    source: 'gateway',
    link: null,
  })
})

test('what the gateway says otherwise is a difference: state, amount and currency', async () => {
  const paymentId = await newDeposit(service, 'sandbox:capture-refused', ['REVIEW'])
  const { gateways, config } = service.context
  // The credit was taken back, and the gateway still holds the money.
  const ours = { state: 'failed', ...terms }
  expect(await view(service, paymentId)).toMatchObject({ ours, theirs: { state: 'held' }, differences: ['state'] })
  const bank = new DatabaseSync(join(config.dataFolder, 'sandbox-gateway.db'))
  bank.prepare(`update payment set amount = '1243', currency = 'EUR' where reference = ?`).run(paymentId)
  bank.close()
  expect(await view(service, paymentId)).toMatchObject({
    ours,
    theirs: { state: 'held', amount: '12.43', currency: 'EUR' },
    differences: ['state', 'amount', 'currency'],
  })
  await gateways.current.cancel({ reference: paymentId, gatewayReference: null, amount: 1n, currency: 'GBP' })
  expect(await view(service, paymentId)).toMatchObject({
    theirs: { state: 'cancelled' },
    differences: ['amount', 'currency'],
  })
})

test('there is no view of a deposit that does not exist', async () => {
  expect((await service.operator('GET', '/operator/v1/deposits/none/gateway')).status).toBe(404)
})

test('a gateway that does not answer in time leaves its side unknown, and says what to do', async () => {
  const bank: Bank = await startBank()
  const own = await startTestService({ SANDBOX_GATEWAY_URL: bank.url, GATEWAY_TIMEOUT_MS: '300' })
  try {
    const paymentId = await newDeposit(own, 'sandbox:approve', ['CAPTURED'])
    expect(await view(own, paymentId)).toMatchObject({ theirs: { state: 'captured' }, link: `${bank.url}/payments` })
    await bank.close()
    expect(await view(own, paymentId)).toEqual({
      ours: { state: 'captured', ...terms },
      theirs: { state: 'unknown', amount: null, currency: null },
      differences: [],
      source: 'none',
      remark: expect.stringMatching(/^The gateway did not answer \(\w+\)\. Try again, or look the payment up there\.$/),
      link: `${bank.url}/payments`,
    })
  } finally {
    await own.close()
  }
})

let adyen: Awaited<ReturnType<typeof startFakeAdyen>>
beforeAll(async () => {
  adyen = await startFakeAdyen()
})
afterAll(() => adyen.close())

test('Adyen’s side is what its notifications said', async () => {
  const own = await startTestService({ GATEWAY: 'adyen', ...adyenSettings(adyen.url) })
  try {
    const paymentId = await newDeposit(own, 'approve', ['CAPTURED'])
    const notify = async (event: string) => {
      const body = adyenNotification({ event, reference: paymentId, psp: `PSP-${event}`, value: 1234 })
      const headers = { 'content-type': 'application/json' }
      expect((await fetch(`${own.publicUrl}/v1/notifications/adyen`, { method: 'POST', headers, body })).status).toBe(
        200,
      )
    }
    const silent = await view(own, paymentId)
    expect(silent).toMatchObject({ theirs: { state: 'unknown' }, source: 'none', differences: [] })
    expect(silent.link).toMatch(/^https:\/\/ca-live\.adyen\.com\/.*pspReference=PSP\d+$/)
    await notify('CAPTURE')
    expect(await view(own, paymentId)).toMatchObject({
      theirs: { state: 'captured', amount: null, currency: null },
      source: 'notifications',
      differences: [],
    })
    await notify('CAPTURE_FAILED')
    const failed = await view(own, paymentId)
    expect(failed).toMatchObject({ ours: { state: 'failed' }, theirs: { state: 'failed' }, differences: [] })
    expect(failed.remark).toContain('from its notifications')
  } finally {
    await own.close()
  }
})

test('a deposit of a gateway that is not configured says which settings are missing', async () => {
  const paymentId = await newDeposit(service, 'sandbox:insufficient-funds', ['DECLINED'])
  await service.context.database.script(`insert into deposit (id, customer_id, api_key, payment_method_id, gateway, amount,
      currency, day, lease_until, created_at, state, fault, decided_at)
    select 'of-adyen', customer_id, api_key, payment_method_id, 'adyen', amount, currency, day, lease_until, created_at,
      state, fault, decided_at from deposit where id = '${paymentId}'`)
  const { theirs, remark, link } = await view(service, 'of-adyen')
  expect([theirs.state, link]).toEqual(['unknown', null])
  expect(remark).toContain('not configured, it needs ADYEN_API_KEY')
})
