// What ends a stream, what refuses one, and how it looks on the wire.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { type Listener, listen } from '../harness/event-source.ts'
import { metric } from '../harness/metric.ts'
import { type Connection, credentials, openConnection } from '../harness/raw-connection.ts'
import { call, startTestService, type TestCustomer, type TestService } from '../harness/service.ts'
import { operatorOk } from '../harness/sportsbook.ts'

let service: TestService
const opened: (Connection | { destroy(): void })[] = []

beforeAll(async () => {
  service = await startTestService({
    STREAMS_PER_APPLICATION: '3',
    STREAM_HEARTBEAT_SECONDS: '2',
    MAX_IN_FLIGHT: '2',
    RESPONSE_TIMEOUT_MS: '400',
    REQUEST_BODY_TIMEOUT_MS: '400',
  })
})
afterEach(async () => {
  for (const one of opened.splice(0)) one.destroy()
  await expect.poll(() => openStreams(), { interval: 20 }).toBe(0)
})
afterAll(() => service.close())

function openStreams(): number {
  const open = metric(service.context.metrics.render(), 'paddock_streams')
  return Number.isNaN(open) ? 0 : open
}

function connect(customer: TestCustomer): Listener {
  const listener = listen(service.publicUrl, customer)
  opened.push({ destroy: listener.close })
  return listener
}

async function send(customer: TestCustomer, line = 'GET /v1/stream HTTP/1.1', headers = ''): Promise<Connection> {
  const connection = await openConnection(service.publicUrl)
  opened.push(connection)
  connection.send(`${line}\r\n${credentials()}who-ticket: ${customer.ticket}\r\n${headers}\r\n`)
  return connection
}

const ready = (connection: Connection) => connection.until(/event: ready\ndata: .*\n\n/)
const OVER = /\r\n0\r\n\r\n$/
const READY = /^retry: 2000\n:\n\nid: (\d+)\nevent: ready\ndata: \{"position":\1\}\n\n/m

describe('a stream', () => {
  test('begins with its headers, a retry time and a comment', async () => {
    const connection = await send(await service.member(), undefined, 'accept: text/event-stream\r\n')
    const text = await ready(connection)
    const [head = '', body = ''] = text.split('\r\n\r\n', 2)
    expect(head.split('\r\n').sort()).toEqual([
      'Connection: keep-alive',
      expect.stringMatching(/^Date: /),
      'HTTP/1.1 200 OK',
      'Transfer-Encoding: chunked',
      'cache-control: no-store, no-transform',
      'content-type: text/event-stream; charset=utf-8',
      'vary: accept',
      'x-accel-buffering: no',
      'x-content-type-options: nosniff',
      expect.stringMatching(/^x-request-id: /),
    ])
    expect(body.replace(/^[0-9a-f]+\r\n/gm, '').replaceAll('\r\n', '')).toMatch(READY)
  })

  test('is logged and counted when it begins, and holds none of the slots of requests', async () => {
    const member = await service.member()
    for (const _ of [1, 2, 3]) await connect(member).greeted()
    expect((await service.call('GET', '/v1/profiles/me', { ticket: member.ticket })).status).toBe(200)
    const metrics = service.context.metrics.render()
    expect(metric(metrics, 'paddock_requests_total{operation="openStream",status="200",fault=""}')).toBeGreaterThan(2)
    expect(metric(metrics, 'paddock_streams')).toBe(3)
    await expect.poll(() => service.logged()).toMatch(/"operation":"openStream","application":"test-key","status":200/)
    // The deadlines of answers and bodies do not end it.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(openStreams()).toBe(3)
  })

  test('beyond those of the application is refused for some seconds', async () => {
    const member = await service.member()
    for (const _ of [1, 2, 3]) await connect(member).greeted()
    const refused = await service.call('GET', '/v1/stream', { ticket: member.ticket })
    expectFault(refused, '/v1/stream', 'unavailable', undefined)
    expect(refused.headers.get('retry-after')).toBe('5')
    const other = await service.context.applications.create({ name: 'Other', perSecond: null, perMinute: null })
    const others = await service.call('GET', '/v1/stream', { ...member, key: other.apiKey, secret: other.secret })
    expect(others.status).toBe(200)
    opened.pop()?.destroy()
    await expect.poll(openStreams, { interval: 20 }).toBe(2)
    expect((await service.call('GET', '/v1/stream', { ticket: member.ticket })).status).toBe(200)
  })

  test('is answered to HEAD without a body, and to HTTP/1.0 without chunks', async () => {
    const member = await service.member()
    const head = await fetch(`${service.publicUrl}/v1/stream`, {
      method: 'HEAD',
      headers: { 'who-apiKey': 'test-key', 'who-secret': 'test-secret', 'who-ticket': member.ticket },
    })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ])
    expect(openStreams()).toBe(0)
    const text = await ready(await send(member, 'GET /v1/stream HTTP/1.0'))
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n')
    expect(text.split('\r\n\r\n')[1]).toMatch(READY)
  })

  test('whose client is gone is forgotten', async () => {
    const connection = await send(await service.member())
    await ready(connection)
    expect(openStreams()).toBe(1)
    connection.destroy()
    await expect.poll(openStreams, { interval: 20 }).toBe(0)
  })
})

describe('a ticket', () => {
  test('that ends ends its stream; a stream is no use of it', async () => {
    const [ended, kept] = [await service.member(), await service.member()]
    const ending = await send(ended)
    await ready(ending)
    const keeping = await send(kept)
    await ready(keeping)
    const used = async () => (await service.operator('GET', `/operator/v1/customers/${kept.id}/sessions`)).body.items
    const before = await used()
    // A request would now be stored as a use.
    service.clock.advance(60_000)
    await operatorOk(service, 'DELETE', `/customers/${ended.id}/sessions`, undefined)
    await ending.until(OVER)
    expect(await keeping.until(/\n:\nid: \d+\n\n/)).not.toMatch(OVER)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await used()).toEqual(before)
    // Idle for two hours, whatever its stream.
    service.clock.advance(2 * 3_600_000)
    await keeping.until(OVER)
  })

  test.each(['suspended', 'erased'])('of a customer who is %s ends its streams at once', async (how) => {
    const member = await service.member()
    const listener = connect(member)
    await listener.greeted()
    await operatorOk(service, 'PUT', `/customers/${member.id}`, { status: 'suspended' })
    if (how === 'erased') await service.operator('DELETE', `/operator/v1/customers/${member.id}/personal-data`)
    await expect.poll(() => listener.failures, { interval: 20 }).toEqual([undefined, 401])
    expect(listener.isOver()).toBe(true)
  })
})

test('a proxy that collects answers passes events on, because the headers say so', async () => {
  const proxy = createServer((incoming, outgoing) => {
    const { pathname, search } = new URL(incoming.url ?? '', 'http://x')
    const target = new URL(pathname + search, service.publicUrl)
    const forwarded = request(target, { headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      const passesOn = answer.headers['x-accel-buffering'] === 'no'
      const collected: Buffer[] = []
      answer.on('data', (chunk) => (passesOn ? outgoing.write(chunk) : collected.push(chunk)))
      answer.on('end', () => outgoing.end(Buffer.concat(collected)))
    })
    outgoing.on('close', () => forwarded.destroy())
    forwarded.on('error', () => outgoing.destroy())
    forwarded.end()
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const [member, fan] = [await service.member(), await service.member()]
  const { port } = proxy.address() as { port: number }
  const listener = listen(`http://127.0.0.1:${port}`, member)
  await listener.greeted()
  await service.call('POST', `/v1/profiles/me/followings/${member.profileId}`, { ticket: fan.ticket })
  await listener.until(1)
  listener.close()
  proxy.closeAllConnections()
  proxy.close()
})

test('a service that stops ends its streams at once, with a time to come back', async () => {
  const stopping = await startTestService()
  const member = await stopping.member()
  const connection = await openConnection(stopping.publicUrl)
  connection.send(`GET /v1/stream HTTP/1.1\r\n${credentials()}who-ticket: ${member.ticket}\r\n\r\n`)
  await ready(connection)
  const stopped = stopping.close()
  const text = await connection.closed()
  expect(text).toMatch(/retry: [1-4]\d{3}\n\n\r\n0\r\n\r\n$/)
  await stopped
})

test('without extensions there is no stream, and nothing describes one', async () => {
  const contract = await startTestService({ EXTENSIONS: 'off' })
  try {
    const { ticket } = await contract.member()
    const reply = await call(contract.publicUrl, 'GET', '/v1/stream', { ticket })
    expectFault(reply, '/v1/stream', 'noSuchPath', undefined)
    const textOf = async (path: string) => (await fetch(contract.publicUrl + path)).text()
    for (const path of ['/openapi.json', '/postman.json', '/docs', '/docs/client']) {
      expect(await textOf(path)).not.toMatch(/openStream|event-stream/)
    }
    // The guides, which the search finds too, speak of streams.
    expect(await textOf('/docs/search.json')).not.toMatch(/openStream/)
  } finally {
    await contract.close()
  }
})
