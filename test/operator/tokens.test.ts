import { describe, expect, test } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { hashOf } from '../../src/platform/runtime/secrets.ts'
import { startTestService, useService } from '../harness/service.ts'
import { newToken } from './cases.ts'

const service = useService()

test('a token is shown once, works, and is revoked at once', async () => {
  const created = await service.operator('POST', '/operator/v1/tokens', { name: 'Night shift', role: 'moderator' })
  expect(created.status).toBe(201)
  expect(created.body).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'Night shift',
    role: 'moderator',
    owner: null,
    expiresAt: null,
    token: expect.stringMatching(/^[\w-]{32}$/),
  })
  const { id, token } = created.body
  const use = () => service.operator('GET', '/operator/v1/moderation/queue', undefined, token)
  expect((await use()).status).toBe(200)

  const listed = await service.operator('GET', '/operator/v1/tokens')
  expect(listed.body.cursor).toBeNull()
  expect(listed.body.items).toContainEqual({
    id,
    name: 'Night shift',
    role: 'moderator',
    owner: null,
    createdBy: 'bootstrap',
    createdAt: expect.any(String),
    expiresAt: null,
    lastUsedAt: expect.any(String),
    revokedAt: null,
  })
  expect(JSON.stringify(listed.body)).not.toContain(token)

  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`)).status).toBe(204)
  expect((await use()).status).toBe(401)
  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`)).status).toBe(404)
  expect((await service.operator('DELETE', '/operator/v1/tokens/999999')).status).toBe(404)
  const after = await service.operator('GET', '/operator/v1/tokens')
  expect(after.body.items.find((one: { id: string }) => one.id === id).revokedAt).toEqual(expect.any(String))
})

test('an admin can revoke the token it calls with', async () => {
  const { id, token } = await newToken(service, 'admin')
  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`, undefined, token)).status).toBe(204)
  expect((await service.operator('GET', '/operator/v1/tokens', undefined, token)).status).toBe(401)
})

test('active tokens have different names, so that the audit trail identifies the caller', async () => {
  const { id } = await newToken(service, 'feed', 'The feed')
  const again = () => service.operator('POST', '/operator/v1/tokens', { name: 'The feed', role: 'feed' })
  const refused = await again()
  expect([refused.status, refused.body.title]).toEqual([409, 'Conflict'])
  await service.operator('DELETE', `/operator/v1/tokens/${id}`)
  expect((await again()).status).toBe(201)
  for (const name of ['bootstrap', 'command line', 'nobody']) {
    expect((await service.operator('POST', '/operator/v1/tokens', { name, role: 'feed' })).status).toBe(409)
  }
})

test('concurrent creations of tokens with the same name create one', async () => {
  const making = Array.from({ length: 20 }, () =>
    service.operator('POST', '/operator/v1/tokens', { name: 'Only one', role: 'feed' }),
  )
  const statuses = (await Promise.all(making)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, ...new Array<number>(19).fill(409)])
  const { items } = (await service.operator('GET', '/operator/v1/tokens')).body
  expect(items.filter((one: { name: string }) => one.name === 'Only one')).toHaveLength(1)
})

test('a token has an owner, and ends when it expires', async () => {
  const expiresAt = new Date(service.clock.now() + 60_000).toISOString()
  const body = { name: 'For an hour', role: 'feed', owner: 'Olga of the feed team', expiresAt }
  const created = await service.operator('POST', '/operator/v1/tokens', body)
  expect([created.status, created.body]).toEqual([201, expect.objectContaining(body)])
  const { id, token } = created.body
  const use = async () => (await service.operator('GET', '/operator/v1/me', undefined, token)).status
  expect(await use()).toBe(200)
  service.clock.advance(60_001)
  expect(await use()).toBe(401)
  const { items } = (await service.operator('GET', '/operator/v1/tokens')).body
  const listed = items.find((one: { id: string }) => one.id === id)
  expect(listed).toMatchObject({ owner: 'Olga of the feed team', expiresAt, revokedAt: null })
  // Its name is free again when it is revoked.
  const again = () => service.operator('POST', '/operator/v1/tokens', { name: 'For an hour', role: 'feed' })
  expect((await again()).status).toBe(409)
  expect((await service.operator('DELETE', `/operator/v1/tokens/${id}`)).status).toBe(204)
  expect((await again()).status).toBe(201)
})

test('a token with an expiry in the past is refused', async () => {
  const body = { name: 'Too late', role: 'feed', expiresAt: new Date(service.clock.now() - 1).toISOString() }
  const reply = await service.operator('POST', '/operator/v1/tokens', body)
  expect([reply.status, reply.body.errors]).toEqual([422, [{ pointer: '/expiresAt', detail: 'must be in the future' }]])
})

test('the last use of a token is stored to the minute, with one write a minute', async () => {
  const own = await startTestService()
  try {
    own.clock.hold()
    const { id, token } = await newToken(own, 'auditor')
    const lastUse = async () => {
      const { items } = (await own.operator('GET', '/operator/v1/tokens')).body
      return items.find((one: { id: string }) => one.id === id).lastUsedAt
    }
    const use = () => own.operator('GET', '/operator/v1/me', undefined, token)
    const writes = () => own.statementsByName().get('setTokenUsed') ?? 0
    expect(await lastUse()).toBeNull()
    const first = own.clock.now()
    for (let i = 0; i < 5; i++) await use()
    own.clock.advance(59_999)
    await use()
    expect([await lastUse(), writes()]).toEqual([new Date(first).toISOString(), 1])
    own.clock.advance(1)
    await use()
    expect([await lastUse(), writes()]).toEqual([new Date(first + 60_000).toISOString(), 2])
    // A use that is refused for its role is one too; one with a wrong token is not.
    own.clock.advance(60_000)
    await own.operator('POST', '/operator/v1/tokens', { name: 'x', role: 'admin' }, token)
    expect(writes()).toBe(3)
  } finally {
    await own.close()
  }
})

test.each([
  [{}, ['/name', '/role']],
  [{ name: '', role: 'feed' }, ['/name']],
  [{ name: 'x'.repeat(101), role: 'feed' }, ['/name']],
  [{ name: 'a\u0000b', role: 'feed' }, ['/name']],
  [{ name: 'ok', role: 'king' }, ['/role']],
  [{ name: 'ok', role: null }, ['/role', '/role']],
  [{ name: 'ok', role: 'feed', token: 'of-my-own' }, ['/token']],
  [{ name: 'ok', role: 'feed', owner: '' }, ['/owner']],
  [{ name: 'ok', role: 'feed', owner: 'a\u0000b' }, ['/owner']],
  [{ name: 'ok', role: 'feed', expiresAt: 'tomorrow' }, ['/expiresAt']],
])('%j is refused', async (body, pointers) => {
  const reply = await service.operator('POST', '/operator/v1/tokens', body)
  expect(reply.status).toBe(422)
  expect(reply.body.errors.map((one: { pointer: string }) => one.pointer)).toEqual(pointers)
})

const makeFormer = writing<{ name: string; hash: string }>(
  'makeFormer',
  `insert into operator_token (name, role, token_hash, created_at) values (:name, 'feed and accounts', :hash, 0)`,
)

describe('the roles feed and accounts', () => {
  const id = 77_001
  const lines = [
    { put: 'customer', id, data: {} },
    { put: 'sport', id, data: { name: 'Chess', communities: true } },
  ]
  const feed = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))

  /** Which calls the token may make, and which lines it may send. */
  async function allowed(token: string) {
    const status = async (method: string, path: string, body?: unknown) =>
      (await service.operator(method, `/operator/v1${path}`, body, token)).status
    return {
      customer: await status('PUT', `/customers/${id}`, {}),
      ticket: await status('POST', `/customers/${id}/tickets`, {}),
      sessions: await status('GET', `/customers/${id}/sessions`),
      sport: await status('PUT', `/sports/${id}`, { name: 'Chess', communities: true }),
      lines: (await service.operator('POST', '/operator/v1/feed', feed, token)).body.applied,
    }
  }

  test('allow different calls and feed lines', async () => {
    await service.operator('PUT', `/operator/v1/customers/${id}`, {})
    await service.operator('PUT', `/operator/v1/sports/${id}`, { name: 'Chess', communities: true })
    const [catalogue, accounts] = [await newToken(service, 'feed'), await newToken(service, 'accounts')]
    const logIn = await newToken(service, 'tickets')
    expect(await allowed(logIn.token)).toMatchObject({ customer: 403, ticket: 201, sessions: 403, sport: 403 })
    expect(await allowed(catalogue.token)).toEqual({
      customer: 403,
      ticket: 403,
      sessions: 403,
      sport: 200,
      lines: { sport: 1 },
    })
    expect(await allowed(accounts.token)).toEqual({
      customer: 200,
      ticket: 403,
      sessions: 200,
      sport: 403,
      lines: { customer: 1 },
    })
    const { refusals } = (await service.operator('POST', '/operator/v1/feed', feed, catalogue.token)).body
    expect(refusals).toEqual([{ line: 1, reason: expect.stringContaining('need the role accounts') }])
  })

  test('are both held by tokens created before the role accounts existed', async () => {
    await service.context.database.run(makeFormer, { name: 'An old feed', hash: hashOf('a-token-of-before') })
    const may = await allowed('a-token-of-before')
    expect(may).toEqual({ customer: 200, ticket: 403, sessions: 200, sport: 200, lines: { customer: 1, sport: 1 } })
    const me = (await service.operator('GET', '/operator/v1/me', undefined, 'a-token-of-before')).body
    expect(me.role).toBe('feed and accounts')
    expect(me.calls).toEqual(expect.arrayContaining(['PUT /customers/{id}', 'PUT /bets/{id}', 'POST /feed']))
    const { items } = (await service.operator('GET', '/operator/v1/tokens')).body
    expect(items.map((one: { name: string; role: string }) => [one.name, one.role])).toContainEqual([
      'An old feed',
      'feed and accounts',
    ])
    const again = await service.operator('POST', '/operator/v1/tokens', { name: 'New', role: 'feed and accounts' })
    expect(again.status).toBe(422)
  })
})
