// Where webhooks may go, and what happens when a name turns out to lead elsewhere.

import { lookup } from 'node:dns/promises'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import {
  AddressRefused,
  isPublicAddress,
  type PrivateAddresses,
  publicLookup,
  urlProblem,
} from '../../src/webhooks/addresses.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { newWebhook, startReceiver, untilStates } from '../harness/webhooks.ts'

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '64:ff9b::8.8.8.8', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

const rules = { privateAddresses: 'off', httpsOnly: true } as const

test.each([
  ['https://example.com/hooks', undefined],
  ['https://8.8.8.8:8443/', undefined],
  ['http://example.com/', /https/],
  ['ftp://example.com/', /https/],
  ['nonsense', /address such as/],
  ['https://user:password@example.com/', /user name or password/],
  ['https://user@example.com/', /user name or password/],
  ['https://127.0.0.1/', /not a public address/],
  ['https://localhost/', /not a public address/],
  ['https://0x7f.1/', /127\.0\.0\.1/],
  ['https://2130706433/', /127\.0\.0\.1/],
  ['https://[::1]/', /::1/],
  ['https://[::ffff:127.0.0.1]/', /::ffff:7f00:1/],
])('%s: %s', (url, problem) => {
  const found = urlProblem(url, rules)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(problem)
})

test('http in the sandbox, private addresses where they are allowed', () => {
  expect(urlProblem('http://example.com/', { ...rules, httpsOnly: false })).toBeUndefined()
  expect(urlProblem('https://10.0.0.1/', { ...rules, privateAddresses: 'on' })).toBeUndefined()
})

test.each([true, false])(
  'a connection to a name ends before it is made; all addresses: %s',
  async (autoSelectFamily) => {
    const socket = connect({ host: 'localhost', port: 9, autoSelectFamily, lookup: publicLookup('off') })
    const error = await new Promise((resolve) => socket.once('error', resolve))
    expect(error).toBeInstanceOf(AddressRefused)
  },
)

test('a name is refused for an address that is not public, unless private ones are allowed', async () => {
  const resolve = (privateAddresses: PrivateAddresses) =>
    new Promise((resolve) => publicLookup(privateAddresses)('localhost', { all: true }, (...found) => resolve(found)))
  expect(await resolve('off')).toEqual([expect.any(AddressRefused), '', 0])
  for (const allowed of ['loopback', 'on'] as const)
    expect(await resolve(allowed)).toEqual([
      null,
      expect.arrayContaining([expect.objectContaining({ address: expect.any(String) })]),
    ])
})

describe('a service that may not send to private addresses', () => {
  let service: TestService
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })

  beforeAll(async () => {
    service = await startTestService({ WEBHOOK_PRIVATE_ADDRESSES: 'off' }, undefined, { webhooks: true })
    await new Promise<void>((resolve) => server.listen(0, resolve))
  })
  afterAll(async () => {
    await service.close()
    server.close()
  })
  const port = () => (server.address() as { port: number }).port

  test.each(['http://127.0.0.1:9/', 'http://[::ffff:10.0.0.1]/', 'http://user:secret@example.com/', 'nonsense'])(
    'refuses %s',
    async (url) => {
      const created = await service.operator('POST', '/operator/v1/webhooks', { url })
      expect([created.status, created.body.errors[0].pointer]).toEqual([422, '/url'])
      const { id } = await newWebhook(service, 'https://example.com/')
      const changed = await service.operator('PATCH', `/operator/v1/webhooks/${id}`, { url })
      expect([changed.status, changed.body.errors[0].pointer]).toEqual([422, '/url'])
    },
  )

  // A name that /etc/hosts or the DNS resolves to an address of this machine; on few machines a public one.
  test('does not connect to a name that resolves to one', async (context) => {
    const found = await lookup(hostname(), { all: true }).catch(() => [])
    if (found.length === 0 || found.some(({ address }) => isPublicAddress(address))) context.skip()
    const { id } = await newWebhook(service, `http://${hostname()}:${port()}/`)
    await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
    const [failed] = await untilStates(service, id, ['failed'])
    expect(failed.error).toMatch(
      /^Not sent: the host name resolves to \S+, which is not public \(WEBHOOK_PRIVATE_ADDRESSES says what is allowed\)\.$/,
    )
    expect(connections).toBe(0)
  })
})

test('what was allowed before may be refused after a restart with other settings', async () => {
  const service = await startTestService({ WEBHOOK_PRIVATE_ADDRESSES: 'on' }, undefined, { webhooks: true })
  try {
    const { id } = await newWebhook(service, 'http://127.0.0.1:9/')
    ;(service.context.config.events as { webhookPrivateAddresses: string }).webhookPrivateAddresses = 'off'
    await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
    const [failed] = await untilStates(service, id, ['failed'])
    expect(failed.error).toBe(
      'Not sent: the address must not be at 127.0.0.1, which is not a public address (WEBHOOK_PRIVATE_ADDRESSES says what is allowed).',
    )
  } finally {
    await service.close()
  }
})

test.each([
  ['http://127.0.0.1:9/', true],
  ['http://localhost:9/', true],
  ['http://[::1]:9/', true],
  ['http://[::ffff:127.0.0.1]:9/', true],
  ['http://10.0.0.1/', false],
  ['http://192.168.1.1/', false],
  ['http://169.254.169.254/', false],
  ['http://0.0.0.0/', false],
  ['http://[::]/', false],
])('by default the sandbox takes addresses of this machine, and no other private ones: %s %s', (url, isAllowed) => {
  const { mode, events } = readConfig({})
  const problem = urlProblem(url, {
    privateAddresses: events.webhookPrivateAddresses,
    httpsOnly: mode === 'production',
  })
  if (isAllowed) expect(problem).toBeUndefined()
  else expect(problem).toContain('WEBHOOK_PRIVATE_ADDRESSES')
})

const PRODUCTION = {
  MODE: 'production',
  TRUST_PROXY: '10.0.0.1',
  GATEWAY: 'adyen',
  ADYEN_API_KEY: 'k',
  ADYEN_MERCHANT_ACCOUNT: 'm',
  ADYEN_HMAC_KEY: '0'.repeat(64),
  ADYEN_URL: 'https://example.com',
}

test('production takes none by default, and the refusal names the setting', () => {
  const { mode, events } = readConfig(PRODUCTION)
  expect([mode, events.webhookPrivateAddresses]).toEqual(['production', 'off'])
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    expect(urlProblem(`https://${host}/`, { ...rules, privateAddresses: 'off' })).toContain('WEBHOOK_PRIVATE_ADDRESSES')
})

test('a receiver on this machine works in the sandbox without a setting', async () => {
  const service = await startTestService({}, undefined, { webhooks: true })
  const receiver = await startReceiver()
  try {
    const { id } = await newWebhook(service, receiver.url.replace('127.0.0.1', 'localhost'))
    await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
    await untilStates(service, id, ['delivered'])
  } finally {
    await receiver.close()
    await service.close()
  }
})
