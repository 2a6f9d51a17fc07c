// One caller must not be able to stop the others: deadlines for each phase of a request, shares, a cap on connections.

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { type Connection, credentials, openConnection } from '../harness/raw-connection.ts'
import { OPERATOR_TOKEN, startTestService, type TestService } from '../harness/service.ts'

const FORM = 'content-type: application/x-www-form-urlencoded\r\n'
const NOTIFICATIONS = '/v1/notifications/sandbox'

let service: TestService
const opened: Connection[] = []

async function open(url = service.publicUrl): Promise<Connection> {
  const connection = await openConnection(url)
  opened.push(connection)
  return connection
}

/** Sends a head and nothing of its body. */
async function stalled(method: string, path: string, headers: string): Promise<Connection> {
  const connection = await open()
  connection.send(`${method} ${path} HTTP/1.1\r\n${headers}content-length: 1\r\n\r\n`)
  return connection
}

beforeAll(async () => {
  service = await startTestService({
    MAX_IN_FLIGHT: '8',
    TRUST_PROXY: '127.0.0.1',
    // Long enough that a dozen connections arrive before the first of them times out, on a busy machine too.
    REQUEST_HEAD_TIMEOUT_MS: '2000',
    REQUEST_BODY_TIMEOUT_MS: '5000',
    RESPONSE_TIMEOUT_MS: '2000',
  })
})
afterAll(async () => {
  for (const connection of opened) connection.destroy()
  await service.close()
})

describe('bodies that never arrive', () => {
  test('use only the share of their application, and time out', async () => {
    const other = await service.context.applications.create({ name: 'Other', perSecond: null, perMinute: null })
    const login = () => stalled('POST', '/v1/sessions/tickets', credentials() + FORM)
    const connections = await Promise.all(Array.from({ length: 12 }, login))
    const own = await service.call('GET', '/v1/profiles/1')
    expectFault(own, '/v1/profiles', 'tooManyRequests', undefined)
    expect(own.headers.get('retry-after')).toBe('1')
    const others = await service.call('GET', '/v1/profiles/1', { key: other.apiKey, secret: other.secret })
    expectFault(others, '/v1/profiles', 'noProfile', 'id')

    const answers = await Promise.all(connections.map((connection) => connection.closed()))
    const late = answers.filter((answer) =>
      /^HTTP\/1.1 408 [\s\S]*Connection: close[\s\S]*<faultCode>10071</i.test(answer),
    )
    const refused = answers.filter((answer) => /^HTTP\/1.1 429 /.test(answer))
    expect([late.length, refused.length]).toEqual([4, 8])
    expectFault(await service.call('GET', '/v1/profiles/1'), '/v1/profiles', 'noProfile', 'id')
  })

  test('of one customer take no more than the customer’s share, whatever the ticket', async () => {
    const roomy = await startTestService()
    const [customer, other] = [await roomy.member(), await roomy.member()]
    const second = (await roomy.context.sessions?.issue(customer.id, null))?.ticket ?? ''
    const connections: Connection[] = []
    try {
      for (let number = 0; number < 30; number++) {
        const connection = await openConnection(roomy.publicUrl)
        connections.push(connection)
        const ticket = `who-ticket: ${number % 2 === 0 ? customer.ticket : second}\r\n`
        connection.send(`POST /v1/wallets/me HTTP/1.1\r\n${credentials()}${FORM}${ticket}content-length: 1\r\n\r\n`)
      }
      const own = () => roomy.call('GET', '/v1/profiles/me', { ticket: customer.ticket })
      await expect.poll(async () => (await own()).status, { interval: 20 }).toBe(429)
      const refused = await own()
      expectFault(refused, '/v1/profiles', 'tooManyRequests', undefined)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect((await roomy.call('GET', '/v1/profiles/me', { ticket: other.ticket })).status).toBe(200)
      const answered = () => connections.filter((one) => /^HTTP\/1.1 429 /.test(one.received())).length
      await expect.poll(answered, { interval: 20 }).toBe(10)
      for (const connection of connections) connection.destroy()
      await expect.poll(async () => (await own()).status, { interval: 20 }).toBe(200)
    } finally {
      for (const connection of connections) connection.destroy()
      await roomy.close()
    }
  })

  test('time out without credentials too', async () => {
    const connections = await Promise.all([
      stalled('POST', NOTIFICATIONS, 'Host: x\r\n'),
      stalled('POST', '/nothing', 'Host: x\r\n'),
      stalled('POST', '/nothing', 'Host: x\r\nExpect: weird\r\n'),
      stalled('POST', '/v1/profiles/me/picture', 'Host: x\r\n'),
    ])
    const answers = await Promise.all(connections.map((connection) => connection.closed()))
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['408', '404', '417', '405'])
  })

  test('of notifications use only the share of their address, and from many addresses that of one application', async () => {
    const from = (address: string) => stalled('POST', NOTIFICATIONS, `Host: x\r\nx-forwarded-for: ${address}\r\n`)
    const first = await Promise.all(Array.from({ length: 3 }, () => from('192.0.2.1')))
    await Promise.race(first.map((connection) => connection.until(/^HTTP\/1.1 429 /)))
    const others = await Promise.all(Array.from({ length: 8 }, (_, other) => from(`192.0.2.${2 + other}`)))
    await Promise.race(others.map((connection) => connection.until(/^HTTP\/1.1 503 /)))
    expect((await service.call('GET', '/v1/profiles/1')).status).toBe(404)
    const answers = await Promise.all([...first, ...others].map((connection) => connection.closed()))
    const statuses = answers.map((answer) => answer.slice(9, 12)).sort()
    expect(statuses).toEqual([...Array(4).fill('408'), '429', ...Array(6).fill('503')])
  })

  test('do not delay an operation that uses none', async () => {
    const [fan, star] = [await service.customer(), await service.member()]
    const ticket = `who-ticket: ${fan.ticket}\r\n`
    const path = `/v1/profiles/me/followings/${star.profileId}`
    const connection = await stalled('POST', path, credentials() + ticket)
    expect(await connection.until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 204 /)
    // The rest of the body must still arrive in time, and no second answer follows.
    expect(await connection.closed()).not.toMatch(/HTTP[\s\S]*HTTP/)
  })

  test('time out on the operator listener too', async () => {
    const connection = await open(service.operatorUrl)
    const { token } = service.operatorToken
    connection.send(
      `POST /operator/v1/applications HTTP/1.1\r\nHost: x\r\nauthorization: Bearer ${token}\r\n` +
        'content-type: application/json\r\ncontent-length: 1\r\n\r\n',
    )
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 408 [\s\S]*"status":408/)
  })
})

describe('uploads that never end', () => {
  const MEGABYTE = 'x'.repeat(1024 * 1024)

  async function upload(megabytes: number, key?: string, secret?: string): Promise<Connection> {
    const { ticket } = await small.customer()
    const connection = await openConnection(small.publicUrl)
    connection.send(
      `PUT /v1/profiles/me/picture HTTP/1.1\r\n${credentials(key, secret)}who-ticket: ${ticket}\r\ncontent-length: 10000000\r\n\r\n`,
    )
    for (let sent = 0; sent < megabytes; sent++) connection.send(MEGABYTE)
    opened.push(connection)
    return connection
  }

  let small: TestService
  beforeAll(async () => {
    // Long enough to send all uploads on a busy machine: the first keeps its memory until the last is refused.
    small = await startTestService({ BODY_MEMORY_MB: '24', REQUEST_BODY_TIMEOUT_MS: '10000' })
  })
  afterAll(() => small.close())

  test('use no more than their share of the memory, and release it', async () => {
    const other = await small.context.applications.create({ name: 'Other', perSecond: null, perMinute: null })
    const uploads = await Promise.all(Array.from({ length: 6 }, () => upload(9)))
    const refused = await Promise.race(uploads.map((one) => one.until(/^HTTP\/1.1 429 [\s\S]*<faultCode>10030</)))
    expect(refused).toMatch(/retry-after: 1/i)
    const others = await upload(9, other.apiKey, other.secret)
    expect(await others.closed()).toMatch(/^HTTP\/1.1 408 /)
    const answers = await Promise.all(uploads.map((one) => one.closed()))
    const statuses = answers.map((answer) => answer.slice(9, 12)).sort()
    expect(statuses).toEqual(['408', '429', '429', '429', '429', '429'])
    // All of it is free again.
    for (let times = 0; times < 3; times++) {
      const { ticket } = await small.customer()
      const reply = await small.call('PUT', '/v1/profiles/me/picture', { ticket, body: Buffer.alloc(9_000_000) })
      expectFault(reply, '/v1/profiles', 'notAnImage', undefined)
    }
  })
})

describe('bodies on the operator listener', () => {
  const OPENID = {
    ...{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'paddock', OIDC_ROLES: 'admins=admin' },
    OPERATOR_URL: 'https://operator.example',
  }
  let at: TestService
  beforeAll(async () => {
    at = await startTestService({ ...OPENID, BODY_MEMORY_MB: '24' })
  })
  afterAll(() => at.close())

  async function sending(head: string, sent: number): Promise<Connection> {
    const connection = await open(at.operatorUrl)
    const headers =
      'Host: x\r\nx-requested-by: console\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n'
    connection.send(`${head}${headers}\r\n${' '.repeat(sent)}`)
    return connection
  }

  test('of one operator take half of the memory', async () => {
    const { body } = await at.operator('POST', '/operator/v1/tokens', { name: 'Other', role: 'admin' })
    const from = (token: string, sent: number) =>
      sending(`POST /operator/v1/applications HTTP/1.1\r\nauthorization: Bearer ${token}\r\n`, sent)
    const own = await Promise.all(Array.from({ length: 13 }, () => from(OPERATOR_TOKEN, 999_999)))
    await Promise.race(own.map((connection) => connection.until(/^HTTP\/1.1 429 /)))
    expect(await (await from(body.token, 1_000_000)).until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 400 /)
    for (const connection of own) connection.destroy()
    const again = async () => (await from(OPERATOR_TOKEN, 1_000_000)).until(/\r\n\r\n/)
    await expect.poll(again, { interval: 20 }).toMatch(/^HTTP\/1.1 400 /)
  })

  test('are never decompressed', async () => {
    const reply = await fetch(`${at.operatorUrl}/operator/v1/applications`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        ...{ 'content-type': 'application/json', 'content-encoding': 'gzip' },
      },
      body: gzipSync(JSON.stringify({ name: 'Compressed' })),
    })
    expect(reply.status).toBe(400)
  })

  test('of strangers are not read', async () => {
    expect(await (await sending('DELETE /sign-in HTTP/1.1\r\n', 0)).until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 204 /)
  })
})

describe('heads that never end', () => {
  test.each(['public', 'operator'] as const)('are refused and their connection closed: %s', async (side) => {
    const connection = await open(side === 'public' ? service.publicUrl : service.operatorUrl)
    connection.send('GET /v1/profiles/1 HTTP/1.1\r\nHost:')
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n[\s\S]*x-request-id: /)
  })

  test('are refused even if some bytes arrive from time to time', async () => {
    const connection = await open()
    connection.send('GET /v1/profiles/1 HTTP/1.1\r\n')
    const drip = setInterval(() => connection.send('x-more: y\r\n'), 50)
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 408 /)
    clearInterval(drip)
  })

  test('that never begin: the connection is closed without an answer', async () => {
    expect(await (await open()).closed()).toBe('')
  })
})

describe('connections of one address', () => {
  test('beyond the limit are closed at once, and accepted again when others have closed', async () => {
    const few = await startTestService({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
    try {
      const connections = await Promise.all([1, 2, 3].map(() => openConnection(few.publicUrl)))
      expect(await (await openConnection(few.publicUrl)).closed()).toBe('')
      expect(await (await openConnection(few.publicUrl)).closed()).toBe('')
      expect(few.logged().match(/"client":"127.0.0.1".*too many connections from one address/g)).toHaveLength(1)
      for (const connection of connections) {
        connection.send(`GET /v1/profiles/1 HTTP/1.1\r\n${credentials()}connection: close\r\n\r\n`)
        expect(await connection.until(/<\/whoFaults>/)).toMatch(/^HTTP\/1.1 404 /)
        connection.destroy()
      }
      await expect.poll(async () => (await few.call('GET', '/v1/profiles/1').catch(() => null))?.status).toBe(404)
    } finally {
      await few.close()
    }
  })

  test('are not counted for a trusted proxy, which serves many clients', async () => {
    const behind = await startTestService({ MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '127.0.0.1' })
    try {
      const connections = await Promise.all([1, 2, 3].map(() => openConnection(behind.publicUrl)))
      for (const connection of connections) {
        connection.send(`GET /v1/profiles/1 HTTP/1.1\r\n${credentials()}\r\n`)
        await connection.until(/^HTTP\/1.1 404 /)
        connection.destroy()
      }
    } finally {
      await behind.close()
    }
  })
})
