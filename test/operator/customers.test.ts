import { expect, test } from 'vitest'
import { startTestService, useService } from '../harness/service.ts'

const service = useService()
const DAY_S = 86_400

let lastId = 50_000
const newId = () => ++lastId

function put(id: number | string, body: unknown) {
  return service.operator('PUT', `/operator/v1/customers/${id}`, body)
}

function logIn(username: string, password: string) {
  const query = new URLSearchParams({ username, password })
  return service.call('POST', `/v1/sessions/tickets?${query}`, { accept: 'application/json' })
}

test('a customer is created with defaults, and read', async () => {
  const id = newId()
  const created = await put(id, {})
  const customer = {
    id: `${id}`,
    username: null,
    firstName: null,
    lastName: null,
    status: 'active',
    verified: true,
    currency: 'GBP',
    dailyDepositLimit: null,
    fundsStatementVersion: 1,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    profileId: null,
    balance: '0.00',
    debt: '0.00',
    depositedToday: '0.00',
    dailyDepositLimitInForce: '10000.00',
    depositableToday: '10000.00',
    statusReason: null,
    statusSince: null,
    limits: [],
    exclusion: null,
  }
  expect([created.status, created.body]).toEqual([201, customer])
  const read = await service.operator('GET', `/operator/v1/customers/${id}`)
  expect([read.status, read.body]).toEqual([200, customer])
})

test('a second PUT changes only the fields it has', async () => {
  const id = newId()
  const body = {
    username: `user-${id}`,
    password: 'a password',
    status: 'suspended',
    verified: false,
    currency: 'EUR',
    dailyDepositLimit: '250.5',
    fundsStatementVersion: 3,
  }
  const first = await put(id, body)
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({ status: 'suspended', verified: false, currency: 'EUR', fundsStatementVersion: 3 })
  expect(first.body.dailyDepositLimit).toBe('250.50')
  expect(JSON.stringify(first.body)).not.toContain('a password')
  service.clock.advance(1000)
  const second = await put(id, body)
  expect([second.status, second.body]).toEqual([200, first.body])
  const third = await put(id, { status: 'active' })
  expect(third.body).toEqual({ ...first.body, status: 'active', statusSince: expect.any(String) })
  expect((await logIn(`user-${id}`, 'a password')).status).toBe(201)
})

test('PUT and feed lines keep fields that they do not name', async () => {
  const id = newId()
  const body = {
    status: 'self-excluded',
    verified: false,
    currency: 'EUR',
    dailyDepositLimit: '10',
    password: 'secret 1',
  }
  const first = (await put(id, { ...body, fundsStatementVersion: 0 })).body
  const second = await put(id, { username: `user-${id}` })
  expect([second.status, second.body]).toEqual([200, { ...first, username: `user-${id}` }])
  const line = JSON.stringify({ put: 'customer', id, data: { username: `renamed-${id}` } })
  const fed = await service.operator('POST', '/operator/v1/feed', Buffer.from(line))
  expect(fed.body).toMatchObject({ applied: { customer: 1 }, refused: 0 })
  const third = await service.operator('GET', `/operator/v1/customers/${id}`)
  expect(third.body).toEqual({ ...first, username: `renamed-${id}` })
})

test('null removes a customer’s own limit', async () => {
  const id = newId()
  expect((await put(id, { dailyDepositLimit: 20 })).body.dailyDepositLimitInForce).toBe('20.00')
  const without = (await put(id, { dailyDepositLimit: null })).body
  expect(without).toMatchObject({ dailyDepositLimit: null, dailyDepositLimitInForce: '10000.00' })
})

test('a new password replaces the old one', async () => {
  const id = newId()
  await put(id, { username: `user-${id}`, password: 'first one' })
  await put(id, { password: 'another one' })
  expect((await logIn(`user-${id}`, 'first one')).status).toBe(401)
  expect((await logIn(`user-${id}`, 'another one')).status).toBe(201)
})

test('a password must differ from the current and the new user name, whatever the case', async () => {
  const id = newId()
  const username = `Guessable-${id}`
  for (const body of [
    { username, password: username },
    { username, password: username.toUpperCase() },
  ]) {
    const reply = await put(id, body)
    expect([reply.status, reply.body.detail]).toEqual([422, '/password must not be the user name.'])
  }
  expect((await put(id, { username })).status).toBe(201)
  expect((await put(id, { password: username.toLowerCase() })).status).toBe(422)
  const line = Buffer.from(JSON.stringify({ put: 'customer', id, data: { password: username } }))
  expect((await service.operator('POST', '/operator/v1/feed', line)).body).toMatchObject({ refused: 1 })
})

test('the profile’s id is shown once there is a profile', async () => {
  const { id, profileId } = await service.member()
  const read = await service.operator('GET', `/operator/v1/customers/${id}`)
  expect(read.body.profileId).toBe(`${profileId}`)
})

test('a username that another customer has is refused, and nothing is written', async () => {
  const [one, other] = [newId(), newId()]
  await put(one, { username: 'the.only.one' })
  await put(other, { username: 'somebody.else', currency: 'USD' })
  for (const id of [other, newId()]) {
    const reply = await put(id, { username: 'the.only.one', currency: 'SEK' })
    expect([reply.status, reply.body.title]).toEqual([409, 'Conflict'])
    expect(reply.body.detail).toContain('username')
  }
  const kept = await service.operator('GET', `/operator/v1/customers/${other}`)
  expect(kept.body).toMatchObject({ username: 'somebody.else', currency: 'USD' })
  expect((await service.operator('GET', `/operator/v1/customers/${lastId}`)).status).toBe(404)
  expect((await put(one, { username: 'the.only.one' })).status).toBe(200)
})

test('concurrent PUTs of one customer create one customer', async () => {
  const id = newId()
  const replies = await Promise.all(Array.from({ length: 8 }, () => put(id, { username: `user-${id}` })))
  expect(replies.every((reply) => reply.status === 200 || reply.status === 201)).toBe(true)
})

test('amounts and ids may be numbers; the largest are stored exactly', async () => {
  const id = newId()
  expect((await put(id, { dailyDepositLimit: 20 })).body.dailyDepositLimit).toBe('20.00')
  expect((await put(id, { dailyDepositLimit: 0.05 })).body.dailyDepositLimit).toBe('0.05')
  const most = '9999999999999.99'
  expect((await put(id, { dailyDepositLimit: most })).body.dailyDepositLimit).toBe(most)
  expect((await put('00090001', {})).body.id).toBe('90001')
  expect((await put('999999999999999', {})).status).toBe(201)
})

test.each([
  [{ status: 'happy' }, ['/status']],
  [{ verified: 'true' }, ['/verified']],
  [{ verified: 1 }, ['/verified']],
  [{ verified: null }, ['/verified']],
  [{ currency: 'gbp' }, ['/currency']],
  [{ currency: 'EURO' }, ['/currency']],
  [{ dailyDepositLimit: '-1' }, ['/dailyDepositLimit']],
  [{ dailyDepositLimit: '1.005' }, ['/dailyDepositLimit']],
  [{ dailyDepositLimit: 1e21 }, ['/dailyDepositLimit']],
  [{ fundsStatementVersion: '1' }, ['/fundsStatementVersion']],
  [{ fundsStatementVersion: 1.5 }, ['/fundsStatementVersion']],
  [{ fundsStatementVersion: 2 ** 31 }, ['/fundsStatementVersion']],
  [{ username: '' }, ['/username']],
  [{ username: 'a\u0000b' }, ['/username']],
  [{ username: '\ud800' }, ['/username']],
  [{ password: '' }, ['/password']],
  [{ password: '7 chars' }, ['/password']],
  [{ password: 'x'.repeat(201) }, ['/password']],
  [{ passwort: 'typed wrong' }, ['/passwort']],
  [{ status: 'x', currency: 'x', verified: 'x' }, ['/status', '/verified', '/currency']],
])('%j is refused, with every invalid field named', async (body, pointers) => {
  const id = newId()
  const reply = await put(id, body)
  expect(reply.status).toBe(422)
  const named = reply.body.errors.map((one: { pointer: string }) => one.pointer)
  expect([...new Set(named)].sort()).toEqual([...new Set(pointers)].sort())
  expect((await service.operator('GET', `/operator/v1/customers/${id}`)).status).toBe(404)
})

test.each(['abc', '-1', '1.5', '1234567890123456', '%00'])('the id %s is refused', async (id) => {
  for (const [method, rest] of [
    ['PUT', ''],
    ['GET', ''],
    ['POST', '/tickets'],
    ['GET', '/personal-data'],
    ['DELETE', '/personal-data'],
  ] as const) {
    const body = method === 'PUT' || method === 'POST' ? {} : undefined
    const reply = await service.operator(method, `/operator/v1/customers/${id}${rest}`, body)
    expect([reply.status, reply.body.errors?.[0]]).toEqual([
      422,
      { pointer: 'path/id', detail: 'must be an id: 1 to 15 digits' },
    ])
  }
})

test('an unknown customer is not found', async () => {
  const unknown = '/operator/v1/customers/404404'
  for (const reply of [
    await service.operator('GET', unknown),
    await service.operator('POST', `${unknown}/tickets`, {}),
    await service.operator('GET', `${unknown}/personal-data`),
    await service.operator('DELETE', `${unknown}/personal-data`),
  ]) {
    expect([reply.status, reply.body.status]).toEqual([404, 404])
    expect(reply.body.detail).toContain('404404')
  }
})

test('a ticket lives for the requested time, however much it is used', async () => {
  const id = newId()
  await put(id, {})
  const issued = await service.operator('POST', `/operator/v1/customers/${id}/tickets`, { ttlSeconds: 3 * 3600 })
  expect(issued.status).toBe(201)
  const { ticket, expiresAt } = issued.body
  expect(ticket).toMatch(/^TGT-\d+-[A-Za-z0-9]{50}-\w+$/)
  expect(Math.abs(Date.parse(expiresAt) - service.clock.now() - 3 * 3_600_000)).toBeLessThan(5_000)
  const alive = async () => (await service.call('HEAD', `/v1/sessions/tickets/${ticket}`)).status
  expect((await service.call('GET', '/v1/profiles/me', { ticket })).status).toBe(200)
  service.clock.advance(3 * 3_600_000 - 10_000)
  expect(await alive()).toBe(204)
  service.clock.advance(10_001)
  expect(await alive()).toBe(404)
})

test('without a requested time the ticket lives as long as one of a log-in; the body is optional', async () => {
  const id = newId()
  await put(id, {})
  for (const body of [{}, undefined]) {
    const issued = await service.operator('POST', `/operator/v1/customers/${id}/tickets`, body)
    expect(issued.status).toBe(201)
    expect(Math.abs(Date.parse(issued.body.expiresAt) - service.clock.now() - 28_800_000)).toBeLessThan(5_000)
  }
})

test.each([0, -1, 60 * DAY_S + 1, 1.5, '60', null])('ttlSeconds %j is refused', async (ttlSeconds) => {
  const { id } = await service.customer()
  const reply = await service.operator('POST', `/operator/v1/customers/${id}/tickets`, { ttlSeconds })
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/ttlSeconds'])
})

test.each([1, 60 * DAY_S])('ttlSeconds %j is accepted', async (ttlSeconds) => {
  const { id } = await service.customer()
  const reply = await service.operator('POST', `/operator/v1/customers/${id}/tickets`, { ttlSeconds })
  expect(reply.status).toBe(201)
})

test('with an identity provider no tickets are issued, and the answer gives the reason', async () => {
  const jwt = { TICKETS: 'jwt', JWT_ISSUER: 'http://127.0.0.1:9', JWT_JWKS_URL: 'http://127.0.0.1:9/keys' }
  const other = await startTestService(jwt)
  try {
    const { id } = await other.customer()
    const reply = await other.operator('POST', `/operator/v1/customers/${id}/tickets`, {})
    expect([reply.status, reply.body.title]).toEqual([409, 'Conflict'])
    expect(reply.body.detail).toContain('TICKETS=jwt')
  } finally {
    await other.close()
  }
})
