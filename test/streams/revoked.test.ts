// What takes an application's or a customer's rights away ends their streams, whatever the heartbeat is; and how many
// streams one customer may have.

import { afterEach, describe, expect, test } from 'vitest'
import { revokeApplication } from '../../src/identity/applications/store.ts'
import { expectFault } from '../harness/answers.ts'
import { metric } from '../harness/metric.ts'
import { type Connection, credentials, openConnection } from '../harness/raw-connection.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { operatorOk } from '../harness/sportsbook.ts'

const service = useService({ STREAM_HEARTBEAT_SECONDS: '60' })
const opened: Connection[] = []
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.destroy()
  await expect.poll(openStreams, { interval: 20 }).toBe(0)
})

type Credentials = { key?: string; secret?: string }

function openStreams(): number {
  const open = metric(service.context.metrics.render(), 'paddock_streams')
  return Number.isNaN(open) ? 0 : open
}

async function connected({ ticket }: TestCustomer, { key, secret }: Credentials = {}): Promise<Connection> {
  const connection = await openConnection(service.publicUrl)
  opened.push(connection)
  connection.send(`GET /v1/stream HTTP/1.1\r\n${credentials(key, secret)}who-ticket: ${ticket}\r\n\r\n`)
  await connection.until(/event: ready\ndata: .*\n\n/)
  return connection
}

const isOver = (connection: Connection) => connection.received().endsWith('\r\n0\r\n\r\n')

async function newApplication() {
  const { apiKey, secret } = await service.context.applications.create({
    name: 'Other',
    perSecond: null,
    perMinute: null,
  })
  return { key: apiKey, secret }
}

/** Half of the shortest time in which a heartbeat would come round. */
const BEFORE_A_HEARTBEAT = { interval: 20, timeout: 30_000 }

describe('a stream ends', () => {
  test('with its application, and that of another application goes on', async () => {
    const member = await service.member()
    const application = await newApplication()
    const [ending, staying] = [await connected(member, application), await connected(member)]
    await operatorOk(service, 'DELETE', `/applications/${application.key}`, undefined)
    await expect.poll(() => isOver(ending), BEFORE_A_HEARTBEAT).toBe(true)
    expect(isOver(staying)).toBe(false)
  })

  test.each([
    ['a log-out', ({ ticket }: TestCustomer) => service.call('DELETE', `/v1/sessions/tickets/${ticket}`)],
    [
      'a new password',
      ({ id }: TestCustomer) => operatorOk(service, 'PUT', `/customers/${id}`, { password: 'another password' }),
    ],
    [
      'the end of all sessions',
      ({ id }: TestCustomer) => operatorOk(service, 'DELETE', `/customers/${id}/sessions`, undefined),
    ],
    ['a suspension', ({ id }: TestCustomer) => operatorOk(service, 'PUT', `/customers/${id}`, { status: 'suspended' })],
    ['a closure', ({ id }: TestCustomer) => operatorOk(service, 'PUT', `/customers/${id}`, { status: 'closed' })],
    [
      'a self-exclusion',
      ({ id }: TestCustomer) => operatorOk(service, 'PUT', `/customers/${id}`, { status: 'self-excluded' }),
    ],
  ])('after %s, and those of other customers go on', async (_, change) => {
    const [member, other] = [await service.member(), await service.member()]
    const [ending, again, staying] = [await connected(member), await connected(member), await connected(other)]
    await change(member)
    await expect.poll(() => isOver(ending) && isOver(again), BEFORE_A_HEARTBEAT).toBe(true)
    expect(isOver(staying)).toBe(false)
  })

  test('before it begins, when its application or session is only still cached', async () => {
    service.clock.hold()
    const [member, loggedOut] = [await service.member(), await service.member()]
    const application = await newApplication()
    expect((await service.call('GET', '/v1/profiles/me', { ...member, ...application })).status).toBe(200)
    // As another process would.
    const { database, sessions } = service.context
    await database.run(revokeApplication, { apiKey: application.key, now: service.clock.now() })
    await sessions?.end(loggedOut.ticket)
    const revoked = await service.call('GET', '/v1/stream', { ...member, ...application })
    expectFault(revoked, '/v1/stream', 'apiKeyInvalid', '')
    expectFault(await service.call('GET', '/v1/stream', loggedOut), '/v1/stream', 'ticketInvalid', 'who-ticket')
  })
})

test('one customer has ten streams, whatever the application; others have theirs', async () => {
  const [member, other] = [await service.member(), await service.member()]
  const application = await newApplication()
  for (let number = 0; number < 10; number++) await connected(member, number % 2 === 0 ? {} : application)
  for (const options of [member, { ...member, ...application }]) {
    const refused = await service.call('GET', '/v1/stream', options)
    expectFault(refused, '/v1/stream', 'tooManyRequests', undefined)
    expect(refused.headers.get('retry-after')).toBe('5')
  }
  await connected(other)
  opened[0]?.destroy()
  await expect.poll(openStreams, { interval: 20 }).toBe(10)
  await connected(member)
})
