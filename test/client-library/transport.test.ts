// How the client behaves when a service, a proxy or the network does not answer as it should: against a real HTTP server that
// answers as each test says.

import { describe, expect, test } from 'vitest'
import { faultCodes, type Paddock, PaddockError, PaddockFault } from '../../clients/typescript/src/index.ts'
import {
  cut,
  deposit,
  failure,
  fault,
  json,
  noContent,
  payment,
  type ScriptedAnswer,
  tip,
  unavailable,
  useScriptedServer,
} from '../harness/scripted-server.ts'

const { script, client } = useScriptedServer()
const { seen } = script

const tooMany = fault(429, '10030', { 'retry-after': '0' })
const silence: ScriptedAnswer = () => {}
const KEY = /^\d+-\d+-\d+-\d+$/

/** A request of an earlier test that ended early may still arrive. */
const seenAt = (path: string) => seen.filter((one) => one.path === path)

describe('what is repeated', () => {
  test.each([
    ['a read after 503', unavailable, (paddock: Paddock) => paddock.getTopOutcomes()],
    ['a read after 429', tooMany, (paddock: Paddock) => paddock.getTopOutcomes()],
    ['a read after a lost connection', cut, (paddock: Paddock) => paddock.getTopOutcomes()],
    ['a PUT after 503', unavailable, (paddock: Paddock) => paddock.flagProfile({ id: 1 })],
    ['a DELETE after a lost connection', cut, (paddock: Paddock) => paddock.unlikeComment({ id: 1 })],
    ['a like after a lost connection', cut, (paddock: Paddock) => paddock.likeComment({ id: 1 })],
    ['a follow after 503', unavailable, (paddock: Paddock) => paddock.followProfile({ id: 1 })],
  ])('once: %s', async (_what, first, call) => {
    script.answers = [first, noContent]
    await call(client())
    expect(seen).toHaveLength(2)
    expect(seen[1]).toEqual(seen[0])
  })

  test.each([
    ['a tip after 503', unavailable, { reason: 'fault', status: 503 }],
    ['a tip after a lost connection', cut, { reason: 'connection' }],
    ['a tip after a fault', fault(409, '30520'), { reason: 'fault', code: '30520' }],
  ])('not %s', async (_what, first, error) => {
    script.answers = [first, noContent]
    expect(await failure(client().createCommentOnOutcomeId(tip))).toMatchObject(error)
    expect(seen).toHaveLength(1)
  })

  test('a tip that was refused before anything was done', async () => {
    script.answers = [tooMany, fault(409, '30520')]
    expect(await failure(client().createCommentOnOutcomeId(tip))).toMatchObject({ code: faultCodes.tipExists })
    expect(seen).toHaveLength(2)
  })

  test('a deposit, with the key that it had', async () => {
    script.answers = [cut, unavailable, payment]
    expect(await client().makeTransaction(deposit)).toEqual({
      paymentId: 'p',
      paymentDateTime: new Date('2026-11-15T09:30:00Z'),
    })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([expect.stringMatching(KEY), keys[0], keys[0]])
    await client().makeTransaction(deposit)
    expect(seen[3]?.headers['idempotency-key']).not.toBe(keys[0])
  })

  test('a deposit whose first attempt is still being processed, but not another customer’s', async () => {
    script.answers = [cut, fault(200, '24011'), payment]
    await client().makeTransaction({ ...deposit, idempotencyKey: 'mine' })
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine'])
    script.answers = [fault(200, '24011')]
    expect(await failure(client().makeTransaction(deposit))).toMatchObject({ code: faultCodes.stillProcessing })
    expect(seen).toHaveLength(4)
  })

  test('a deposit by its caller, with the key that the error has', async () => {
    script.answers = [cut, cut, cut, payment]
    const error = await failure(client().makeTransaction(deposit))
    expect(error).toMatchObject({ reason: 'connection', idempotencyKey: expect.stringMatching(KEY) })
    await client().makeTransaction({ ...deposit, idempotencyKey: error.idempotencyKey })
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([error.idempotencyKey]))
    expect(seen).toHaveLength(4)
  })

  test('at most `retries` times', async () => {
    script.answers = [unavailable]
    expect(await failure(client({ retries: 1 }).getLog())).toMatchObject({ status: 503, requestId: 'r-1' })
    expect(seen).toHaveLength(2)
    await failure(client({ retries: 0 }).getLog())
    expect(seen).toHaveLength(3)
  })

  test('not before Retry-After says so', async () => {
    const started = Date.now()
    // As a limiter does: what comes too early is refused again.
    script.answers = [
      (response, request) => {
        const isEarly = Date.now() - started < 950
        ;(isEarly ? fault(429, '10030', { 'retry-after': '1' }) : noContent)(response, request)
      },
    ]
    await client({ retries: 1 }).getTopOutcomes()
    expect(seen).toHaveLength(2)
  })

  test('not if Retry-After is later than the time-out: the refusal is thrown at once', async () => {
    script.answers = [fault(429, '10030', { 'retry-after': '3600' }), noContent]
    expect(await failure(client().getTopOutcomes())).toMatchObject({ status: 429, retryAfterMs: 3_600_000 })
    script.answers = [fault(503, '10000', { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }), noContent]
    expect(await failure(client().getTopOutcomes())).toMatchObject({ status: 503 })
    expect(seen).toHaveLength(2)
  })
})

describe('what ends a call', () => {
  test('its time-out', async () => {
    script.answers = [silence]
    const error = await failure(client({ timeoutMs: 50 }).getTopOutcomes())
    expect(error).toBeInstanceOf(PaddockError)
    expect(error).toMatchObject({ reason: 'timeout', message: 'No answer within 50 ms' })
    expect(await failure(client().getTopOutcomes({}, { timeoutMs: 20 }))).toMatchObject({ reason: 'timeout' })
  })

  test('its time-out, when the answer stops in its middle', async () => {
    script.answers = [(response) => response.writeHead(200, { 'content-length': '100' }).write('{')]
    expect(await failure(client({ timeoutMs: 200 }).getLogKeys())).toMatchObject({ reason: 'timeout' })
    expect(seenAt('/v1/communities/log/keys')).toHaveLength(1)
  })

  test('its signal, before, while it waits for the answer, and between two attempts', async () => {
    const reason = new Error('the customer left')
    expect(await failure(client().getMyBlocks({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(seenAt('/v1/profiles/me/blocks')).toHaveLength(0)
    for (const answer of [silence, fault(503, '10000', { 'retry-after': '20' })]) {
      const controller = new AbortController()
      script.answers = [
        (response, request) => {
          answer(response, request)
          setTimeout(() => controller.abort(reason), 20)
        },
      ]
      expect(await failure(client().getMyBlocks({}, { signal: controller.signal }))).toBe(reason)
    }
    expect(seenAt('/v1/profiles/me/blocks')).toHaveLength(2)
  })
})

describe('what is no answer of Paddock', () => {
  test.each<[string, ScriptedAnswer, object]>([
    ['a page', (response) => response.end('<html>'), { reason: 'answer', status: 200 }],
    ['a number', json(200, 7), { reason: 'answer', status: 200 }],
    ['an error page', (response) => response.writeHead(502).end('<html>'), { reason: 'answer', status: 502 }],
    ['other JSON with an error', json(404, { error: 'nope' }), { reason: 'answer', status: 404, requestId: 'r-1' }],
    ['faults without codes', json(400, { whoFaults: [{}] }), { reason: 'answer', status: 400 }],
  ])('is an error of the transport: %s', async (_what, answer, expected) => {
    script.answers = [answer]
    const error = await failure(client().getProfile({ id: 1 }))
    expect(error).not.toBeInstanceOf(PaddockFault)
    expect(error).toMatchObject({ ...expected, message: expect.stringContaining('baseUrl') })
  })

  test('a redirect is not followed: the secret goes nowhere else', async () => {
    script.answers = [(response) => response.writeHead(307, { location: `${script.baseUrl}/elsewhere` }).end()]
    expect(await failure(client().getProfile({ id: 1 }))).toMatchObject({ reason: 'answer', status: 307 })
    expect(seen).toHaveLength(1)
  })

  test.each(['localhost:8080', 'api.example.com', 'ftp://example.com'])('baseUrl %s', (address) => {
    expect(() => client({ baseUrl: address })).toThrow(`baseUrl ${address}: write it like https://api.example.com`)
  })

  test('nobody there', async () => {
    const error = await failure(client({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).getProfile({ id: 1 }))
    expect(error).toMatchObject({ reason: 'connection', message: 'No connection to http://127.0.0.1:1' })
    expect(error.cause).toBeDefined()
  })
})

describe('what is sent', () => {
  test('key, secret and ticket as headers, parameters where they stand in no log', async () => {
    script.answers = [payment]
    await client().makeTransaction({ ...deposit, idempotencyKey: 'k' })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/wallets/me',
      headers: { 'who-apikey': 'key', 'who-secret': 'secret', 'who-ticket': 'ticket', accept: 'application/json' },
      body: 'transactionType=deposit&amount=10.00&id=101&cv2=123',
    })
  })

  test('neither credentials where none are needed, nor the ticket to log in', async () => {
    script.answers = [noContent]
    await client().getLogEntries({ start: 0 })
    expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => name.startsWith('who-'))).toEqual([])
    await client().checkTicket({ ticket: 'TGT 1/2' })
    expect(seen[1]).toMatchObject({ method: 'HEAD', path: '/v1/sessions/tickets/TGT%201%2F2' })
    expect(seen[1]?.headers).not.toHaveProperty('who-ticket')
  })

  test('Y for true, nothing for false and undefined', async () => {
    script.answers = [noContent]
    await client().getFollowers({ id: 7, communities: true, blockNum: 2 })
    await client().getFollowers({ id: 7, communities: false, blockSize: undefined })
    expect(seen.map(({ path }) => path)).toEqual([
      '/v1/profiles/7/followers?communities=Y&blockNum=2',
      '/v1/profiles/7/followers',
    ])
  })

  test('as the original API documents it', async () => {
    script.answers = [noContent]
    const original = client({ baseUrl: `${script.baseUrl}/gateway/v1/`, addresses: 'original' })
    await original.followProfile({ id: 7 })
    await original.getMostFollowedProfiles({ numDays: 7 })
    await original.flagComment({ id: 1, reason: 'spam' })
    expect(seen.map(({ path }) => path)).toEqual([
      '/gateway/v1/profiles/me/followers/7',
      '/gateway/v1/profiles/followers/mostFollowed?who-apiKey=key&numDays=7',
      '/gateway/v1/communities/comments/1/flag?reason=spam',
    ])
    expect(seen[1]?.headers).not.toHaveProperty('who-apikey')
  })

  test('for another customer', async () => {
    script.answers = [noContent]
    await client().withTicket('other').getMyMutes()
    await client().withTicket(undefined).getMyMutes()
    expect(seen.map(({ headers }) => headers['who-ticket'])).toEqual(['other', undefined])
  })
})
