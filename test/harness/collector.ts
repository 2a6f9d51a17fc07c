// A collector of traces: an HTTP server that takes OTLP as JSON. Each request that it takes is compared with what the official
// serializer writes for the same spans.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { expect } from 'vitest'
import type { Json } from './service.ts'

export type ReceivedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly traceState: string | undefined
  readonly name: string
  readonly kind: number
  readonly failed: boolean
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, string | number>>
  readonly resource: Readonly<Record<string, string | number>>
}

type Taken = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly text: string }
type Answer = (response: ServerResponse) => void

export const ACCEPTED: Answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')

export type TestCollector = Awaited<ReturnType<typeof startCollector>>

export async function startCollector(port = 0) {
  const requests: Taken[] = []
  const accepted: ReceivedSpan[] = []
  let answer = ACCEPTED
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    requests.push({ path: request.url ?? '', headers: request.headers, text })
    if (answer === ACCEPTED) accepted.push(...spansOf(JSON.parse(text)))
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: listening } = server.address() as AddressInfo
  return {
    port: listening,
    endpoint: `http://127.0.0.1:${listening}`,
    requests,
    /** The spans of the requests that were accepted. */
    spans: accepted,
    answerWith(next: Answer) {
      answer = next
    },
    /** Waits for a span, and returns it. */
    async span(is: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
      await expect.poll(() => accepted.some(is), { interval: 20 }).toBe(true)
      return accepted.find(is) as ReceivedSpan
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      for (const { text } of requests) expectOfficial(JSON.parse(text))
    },
  }
}

function spansOf({ resourceSpans }: Json): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) =>
      spans.map((span: Json) => ({
        ...span,
        failed: span.status.code === 2,
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
    ),
  )
}

function valuesOf(attributes: Json[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  )
}

const NANOSECONDS = 1_000_000_000n
const timeOf = (text: string): [number, number] => [
  Number(BigInt(text) / NANOSECONDS),
  Number(BigInt(text) % NANOSECONDS),
]

function expectOfficial(ours: Json): void {
  const official = JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(sdkSpansOf(ours) as never)))
  for (const { resource, scopeSpans } of official.resourceSpans) {
    // Zeros and empty lists are the defaults of the format.
    expect(resource.droppedAttributesCount).toBe(0)
    delete resource.droppedAttributesCount
    for (const { spans } of scopeSpans) {
      for (const span of spans) {
        for (const name of ['droppedAttributesCount', 'droppedEventsCount', 'droppedLinksCount']) delete span[name]
        for (const name of ['events', 'links']) delete span[name]
        if (span.status.code === 0) delete span.status.code
      }
    }
  }
  expect(withNumbers(ours)).toEqual(official)
}

/** The official serializer writes small whole numbers as numbers, which the format allows too. */
function withNumbers(json: Json): Json {
  return JSON.parse(JSON.stringify(json), (key, value) => (key === 'intValue' ? Number(value) : value))
}

/** The spans as the SDK holds them. */
function sdkSpansOf({ resourceSpans }: Json): Json[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Json) => {
    const sdkResource = { attributes: valuesOf(resource.attributes), asyncAttributesPending: false }
    return scopeSpans.flatMap(({ scope, spans }: Json) =>
      spans.map((span: Json) => {
        const { traceId, flags } = span
        const isRemote = (flags & 0x200) !== 0
        const traceState = span.traceState === undefined ? undefined : { serialize: () => span.traceState }
        return {
          name: span.name,
          kind: span.kind - 1,
          spanContext: () => ({ traceId, spanId: span.spanId, traceFlags: flags & 0xff, traceState }),
          parentSpanContext: span.parentSpanId && { traceId, spanId: span.parentSpanId, isRemote },
          startTime: timeOf(span.startTimeUnixNano),
          endTime: timeOf(span.endTimeUnixNano),
          status: { code: span.status.code ?? 0 },
          attributes: valuesOf(span.attributes),
          ...{ events: [], links: [], droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
          resource: sdkResource,
          instrumentationScope: scope,
        }
      }),
    )
  })
}
