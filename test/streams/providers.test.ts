// Streams whose tickets an identity provider issues: what our own database knows ends them at once, and the provider is
// asked with the heartbeat only.

import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { type Connection, credentials, openConnection } from '../harness/raw-connection.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { operatorOk } from '../harness/sportsbook.ts'

const CUSTOMERS = [70_001, 70_002]
const ended = new Set<number>()
const asked: string[] = []
let provider: Server
let address = ''

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    const token = new URLSearchParams(await text(request)).get('token') ?? ''
    asked.push(token)
    const sub = token.replace('opaque-', '')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ active: !ended.has(Number(sub)), sub }))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(provider.address() as { port: number }).port}/introspect`
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

/** Calls `use` with a stream of each customer. */
async function withStreams(
  heartbeat: string,
  use: (service: TestService, streams: readonly [Connection, Connection]) => Promise<void>,
): Promise<void> {
  const service = await startTestService({
    STREAM_HEARTBEAT_SECONDS: heartbeat,
    TICKETS: 'introspection',
    INTROSPECTION_URL: address,
    INTROSPECTION_CLIENT_ID: 'paddock',
    INTROSPECTION_CLIENT_SECRET: 's',
  })
  const streams: Connection[] = []
  try {
    for (const id of CUSTOMERS) {
      await putCustomer(service.context.database, id, {}, Date.now())
      const connection = await openConnection(service.publicUrl)
      streams.push(connection)
      connection.send(`GET /v1/stream HTTP/1.1\r\n${credentials()}who-ticket: opaque-${id}\r\n\r\n`)
      await connection.until(/event: ready\ndata: .*\n\n/)
    }
    await use(service, streams as [Connection, Connection])
  } finally {
    for (const connection of streams) connection.destroy()
    await service.close()
  }
}

const isOver = (connection: Connection) => connection.received().endsWith('\r\n0\r\n\r\n')

test('a suspension ends the stream, and the provider is not asked for it', async () => {
  await withStreams('60', async (service, [ending, staying]) => {
    const before = asked.length
    await operatorOk(service, 'PUT', '/customers/70001', { status: 'suspended' })
    await expect.poll(() => isOver(ending), { interval: 20 }).toBe(true)
    expect(isOver(staying)).toBe(false)
    expect(asked.slice(before)).toEqual([])
  })
})

test('a session that the provider has ended ends with the heartbeat', async () => {
  await withStreams('1', async (_, [staying, ending]) => {
    ended.add(70_002)
    await expect.poll(() => isOver(ending), { interval: 20 }).toBe(true)
    expect(isOver(staying)).toBe(false)
  })
})
