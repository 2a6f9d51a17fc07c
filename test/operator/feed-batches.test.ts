// A feed is applied in batches, with one statement for all rows of a table. It must end in the same report and the same
// rows as its lines sent one after another.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { BATCH } from '../../src/sportsbook/feed.ts'
import { feedLine, feedOfLines } from '../harness/feed-lines.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { engine, type Json, type TestService, useService } from '../harness/service.ts'

const [whole, single] = [useService({ LOG_LEVEL: 'silent' }), useService({ LOG_LEVEL: 'silent' })]
const TABLES = [
  'price_point',
  'bet_outcome',
  'bet',
  'comment_work',
  'outcome_count',
  'outcome',
  'market',
  'event',
  'sport',
]
const rowsOf = TABLES.map((table) =>
  reading<NoParameters, Record<string, Json>>(`rowsOf_${table}`, `select * from ${table}`),
)
const customers = reading<NoParameters, Json>('customers', 'select id, status from customer where id <= 3')

beforeAll(() => {
  const now = Math.max(whole.clock.now(), single.clock.now())
  for (const { clock } of [whole, single]) {
    clock.hold()
    clock.advance(now - clock.now())
  }
})

async function send({ operator }: TestService, lines: readonly string[]): Promise<Json> {
  const { status, body } = await operator('POST', '/operator/v1/feed', Buffer.from(`${lines.join('\n')}\n`))
  expect(status).toBe(200)
  return body
}

/** The report of all lines, as if they had been one feed. */
async function sendOneByOne(service: TestService, lines: readonly string[]): Promise<Json> {
  const sum: Json = { lines: 0, applied: {}, refused: 0, refusals: [] }
  for (const [index, line] of lines.entries()) {
    const { applied, refused, refusals } = await send(service, [line])
    sum.lines++
    for (const kind of Object.keys(applied)) sum.applied[kind] = (sum.applied[kind] ?? 0) + 1
    sum.refused += refused
    sum.refusals.push(...refusals.map(({ reason }: Json) => ({ line: index + 1, reason })))
  }
  return sum
}

async function stateOf({ context: { database } }: TestService): Promise<Json> {
  const state: Json = {}
  for (const statement of [...rowsOf, customers]) {
    const rows = await database.query(statement, {})
    state[statement.name] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return state
}

/** Without the rows of earlier feeds; customers 1 and 2 exist. */
async function empty(service: TestService): Promise<void> {
  const { database } = service.context
  for (const table of TABLES) await database.script(`delete from ${table}`)
  await database.script('delete from customer where id <= 3')
  await send(
    service,
    [1, 2].map((id) => JSON.stringify({ put: 'customer', id, data: {} })),
  )
}

async function expectSame(lines: readonly string[]): Promise<Json> {
  for (const service of [whole, single]) await empty(service)
  const report = await send(whole, lines)
  expect(report).toEqual(await sendOneByOne(single, lines))
  expect(await stateOf(whole)).toEqual(await stateOf(single))
  return report
}

test('a batch ends in the report and the rows of its lines one by one', async () => {
  await fc.assert(
    fc.asyncProperty(feedOfLines(40), async (lines) => {
      await expectSame(lines)
    }),
    { numRuns: propertyRuns(10) },
  )
})

test('a feed of several batches does, too', async () => {
  const lines = fc.sample(feedLine, { numRuns: BATCH[engine] + 50, seed: 17 })
  const { refused, applied } = await expectSame(lines)
  // Of every kind some are applied, and many are refused.
  expect(Object.keys(applied).sort()).toEqual(['bet', 'customer', 'event', 'market', 'outcome', 'settlement', 'sport'])
  expect(refused).toBeGreaterThan(100)
})

const line = (put: string, id: number, data: object) => JSON.stringify({ put, id, data })
const sportLine = line('sport', 1, { name: 'Tennis' })
const eventLine = (more: object = {}) =>
  line('event', 1, { sportId: 1, name: 'Final', startTime: '2030-01-01T15:00:00Z', ...more })
const withOutcome = { markets: [{ id: 1, name: 'Winner', outcomes: [{ id: 1, name: 'Ana' }] }] }
const CREATE_SPORT = 'There is no sport 1. Create it with PUT /operator/v1/sports/1.'
const CREATE_OUTCOME = (id: number) =>
  `There is no outcome ${id}. Create it with its event: PUT /operator/v1/events/{id}.`

async function refusalsOf(lines: readonly string[]): Promise<[number, string][]> {
  const { refusals } = await expectSame(lines)
  return refusals.map(({ line, reason }: Json) => [line, reason])
}

test('the last line with the same id wins, and a bet has the outcomes of its last line', async () => {
  const bet = (outcomeIds: number[]) => line('bet', 1, { customerId: 1, outcomeIds })
  const other = line('outcome', 2, { marketId: 1, name: 'Bea', price: { num: 1, den: 2 } })
  const lines = [sportLine, eventLine(withOutcome), other, bet([1, 2]), bet([2])]
  const again = [line('sport', 1, { name: 'Golf' }), line('outcome', 2, { marketId: 1, name: 'Eva' })]
  expect(await refusalsOf([...lines, ...again])).toEqual([])
  const state = await stateOf(whole)
  expect(state.rowsOf_sport).toEqual([expect.stringContaining('Golf')])
  expect(state.rowsOf_outcome).toEqual([expect.stringContaining('Ana'), expect.stringMatching(/Eva.*"price_num":null/)])
  const legOn = (outcomeId: number) => [
    expect.stringContaining(`"bet_id":1,"outcome_id":${outcomeId},"price_num":null`),
  ]
  expect(state.rowsOf_bet_outcome).toEqual(legOn(2))
  // Another feed finds the rows of the first.
  expect((await send(whole, [bet([1])])).refused).toBe(0)
  expect((await stateOf(whole)).rowsOf_bet_outcome).toEqual(legOn(1))
})

test('a line sees what the lines before it created, and not what the lines after it create', async () => {
  const bet = (id: number) => line('bet', id, { customerId: 1, outcomeIds: [1] })
  const settle = line('settlement', 1, { results: { 1: 'win' } })
  expect(await refusalsOf([eventLine(), sportLine, bet(1), eventLine(withOutcome), bet(2), settle])).toEqual([
    [1, CREATE_SPORT],
    [3, CREATE_OUTCOME(1)],
  ])
  const state = await stateOf(whole)
  expect(state.rowsOf_bet).toEqual([expect.stringContaining('"id":2')])
  expect(state.rowsOf_outcome).toEqual([expect.stringContaining('"result":"win"')])
})

test('a refused line leaves nothing for the lines after it', async () => {
  const twice = { markets: [...withOutcome.markets, ...withOutcome.markets] }
  const bet = line('bet', 1, { customerId: 1, outcomeIds: [1] })
  const settle = (results: object) => line('settlement', 1, { results })
  const lines = [sportLine, eventLine(twice), bet, eventLine(withOutcome), settle({ 1: 'win', 2: 'lose' }), bet]
  expect(await refusalsOf(lines)).toEqual([
    [2, 'The market 1 occurs twice. Send it once.'],
    [3, CREATE_OUTCOME(1)],
    [5, 'Outcome 2 is not one of market 1. Send only outcomes of this market.'],
  ])
  const state = await stateOf(whole)
  expect(state.rowsOf_market).toEqual([expect.stringContaining('"settled_at":null')])
})

test('an event keeps its sport, a market its event and an outcome its market, also within a feed', async () => {
  const lines = [
    sportLine,
    line('sport', 2, { name: 'Golf' }),
    eventLine(withOutcome),
    eventLine({ sportId: 2 }),
    line('event', 2, { sportId: 2, name: 'Open', startTime: '2030-01-01T15:00:00Z', ...withOutcome }),
    line('event', 2, { sportId: 2, name: 'Open', startTime: '2030-01-01T15:00:00Z' }),
    line('market', 2, { eventId: 2, name: 'Winner', outcomes: [{ id: 1, name: 'Ana' }] }),
  ]
  expect(await refusalsOf(lines)).toEqual([
    [4, 'Event 1 belongs to sport 1; an event keeps its sport.'],
    [5, 'Market 1 belongs to event 1.'],
    [7, 'Outcome 1 belongs to market 1.'],
  ])
})

test('feeds at once that create the same rows leave each row once', async () => {
  const numbers = Array.from({ length: 150 }, (_, at) => at + 1)
  const events = numbers.map((id) => {
    const markets = [{ id, name: 'Winner', outcomes: [{ id, name: 'Ana' }] }]
    return line('event', id, { sportId: 1, name: `Final ${id}`, startTime: '2030-01-01T15:00:00Z', markets })
  })
  const bets = numbers.map((id) => line('bet', id, { customerId: 1, outcomeIds: [id] }))
  await empty(whole)
  const feeds = [
    [sportLine, ...events, ...bets],
    [sportLine, ...events.toReversed(), ...bets.toReversed()],
    [sportLine, ...events.flatMap((event, at) => [event, bets[at] as string])],
  ]
  const reports = await Promise.all(feeds.map((feed) => send(whole, feed)))
  expect(reports.map(({ refusals }) => refusals)).toEqual([[], [], []])
  const { rowsOf_event, rowsOf_outcome, rowsOf_bet, rowsOf_bet_outcome } = await stateOf(whole)
  const tables = [rowsOf_event, rowsOf_outcome, rowsOf_bet, rowsOf_bet_outcome]
  expect(tables.map((rows) => rows.length)).toEqual([150, 150, 150, 150])
})

test('calls at once that create the same event are all answered, and one of them created it', async () => {
  await empty(whole)
  await send(whole, [sportLine])
  const body = { sportId: 1, name: 'Final', startTime: '2030-01-01T15:00:00Z', ...withOutcome }
  const calls = Array.from({ length: 8 }, () => whole.operator('PUT', '/operator/v1/events/1', body))
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
})
