// What ends a customer's sessions, and what it takes to lift a closure or self-exclusion.

import { describe, expect, test } from 'vitest'
import { raisePasswordCost } from '../harness/password-cost.ts'
import { startTestService, useService } from '../harness/service.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'

const service = useService()
const NOT_ACTIVE = ['suspended', 'closed', 'self-excluded'] as const
const LASTING = ['closed', 'self-excluded'] as const
/** Tickets are cached for 3 seconds, and a session ends everywhere within 5. */
const REMEMBERED_MS = 3_001

let logins = 0

async function customerWithLogIn() {
  const username = `status-${++logins}`
  return { username, password: 'right password', ...(await service.customer({ username, password: 'right password' })) }
}

const customerPath = (id: number, rest = '') => `/operator/v1/customers/${id}${rest}`
const put = (id: number, body: object) => service.operator('PUT', customerPath(id), body)
const use = async (ticket: string) => (await service.call('GET', '/v1/profiles/me', { ticket })).status

function logIn({ username, password }: { username: string; password: string }) {
  const query = new URLSearchParams({ username, password })
  return service.call('POST', `/v1/sessions/tickets?${query}`, { accept: 'application/json' })
}

async function feed(...lines: object[]) {
  const reply = await service.operator(
    'POST',
    '/operator/v1/feed',
    Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
  )
  return reply.body
}

describe.each(NOT_ACTIVE)('a customer who is %s', (status) => {
  test('has no sessions, and cannot log in', async () => {
    const customer = await customerWithLogIn()
    const { ticket } = (await logIn(customer)).json().whoSessions
    expect([await use(ticket), await use(customer.ticket)]).toEqual([200, 200])
    expect((await put(customer.id, { status })).status).toBe(200)
    service.clock.advance(REMEMBERED_MS)
    expect([await use(ticket), await use(customer.ticket)]).toEqual([401, 401])
    expect((await service.call('HEAD', `/v1/sessions/tickets/${ticket}`)).status).toBe(404)
    const refused = await logIn(customer)
    const wrong = await logIn({ ...customer, password: 'wrong password' })
    expect([refused.status, refused.text]).toEqual([401, wrong.text])
  })

  test('is issued no ticket', async () => {
    const { id } = await service.customer({ status })
    const reply = await service.operator('POST', customerPath(id, '/tickets'), {})
    expect([reply.status, reply.body.detail]).toEqual([409, expect.stringContaining(status)])
  })

  test('cannot deposit', async () => {
    const { id } = await service.customer({ status })
    expect((await service.operator('GET', customerPath(id))).body.depositableToday).toBe('0.00')
  })
})

test.each([{ verified: false }, { fundsStatementVersion: 0 }])('a customer with %j cannot deposit', async (body) => {
  const { id } = await service.customer()
  expect((await put(id, body)).body).toMatchObject({ depositableToday: '0.00', dailyDepositLimitInForce: '10000.00' })
})

test('a status set by a feed line ends the sessions too', async () => {
  const { id, ticket } = await service.customer()
  expect(await use(ticket)).toBe(200)
  await feed({ put: 'customer', id, data: { status: 'suspended' } })
  service.clock.advance(REMEMBERED_MS)
  expect(await use(ticket)).toBe(401)
  // The sportsbook suspends and unsuspends customers every day, without a reason.
  await feed({ put: 'customer', id, data: { status: 'active' } })
  expect((await service.operator('POST', customerPath(id, '/tickets'), {})).status).toBe(201)
})

test('a new password ends all sessions; the same one again does not', async () => {
  const customer = await customerWithLogIn()
  await put(customer.id, { password: customer.password })
  service.clock.advance(REMEMBERED_MS)
  expect(await use(customer.ticket)).toBe(200)
  await put(customer.id, { password: 'another password' })
  service.clock.advance(REMEMBERED_MS)
  expect(await use(customer.ticket)).toBe(401)
  expect((await logIn(customer)).status).toBe(401)
  expect((await logIn({ ...customer, password: 'another password' })).status).toBe(201)
})

test('a log-in opens no session when the customer is suspended, or the password changes, meanwhile', async () => {
  raisePasswordCost()
  for (const change of [{ status: 'suspended' }, { password: 'another password' }]) {
    const customer = await customerWithLogIn()
    const underWay = logIn(customer)
    await put(customer.id, change)
    await underWay
    const listed = await service.operator('GET', customerPath(customer.id, '/sessions'))
    expect([listed.status, listed.body.items]).toEqual([200, []])
  }
})

describe.each(LASTING)('%s', (status) => {
  test('is not lifted by PUT or a feed line', async () => {
    const customer = await newDepositor(service)
    await put(customer.id, { status })
    for (const wanted of ['active', 'suspended']) {
      const reply = await put(customer.id, { status: wanted, currency: 'USD' })
      expect([reply.status, reply.body.detail]).toEqual([409, expect.stringContaining('/reinstatement')])
    }
    const fed = await feed({ put: 'customer', id: customer.id, data: { status: 'active' } })
    expect(fed).toMatchObject({ refused: 1, refusals: [{ line: 1, reason: expect.stringContaining(status) }] })
    const read = await service.operator('GET', customerPath(customer.id))
    expect(read.body).toMatchObject({ status, currency: 'GBP' })
    expect((await deposit(service, customer)).text).not.toContain('paymentId')
  })

  test('is lifted by a separate call, with a reason that the audit trail stores', async () => {
    const { id } = await service.customer({ status })
    const reinstate = (body: object) => service.operator('POST', customerPath(id, '/reinstatement'), body)
    for (const body of [{}, { reason: '' }, { reason: ' \n' }, { reason: 'x'.repeat(1001) }]) {
      expect([body, (await reinstate(body)).status]).toEqual([body, 422])
    }
    const reply = await reinstate({ reason: 'the period of six months is over' })
    expect([reply.status, reply.body.status]).toEqual([200, 'active'])
    const [entry] = (await service.operator('GET', '/operator/v1/audit?limit=1')).body.items
    expect(entry).toMatchObject({
      action: 'reinstateCustomer',
      subject: `${id}`,
      detail: {
        body: { reason: 'the period of six months is over' },
        changes: { status: { from: status, to: 'active' } },
      },
    })
    expect((await reinstate({ reason: 'again' })).status).toBe(409)
  })
})

test('each of the two lasting states can replace the other', async () => {
  const { id } = await service.customer({ status: 'self-excluded' })
  expect((await put(id, { status: 'closed' })).body.status).toBe('closed')
  expect((await put(id, { status: 'self-excluded' })).body.status).toBe('self-excluded')
})

test('an unknown customer is not reinstated', async () => {
  expect((await service.operator('POST', customerPath(404_404, '/reinstatement'), { reason: 'x' })).status).toBe(404)
})

test('an operator lists the sessions of a customer and ends them', async () => {
  const customer = await customerWithLogIn()
  service.clock.advance(1_000)
  const { ticket } = (await logIn(customer)).json().whoSessions
  const sessions = () => service.operator('GET', customerPath(customer.id, '/sessions'))
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  const hash = expect.stringMatching(/^[0-9a-f]{16}$/)
  const listed = await sessions()
  expect([listed.status, listed.body]).toEqual([
    200,
    { items: Array(2).fill({ id: hash, createdAt: time, lastUsedAt: time, endsAt: time }), cursor: null },
  ])
  expect(listed.body.items[0].createdAt > listed.body.items[1].createdAt).toBe(true)
  expect(await use(ticket)).toBe(200)
  const ended = await service.operator('DELETE', customerPath(customer.id, '/sessions'))
  expect([ended.status, ended.body]).toEqual([200, { ended: 2 }])
  expect((await sessions()).body.items).toEqual([])
  service.clock.advance(REMEMBERED_MS)
  expect([await use(ticket), await use(customer.ticket)]).toEqual([401, 401])
})

test('an operator ends one session of a customer, and no other', async () => {
  const customer = await customerWithLogIn()
  service.clock.advance(1_000)
  const { ticket } = (await logIn(customer)).json().whoSessions
  const path = customerPath(customer.id, '/sessions')
  const [newest] = (await service.operator('GET', path)).body.items
  const other = await service.customer()
  expect((await service.operator('DELETE', customerPath(other.id, `/sessions/${newest.id}`))).status).toBe(404)
  expect((await service.operator('DELETE', `${path}/${newest.id}`)).status).toBe(204)
  expect((await service.operator('DELETE', `${path}/${newest.id}`)).status).toBe(404)
  expect((await service.operator('GET', path)).body.items).toHaveLength(1)
  service.clock.advance(REMEMBERED_MS)
  expect([await use(ticket), await use(customer.ticket)]).toEqual([401, 200])
})

describe('a status with a reason', () => {
  const set = (id: number, body: object) => service.operator('PUT', customerPath(id, '/status'), body)

  test('is shown with the customer until the status changes', async () => {
    const { id } = await service.customer()
    expect((await service.operator('GET', customerPath(id))).body).toMatchObject({
      statusReason: null,
      statusSince: null,
    })
    const { statusSince } = (await set(id, { status: 'suspended', reason: 'two accounts' })).body
    const suspended = { status: 'suspended', statusReason: 'two accounts', statusSince }
    service.clock.advance(1_000)
    await put(id, { status: 'suspended', verified: false })
    expect((await service.operator('GET', customerPath(id))).body).toMatchObject(suspended)
    await put(id, { status: 'active' })
    const active = (await service.operator('GET', customerPath(id))).body
    expect(active).toMatchObject({ status: 'active', statusReason: null })
    expect(active.statusSince > statusSince).toBe(true)
    await set(id, { status: 'self-excluded', reason: 'asked by phone' })
    const body = { reason: 'six months are over' }
    const reinstated = await service.operator('POST', customerPath(id, '/reinstatement'), body)
    expect(reinstated.body).toMatchObject({ status: 'active', statusReason: 'six months are over' })
    const exported = await service.operator('GET', customerPath(id, '/personal-data'))
    expect(exported.body.customer.statusReason).toBe('six months are over')
    await service.operator('DELETE', customerPath(id, '/personal-data'))
    expect((await service.operator('GET', customerPath(id))).body).toMatchObject({
      status: 'closed',
      statusReason: null,
    })
  })

  test('needs the reason, and lifts neither a closure nor a self-exclusion', async () => {
    const { id } = await service.customer()
    for (const body of [{ status: 'suspended' }, { status: 'suspended', reason: ' ' }, { reason: 'why' }]) {
      expect([body, (await set(id, body)).status]).toEqual([body, 422])
    }
    expect((await set(404_404, { status: 'suspended', reason: 'why' })).status).toBe(404)
    expect((await service.operator('GET', customerPath(404_404))).status).toBe(404)
    await set(id, { status: 'closed', reason: 'moved away' })
    expect((await set(id, { status: 'active', reason: 'back' })).status).toBe(409)
    const now = (await service.operator('GET', customerPath(id))).body
    expect(now).toMatchObject({ status: 'closed', statusReason: 'moved away' })
  })
})

test('an expired session is not listed', async () => {
  const { id } = await service.customer()
  service.clock.advance(7_201_000)
  expect((await service.operator('GET', customerPath(id, '/sessions'))).body.items).toEqual([])
})

test('sessions of unknown customers or of an identity provider are neither listed nor ended', async () => {
  for (const method of ['GET', 'DELETE']) {
    expect((await service.operator(method, customerPath(404_404, '/sessions'))).status).toBe(404)
  }
  const jwt = { TICKETS: 'jwt', JWT_ISSUER: 'http://127.0.0.1:9', JWT_JWKS_URL: 'http://127.0.0.1:9/keys' }
  const other = await startTestService(jwt)
  try {
    const { id } = await other.customer()
    for (const method of ['GET', 'DELETE']) {
      expect((await other.operator(method, customerPath(id, '/sessions'))).status).toBe(409)
    }
  } finally {
    await other.close()
  }
})
