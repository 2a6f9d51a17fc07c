// What becomes of spans when the collector accepts them, refuses them, is slow or away.

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SpanOutcome } from '../../src/platform/tracing/exporter.ts'
import { endSpan, randomHex } from '../../src/platform/tracing/span.ts'
import { openTracing, type TracingSettings } from '../../src/platform/tracing/tracing.ts'
import { ACCEPTED, startCollector, type TestCollector } from '../harness/collector.ts'

let collector: TestCollector
const counts: Record<SpanOutcome, number> = { sent: 0, dropped: 0, refused: 0 }
const warnings: string[] = []
const reports = {
  count: (outcome: SpanOutcome, spans: number) => {
    counts[outcome] += spans
  },
  warn: (message: string) => void warnings.push(message),
}

beforeEach(async () => {
  Object.assign(counts, { sent: 0, dropped: 0, refused: 0 })
  warnings.length = 0
  collector = await startCollector()
})
afterEach(() => collector.close())

const open = (settings: Partial<TracingSettings> = {}) => {
  const all = { endpoint: collector.endpoint, headers: {}, serviceName: 'paddock', ratio: 1, statementsOverMs: 0 }
  return openTracing({ ...all, ...settings }, reports)
}

async function addSpans(tracing: Awaited<ReturnType<typeof open>>, number: number): Promise<void> {
  for (let made = 0; made < number; made++) {
    const span = tracing?.begin(() => ({ kind: 'internal', name: `span ${made}`, attributes: { made } }))
    if (span !== undefined) endSpan(span)
  }
}

test('spans are sent to the path of the endpoint, with its headers and what names the service', async () => {
  const headers = { authorization: 'Bearer x' }
  const tracing = await open({ endpoint: `${collector.endpoint}/otlp/`, headers, serviceName: 'bets' })
  await addSpans(tracing, 3)
  const last = await collector.span(({ name }) => name === 'span 2')
  expect(last).toMatchObject({ kind: 1, failed: false, attributes: { made: 2 } })
  expect(last).toMatchObject({ resource: { 'service.name': 'bets', 'service.version': expect.any(String) } })
  expect(collector.requests.map(({ path }) => path)).toEqual(['/otlp/v1/traces'])
  expect(collector.requests[0]?.headers).toMatchObject({ ...headers, 'content-type': 'application/json' })
  await tracing?.close()
  expect(counts).toEqual({ sent: 3, dropped: 0, refused: 0 })
})

test('a full batch is sent at once; a stop sends the rest', async () => {
  const tracing = await open()
  await addSpans(tracing, 600)
  await expect.poll(() => collector.spans.length, { interval: 5 }).toBeGreaterThanOrEqual(512)
  await tracing?.close()
  expect(collector.spans.map(({ name }) => name)).toEqual(Array.from({ length: 600 }, (_, index) => `span ${index}`))
  expect(counts).toEqual({ sent: 600, dropped: 0, refused: 0 })
})

test('when the queue is full, spans are dropped and counted, and nothing more is traced', async () => {
  collector.answerWith((response) => response.writeHead(503, { 'retry-after': '3600' }).end())
  const tracing = await open()
  const early = tracing?.begin(() => ({ kind: 'internal', name: 'early', attributes: {} }))
  await addSpans(tracing, 4_100)
  expect(tracing?.begin(() => ({ kind: 'internal', name: 'late', attributes: {} }))).toBeUndefined()
  if (early !== undefined) endSpan(early)
  expect(counts).toEqual({ sent: 0, dropped: 6, refused: 0 })
  collector.answerWith(ACCEPTED)
  await tracing?.close()
  expect(counts).toEqual({ sent: 4_096, dropped: 6, refused: 0 })
})

test.each([429, 502, 503, 504])('%i: the batch is sent again, with one line in the log', async (status) => {
  let answers = 0
  collector.answerWith((response) => {
    if (++answers === 2) collector.answerWith(ACCEPTED)
    response.writeHead(status, { 'retry-after': '0' }).end()
  })
  const tracing = await open()
  await addSpans(tracing, 256)
  await expect.poll(() => counts.sent, { interval: 20 }).toBe(256)
  expect(collector.requests).toHaveLength(3)
  expect(warnings).toEqual([expect.stringContaining(`it answered ${status}`)])
  await tracing?.close()
})

test.each([
  ['in seconds', () => '2'],
  ['as a date', () => new Date(Date.now() + 3_000).toUTCString()],
])('the collector says %s when to come back', async (_, retryAfter) => {
  const times: number[] = []
  collector.answerWith((response) => {
    times.push(performance.now())
    collector.answerWith((next) => {
      times.push(performance.now())
      collector.answerWith(ACCEPTED)
      next.writeHead(503, { 'retry-after': '0' }).end()
    })
    response.writeHead(503, { 'retry-after': retryAfter() }).end()
  })
  const tracing = await open()
  await addSpans(tracing, 256)
  await expect.poll(() => counts.sent, { interval: 20 }).toBe(256)
  expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(1_500)
  await tracing?.close()
})

test('a time that is over is no reason to ask without a pause', async () => {
  const times: number[] = []
  collector.answerWith((response) => {
    times.push(performance.now())
    response.writeHead(503, { 'retry-after': new Date(0).toUTCString() }).end()
  })
  const tracing = await open()
  await addSpans(tracing, 256)
  await expect.poll(() => times.length, { interval: 20 }).toBeGreaterThanOrEqual(3)
  // A timer may ring a millisecond early.
  expect((times[2] as number) - (times[1] as number)).toBeGreaterThan(990)
  collector.answerWith(ACCEPTED)
  await tracing?.close()
})

test.each([400, 401, 404, 413, 500, 307])('%i: the batch is dropped', async (status) => {
  collector.answerWith((response) => {
    collector.answerWith(ACCEPTED)
    response.writeHead(status, { location: collector.endpoint }).end('{"message":"secret detail"}')
  })
  const tracing = await open()
  await addSpans(tracing, 256)
  await expect.poll(() => counts.refused, { interval: 20 }).toBe(256)
  await addSpans(tracing, 256)
  await expect.poll(() => counts.sent, { interval: 20 }).toBe(256)
  expect(warnings).toEqual([expect.stringMatching(new RegExp(`it answered ${status} .*4318`))])
  expect(warnings.join()).not.toContain('secret')
  await tracing?.close()
})

test.each([
  ['{"partialSuccess":{"rejectedSpans":"56","errorMessage":"too old"}}', 200, 56],
  ['{"partialSuccess":{"rejectedSpans":56}}', 200, 56],
  ['{"partialSuccess":{"errorMessage":"a hint"}}', 256, 0],
  ['{"partialSuccess":{}}', 256, 0],
  ['', 256, 0],
  ['not JSON', 256, 0],
  ['null', 256, 0],
  ['{"partialSuccess":{"rejectedSpans":9999}}', 256, 0],
])('answered 200 with %s', async (text, sent, refused) => {
  collector.answerWith((response) => response.end(text))
  const tracing = await open()
  await addSpans(tracing, 256)
  await expect.poll(() => counts, { interval: 20 }).toEqual({ sent, refused, dropped: 0 })
  await tracing?.close()
})

test('a collector that is away and comes back gets what waited', async () => {
  const { port } = collector
  await collector.close()
  const tracing = await open()
  await addSpans(tracing, 300)
  await expect.poll(() => warnings, { interval: 20 }).toEqual([expect.stringContaining('no answer (ECONNREFUSED)')])
  collector = await startCollector(port)
  await expect.poll(() => collector.spans.length, { interval: 20 }).toBeGreaterThanOrEqual(256)
  await tracing?.close()
  expect(collector.spans).toHaveLength(300)
  expect(counts).toEqual({ sent: 300, dropped: 0, refused: 0 })
})

test('a stop waits for a silent collector for a limited time; what it has is counted as dropped', async () => {
  collector.answerWith(() => {})
  const tracing = await open()
  await addSpans(tracing, 10)
  await tracing?.close()
  expect(counts).toEqual({ sent: 0, dropped: 10, refused: 0 })
  await addSpans(tracing, 1)
  expect(counts.dropped).toBe(11)
})

test('the ratio decides by the end of the trace id', async () => {
  const tracing = await open({ ratio: 0.25 })
  await addSpans(tracing, 2_000)
  await tracing?.close()
  const sampled = collector.spans.length
  expect(sampled).toBeGreaterThan(350)
  expect(sampled).toBeLessThan(650)
  for (const { traceId } of collector.spans) {
    expect(traceId).toMatch(/^[\da-f]{32}$/)
    expect(Number.parseInt(traceId.slice(18), 16)).toBeGreaterThanOrEqual(0.75 * 2 ** 56)
  }
  const none = await open({ ratio: 0 })
  expect(none?.begin(() => ({ kind: 'internal', name: 'never', attributes: {} }))).toBeUndefined()
  await none?.close()
})

test('ids are not repeated', () => {
  expect(new Set(Array.from({ length: 20_000 }, () => randomHex(16))).size).toBe(20_000)
})
