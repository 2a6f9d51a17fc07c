// Log lines of refusals that matter for security have the client's address, and the customer id where it is known.

import { describe, expect, test } from 'vitest'
import { credentials, openConnection } from '../harness/raw-connection.ts'
import { type CallOptions, startTestService, type TestService, useService } from '../harness/service.ts'

const CLIENT = '198.51.100.7'
const service = useService({
  TRUST_PROXY: '127.0.0.1',
  PICTURES_PER_MINUTE: '1',
  REQUEST_BODY_TIMEOUT_MS: '300',
})

function lineOf(of: TestService, id: string | null) {
  const lines = of.logged().split('\n')
  return JSON.parse(lines.find((line) => line.includes(`"id":"${id}"`)) ?? '{}')
}

async function lineAbout(method: string, path: string, options: CallOptions = {}) {
  const headers = { 'x-forwarded-for': CLIENT, ...options.headers }
  const reply = await service.call(method, path, { ...options, headers })
  return lineOf(service, reply.headers.get('x-request-id'))
}

describe('the log names the client behind a trusted proxy', () => {
  test.each<[string, string, string, CallOptions, number]>([
    ['an unknown key', 'GET', '/v1/profiles/1', { key: 'nobody' }, 401],
    ['a wrong secret', 'GET', '/v1/profiles/1', { secret: 'guessed' }, 401],
    ['a ticket that is none', 'GET', '/v1/profiles/me', { ticket: 'TGT-1-x' }, 401],
    ['an unsigned notification', 'POST', '/v1/notifications/sandbox', { body: '{}' }, 401],
    ['a path that is none', 'GET', '/admin.php', {}, 404],
    ['a method that is none', 'DELETE', '/docs', {}, 405],
  ])('in the line about %s', async (_what, method, path, options, status) => {
    expect(await lineAbout(method, path, options)).toMatchObject({
      status,
      client: CLIENT,
      customer: null,
      msg: 'request',
    })
  })

  test('an operator token that is unknown, or lacks the role', async () => {
    const token = (await service.operator('POST', '/operator/v1/tokens', { name: 'watcher', role: 'auditor' })).body
      .token
    for (const [sent, status] of [
      ['nonsense', 401],
      [token, 403],
    ] as const) {
      const response = await fetch(`${service.operatorUrl}/operator/v1/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sent}`, 'x-forwarded-for': CLIENT, 'content-type': 'application/json' },
        body: '{"name":"x","role":"admin"}',
      })
      const line = lineOf(service, response.headers.get('x-request-id'))
      expect(line).toMatchObject({ status, listener: 'operator', client: CLIENT })
    }
  })

  test('but no client behind another proxy, and not in other lines', async () => {
    const { ticket } = await service.customer()
    const line = await lineAbout('GET', '/v1/profiles/me', { ticket })
    expect(line).toMatchObject({ status: 200, operation: 'getMyProfile' })
    expect(Object.keys(line)).not.toContain('client')
    const direct = await startTestService()
    try {
      const reply = await direct.call('GET', '/v1/profiles/1', {
        key: 'nobody',
        headers: { 'x-forwarded-for': CLIENT },
      })
      expect(lineOf(direct, reply.headers.get('x-request-id'))).toMatchObject({ client: '127.0.0.1' })
    } finally {
      await direct.close()
    }
  })
})

describe('the log names the customer', () => {
  test('who uploads too much', async () => {
    const { id, ticket } = await service.customer()
    await lineAbout('PUT', '/v1/profiles/me/picture', { ticket, body: 'x' })
    const line = await lineAbout('PUT', '/v1/profiles/me/picture', { ticket, body: 'x' })
    expect(line).toMatchObject({ status: 429, client: CLIENT, customer: id })
  })

  test('whose body does not arrive', async () => {
    const { id, ticket } = await service.customer()
    const connection = await openConnection(service.publicUrl)
    connection.send(
      `PUT /v1/profiles/me/picture HTTP/1.1\r\n${credentials()}who-ticket: ${ticket}\r\nx-forwarded-for: ${CLIENT}\r\ncontent-length: 9\r\n\r\n`,
    )
    const answer = await connection.closed()
    const line = lineOf(service, /x-request-id: (\S+)/i.exec(answer)?.[1] ?? null)
    expect(line).toMatchObject({ status: 408, client: CLIENT, customer: id })
  })
})

test('the log names the address when the request could not be read', async () => {
  const connection = await openConnection(service.publicUrl)
  connection.send('nonsense\r\n\r\n')
  const answer = await connection.ended()
  connection.destroy()
  const line = lineOf(service, /x-request-id: (\S+)/i.exec(answer)?.[1] ?? null)
  expect(line).toMatchObject({ status: 400, client: '127.0.0.1' })
})
