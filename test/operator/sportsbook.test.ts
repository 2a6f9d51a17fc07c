import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'

const service = useService()
const at = (path: string) => `/operator/v1${path}`

const football = { name: 'Football', communities: true }
const match = {
  sportId: 10,
  name: 'Ards v Bangor',
  startTime: '2026-12-01T15:00:00Z',
  markets: [{ id: 1000, name: 'Result', outcomes: [{ id: 10_000, name: 'Ards', price: { num: 11, den: 10 } }] }],
}

test('sports and events are created, replaced and changed', async () => {
  expect((await service.operator('PUT', at('/sports/10'), football)).status).toBe(201)
  expect((await service.operator('PUT', at('/sports/9'), { ...football, name: 'Tennis' })).status).toBe(201)
  expect((await service.operator('PUT', at('/sports/9'), { ...football, name: 'Darts' })).status).toBe(200)
  expect((await service.operator('GET', at('/sports'))).body).toEqual({
    items: [
      { id: '9', name: 'Darts' },
      { id: '10', name: 'Football' },
    ],
  })
  expect((await service.operator('PUT', at('/sports/10'), football)).status).toBe(200)
  expect((await service.operator('PUT', at('/events/100'), match)).status).toBe(201)
  expect((await service.operator('PUT', at('/events/100'), match)).status).toBe(200)
  expect((await service.operator('PATCH', at('/events/100'), { status: 'suspended' })).status).toBe(204)
  expect((await service.operator('PATCH', at('/markets/1000'), { status: 'suspended' })).status).toBe(204)
  expect((await service.operator('PATCH', at('/outcomes/10000'), { price: null, status: 'active' })).status).toBe(204)
})

test.each([
  ['PUT', '/events/101', { ...match, sportId: 99 }, 404],
  ['PUT', '/events/101', match, 409],
  [
    'PUT',
    '/events/101',
    {
      ...match,
      markets: [
        { id: 5, name: 'A' },
        { id: 5, name: 'B' },
      ],
    },
    422,
  ],
  ['PUT', '/events/101', { ...match, markets: [{ id: 5, name: 'A', outcomes: [{ id: 10_000, name: 'X' }] }] }, 409],
  ['PUT', '/events/101', { ...match, startTime: 'tomorrow' }, 422],
  ['PUT', '/events/101', { ...match, name: 'a\u0001b' }, 422],
  ['PATCH', '/events/404', { status: 'active' }, 404],
  ['PATCH', '/markets/404', { status: 'active' }, 404],
  ['PATCH', '/outcomes/404', { status: 'active' }, 404],
  ['PATCH', '/outcomes/10000', { price: { num: 0, den: 1 } }, 422],
  ['POST', '/markets/404/settlement', { results: { 1: 'win' } }, 404],
  ['POST', '/markets/1000/settlement', { results: { 1: 'win' } }, 422],
  ['POST', '/markets/1000/settlement', { results: { 10000: 'half' } }, 422],
  ['PUT', '/bets/1', { customerId: 404, outcomeIds: [10_000] }, 404],
])('%s %s with %j is refused', async (method, path, body, status) => {
  await service.operator('PUT', at('/sports/10'), football)
  await service.operator('PUT', at('/events/100'), match)
  const reply = await service.operator(method, at(path), body)
  expect([reply.status, reply.body]).toEqual([status, expect.objectContaining({ status })])
})

test('a bet keeps its customer and needs known outcomes', async () => {
  await service.operator('PUT', at('/sports/10'), football)
  await service.operator('PUT', at('/events/100'), match)
  const [one, other] = [await service.customer(), await service.customer()]
  const bet = (customerId: number, outcomeIds: unknown[]) =>
    service.operator('PUT', at('/bets/77'), { customerId, outcomeIds, placedAt: '2026-11-30T10:00:00Z' })
  expect((await bet(one.id, [9])).status).toBe(404)
  expect((await bet(one.id, [10_000, '10000'])).status).toBe(201)
  expect((await bet(one.id, ['10000'])).status).toBe(200)
  expect((await bet(other.id, [10_000])).status).toBe(409)
})

test('a feed applies its valid lines in order, reports the others, and can be sent again', async () => {
  const { id } = await service.customer()
  const lines = [
    { put: 'sport', id: 20, data: { name: 'Tennis', communities: true } },
    { put: 'event', id: 200, data: { ...match, sportId: '20', markets: [] } },
    { put: 'market', id: '2000', data: { eventId: 200, name: 'Winner' } },
    { put: 'outcome', id: 20_000, data: { marketId: 2000, name: 'Ana', price: { num: 1, den: 2 } } },
    { put: 'outcome', id: 20_001, data: { marketId: 404, name: 'Bea' } },
    { put: 'bet', id: 2, data: { customerId: id, outcomeIds: [20_000] } },
    { put: 'settlement', id: 2000, data: { results: { 20000: 'win' } } },
    { put: 'horse', id: 1, data: {} },
    { put: 'sport', id: 'x', data: { name: 'X' } },
    { put: 'sport', id: 21, data: {} },
  ]
  const feed = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n{"put"\n`
  const send = async () => {
    const response = await fetch(service.operatorUrl + at('/feed'), {
      method: 'POST',
      headers: { authorization: 'Bearer test-operator-token-0123456789', 'content-type': 'application/x-ndjson' },
      body: feed,
    })
    return [response.status, await response.json()] as const
  }
  for (const [status, report] of [await send(), await send()]) {
    expect(status).toBe(200)
    expect(report).toEqual({
      lines: 12,
      applied: { sport: 1, event: 1, market: 1, outcome: 1, bet: 1, settlement: 1 },
      refused: 5,
      refusals: [5, 8, 9, 10, 12].map((line) => ({ line, reason: expect.any(String) })),
    })
  }
})
