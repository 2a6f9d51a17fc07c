// What a call can be told, and what it tells: options, metadata, hooks, requests without a method, lists as arrays.

import { describe, expect, test } from 'vitest'
import type { SentRequest } from '../../clients/typescript/src/index.ts'
import {
  cut,
  deposit,
  failure,
  fault,
  json,
  noContent,
  payment,
  tip,
  unavailable,
  useScriptedServer,
} from '../harness/scripted-server.ts'

const { script, client } = useScriptedServer()
const { seen } = script

const profile = json(200, { whoProfiles: [{ profile: { id: '3', name: 'Carol' } }] })

describe('the metadata of an answer', () => {
  test('request, status and attempts', async () => {
    script.answers = [unavailable, profile]
    const answer = await client().getProfile({ id: 3 }).answer()
    expect(answer).toMatchObject({
      value: { id: 3, name: 'Carol' },
      status: 200,
      requestId: 'r-1',
      replayed: false,
      attempts: 2,
    })
    expect(answer.responseHeaders.get('content-type')).toBe('application/json')
    script.answers = [noContent]
    expect(await client().likeComment({ id: 1 }).answer()).toMatchObject({ value: undefined, status: 204 })
    script.answers = [(response) => response.writeHead(404).end()]
    expect(await client().checkTicket({ ticket: 'T' }).answer()).toMatchObject({ value: false, status: 404 })
  })

  test('whether a deposit is an earlier one, also of one that was declined', async () => {
    const replayed = { 'idempotent-replayed': 'true' }
    script.answers = [payment, json(200, { whoWallets: { paymentId: 'p' } }, replayed)]
    expect((await client().makeTransaction(deposit).answer()).replayed).toBe(false)
    expect((await client().makeTransaction(deposit).answer()).replayed).toBe(true)
    script.answers = [fault(200, '24005', replayed)]
    expect(await failure(client().makeTransaction(deposit))).toMatchObject({ code: '24005', replayed: true })
  })

  test('of a failure: it is thrown once, where it is awaited', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    script.answers = [fault(404, '30410')]
    const error = await failure(client().getProfile({ id: 3 }).answer())
    expect(error).toMatchObject({ code: '30410', status: 404, requestId: 'r-1', replayed: false })
    await failure(client().getProfile({ id: 3 }))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('the options of one call', () => {
  test('retries, ticket and headers, in place of those of the client', async () => {
    script.answers = [unavailable]
    const paddock = client({ retries: 1, headers: { 'X-Tenant': 'a', 'x-trace': 'all' } })
    await failure(paddock.getMyProfile({}, { retries: 0, ticket: 'other', headers: { 'X-Trace': 'one' } }))
    expect(seen).toHaveLength(1)
    await failure(paddock.getMyProfile())
    expect(seen.map(({ headers }) => [headers['who-ticket'], headers['x-tenant'], headers['x-trace']])).toEqual([
      ['other', 'a', 'one'],
      ['ticket', 'a', 'all'],
      ['ticket', 'a', 'all'],
    ])
    expect(seen[0]?.headers).toMatchObject({ 'who-apikey': 'key', 'who-secret': 'secret', accept: 'application/json' })
  })

  test('the idempotency key, which is also a parameter', async () => {
    script.answers = [cut, payment]
    await client().makeTransaction(deposit, { idempotencyKey: 'order-7' })
    await client().makeTransaction({ ...deposit, idempotencyKey: 'order-8' })
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-7', 'order-7', 'order-8'])
    expect(seen.map(({ body }) => body.includes('order'))).toEqual([false, false, false])
  })

  test('are those of each block of a list', async () => {
    script.answers = [json(200, { whoProfiles: [] })]
    await client()
      .each.getMyMutes({}, { ticket: 'other', headers: { 'x-trace': 't' } })
      .toArray({ limit: 5 })
    expect(seen[0]?.headers).toMatchObject({ 'who-ticket': 'other', 'x-trace': 't' })
  })
})

describe('hooks', () => {
  test('each attempt, each answer, each retry', async () => {
    const told: unknown[] = []
    const short = ({ operation, method, attempt }: SentRequest) => [operation, method, attempt]
    const paddock = client({
      onRequest: (request) => {
        request.headers.traceparent = `00-${request.attempt}`
        told.push(['request', ...short(request), request.url.replace(script.baseUrl, '')])
      },
      onResponse: (response) =>
        told.push(['response', ...short(response), response.status, response.requestId, response.replayed]),
      onRetry: (retry) => told.push(['retry', ...short(retry), (retry.error as Error).name, retry.waitMs >= 0]),
    })
    script.answers = [unavailable, cut, profile]
    await paddock.getProfile({ id: 3 })
    expect(told).toEqual([
      ['request', 'getProfile', 'GET', 1, '/v1/profiles/3'],
      ['response', 'getProfile', 'GET', 1, 503, 'r-1', false],
      ['retry', 'getProfile', 'GET', 1, 'PaddockFault', true],
      ['request', 'getProfile', 'GET', 2, '/v1/profiles/3'],
      ['retry', 'getProfile', 'GET', 2, 'PaddockError', true],
      ['request', 'getProfile', 'GET', 3, '/v1/profiles/3'],
      ['response', 'getProfile', 'GET', 3, 200, 'r-1', false],
    ])
    expect(seen.map(({ headers }) => headers.traceparent)).toEqual(['00-1', '00-2', '00-3'])
  })

  test('see no body, and an error of theirs ends the call', async () => {
    let sent = ''
    const reason = new Error('of the hook')
    const paddock = client({
      onRequest: (request) => {
        sent = JSON.stringify(request)
        throw reason
      },
    })
    expect(await failure(paddock.makeTransaction(deposit))).toBe(reason)
    expect(sent).not.toContain('cv2')
    expect(seen).toEqual([])
  })
})

describe('a request without a method', () => {
  const found = { whoThings: [{ thing: { id: '7' } }] }

  test('fills the path, sends the rest in the query string, and answers the document as it is', async () => {
    script.answers = [json(200, found)]
    const call = client().request('GET', '/v2/things/{id}', { id: 'a/b', deep: true, page: 2 })
    expect(await call.answer()).toMatchObject({ value: found, status: 200, requestId: 'r-1' })
    expect(seen[0]).toMatchObject({ method: 'GET', path: '/v2/things/a%2Fb?deep=Y&page=2', body: '' })
    expect(seen[0]?.headers).toMatchObject({ 'who-apikey': 'key', 'who-ticket': 'ticket' })
    script.answers = [noContent]
    expect(await client().request('DELETE', '/v2/things/7')).toBeUndefined()
  })

  test('sends a form, or a body as it is', async () => {
    script.answers = [noContent]
    await client().request('POST', '/v2/things', { name: 'a b' })
    const headers = { 'content-type': 'text/csv' }
    await client().request('PUT', '/v2/things/{id}', { id: 7, dry: true }, { body: 'a,b', headers })
    expect(seen.map(({ path, body, headers }) => [path, body, headers['content-type']])).toEqual([
      ['/v2/things', 'name=a+b', 'application/x-www-form-urlencoded;charset=UTF-8'],
      ['/v2/things/7?dry=Y', 'a,b', 'text/csv'],
    ])
  })

  test('is repeated as any other: a POST only with an idempotency key', async () => {
    script.answers = [cut, noContent]
    await client().request('GET', '/v2/things')
    expect(seen).toHaveLength(2)
    script.answers = [cut, noContent]
    expect(await failure(client().request('POST', '/v2/things'))).toMatchObject({ reason: 'connection' })
    expect(seen).toHaveLength(3)
    script.answers = [cut, noContent]
    await client().request('POST', '/v2/things', {}, { idempotencyKey: 'mine' })
    expect(seen.slice(3).map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine'])
    script.answers = [fault(409, '30520')]
    expect(await failure(client().request('POST', '/v2/things', tip))).toMatchObject({ code: '30520' })
  })
})

describe('a list as an array', () => {
  const block = (...ids: number[]) => json(200, { whoProfiles: ids.map((id) => ({ profile: { id: `${id}` } })) })

  test('ends with its limit, or with the list', async () => {
    script.answers = [block(1, 2), block(3, 4), block(5)]
    const some = await client().each.getMyMutes({ blockSize: 2 }).toArray({ limit: 3 })
    expect(some.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(seen).toHaveLength(2)
    script.answers = [block(1, 2), block(3)]
    expect(await client().each.getMyMutes({ blockSize: 2 }).toArray({ limit: 100 })).toHaveLength(3)
    expect(await client().each.getMyMutes().toArray({ limit: 0 })).toEqual([])
    expect(seen).toHaveLength(4)
  })

  test('reads no block beyond the limit', async () => {
    script.answers = [block(1, 2)]
    expect(await client().each.getMyMutes({ blockSize: 2 }).toArray({ limit: 2 })).toHaveLength(2)
    expect(seen).toHaveLength(1)
  })
})

test('Node names the client; a header of the application replaces it', async () => {
  script.answers = [noContent]
  await client().getMyMutes()
  await client({ headers: { 'User-Agent': 'shop/2.1' } }).getMyMutes()
  expect(seen.map(({ headers }) => headers['user-agent'])).toEqual([
    expect.stringMatching(/^paddock-client\/\d+\.\d+\.\d+ node\/\d+\.\d+\.\d+$/),
    'shop/2.1',
  ])
})
