// The rules of production, several processes on one database, an identity provider.

import { chmodSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { get } from 'node:https'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { expectFault } from '../harness/answers.ts'
import { call, engine, KEY, newTestDatabase, SECRET, startTestService } from '../harness/service.ts'

const PRODUCTION = {
  MODE: 'production',
  GATEWAY: 'adyen',
  ADYEN_API_KEY: 'key',
  ADYEN_MERCHANT_ACCOUNT: 'account',
  ADYEN_HMAC_KEY: '0f'.repeat(32),
  ADYEN_URL: 'https://1a2b-checkout-live.adyenpayments.com/checkout',
  OPERATOR_TOKEN: '3f9c0e7ab14d5286c8fe0a917d4b62e5',
}
const [CERT, TLS_FILE] = ['cert', 'key'].map(
  (file) => new URL(`../harness/tls/${file}.pem`, import.meta.url).pathname,
) as [string, string]

function overTls(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const options = { ca: readFileSync(CERT), headers, agent: false as const }
  return new Promise((resolve, reject) => {
    get(url, options, (reply) => resolve(reply.resume())).once('error', reject)
  })
}

describe('production', () => {
  test('refuses plain HTTP before it checks the secret, and trusts the headers of a trusted proxy', async () => {
    const service = await startTestService({ ...PRODUCTION, TRUST_PROXY: '127.0.0.1' })
    try {
      for (const secret of ['test-secret', 'wrong', null]) {
        expectFault(await service.call('GET', '/v1/profiles/1', { secret }), '/v1/profiles', 'plainHttp', '')
      }
      const headers = { 'x-forwarded-proto': 'https' }
      expect((await service.call('GET', '/v1/profiles/1', { headers })).status).toBe(404)
    } finally {
      await service.close()
    }
  })

  test('serves over its own TLS, where no proxy is trusted', async () => {
    const service = await startTestService({ ...PRODUCTION, TLS_CERT: CERT, TLS_KEY: TLS_FILE })
    try {
      expect(service.publicUrl).toMatch(/^https:/)
      const headers = { 'who-apiKey': KEY, 'who-secret': SECRET, 'x-forwarded-proto': 'http' }
      const reply = await overTls(`${service.publicUrl}/v1/profiles/1`, headers)
      // No such profile, and not refused for plain HTTP.
      expect(reply.statusCode).toBe(404)
    } finally {
      await service.close()
    }
  })

  const BOTH_TLS = { TLS_CERT: CERT, TLS_KEY: TLS_FILE, OPERATOR_TLS_CERT: CERT, OPERATOR_TLS_KEY: TLS_FILE }

  test('sends Strict-Transport-Security over its own TLS, on both listeners; the sandbox does not', async () => {
    const service = await startTestService({ ...PRODUCTION, ...BOTH_TLS })
    const sandbox = await startTestService(BOTH_TLS)
    const strict = async (url: string) => (await overTls(url)).headers['strict-transport-security']
    const both = ({ publicUrl, operatorUrl }: typeof service) =>
      Promise.all([`${publicUrl}/v1/profiles/1`, `${publicUrl}/docs`, `${operatorUrl}/`].map(strict))
    try {
      expect(service.operatorUrl).toMatch(/^https:/)
      expect(await both(service)).toEqual(Array(3).fill('max-age=31536000'))
      expect(await both(sandbox)).toEqual(Array(3).fill(undefined))
      const authorization = `Bearer ${PRODUCTION.OPERATOR_TOKEN}`
      expect((await overTls(`${service.operatorUrl}/operator/v1/me`, { authorization })).statusCode).toBe(200)
    } finally {
      await service.close()
      await sandbox.close()
    }
  })

  test('agrees only on ciphers with forward secrecy, and on no renegotiation', async () => {
    const [cert, key] = [CERT, TLS_FILE].map((path) => path.replace(/(\w+\.pem)$/, 'rsa-$1')) as [string, string]
    const operator = { OPERATOR_TLS_CERT: cert, OPERATOR_TLS_KEY: key }
    const service = await startTestService({ ...PRODUCTION, TLS_CERT: cert, TLS_KEY: key, ...operator })
    const handshake = (url: string, options: ConnectionOptions) => {
      const socket = connect({ ...options, port: Number(new URL(url).port), ca: readFileSync(cert), host: '127.0.0.1' })
      return new Promise<TLSSocket | Error>((resolve) => {
        socket.once('secureConnect', () => resolve(socket)).on('error', resolve)
      })
    }
    try {
      for (const url of [service.publicUrl, service.operatorUrl]) {
        for (const ciphers of [
          'AES128-GCM-SHA256',
          'AES256-SHA256',
          'ECDHE-RSA-AES128-SHA256',
          'ECDHE-RSA-AES128-SHA',
        ]) {
          expect(await handshake(url, { maxVersion: 'TLSv1.2', ciphers })).toBeInstanceOf(Error)
        }
        const socket = (await handshake(url, { maxVersion: 'TLSv1.2' })) as TLSSocket
        expect(socket.getCipher().name).toMatch(/^ECDHE-.*(GCM|POLY1305)/)
        const error = await new Promise<Error | null>((resolve) => {
          socket.once('error', resolve)
          socket.renegotiate({ rejectUnauthorized: false }, resolve)
        })
        expect(error).toBeInstanceOf(Error)
        socket.destroy()
      }
    } finally {
      await service.close()
    }
  })

  test('accepts an operator token over plain HTTP only directly from a private network', async () => {
    const direct = await startTestService({ ...PRODUCTION, TRUST_PROXY: '10.9.9.9' })
    const proxied = await startTestService({ ...PRODUCTION, TRUST_PROXY: '127.0.0.1' })
    const me = async ({ operatorUrl }: typeof direct, headers: Record<string, string>) => {
      const authorization = `Bearer ${PRODUCTION.OPERATOR_TOKEN}`
      return (await fetch(`${operatorUrl}/operator/v1/me`, { headers: { authorization, ...headers } })).status
    }
    try {
      expect(await me(direct, {})).toBe(200)
      expect(await me(direct, { 'x-forwarded-proto': 'http' })).toBe(403)
      expect(await me(proxied, { 'x-forwarded-proto': 'https' })).toBe(200)
      expect(await me(proxied, { 'x-forwarded-proto': 'http' })).toBe(403)
      // A proxy that does not say how its client came.
      expect(await me(proxied, {})).toBe(403)
      expect((await fetch(`${proxied.operatorUrl}/health/live`)).status).toBe(200)
    } finally {
      await direct.close()
      await proxied.close()
    }
  })

  test('ignores the headers of a proxy that is not trusted', async () => {
    const service = await startTestService({ ...PRODUCTION, TRUST_PROXY: '10.9.9.9' })
    try {
      const headers = { 'x-forwarded-proto': 'https' }
      expect((await service.call('GET', '/v1/profiles/1', { headers })).status).toBe(403)
    } finally {
      await service.close()
    }
  })

  test('does not start on a database that the sandbox filled', async () => {
    const testDatabase = await newTestDatabase()
    try {
      await (await startTestService({}, testDatabase)).close()
      await expect(startTestService({ ...PRODUCTION, TRUST_PROXY: '127.0.0.1' }, testDatabase)).rejects.toThrow(
        /filled by the sandbox/,
      )
    } finally {
      await testDatabase.remove()
    }
  })
})

describe.runIf(engine === 'sqlite')('the data folder', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

  test('and the database in it are closed to other accounts, also when an earlier version created them', async () => {
    const testDatabase = await newTestDatabase()
    const folder = `${testDatabase.settings.DATA_DIR}/data`
    const settings = { ...testDatabase, settings: { DATA_DIR: folder } }
    const files = ['paddock.db', 'paddock.db-wal', 'paddock.db-shm'].map((file) => `${folder}/${file}`)
    try {
      for (const age of ['new', 'old']) {
        if (age === 'old') {
          chmodSync(folder, 0o755)
          chmodSync(`${folder}/paddock.db`, 0o644)
        }
        const service = await startTestService({}, settings)
        expect([age, modeOf(folder), ...files.map(modeOf)]).toEqual([age, '700', '600', '600', '600'])
        await service.close()
      }
    } finally {
      await testDatabase.remove()
    }
  })

  test('keeps its permissions when everybody may write to it, as in /tmp', async () => {
    const testDatabase = await newTestDatabase()
    const folder = `${testDatabase.settings.DATA_DIR}`
    chmodSync(folder, 0o1777)
    const service = await startTestService({}, testDatabase)
    try {
      expect([modeOf(folder), modeOf(`${folder}/paddock.db`)]).toEqual(['777', '600'])
    } finally {
      await service.close()
      await testDatabase.remove()
    }
  })
})

// Two services in one process share an event loop, which SQLite's locks between connections cannot do.
describe.runIf(engine === 'postgres')('two services on one database', () => {
  test('refuse within 5 seconds what the other has revoked or ended', async () => {
    const testDatabase = await newTestDatabase()
    const one = await startTestService({}, testDatabase)
    const other = await startTestService({}, testDatabase)
    try {
      const { ticket } = await one.customer()
      const created = await one.context.applications.create({ name: 'Short', perSecond: null, perMinute: null })
      const use = (options: object) => other.call('GET', '/v1/profiles/me', { ticket, ...options })
      const credentials = { key: created.apiKey, secret: created.secret }
      expect([(await use({})).status, (await use(credentials)).status]).toEqual([200, 200])
      await one.context.applications.revoke(created.apiKey)
      expect((await one.call('DELETE', `/v1/sessions/tickets/${ticket}`)).status).toBe(200)
      other.clock.advance(5_000)
      expect((await use(credentials)).text).toContain('<faultCode>10010</faultCode>')
      expect((await use({})).text).toContain('<faultName>who-ticket</faultName>')
    } finally {
      await one.close()
      await other.close()
      await testDatabase.remove()
    }
  })
})

describe('tickets of an identity provider', () => {
  let provider: Server
  let address = ''
  let keys: Awaited<ReturnType<typeof generateKeyPair>>

  beforeAll(async () => {
    keys = await generateKeyPair('ES256')
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] })
    provider = createServer((request, response) => {
      if (request.url === '/jwks') return response.end(jwks)
      let form = ''
      request.on('data', (chunk) => {
        form += chunk
      })
      request.on('end', () => {
        const token = new URLSearchParams(form).get('token')
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(token === 'opaque-70001' ? { active: true, sub: '70001' } : { active: false }))
      })
      return undefined
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(provider.address() as { port: number }).port}`
  })

  afterAll(() => {
    provider.close()
  })

  const jwt = (subject: string) =>
    new SignJWT({ sub: subject })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(address)
      .setExpirationTime('5m')
      .sign(keys.privateKey)

  test('a JWT opens the profile of a registered customer, and of no other', async () => {
    const service = await startTestService({ TICKETS: 'jwt', JWT_ISSUER: address, JWT_JWKS_URL: `${address}/jwks` })
    try {
      await putCustomer(service.context.database, 70_001, {}, Date.now())
      const me = (ticket: string) => service.call('GET', '/v1/profiles/me', { ticket })
      expect((await me(await jwt('70001'))).status).toBe(200)
      expectFault(await me(await jwt('70002')), '/v1/profiles', 'ticketInvalid', 'who-ticket')
      expectFault(await me('TGT-1-not-a-jwt'), '/v1/profiles', 'ticketInvalid', 'who-ticket')
      // Not service.call, which knows all operations: this service has no sessions of its own.
      const noSessions = await call(service.publicUrl, 'POST', '/v1/sessions/tickets?username=a&password=b')
      expectFault(noSessions, '/v1/sessions', 'noSuchPath', undefined)
    } finally {
      await service.close()
    }
  })

  test('a JWT of a customer who is suspended or erased is refused within 5 seconds', async () => {
    const service = await startTestService({ TICKETS: 'jwt', JWT_ISSUER: address, JWT_JWKS_URL: `${address}/jwks` })
    try {
      const update = async (id: number) =>
        (await service.call('PUT', '/v1/profiles/me?biography=here', { ticket: await jwt(`${id}`) })).status
      const customer = '/operator/v1/customers/'
      for (const [id, change] of [
        [70_011, () => service.operator('PUT', `${customer}70011`, { status: 'suspended' })],
        [70_012, () => service.operator('DELETE', `${customer}70012/personal-data`)],
      ] as const) {
        await putCustomer(service.context.database, id, {}, Date.now())
        expect(await update(id)).toBe(200)
        await change()
        service.clock.advance(3_001)
        expect(await update(id)).toBe(401)
      }
    } finally {
      await service.close()
    }
  })

  test('an introspected ticket opens the profile; while the provider is down the answer is 503', async () => {
    const settings = {
      INTROSPECTION_URL: `${address}/introspect`,
      INTROSPECTION_CLIENT_ID: 'paddock',
      INTROSPECTION_CLIENT_SECRET: 's',
    }
    const service = await startTestService({ TICKETS: 'introspection', ...settings })
    try {
      await putCustomer(service.context.database, 70_001, {}, Date.now())
      const me = (ticket: string) => service.call('GET', '/v1/profiles/me', { ticket })
      expect((await me('opaque-70001')).status).toBe(200)
      expectFault(await me('opaque-other'), '/v1/profiles', 'ticketInvalid', 'who-ticket')
      provider.closeAllConnections()
      provider.close()
      const away = await me('opaque-new')
      expectFault(away, '/v1/profiles', 'unavailable', undefined)
      expect(away.headers.get('retry-after')).toBe('2')
      expect(service.logged()).not.toContain('opaque-')
    } finally {
      await service.close()
    }
  })
})
