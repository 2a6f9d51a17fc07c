import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  base64url,
  CompactSign,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type JwtSettings, jwtTickets } from '../../src/identity/sessions/jwt.ts'
import { TicketSourceUnavailable } from '../../src/identity/sessions/tickets.ts'

const issuer = 'https://login.example'
const audience = 'paddock'
const moment = 1_800_000_000_000
const seconds = moment / 1000
const hour = 3600
const good: JWTPayload = { iss: issuer, aud: audience, sub: '4711', exp: seconds + hour }
const session = { customerId: 4711, until: moment + hour * 1000 }

type Pair = { alg: string; kid: string | undefined; publicKey: CryptoKey; privateKey: CryptoKey }
type Answer = { status: number; body: string; headers?: Record<string, string> } | 'silent' | 'cut'

async function pair(alg: string, kid?: string): Promise<Pair> {
  return { alg, kid, ...(await generateKeyPair(alg, { extractable: true })) }
}

async function published(...pairs: Pair[]): Promise<Answer> {
  const keys = await Promise.all(
    pairs.map(async ({ kid, publicKey }) => ({
      ...(await exportJWK(publicKey)),
      ...(kid === undefined ? {} : { kid }),
    })),
  )
  return { status: 200, body: JSON.stringify({ keys }) }
}

function signed(claims: JWTPayload, by: Pair): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: by.alg, ...(by.kid === undefined ? {} : { kid: by.kid }) })
    .sign(by.privateKey)
}

async function startProvider() {
  const provider = { url: '', requests: 0, answer: { status: 404, body: '' } as Answer, stop }
  const server = createServer((_request, response) => {
    provider.requests++
    const { answer } = provider
    if (answer === 'cut') response.destroy()
    else if (answer !== 'silent') response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  async function stop() {
    server.closeAllConnections()
    if (server.listening) await new Promise((done) => server.close(done))
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
  return provider
}

let provider: Awaited<ReturnType<typeof startProvider>>
let main: Pair
let stranger: Pair

beforeAll(async () => {
  provider = await startProvider()
  main = await pair('RS256', 'main')
  stranger = await pair('RS256', 'main')
})

afterEach(() => {
  vi.restoreAllMocks()
})

afterAll(async () => {
  await provider.stop()
})

/** A new source without cached keys, whose provider publishes `main` by default. */
async function source(changes: Partial<JwtSettings> = {}, answer?: Answer, now = moment) {
  provider.requests = 0
  provider.answer = answer ?? (await published(main))
  return jwtTickets({ issuer, audience, jwksUrl: provider.url, customerClaim: 'sub', ...changes }, () => now)
}

async function unavailable(result: Promise<unknown>): Promise<TicketSourceUnavailable> {
  const error = await result.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(TicketSourceUnavailable)
  return error as TicketSourceUnavailable
}

describe('a good ticket', () => {
  test('gives the customer and the expiry, and the keys are fetched once', async () => {
    const tickets = await source()
    const ticket = await signed(good, main)
    expect(await tickets.identify(ticket)).toEqual(session)
    expect(await tickets.identify(ticket)).toEqual(session)
    expect(await tickets.identify(await signed({ ...good, sub: '12' }, main))).toEqual({ ...session, customerId: 12 })
    expect(provider.requests).toBe(1)
  })

  test('is checked many times at once with one fetch of the keys', async () => {
    const tickets = await source()
    const ticket = await signed(good, main)
    const sessions = await Promise.all(Array.from({ length: 20 }, () => tickets.identify(ticket)))
    expect(sessions).toEqual(Array.from({ length: 20 }, () => session))
    expect(provider.requests).toBe(1)
  })

  test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'])('signed with %s', async (alg) => {
    const own = await pair(alg, 'own')
    const tickets = await source({}, await published(main, own))
    expect(await tickets.identify(await signed(good, own))).toEqual(session)
  })

  test('for several audiences, and for any when none is set', async () => {
    const tickets = await source()
    expect(await tickets.identify(await signed({ ...good, aud: ['other', audience] }, main))).toEqual(session)
    const anyone = await source({ audience: null })
    expect(await anyone.identify(await signed({ ...good, aud: 'other' }, main))).toEqual(session)
    const { aud: _, ...withoutAudience } = good
    expect(await anyone.identify(await signed(withoutAudience, main))).toEqual(session)
  })

  test('may have a fraction of a second in "exp"', async () => {
    const tickets = await source()
    const exact = await tickets.identify(await signed({ ...good, exp: seconds + 10.0001 }, main))
    expect(exact).toEqual({ customerId: 4711, until: moment + 10_000 })
  })
})

describe('a ticket is refused', () => {
  const { iss: _iss, ...withoutIssuer } = good
  const { aud: _aud, ...withoutAudience } = good
  const { exp: _exp, ...withoutExp } = good
  const wrong: Record<string, JWTPayload> = {
    'of another issuer': { ...good, iss: 'https://login.example.evil' },
    'of no issuer': withoutIssuer,
    'for another audience': { ...good, aud: 'other' },
    'for several other audiences': { ...good, aud: ['other', 'paddock2'] },
    'for no audience': withoutAudience,
    expired: { ...good, exp: seconds - 60 },
    'not yet valid': { ...good, nbf: seconds + 60 },
    'without an end': withoutExp,
  }
  test.each(Object.entries(wrong))('that is %s', async (_name, claims) => {
    const tickets = await source()
    expect(await tickets.identify(await signed(claims, main))).toBeNull()
  })

  test.each(['"1800003600"', 'null', '1e999', 'true'])('whose end is %s', async (exp) => {
    const tickets = await source()
    const json = JSON.stringify(withoutExp).replace(/}$/, `,"exp":${exp}}`)
    const ticket = await new CompactSign(Buffer.from(json))
      .setProtectedHeader({ alg: main.alg, kid: 'main' })
      .sign(main.privateKey)
    expect(await tickets.identify(ticket)).toBeNull()
  })

  test('after its expiry by the service’s clock, with some seconds of tolerance', async () => {
    const ticket = await signed({ ...good, nbf: seconds }, main)
    const at = async (time: number) => (await source({}, undefined, time)).identify(ticket)
    const end = moment + hour * 1000
    expect(await at(moment - 7_000)).toBeNull()
    expect(await at(moment - 4_000)).toEqual(session)
    expect(await at(end + 4_000)).toEqual(session)
    expect(await at(end + 7_000)).toBeNull()
  })

  test('signed by another key of the same name', async () => {
    const tickets = await source()
    expect(await tickets.identify(await signed(good, stranger))).toBeNull()
  })

  test('altered after it was signed', async () => {
    const tickets = await source()
    const [header, , signature] = (await signed(good, main)).split('.')
    const claims = base64url.encode(JSON.stringify({ ...good, sub: '1' }))
    expect(await tickets.identify(`${header}.${claims}.${signature}`)).toBeNull()
  })

  test('not signed', async () => {
    const tickets = await source()
    const unsecured = new UnsecuredJWT(good).encode()
    const [, , signature] = (await signed(good, main)).split('.')
    expect(await tickets.identify(unsecured)).toBeNull()
    expect(await tickets.identify(`${unsecured}${signature}`)).toBeNull()
    expect(await tickets.identify(`${unsecured}AAAA`)).toBeNull()
    expect(provider.requests).toBe(0)
  })

  test('signed with the public key as a shared secret', async () => {
    const tickets = await source()
    const pem = await exportSPKI(main.publicKey)
    const modulus = (await exportJWK(main.publicKey)).n ?? ''
    const secrets = [Buffer.from(pem), Buffer.from(pem.trim()), base64url.decode(modulus), Buffer.from(modulus)]
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      for (const secret of secrets) {
        const ticket = await new SignJWT(good).setProtectedHeader({ alg, kid: 'main' }).sign(secret)
        expect(await tickets.identify(ticket)).toBeNull()
      }
    }
    expect(provider.requests).toBe(0)
  })

  test('signed with a shared secret that the provider published by mistake', async () => {
    const secret = Buffer.alloc(32, 7)
    const key = { kty: 'oct', kid: 'main', k: base64url.encode(secret) }
    const tickets = await source({}, { status: 200, body: JSON.stringify({ keys: [key] }) })
    const ticket = await new SignJWT(good).setProtectedHeader({ alg: 'HS256', kid: 'main' }).sign(secret)
    expect(await tickets.identify(ticket)).toBeNull()
  })

  test('signed with a key in its own header', async () => {
    const tickets = await source()
    const jwk = await exportJWK(stranger.publicKey)
    const ticket = await new SignJWT(good)
      .setProtectedHeader({ alg: 'RS256', kid: 'main', jwk, jku: 'https://evil.example' })
      .sign(stranger.privateKey)
    expect(await tickets.identify(ticket)).toBeNull()
  })
})

describe('the claim with the customer id', () => {
  const ids: [unknown, number | null][] = [
    ['0', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    [4711, 4711],
    [0, 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER + 1, null],
    ['9007199254740992', null],
    ['9'.repeat(400), null],
    [-1, null],
    [1.5, null],
    ['', null],
    ['-1', null],
    ['01', null],
    ['00', null],
    ['+1', null],
    ['1.0', null],
    ['1e3', null],
    ['0x10', null],
    [' 1', null],
    ['1\n', null],
    ['٤', null],
    ['auth0|4711', null],
    [true, null],
    [null, null],
    [['4711'], null],
    [{ id: 4711 }, null],
    [undefined, null],
  ]
  test.each(ids)('%j is read as %j', async (claim, customerId) => {
    const tickets = await source({ customerClaim: 'customer' })
    const ticket = await signed({ ...good, customer: claim }, main)
    expect(await tickets.identify(ticket)).toEqual(customerId === null ? null : { ...session, customerId })
  })

  test('may have any name', async () => {
    const customerClaim = 'https://book.example/customer.id'
    const tickets = await source({ customerClaim })
    expect(await tickets.identify(await signed({ ...good, [customerClaim]: 9 }, main))).toEqual({
      ...session,
      customerId: 9,
    })
    expect(await tickets.identify(await signed(good, main))).toBeNull()
  })

  test.each(['constructor', '__proto__', 'toString'])('is not %s when that is missing', async (customerClaim) => {
    const tickets = await source({ customerClaim })
    expect(await tickets.identify(await signed(good, main))).toBeNull()
  })
})

describe('the keys of the provider', () => {
  test('a new one is fetched when a ticket names it, but not again at once', async () => {
    const tickets = await source()
    const next = await pair('ES256', 'next')
    const ticket = await signed(good, next)
    const start = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start)
    expect(await tickets.identify(await signed(good, main))).toEqual(session)

    provider.answer = await published(next)
    expect(await tickets.identify(ticket)).toBeNull()
    expect(provider.requests).toBe(1)

    clock.mockReturnValue(start + 11_000)
    expect(await tickets.identify(ticket)).toEqual(session)
    expect(await tickets.identify(await signed(good, main))).toBeNull()
    expect(provider.requests).toBe(2)
  })

  test('a withdrawn one is not trusted for longer than ten minutes', async () => {
    const tickets = await source()
    const ticket = await signed(good, main)
    const start = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start)
    expect(await tickets.identify(ticket)).toEqual(session)

    provider.answer = await published(await pair('ES256', 'next'))
    clock.mockReturnValue(start + 599_000)
    expect(await tickets.identify(ticket)).toEqual(session)
    clock.mockReturnValue(start + 601_000)
    expect(await tickets.identify(ticket)).toBeNull()
  })

  test('an unknown one is neither accepted nor refused while the provider fails', async () => {
    const tickets = await source()
    const start = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start)
    expect(await tickets.identify(await signed(good, main))).toEqual(session)

    provider.answer = { status: 503, body: '' }
    clock.mockReturnValue(start + 11_000)
    await unavailable(tickets.identify(await signed(good, await pair('ES256', 'next'))))
    expect(await tickets.identify(await signed(good, main))).toEqual(session)
  })

  test('all that fit are tried for a ticket that names none', async () => {
    const [one, two, three] = [await pair('ES256'), await pair('ES256'), await pair('ES256')]
    const tickets = await source({}, await published(one, main, two))
    expect(await tickets.identify(await signed(good, one))).toEqual(session)
    expect(await tickets.identify(await signed(good, two))).toEqual(session)
    expect(await tickets.identify(await signed(good, three))).toBeNull()
    expect(await tickets.identify(await signed({ ...good, exp: seconds - 60 }, two))).toBeNull()
  })

  const troubles: Record<string, Answer> = {
    'an error': { status: 500, body: 'oops' },
    'not found': { status: 404, body: '{"keys":[]}' },
    'a redirect': { status: 302, body: '', headers: { location: '/elsewhere' } },
    'a page': { status: 200, body: '<!doctype html>' },
    nothing: { status: 200, body: '' },
    'other JSON': { status: 200, body: '{"error":"temporarily_unavailable"}' },
    'keys that are none': { status: 200, body: '{"keys":["main"]}' },
    'a broken connection': 'cut',
    'more than half a megabyte': { status: 200, body: `{"keys":[],"x":"${'x'.repeat(524_288)}"}` },
  }
  test.each(Object.entries(troubles))('the provider answers with %s', async (_name, answer) => {
    const tickets = await source({}, answer)
    const ticket = await signed(good, main)
    const error = await unavailable(tickets.identify(ticket))
    expect(error.cause).toBeInstanceOf(Error)
    expect(error.message).not.toContain(ticket)

    provider.answer = await published(main)
    expect(await tickets.identify(ticket)).toEqual(session)
  })

  test('with a damaged one a ticket is neither accepted nor refused', async () => {
    const tickets = await source({}, { status: 200, body: '{"keys":[{"kty":"RSA","kid":"main","n":"!","e":"AQAB"}]}' })
    await unavailable(tickets.identify(await signed(good, main)))
  })

  test('with a too weak one a ticket is neither accepted nor refused', async () => {
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) },
      true,
      ['sign', 'verify'],
    )
    const tickets = await source({}, await published({ ...main, publicKey }))
    await unavailable(tickets.identify(await signed(good, main)))
  })

  test('the provider does not answer', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
    const tickets = await source({}, 'silent')
    await unavailable(tickets.identify(await signed(good, main)))
    expect(limit).toHaveBeenCalledWith(3_000)
  })

  test('the provider is down', async () => {
    const other = await startProvider()
    const tickets = await source({ jwksUrl: other.url })
    await other.stop()
    await unavailable(tickets.identify(await signed(good, main)))
  })
})

describe('text that is no JWT', () => {
  const header = base64url.encode(JSON.stringify({ alg: 'RS256', kid: 'main' }))
  const claims = base64url.encode(JSON.stringify(good))
  const texts = [
    '',
    '.',
    '..',
    'hello',
    'a.b.c',
    'f3c1b1a0-6f0e-4c4f-9d51-0a7f0a1c2b3d',
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `.${claims}.AAAA`,
    `${header}..AAAA`,
    `${header}.${claims}.AAAA.AAAA`,
    `${header}.${claims}.AAAA.AAAA.AAAA`,
    `${header}.${claims}.AA!A`,
    `${header}.${claims}.AAAA\n`,
    ` ${header}.${claims}.AAAA`,
    `Bearer ${header}.${claims}.AAAA`,
    `${base64url.encode('[]')}.${claims}.AAAA`,
    `${base64url.encode('{}')}.${claims}.AAAA`,
    `${base64url.encode('{"alg":5}')}.${claims}.AAAA`,
    `${base64url.encode('{"alg":"RS1"}')}.${claims}.AAAA`,
  ]
  test.each(texts)('%j causes no call', async (text) => {
    const tickets = await source({}, { status: 500, body: '' })
    expect(await tickets.identify(text)).toBeNull()
    expect(provider.requests).toBe(0)
  })
})
