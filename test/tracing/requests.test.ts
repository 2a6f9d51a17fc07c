// What a service sends about requests, statements, calls, deliveries and jobs, and what it never sends.

import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import * as semantics from '@opentelemetry/semantic-conventions'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { activeSpan } from '../../src/platform/tracing/span.ts'
import { type ReceivedSpan, startCollector, type TestCollector } from '../harness/collector.ts'
import { metric } from '../harness/metric.ts'
import { KEY, OPERATOR_TOKEN, SECRET, startTestService, type TestService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { type Bank, deposit, depositStates, newDepositor, startBank } from '../harness/wallets.ts'
import { newWebhook, type Receiver, startReceiver, untilReceived } from '../harness/webhooks.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3]

let collector: TestCollector
let bank: Bank
let receiver: Receiver
let service: TestService
/** The headers of requests of this process, as the HTTP client writes them. */
const sentHeaders: string[] = []
const noteHeaders = (message: unknown) => void sentHeaders.push((message as { headers: string }).headers)
const atBank = () => sentHeaders.filter((headers) => headers.includes(new URL(bank.url).host))

beforeAll(async () => {
  collector = await startCollector()
  subscribe('undici:client:sendHeaders', noteHeaders)
  bank = await startBank()
  receiver = await startReceiver()
  service = await startTestService(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=collector-secret',
      OTEL_SERVICE_NAME: 'paddock-test',
      OTEL_TRACES_SAMPLER_ARG: '1',
      TRACE_STATEMENTS_OVER_MS: '0',
      SANDBOX_GATEWAY_URL: bank.url,
      WEBHOOK_PRIVATE_ADDRESSES: 'on',
    },
    undefined,
    { webhooks: true },
  )
})

afterAll(async () => {
  unsubscribe('undici:client:sendHeaders', noteHeaders)
  await service.close()
  await collector.close()
  await bank.close()
  await receiver.close()
})

/** The server span of a request, by the request's id. */
const spanOf = ({ headers }: { headers: Headers }) =>
  collector.span(({ attributes }) => attributes['paddock.request_id'] === headers.get('x-request-id'))
const partsOf = (parent: ReceivedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
const lineOf = ({ headers }: { headers: Headers }) =>
  service
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"id":"${headers.get('x-request-id')}"`))
    .map((line) => JSON.parse(line))[0]

describe('a request', () => {
  test('has a span with the names of the semantic conventions, its statements, and its ids in the log', async () => {
    const customer = await service.member()
    const reply = await service.call('GET', `/v1/profiles/${customer.profileId}?x=y`, { ticket: customer.ticket })
    const span = await spanOf(reply)
    expect(span).toMatchObject({ name: 'GET /v1/profiles/{id}', kind: SERVER, failed: false })
    expect(span.parentSpanId).toBeUndefined()
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/profiles/{id}',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
      'paddock.operation': 'getProfile',
      'paddock.request_id': reply.headers.get('x-request-id'),
    })
    expect(span.resource).toMatchObject({ 'service.name': 'paddock-test' })
    expect(Math.abs(Number(span.start / 1_000_000n) - Date.now())).toBeLessThan(600_000)
    const statement = partsOf(span).find(({ attributes }) => attributes['db.query.summary'] !== undefined)
    expect(statement).toMatchObject({ kind: CLIENT, traceId: span.traceId })
    expect(statement?.name).toBe(statement?.attributes['db.query.summary'])
    const system = service.context.database.engine === 'sqlite' ? 'sqlite' : 'postgresql'
    expect(statement?.attributes).toMatchObject({ 'db.system.name': system, 'db.operation.name': 'SELECT' })
    expect(statement?.end as bigint).toBeGreaterThanOrEqual(statement?.start as bigint)
    expect(lineOf(reply)).toMatchObject({ trace_id: span.traceId, span_id: span.spanId, operation: 'getProfile' })
  })

  test('continues the trace of its caller, whose flag decides', async () => {
    const sampled = await service.call('GET', '/v1/profiles/1', {
      headers: { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=value' },
    })
    const span = await spanOf(sampled)
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, traceState: 'vendor=value' })
    const other = TRACE.replace('0af', '1af')
    const headers = { traceparent: `00-${other}-${SPAN}-00` }
    const unsampled = await service.call('GET', '/v1/profiles/1', { headers })
    expect(lineOf(unsampled)).not.toHaveProperty('trace_id')
    await spanOf(await service.call('GET', '/v1/profiles/1'))
    expect(collector.spans.filter(({ traceId }) => traceId === other)).toEqual([])
  })

  test('begins a trace of its own where the traceparent is malformed', async () => {
    const malformed = ['', 'x', `00-${TRACE}-${SPAN}-0`, `00-${'0'.repeat(32)}-${SPAN}-01`, `ff-${TRACE}-${SPAN}-01`]
    const replies = await Promise.all(
      malformed.map((traceparent) =>
        service.call('GET', '/v1/profiles/999999', { headers: { traceparent, tracestate: 'a=b' } }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(malformed.map(() => 404))
    const spans = await Promise.all(replies.map(spanOf))
    expect(new Set([TRACE, ...spans.map(({ traceId }) => traceId)]).size).toBe(malformed.length + 1)
    for (const span of spans) {
      expect(span).toMatchObject({ failed: false, attributes: { 'paddock.fault': expect.any(String) } })
      expect([span.parentSpanId, span.traceState]).toEqual([undefined, undefined])
    }
  })

  test('that fails has the fault as its error', async () => {
    const find = vi.spyOn(service.context.applications, 'find').mockRejectedValue(new Error('secret detail'))
    const reply = await service.call('GET', '/v1/profiles/1').finally(() => find.mockRestore())
    expect(reply.status).toBe(500)
    const span = await spanOf(reply)
    expect(span).toMatchObject({ failed: true, attributes: { 'http.response.status_code': 500 } })
    expect(span.attributes['error.type']).toBe(span.attributes['paddock.fault'])
  })

  test('is named by its method and route, which nobody can invent', async () => {
    const named = [
      ['GET', '/nowhere/7', 'GET'],
      ['GET', '/docs', 'GET /docs'],
      ['OPTIONS', '/v1/profiles/1', 'OPTIONS'],
      ['PURGE', '/v1/profiles/1', 'HTTP'],
    ] as const
    const preflight = { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' }
    const spans = named.map(async ([method, path]) => {
      const reply = await fetch(service.publicUrl + path, {
        method,
        ...(method === 'OPTIONS' && { headers: preflight }),
      })
      await reply.text()
      return spanOf(reply)
    })
    expect((await Promise.all(spans)).map(({ name }) => name)).toEqual(named.map(([, , name]) => name))
  })

  test('of the operator API has a span of its route, also after its body was read', async () => {
    const reply = await service.operator('PUT', '/operator/v1/customers/77', { status: 'active' })
    const span = await spanOf(reply)
    expect(span).toMatchObject({ name: 'PUT /operator/v1/customers/{id}', kind: SERVER })
    const summaries = partsOf(span).map(({ attributes }) => attributes['db.query.summary'])
    expect(summaries).toContain('insertAudit')
  })

  test('that is not parsed is counted, and has no route', async () => {
    const spans = collector.spans.length
    const { port } = new URL(service.publicUrl)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('GET / HTTP/1.1\r\nbroken\r\n\r\n')
    await new Promise((resolve) => socket.resume().once('close', resolve))
    const span = await collector.span((one) => one.name === 'HTTP' && collector.spans.indexOf(one) >= spans)
    expect(span.attributes).toMatchObject({ 'http.request.method': '_OTHER', 'http.response.status_code': 400 })
  })

  test('that runs a batch has its statements; the next one is outside of that request', async () => {
    const author = await service.member()
    const followers = await Promise.all([service.member(), service.member(), service.member()])
    const replies = await Promise.all(
      followers.map(({ ticket }) => service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket })),
    )
    const spans = await Promise.all(replies.map(spanOf))
    const statements = spans.flatMap(partsOf).filter(({ name }) => /^insertFollows?$/.test(name))
    expect(statements.length).toBeGreaterThan(0)
    for (const { start, parentSpanId } of statements) {
      const owner = spans.find(({ spanId }) => spanId === parentSpanId)
      expect(start).toBeLessThanOrEqual(owner?.end as bigint)
    }
  })
})

test('a deposit: the call of the gateway is a part of the request, and names it', async () => {
  const customer = await newDepositor(service)
  const reply = await deposit(service, { ticket: customer.ticket, method: customer.method })
  const request = await spanOf(reply)
  const call = partsOf(request).find(({ name }) => name === 'POST /authorise')
  expect(call).toMatchObject({ kind: CLIENT, failed: false })
  expect(call?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(bank.url).port),
  })
  expect(atBank().join()).toContain(`traceparent: 00-${request.traceId}-${call?.spanId}-01\r\n`)
})

test('a capture is a job of the sweeper, with the call of the gateway in it', async () => {
  const sweeping = await startTestService(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_TRACES_SAMPLER_ARG: '1',
      SANDBOX_GATEWAY_URL: bank.url,
    },
    undefined,
    { sweeps: true },
  )
  const customer = await newDepositor(sweeping)
  await deposit(sweeping, { ticket: customer.ticket, method: customer.method })
  await expect.poll(() => depositStates(sweeping, customer.id), { interval: 50 }).toEqual(['CAPTURED'])
  await sweeping.close()
  const call = collector.spans.find(({ name }) => name === 'POST /capture') as ReceivedSpan
  const job = collector.spans.find(({ spanId }) => spanId === call.parentSpanId) as ReceivedSpan
  const sweep = collector.spans.find(({ spanId }) => spanId === job.parentSpanId) as ReceivedSpan
  expect([sweep.name, job.name]).toEqual(['job deposits', 'job capture'])
  expect([sweep.kind, job.kind, call.kind]).toEqual([INTERNAL, INTERNAL, CLIENT])
  expect(job.attributes).toMatchObject({ 'paddock.gateway': 'sandbox' })
  expect(sweep.parentSpanId).toBeUndefined()
})

test('a webhook: its delivery has a trace of its own, which the receiver is told', async () => {
  const { secret, id } = await newWebhook(service, receiver.url, ['tip.created'])
  const author = await service.member()
  const [first, second] = await newMatch(service)
  await newTip(service, author, first?.id as number)
  await untilReceived(receiver, 1)
  const [, traceId, spanId] = /^00-(\w{32})-(\w{16})-01$/.exec(receiver.received[0]?.headers.traceparent ?? '') ?? []
  const span = await collector.span((one) => one.spanId === spanId)
  expect(span).toMatchObject({ traceId, name: 'POST webhook', kind: CLIENT, failed: false })
  expect(span.parentSpanId).toBeUndefined()
  expect(span.attributes).toMatchObject({
    'http.response.status_code': 204,
    'paddock.webhook': Number(id),
    'paddock.webhook.attempt': 1,
  })
  receiver.answerWith((response) => response.writeHead(500).end())
  await newTip(service, author, second?.id as number)
  const failed = await collector.span(({ name, failed: hasFailed }) => name === 'POST webhook' && hasFailed)
  expect(failed.attributes).toMatchObject({ 'error.type': '500' })
  await service.operator('DELETE', `/operator/v1/webhooks/${id}`)
  expect(collector.requests.map(({ text }) => text).join()).not.toContain(secret)
})

test('names of attributes are those of the stable conventions, or our own', async () => {
  const stable = new Set(
    Object.entries(semantics).flatMap(([name, value]) => (name.startsWith('ATTR_') ? [value] : [])),
  )
  const used = new Set(
    collector.spans.flatMap(({ attributes, resource }) => Object.keys({ ...attributes, ...resource })),
  )
  expect([...used].filter((name) => !stable.has(name) && !name.startsWith('paddock.'))).toEqual([])
  expect([...used]).toContain('http.route')
})

test('no span holds a secret, a ticket, a query, a form or a path with an id', async () => {
  const customer = await newDepositor(service)
  const form = { ticket: customer.ticket, method: customer.method, cv2: '987', amount: '31.41' }
  const replies = [
    await deposit(service, form),
    await service.call('GET', '/v1/profiles/4711?hunter2=hunter3', { ticket: customer.ticket }),
    await service.call('GET', '/v1/profiles/4712', { headers: { tracestate: 'hunter4=5', baggage: 'h=hunter6' } }),
  ]
  for (const reply of replies) await spanOf(reply)
  const sent = collector.requests.map(({ text }) => text).join()
  for (const secret of [KEY, SECRET, OPERATOR_TOKEN, customer.ticket, 'collector-secret'])
    expect(sent).not.toContain(secret)
  for (const text of [
    'hunter',
    'profiles/4711',
    'profiles/4712',
    '31.41',
    '"987"',
    '/hooks',
    'from=paddock',
    'sandbox:approve',
  ]) {
    expect(sent).not.toContain(text)
  }
  const ours = collector.requests.filter(({ text }) => text.includes('"paddock-test"'))
  expect(new Set(ours.map(({ headers }) => headers['api-key']))).toEqual(new Set(['collector-secret']))
  expect(service.logged()).not.toContain('collector-secret')
})

test('spans are counted', async () => {
  const metrics = service.context.metrics.render()
  expect(metric(metrics, 'paddock_spans_total{outcome="sent"}')).toBeGreaterThan(10)
  expect(metrics).not.toContain('paddock_spans_total{outcome="dropped"}')
})

describe('with tracing off', () => {
  test('nothing is sent, nothing runs in a context, and log lines have no ids', async () => {
    const off = await startTestService({ SANDBOX_GATEWAY_URL: bank.url })
    const customer = await newDepositor(off)
    const requests = collector.requests.length
    sentHeaders.length = 0
    const stores: unknown[] = []
    const run = vi.spyOn(AsyncLocalStorage.prototype, 'run')
    try {
      const traceparent = `00-${TRACE}-${SPAN}-01`
      await deposit(off, { ticket: customer.ticket, method: customer.method })
      await off.call('GET', '/v1/profiles/1', { headers: { traceparent } })
      stores.push(...run.mock.calls.map(([store]) => store))
    } finally {
      run.mockRestore()
    }
    expect(off.context.tracing).toBeNull()
    // Transactions have a context of their own, with true in it.
    expect(stores.filter((store) => store !== true)).toEqual([])
    expect(atBank().length).toBeGreaterThan(0)
    expect(atBank().join()).not.toContain('traceparent')
    expect(off.logged()).not.toContain('trace_id')
    expect(off.context.metrics.render()).not.toContain('paddock_spans_total')
    await off.close()
    expect(collector.requests.length).toBe(requests)
    expect(activeSpan()).toBeUndefined()
  })
})
