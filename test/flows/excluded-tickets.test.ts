// Tickets of an identity provider go on being valid there: a time-out or self-exclusion refuses them here all the same.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { credentials, openConnection } from '../harness/raw-connection.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { addCard, deposit, ledgerProblems, paidOrFaultCode } from '../harness/wallets.ts'

let provider: Server
let address: string
let keys: Awaited<ReturnType<typeof generateKeyPair>>

/** Publishes the keys, and says of every token that it is active and of whom. */
beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] })
  provider = createServer(async (request, response) => {
    if (request.url === '/jwks') return response.end(jwks)
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ active: true, sub: form.get('token')?.split('-')[1] }))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(() => provider.close())

const SOURCES = {
  jwt: {
    settings: () => ({ TICKETS: 'jwt', JWT_ISSUER: address, JWT_JWKS_URL: `${address}/jwks` }),
    ticketOf: (id: number) =>
      new SignJWT({ sub: `${id}` })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(address)
        .setExpirationTime('1h')
        .sign(keys.privateKey),
  },
  introspection: {
    settings: () => ({
      TICKETS: 'introspection',
      INTROSPECTION_URL: `${address}/introspect`,
      INTROSPECTION_CLIENT_ID: 'paddock',
      INTROSPECTION_CLIENT_SECRET: 's',
    }),
    ticketOf: async (id: number) => `opaque-${id}`,
  },
}

describe.each(Object.entries(SOURCES))('a ticket of %s', (_, { settings, ticketOf }) => {
  // One for each test, because each holds its clock.
  let service: TestService
  beforeEach(async () => {
    service = await startTestService(settings())
  })
  afterEach(() => service.close())

  test.each([
    [70_021, 'time-out?hours=24'],
    [70_022, 'exclusion?months=6'],
  ])('of customer %i after %s: deposits at once, every call and the stream within 5 seconds', async (id, way) => {
    await putCustomer(service.context.database, id, { verified: true, fundsStatementVersion: 1 }, Date.now())
    const method = await addCard(service, { id })
    const ticket = await ticketOf(id)
    const stream = await openConnection(service.publicUrl)
    stream.send(`GET /v1/stream HTTP/1.1\r\n${credentials()}who-ticket: ${ticket}\r\n\r\n`)
    await stream.until(/event: ready\ndata: .*\n\n/)
    expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBe('paid')
    service.clock.hold()
    expect((await service.call('PUT', `/v1/wallets/me/${way}`, { ticket })).status).toBe(200)
    // The ticket is still cached, because the clock stands still, unless the check of the stream, every 2 seconds, was faster.
    expect(paidOrFaultCode(await deposit(service, { ticket, method }))).toBeOneOf(['24004', '10071'])
    await expect.poll(() => stream.received().endsWith('\r\n0\r\n\r\n'), { timeout: 60_000 }).toBe(true)
    stream.destroy()
    service.clock.advance(5_000)
    const calls = [
      ['GET', '/v1/profiles/me'],
      ['PUT', '/v1/profiles/me?biography=here'],
      ['GET', '/v1/wallets/me/deposits'],
      ['GET', '/v1/wallets/me/limits'],
      ['GET', '/v1/stream'],
    ] as const
    for (const [verb, path] of calls) {
      expect([path, (await service.call(verb, path, { ticket: await ticketOf(id) })).status]).toEqual([path, 401])
    }
    const late = await service.call('POST', '/v1/wallets/me?transactionType=deposit&amount=10&cv2=123&id=1', { ticket })
    expect(late.text).toContain('who-ticket')
    expect(await ledgerProblems(service)).toEqual([])
  })
})
