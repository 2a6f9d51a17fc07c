// The last requests of an application in the sandbox: with their forms, and after a restart.

import { expect, test } from 'vitest'
import { type Json, KEY, newTestDatabase, startTestService, type TestService } from '../harness/service.ts'
import { newDepositor } from '../harness/wallets.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Application = { apiKey: string; secret: string }

type Sent = { form?: string; headers?: Record<string, string> }

async function send(
  service: TestService,
  { apiKey, secret }: Application,
  target: string,
  { form, headers }: Sent = {},
) {
  const isForm = form !== undefined
  const response = await fetch(service.publicUrl + target, {
    method: isForm ? 'POST' : 'GET',
    headers: { 'who-apiKey': apiKey, 'who-secret': secret, ...(isForm ? FORM : {}), ...headers },
    ...(isForm ? { body: form } : {}),
  })
  await response.text()
}

async function read(service: TestService, { apiKey }: Application, query = ''): Promise<Json[]> {
  return (await service.operator('GET', `/operator/v1/applications/${apiKey}/requests?limit=200${query}`)).body.items
}

test('they survive a restart, with forms without secrets; another service on the database shows them too', async () => {
  const testDatabase = await newTestDatabase()
  const before = await startTestService({}, testDatabase)
  const application = (await before.operator('POST', '/operator/v1/applications', { name: 'Kept' })).body as Application
  const form = 'username=ann-log-in&password=open-sesame&lifetime=60'
  await send(before, application, '/v1/sessions/tickets', { form })
  await send(before, application, '/v1/profiles/1')
  const shown = await read(before, application)
  expect(shown.map(({ operation, body }) => [operation, body])).toEqual([
    ['getProfile', null],
    ['createTicket', expect.stringMatching(/…/)],
  ])
  expect(JSON.stringify(shown)).not.toMatch(/ann-log-in|open-sesame/)
  const other = await startTestService({}, testDatabase)
  expect(await read(other, application)).toEqual(shown)
  await other.close()
  await send(before, application, '/v1/profiles/2')
  await before.close()

  const after = await startTestService({}, testDatabase)
  const kept = await read(after, application)
  expect(kept.slice(1)).toEqual(shown)
  expect(kept[0]).toMatchObject({ path: '/v1/profiles/2' })
  expect(await read(after, application, '&operation=createTicket')).toHaveLength(1)
  await Promise.all(Array.from({ length: 205 }, (_, turn) => send(after, application, `/v1/profiles/${10 + turn}`)))
  const newest = await read(after, application)
  expect([newest.length, newest.filter(({ path }) => path === '/v1/profiles/2')]).toEqual([200, []])
  after.clock.advance(86_400_001)
  expect(await read(after, application)).toEqual([])
  await after.close()
  await testDatabase.remove()
})

test('answers are kept without tickets, cards and what customers wrote', async () => {
  const service = await startTestService()
  const application = (await service.operator('POST', '/operator/v1/applications', { name: 'Read' }))
    .body as Application
  const login = { username: 'ann-log-in', password: 'open-sesame' }
  const { ticket: first } = await service.customer(login)
  const { ticket, method } = await newDepositor(service)
  const json = { accept: 'application/json' }
  await service.call('PUT', '/v1/profiles/me?name=Ann%20Known&biography=Her%20words', { ticket: first })
  await send(service, application, '/v1/sessions/tickets', {
    form: new URLSearchParams(login).toString(),
    headers: json,
  })
  await send(service, application, '/v1/profiles/me', { headers: { 'who-ticket': first } })
  await send(service, application, '/v1/wallets/me/methods', { headers: { 'who-ticket': ticket, ...json } })
  await send(service, application, '/v1/profiles/999999')
  const [fault, cards, profile, session] = await read(service, application)
  expect(fault?.answer).toContain('<faultCode>30410</faultCode>')
  expect(JSON.parse(cards?.answer).whoWallets.paymentMethods[0]).toMatchObject({
    id: `${method}`,
    card: { number: '…' },
  })
  expect(profile?.answer).toMatch(/^<\?xml.*\n<whoProfiles><profile .*<name>…<\/name>/)
  expect(JSON.parse(session?.answer).whoSessions).toMatchObject({ ticket: '…', location: '…' })
  expect(JSON.stringify([cards, profile, session])).not.toMatch(/Ann Known|Her words|TGT-|1111|open-sesame/)
  await service.close()
})

test('in production no body is kept', async () => {
  const gateway = { GATEWAY: 'adyen', ADYEN_API_KEY: 'key', ADYEN_MERCHANT_ACCOUNT: 'account' }
  const service = await startTestService({
    ...{ MODE: 'production', TRUST_PROXY: '127.0.0.1', ...gateway, ADYEN_HMAC_KEY: '0f'.repeat(32) },
    ADYEN_URL: 'https://1a2b-checkout-live.adyenpayments.com/checkout',
    OPERATOR_TOKEN: '3f9c0e7ab14d5286c8fe0a917d4b62e5',
  })
  await service.call('GET', '/v1/profiles/999999', { headers: { 'x-forwarded-proto': 'https' } })
  const all = { operation: null, faultsOnly: false, limit: 5 }
  expect(service.context.recentRequests.read(KEY, all)).toMatchObject([{ status: 404, body: '', answer: '' }])
  await service.close()
})
