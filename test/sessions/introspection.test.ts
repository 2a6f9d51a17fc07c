import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type IntrospectionSettings, introspectionTickets } from '../../src/identity/sessions/introspection.ts'
import { TicketSourceUnavailable } from '../../src/identity/sessions/tickets.ts'

const moment = 1_800_000_000_000
const seconds = moment / 1000
const ticket = 'ticket+with /special=characters&ü'
const clientSecret = 'hush-hush'
const good = { active: true, sub: '4711', exp: seconds + 10 }
const session = { customerId: 4711, until: moment + 10_000 }

type Received = { method: string | undefined; path: string | undefined; headers: IncomingHttpHeaders; body: string }
type Answer = (response: ServerResponse) => void

async function startProvider() {
  const provider = { url: '', received: [] as Received[], answer: status(404), stop }
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    provider.received.push({ method, path: url, headers, body: await text(request) })
    provider.answer(response)
  })
  async function stop() {
    server.closeAllConnections()
    if (server.listening) await new Promise((done) => server.close(done))
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect?tenant=1`
  return provider
}

function status(code: number, body = '', headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(code, headers).end(body)
}

function json(content: unknown): Answer {
  return status(200, JSON.stringify(content), { 'content-type': 'application/json' })
}

let provider: Awaited<ReturnType<typeof startProvider>>

beforeAll(async () => {
  provider = await startProvider()
})

afterEach(() => {
  vi.restoreAllMocks()
})

afterAll(async () => {
  await provider.stop()
})

function source(answer: Answer, changes: Partial<IntrospectionSettings> = {}) {
  provider.received = []
  provider.answer = answer
  const settings = { url: provider.url, clientId: 'paddock', clientSecret, customerClaim: 'sub', ...changes }
  return introspectionTickets(settings, () => moment)
}

/** Also checks that neither the error nor its cause contains a secret. */
async function unavailable(result: Promise<unknown>): Promise<TicketSourceUnavailable> {
  const thrown = await result.then(
    () => null,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(TicketSourceUnavailable)
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const text = `${error.message} ${error.stack} ${JSON.stringify(error)}`
    for (const secret of [ticket, encodeURIComponent(ticket), clientSecret, 'Basic']) expect(text).not.toContain(secret)
  }
  return thrown as TicketSourceUnavailable
}

describe('the provider', () => {
  test('is sent a form with the ticket', async () => {
    expect(await source(json(good)).identify(ticket)).toEqual(session)
    expect(provider.received).toHaveLength(1)
    const { method, path, headers, body } = provider.received[0]!
    expect(method).toBe('POST')
    expect(path).toBe('/introspect?tenant=1')
    expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded(;|$)/)
    expect(headers.accept).toBe('application/json')
    expect([...new URLSearchParams(body)]).toEqual([
      ['token', ticket],
      ['token_type_hint', 'access_token'],
    ])
  })

  test.each([
    ['paddock', 'hush-hush', 'paddock:hush-hush'],
    ['pad:dock', 'a:b', 'pad%3Adock:a%3Ab'],
    ['pad dock', 'p%20 +&=/?#', 'pad+dock:p%2520+%2B%26%3D%2F%3F%23'],
    ['kunde@büro', '🐎', 'kunde%40b%C3%BCro:%F0%9F%90%8E'],
    ['a*b-c.d_e', '', 'a*b-c.d_e:'],
  ])('is sent the credentials of the client %j with the secret %j', async (clientId, secret, expected) => {
    await source(json(good), { clientId, clientSecret: secret }).identify(ticket)
    const [scheme, credentials = ''] = (provider.received[0]?.headers.authorization ?? '').split(' ')
    expect(scheme).toBe('Basic')
    const decoded = Buffer.from(credentials, 'base64').toString()
    expect(decoded).toBe(expected)
    const parts = decoded.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    expect(parts).toEqual([clientId, secret])
  })

  test('is called for each check of a valid ticket', async () => {
    const tickets = source(json(good))
    expect(await tickets.identify(ticket)).toEqual(session)
    provider.answer = json({ active: false })
    expect(await tickets.identify(ticket)).toBeNull()
    expect(provider.received).toHaveLength(2)
  })

  test('is called once in some seconds for a refused ticket, however often it is sent', async () => {
    let now = moment
    provider.received = []
    provider.answer = json({ active: false })
    const settings = { url: provider.url, clientId: 'paddock', clientSecret, customerClaim: 'sub' }
    const tickets = introspectionTickets(settings, () => now)
    const identifyOften = async (times: number) =>
      new Set(await Promise.all(Array.from({ length: times }, () => tickets.identify(ticket))))
    expect(await identifyOften(150)).toEqual(new Set([null]))
    expect(await identifyOften(150)).toEqual(new Set([null]))
    expect(provider.received).toHaveLength(1)
    expect(await tickets.identify('another ticket')).toBeNull()
    expect(provider.received).toHaveLength(2)
    now += 3_000
    provider.answer = json(good)
    expect(await identifyOften(2)).toEqual(new Set([session]))
    expect(provider.received).toHaveLength(3)
  })

  test('is called again for a ticket after a failed call', async () => {
    const tickets = source(status(500))
    await Promise.all([unavailable(tickets.identify(ticket)), unavailable(tickets.identify(ticket))])
    expect(provider.received).toHaveLength(1)
    provider.answer = json(good)
    expect(await tickets.identify(ticket)).toEqual(session)
  })

  test('is not called for an empty ticket', async () => {
    expect(await source(status(400)).identify('')).toBeNull()
    expect(provider.received).toHaveLength(0)
  })
})

describe('the answer', () => {
  const { exp: _, ...endless } = good
  const refused: Record<string, unknown> = {
    'not active': { ...good, active: false },
    'active as text': { ...good, active: 'true' },
    'active as a number': { ...good, active: 1 },
    'nothing about active': { sub: '4711', exp: seconds + 10 },
    expired: { ...good, exp: seconds - 1 },
    'expired now': { ...good, exp: seconds },
    'an end that is text': { ...good, exp: String(seconds + 10) },
    'an end that is an object': { ...good, exp: {} },
    'not yet valid': { ...good, nbf: seconds + 1 },
    'not yet valid, without an end': { ...endless, nbf: seconds + 1 },
    'a beginning that is text': { ...good, nbf: String(seconds - 10) },
  }
  test.each(Object.entries(refused))('%s: no session', async (_name, content) => {
    expect(await source(json(content)).identify(ticket)).toBeNull()
  })

  test('an infinite expiry: no session', async () => {
    const content = JSON.stringify(endless).replace(/}$/, ',"exp":1e999}')
    expect(await source(status(200, content)).identify(ticket)).toBeNull()
  })

  test('no expiry: a session of a minute', async () => {
    const minute = { customerId: 4711, until: moment + 60_000 }
    expect(await source(json(endless)).identify(ticket)).toEqual(minute)
    expect(await source(json({ ...endless, exp: null, nbf: null })).identify(ticket)).toEqual(minute)
  })

  test('valid since now', async () => {
    expect(await source(json({ ...good, nbf: seconds })).identify(ticket)).toEqual(session)
  })

  test.each([
    ['12', 12],
    ['012', null],
    [12, 12],
    [0, 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER + 1, null],
    ['9007199254740993', null],
    [-1, null],
    [0.5, null],
    ['', null],
    ['twelve', null],
    ['12 ', null],
    [null, null],
    [[12], null],
    [undefined, null],
  ])('the claim %j is read as %j', async (claim, customerId) => {
    const tickets = source(json({ ...good, customer: claim }), { customerClaim: 'customer' })
    expect(await tickets.identify(ticket)).toEqual(customerId === null ? null : { ...session, customerId })
  })

  test('may be compressed', async () => {
    const tickets = source((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(good))),
    )
    expect(await tickets.identify(ticket)).toEqual(session)
  })

  test('may have 64 KiB and no more', async () => {
    const empty = JSON.stringify({ ...good, scope: '' }).length
    const longest = { ...good, scope: 'x'.repeat(65_536 - empty) }
    expect(await source(json(longest)).identify(ticket)).toEqual(session)
    await unavailable(source(json({ ...longest, scope: `${longest.scope}x` })).identify(ticket))
  })

  test('is cut off when it has no end', async () => {
    const closed = Promise.withResolvers<void>()
    const tickets = source((response) => {
      response.on('close', closed.resolve).writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
        response.once('drain', more)
      }
      more()
    })
    await unavailable(tickets.identify(ticket))
    await closed.promise
  })

  test('is cut off when it grows by decompression', async () => {
    const tickets = source((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000, ' '))),
    )
    await unavailable(tickets.identify(ticket))
  })
})

describe('a failing provider', () => {
  const troubles: Record<string, Answer> = {
    'an error': status(500, JSON.stringify(good)),
    overload: status(503),
    'our client is unknown': status(401, JSON.stringify({ error: 'invalid_client' })),
    'another success': status(201, JSON.stringify(good)),
    'no content': status(204),
    'a page': status(200, '<!doctype html>'),
    nothing: status(200),
    'the ticket': status(200, ticket),
    'half an object': status(200, '{"active":true'),
    null: status(200, 'null'),
    'a list': status(200, '[{"active":true}]'),
    text: status(200, '"active"'),
    'a broken connection': (response) => response.destroy(),
    'half an answer': (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"active":', () => response.destroy())
    },
  }
  test.each(Object.entries(troubles))('no ticket is decided on after: %s', async (_name, answer) => {
    await unavailable(source(answer).identify(ticket))
    expect(provider.received.length).toBeGreaterThan(0)
  })

  test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async (code) => {
    const elsewhere = await startProvider()
    onTestFinished(elsewhere.stop)
    elsewhere.answer = json(good)
    await unavailable(source(status(code, '', { location: elsewhere.url })).identify(ticket))
    expect(elsewhere.received).toHaveLength(0)
  })

  test.each<[string, Answer]>([
    ['not at all', () => {}],
    ['not to the end', (response) => response.writeHead(200).write('{')],
  ])('it answers %s', async (_name, answer) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
    await unavailable(source(answer).identify(ticket))
    expect(limit).toHaveBeenCalledWith(3_000)
  })

  test('it is down', async () => {
    const other = await startProvider()
    await other.stop()
    const error = await unavailable(source(json(good), { url: other.url }).identify(ticket))
    expect(error.cause).toBeInstanceOf(Error)
  })
})
