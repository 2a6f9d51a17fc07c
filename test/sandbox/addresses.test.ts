import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { hasSandboxAddresses } from '../../src/sandbox/routes/serve.ts'
import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../../src/sandbox/world/customers.ts'
import { type Json, startTestService, useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'people', LOG_LEVEL: 'silent' })
const [alice, bob] = SANDBOX_CUSTOMERS
const JSON_TYPE = { 'content-type': 'application/json' }

async function send(method: string, path: string, { headers = {}, body }: { headers?: object; body?: string } = {}) {
  const sent = body === undefined ? {} : { body }
  const reply = await fetch(service.publicUrl + path, { method, headers: { ...headers }, ...sent, redirect: 'manual' })
  const text = await reply.text()
  const isJson = /json/.test(reply.headers.get('content-type') ?? '')
  return { status: reply.status, headers: reply.headers, text, body: (isJson ? JSON.parse(text) : text) as Json }
}

const decide = (body: unknown, headers: object = JSON_TYPE) =>
  send('POST', '/sandbox/decisions', { headers, body: typeof body === 'string' ? body : JSON.stringify(body) })

function expectProblem(reply: Awaited<ReturnType<typeof send>>, status: number, title: RegExp): void {
  expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'application/problem+json; charset=utf-8'])
  expect(reply.body).toEqual({ title: expect.stringMatching(title), status })
}

test('GET /sandbox shows the credentials, the customers and the console', async () => {
  const { status, body, headers } = await send('GET', '/sandbox')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(body).toMatchObject({ apiKey: SANDBOX_KEY, secret: SANDBOX_SECRET, consoleUrl: service.operatorUrl })
  expect(body.customers).toEqual([
    { username: 'alice', ticket: alice.ticket, profileId: 1, name: 'Alice Ascot', picture: '/pictures/default.png' },
    { username: 'bob', ticket: bob.ticket, profileId: 2, name: 'Bob Both Teams', picture: '/pictures/default.png' },
    expect.objectContaining({ username: 'carol', profileId: 3 }),
  ])
})

describe('GET /sandbox/bets', () => {
  test.each(SANDBOX_CUSTOMERS)(
    '$username has open bets without tips on events that have not started',
    async (customer) => {
      const { body } = await send('GET', '/sandbox/bets', { headers: { 'who-ticket': customer.ticket } })
      const ids = body.bets.map(({ id }: Json) => id)
      expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one))
      const free = body.bets.filter((bet: Json) => !bet.tipped && bet.outcome.status === 'active')
      const waiting = free.filter((bet: Json) => Date.parse(bet.outcome.startTime) > Date.now())
      expect(waiting.length).toBeGreaterThanOrEqual(3)
      expect(waiting[0].outcome).toEqual({
        id: expect.any(Number),
        name: expect.any(String),
        market: expect.any(String),
        event: expect.any(String),
        sport: expect.stringMatching(/^(Football|Horse racing|Tennis)$/),
        startTime: expect.stringMatching(/Z$/),
        status: 'active',
        price: { num: expect.any(Number), den: expect.any(Number) },
        startingPrice: false,
      })
    },
  )

  test('bets with tips, on suspended markets and at starting price say so', async () => {
    const { body } = await send('GET', '/sandbox/bets', { headers: { 'who-ticket': alice.ticket } })
    const tips = body.bets.filter(({ tipped }: Json) => tipped).map(({ outcome }: Json) => outcome.id)
    // The tip on the first was removed: another cannot be written on that bet.
    expect(tips).toEqual([80034, 80031, 80022])
    await service.operator('PUT', '/operator/v1/bets/79001', { customerId: '1', outcomeIds: ['80023'] })
    await service.operator('PUT', '/operator/v1/bets/79002', { customerId: '1', outcomeIds: ['80043'] })
    const { body: after } = await send('GET', '/sandbox/bets', { headers: { 'who-ticket': alice.ticket } })
    const outcomeOf = (bet: number) => after.bets.find(({ id }: Json) => id === bet)?.outcome
    expect(outcomeOf(79001)).toMatchObject({ name: 'Tin Soldier', price: null, startingPrice: true })
    expect(outcomeOf(79002)).toMatchObject({ status: 'suspended' })
  })

  test('needs a ticket that is valid', async () => {
    expectProblem(await send('GET', '/sandbox/bets'), 400, /who-ticket/)
    expectProblem(await send('GET', '/sandbox/bets', { headers: { 'who-ticket': 'TGT-0-nobody' } }), 401, /\w/)
  })
})

describe('POST /sandbox/decisions', () => {
  const FLAGGED = 24

  test('decides as a moderator would, and the author reads the reasons', async () => {
    const { status, body } = await decide({ commentId: FLAGGED, action: 'remove' })
    expect([status, body]).toEqual([200, { decisionId: expect.any(Number) }])
    const { body: subject } = await service.operator('GET', `/operator/v1/moderation/comments/${FLAGGED}`)
    expect(subject).toMatchObject({ flags: 0, content: { state: 'removed' } })
    expect(subject.decisions.at(-1)).toMatchObject({ id: String(body.decisionId), action: 'remove', clause: 'general' })
    expectProblem(await decide({ commentId: FLAGGED, action: 'dismiss' }), 409, /no open flags/)
  })

  test('dismisses flags', async () => {
    const queue = await service.operator('GET', '/operator/v1/moderation/queue?kind=comment')
    const [{ id }] = queue.body.items
    expect((await decide({ commentId: Number(id), action: 'dismiss' })).status).toBe(200)
    const { body } = await service.operator('GET', `/operator/v1/moderation/comments/${id}`)
    expect(body).toMatchObject({ flags: 0, content: { state: 'live' } })
  })

  test.each([
    ['{', JSON_TYPE],
    ['null', JSON_TYPE],
    ['[]', JSON_TYPE],
    [{ commentId: '24', action: 'remove' }, JSON_TYPE],
    [{ commentId: 1.5, action: 'remove' }, JSON_TYPE],
    [{ commentId: 24, action: 'toString' }, JSON_TYPE],
    [{ commentId: 24 }, JSON_TYPE],
    [{ commentId: 24, action: 'remove' }, { 'content-type': 'text/plain' }],
  ])('refuses %j', async (body, headers) => {
    expectProblem(await decide(body, headers), 400, /\w/)
  })

  test('refuses unknown comments and large bodies', async () => {
    expectProblem(await decide({ commentId: 999_999_999, action: 'remove' }), 404, /999999999/)
    expectProblem(await decide(`"${'x'.repeat(5_000)}"`), 413, /\w/)
  })
})

test('other methods and paths get the faults of the API', async () => {
  expect((await send('DELETE', '/sandbox/match-day')).status).toBe(405)
  expect((await send('GET', '/sandbox/nothing')).status).toBe(404)
})

test('none of it is in OpenAPI', async () => {
  expect((await send('GET', '/openapi.json')).text).not.toMatch(/\/(sandbox|app)\b/)
})

test('the root leads to the page that says what Paddock is', async () => {
  const { status, headers } = await send('GET', '/')
  expect([status, headers.get('location')]).toEqual([302, '/app/#/welcome'])
})

test('/app leads to the application, whose page allows only files of its own and pictures', async () => {
  const redirect = await send('GET', '/app')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'app/'])
  const page = await send('GET', '/app/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("img-src 'self' blob:")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect((await send('GET', '/app/../package.json')).status).toBe(404)
  expect((await send('GET', '/app/.stamp')).status).toBe(404)
})

test('without the data of the sandbox nothing of it is there', async () => {
  const other = await startTestService({ LOG_LEVEL: 'silent', SANDBOX_SEED: 'off' })
  try {
    for (const [method, path] of [
      ['GET', '/sandbox'],
      ['GET', '/sandbox/bets'],
      ['GET', '/sandbox/match-day'],
      ['POST', '/sandbox/match-day'],
      ['POST', '/sandbox/decisions'],
      ['GET', '/app'],
      ['GET', '/app/'],
    ] as const) {
      const headers = { 'who-ticket': alice.ticket }
      expect([path, (await fetch(other.publicUrl + path, { method, headers })).status]).toEqual([path, 404])
    }
  } finally {
    await other.close()
  }
})

test('in production and without extensions nothing of it is there either', () => {
  const config = readConfig({ SANDBOX_SEED: 'people' })
  expect(hasSandboxAddresses({ config })).toBe(true)
  expect(hasSandboxAddresses({ config: { ...config, mode: 'production' } })).toBe(false)
  expect(hasSandboxAddresses({ config: readConfig({ EXTENSIONS: 'off' }) })).toBe(false)
})
