// Events as everybody sees them: lists, prices and their history, results, and the tips on them.

import { beforeAll, describe, expect, test } from 'vitest'
import { deleteOldPrices } from '../../src/catalogue/retention.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/runtime/durations.ts'
import { expectFault } from '../harness/answers.ts'
import { decide } from '../harness/appeals.ts'
import { call, type Json, startTestService, useService } from '../harness/service.ts'
import { commentIds, newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const EVENTS = '/v1/communities/events'

beforeAll(() => service.clock.hold())

const timeIn = (hours: number) => new Date(service.clock.now() + hours * HOUR_MS).toISOString()
const first = (outcomes: readonly TestOutcome[]) => outcomes[0] as TestOutcome
let sports = 5_000

/** An event of a sport of its own, so that lists of the sport have nothing else. */
async function newEvent(hours = 1, sportId = ++sports, outcomes = 2): Promise<TestOutcome[]> {
  return newMatch(service, { sportId, startTime: timeIn(hours), outcomes })
}

async function listed(query: string): Promise<Json[]> {
  const reply = await service.call('GET', `${EVENTS}?${query}`, { accept: 'application/json' })
  return reply.status === 204 ? [] : [reply.json().whoCommunities.event].flat()
}
const idsOf = async (query: string) => (await listed(query)).map(({ id }) => Number(id))

async function eventOf({ eventId }: TestOutcome): Promise<Json> {
  const reply = await service.call('GET', `${EVENTS}/${eventId}`, { accept: 'application/json' })
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return reply.json().whoCommunities.event
}
async function outcomesOf(outcome: TestOutcome): Promise<Json[]> {
  return [(await eventOf(outcome)).market].flat().flatMap(({ outcome }: Json) => outcome)
}
async function pointsOf(outcome: TestOutcome): Promise<Json[]> {
  const found = (await outcomesOf(outcome)).find(({ id }) => Number(id) === outcome.id)
  return [found.pricePoint ?? []].flat()
}
const setPrice = ({ id }: TestOutcome, num: number | null) =>
  operatorOk(service, 'PATCH', `/outcomes/${id}`, { price: num === null ? null : { num, den: 1 } })

describe('lists', () => {
  test('have the live events first, then the upcoming ones, the nearest start first; settled ones apart', async () => {
    const sport = ++sports
    const at = async (hours: number) => first(await newEvent(hours, sport))
    const [later, soon, began, earlier] = [await at(48), await at(1), await at(-1), await at(-20)]
    const forgotten = await at(-30)
    const [over, overBefore] = [await at(-3), await at(-5)]
    for (const outcome of [over, overBefore]) await settle(service, outcome, 'win')
    const ids = (...events: TestOutcome[]) => events.map(({ eventId }) => eventId)
    const ofSport = `sportId=${sport}`
    expect(await idsOf(ofSport)).toEqual(ids(began, earlier, soon, later))
    expect(await idsOf(`${ofSport}&status=live`)).toEqual(ids(began, earlier))
    expect(await idsOf(`${ofSport}&status=upcoming`)).toEqual(ids(soon, later))
    expect(await idsOf(`${ofSport}&status=settled`)).toEqual(ids(over, overBefore))
    expect(await idsOf('status=live')).toEqual(expect.arrayContaining(ids(began)))
    expect(await idsOf('status=settled')).toEqual(expect.arrayContaining(ids(over)))
    expect(await idsOf('status=unsettled')).toEqual(expect.arrayContaining(ids(forgotten)))
    const blocks = [1, 2, 3].map((block) => idsOf(`${ofSport}&blockSize=3&blockNum=${block}`))
    expect((await Promise.all(blocks)).flat()).toEqual(ids(began, earlier, soon, later))
    const all = await idsOf('blockSize=20')
    expect(all.indexOf(began.eventId)).toBeLessThan(all.indexOf(earlier.eventId))
    service.clock.advance(2 * HOUR_MS)
    expect(await idsOf(`${ofSport}&status=live`)).toEqual(ids(soon, began, earlier))
    expect(await idsOf(`${ofSport}&status=unsettled`)).toEqual(ids(forgotten))
  })

  test('an event without results is live for a day', async () => {
    const outcome = first(await newEvent(-23))
    expect((await eventOf(outcome)).status).toBe('live')
    service.clock.advance(2 * HOUR_MS)
    expect((await eventOf(outcome)).status).toBe('unsettled')
    expect(await idsOf(`sportId=${outcome.sportId}`)).toEqual([])
    await settle(service, outcome, 'win')
    expect((await eventOf(outcome)).status).toBe('settled')
  })

  test('show each event with its first market', async () => {
    const outcome = first(await newEvent())
    const { eventId, sportId } = outcome
    const outcomes = [{ id: outcome.id + 5_000_000, name: 'Over 2.5' }]
    await operatorOk(service, 'PUT', `/events/${eventId}`, {
      ...{ sportId, name: 'Leeds v Hull', startTime: timeIn(1) },
      markets: [{ id: outcome.marketId + 5_000_000, name: 'Goals', outcomes }],
    })
    const [event] = await listed(`sportId=${sportId}`)
    expect(event).toMatchObject({ name: 'Leeds v Hull', sportName: `Sport ${sportId}`, status: 'upcoming' })
    expect(event.market).toMatchObject({ name: 'Match result', outcome: [{ livePrice: { priceFrac: '11/10' } }, {}] })
    expect((await eventOf(outcome)).market.map(({ name }: Json) => name)).toEqual(['Match result', 'Goals'])
  })
})

describe('an event', () => {
  test('is settled with the last of its markets, and open again with a new one', async () => {
    const outcome = first(await newEvent(-1))
    const { eventId, marketId } = outcome
    const addMarket = async (id: number) => {
      const data = { eventId, name: 'Goals', outcomes: [{ id, name: 'Over' }] }
      const line = Buffer.from(`${JSON.stringify({ put: 'market', id, data })}\n`)
      expect((await service.operator('POST', '/operator/v1/feed', line)).body.refused).toBe(0)
      return { ...outcome, id, marketId: id }
    }
    const second = await addMarket(marketId + 6_000_000)
    await settle(service, outcome, 'win')
    expect(await eventOf(outcome)).toMatchObject({ status: 'live' })
    await settle(service, second, 'lose')
    expect(await eventOf(outcome)).toMatchObject({ status: 'settled', settledDateTimeZoned: expect.any(String) })
    const third = await addMarket(marketId + 7_000_000)
    expect((await eventOf(outcome)).status).toBe('live')
    await settle(service, third, 'void')
    expect((await eventOf(outcome)).status).toBe('settled')
  })

  test('is settled when its markets are settled at the same time', async () => {
    const outcome = first(await newEvent(-1))
    const markets = Array.from({ length: 6 }, (_, index) => {
      const id = outcome.marketId + 8_000_000 + index
      return { id, name: `Market ${index}`, outcomes: [{ id, name: 'Yes' }] }
    })
    const { eventId, sportId } = outcome
    const data = { sportId, name: 'Final', startTime: timeIn(-1), markets }
    await operatorOk(service, 'PUT', `/events/${eventId}`, data)
    const all = [outcome, ...markets.map(({ id }) => ({ ...outcome, id, marketId: id }))]
    await Promise.all(all.map((one) => settle(service, one, 'win')))
    expect((await eventOf(outcome)).status).toBe('settled')
  })

  test('shows score and clock as told: a PUT without them leaves them, null removes them', async () => {
    const outcome = first(await newEvent(-1))
    const { eventId, sportId } = outcome
    expect(await eventOf(outcome)).not.toHaveProperty('score')
    await operatorOk(service, 'PATCH', `/events/${eventId}`, { score: '2 – 1 & counting', clock: '67’' })
    expect(await eventOf(outcome)).toMatchObject({ score: '2 – 1 & counting', clock: '67’', isSuspended: 'N' })
    const fixture = { sportId, name: 'Final', startTime: timeIn(-1), status: 'suspended' }
    await operatorOk(service, 'PUT', `/events/${eventId}`, fixture)
    expect(await eventOf(outcome)).toMatchObject({ score: '2 – 1 & counting', clock: '67’', isSuspended: 'Y' })
    const line = JSON.stringify({ put: 'event', id: eventId, data: { ...fixture, score: '3 – 1', clock: null } })
    await service.operator('POST', '/operator/v1/feed', Buffer.from(`${line}\n`))
    expect(await eventOf(outcome)).toMatchObject({ score: '3 – 1' })
    expect(await eventOf(outcome)).not.toHaveProperty('clock')
    const refused = await service.operator('PATCH', `/operator/v1/events/${eventId}`, { score: 'x'.repeat(41) })
    expect(refused.status).toBe(422)
  })

  test('shows how each outcome was settled', async () => {
    const outcomes = await newEvent(-1, undefined, 5)
    const [shared, placed, lost, out, open] = outcomes.map(({ id }) => id) as [number, number, number, number, number]
    await operatorOk(service, 'POST', `/markets/${first(outcomes).marketId}/settlement`, {
      results: {
        [shared]: { result: 'win', deadHeat: { num: 1, den: 2 }, rule4: '0.25', startingPrice: { num: 7, den: 2 } },
        [placed]: { result: 'place', placeDeadHeat: { num: 1, den: 3 } },
        [lost]: 'lose',
        [out]: 'void',
      },
    })
    const shown = await outcomesOf(first(outcomes))
    expect(shown).toMatchObject([
      { result: 'win', deadHeat: '1/2', rule4: '0.25', reportedPrice: '7/2', displayStatus: 'I' },
      { result: 'place', placeDeadHeat: '1/3' },
      { result: 'lose' },
      { result: 'void' },
      { id: String(open), status: 'A', displayStatus: 'I' },
    ])
    expect(shown.at(-1)).not.toHaveProperty('result')
    expect(shown[0]).toHaveProperty('settledDateTimeZoned')
  })
})

describe('the history of a price', () => {
  test('has the last price of each minute in which it changed', async () => {
    const outcome = first(await newEvent())
    const prices = async () => (await pointsOf(outcome)).map(({ priceFrac }) => priceFrac)
    expect(await prices()).toEqual(['11/10'])
    service.clock.advance(MINUTE_MS)
    for (const num of [2, 3, 4]) await setPrice(outcome, num)
    expect(await prices()).toEqual(['11/10', '4/1'])
    service.clock.advance(MINUTE_MS)
    // Nothing is stored where the price stays.
    await setPrice(outcome, 4)
    await operatorOk(service, 'PATCH', `/outcomes/${outcome.id}`, { name: 'Renamed' })
    expect(await prices()).toEqual(['11/10', '4/1'])
    await setPrice(outcome, null)
    expect(await prices()).toEqual(['11/10', '4/1', undefined])
    const [, second] = await pointsOf(outcome)
    const minute = Math.floor(service.clock.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS
    expect([Date.parse(second.dateTimeZoned), second.priceDec]).toEqual([minute, '5.00'])
  })

  test('is thinned evenly, and keeps its first and last point', async () => {
    const outcome = first(await newEvent())
    const minute = Math.floor(service.clock.now() / MINUTE_MS)
    const rows = Array.from({ length: 749 }, (_, index) => `(${outcome.id}, ${minute - 749 + index}, ${index + 1}, 7)`)
    await service.context.database.script(`insert into price_point values ${rows.join(', ')}`)
    const points = await pointsOf(outcome)
    expect(points.length).toBeGreaterThan(95)
    expect(points.length).toBeLessThanOrEqual(100)
    expect([points[0].priceFrac, points.at(-1).priceFrac]).toEqual(['1/7', '11/10'])
    const times = points.map(({ dateTimeZoned }) => Date.parse(dateTimeZoned) / MINUTE_MS)
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(8)
  })

  test('ends after 90 days', async () => {
    const outcome = first(await newEvent())
    const { database } = service.context
    const minute = Math.floor(service.clock.now() / MINUTE_MS)
    const ages = [...Array.from({ length: 2_500 }, (_, index) => 91 * 1_440 + index), 89 * 1_440]
    const rows = ages.map((age) => `(${outcome.id}, ${minute - age}, 3, 1)`)
    await database.script(`insert into price_point values ${rows.join(', ')}`)
    await deleteOldPrices(database, service.clock.now())
    expect(await pointsOf(outcome)).toHaveLength(2)
    const count = reading<NoParameters, { oldest: number }>(
      'oldestPoint',
      'select min(minute) as oldest from price_point',
    )
    expect((await database.one(count, {}))?.oldest).toBeGreaterThan(minute - (90 * DAY_MS) / MINUTE_MS)
  })
})

describe('the tips on an event', () => {
  test('are those of all outcomes, newest first, in blocks; losing ones and one’s own too', async () => {
    const outcomes = await newEvent()
    const [one, other] = outcomes as [TestOutcome, TestOutcome]
    const [ann, bob] = [await service.member(), await service.member()]
    const path = `../events/${one.eventId}/comments`
    expect(await commentIds(service, path)).toEqual([])
    const ids: number[] = []
    // Most are on one outcome: each block still has the newest of all.
    for (const outcome of [one, other, one, one, one, other, one]) ids.unshift(await newTip(service, ann, outcome.id))
    ids.unshift(await newTip(service, bob, other.id))
    expect(await commentIds(service, path, ann.ticket)).toEqual(ids)
    const blocks = [1, 2, 3].map((block) => commentIds(service, `${path}?blockSize=3&blockNum=${block}`))
    expect((await Promise.all(blocks)).flat()).toEqual(ids)
    await operatorOk(service, 'POST', `/markets/${one.marketId}/settlement`, {
      results: { [one.id]: 'lose', [other.id]: 'void' },
    })
    expect(await commentIds(service, path, bob.ticket)).toEqual(ids)
  })

  test('are without those withdrawn, removed, of inactive profiles, and across a block', async () => {
    const outcome = first(await newEvent())
    const authors = await Promise.all([1, 2, 3, 4, 5].map(() => service.member()))
    const ids: number[] = []
    for (const author of authors) ids.push(await newTip(service, author, outcome.id))
    const [withdrawn, removed, inactive, blocked, reader] = authors as [Json, Json, Json, Json, Json]
    await service.call('PUT', `/v1/communities/comments/${ids[0]}`, { ticket: withdrawn.ticket })
    await decide(service, `comments/${ids[1]}`, { action: 'remove', clause: 'general' })
    await decide(service, `profiles/${inactive.profileId}`, { action: 'deactivate', clause: 'general' })
    await service.call('PUT', `/v1/profiles/me/blocks/${reader.profileId}`, { ticket: blocked.ticket })
    const path = `../events/${outcome.eventId}/comments`
    expect(removed.profileId).toBeGreaterThan(0)
    expect(await commentIds(service, path)).toEqual([ids[4], ids[3]])
    expect(await commentIds(service, path, reader.ticket)).toEqual([ids[4]])
    expect(await commentIds(service, path, blocked.ticket)).toEqual([ids[3]])
  })
})

test('without extensions there are no events', async () => {
  const contract = await startTestService({ EXTENSIONS: 'off' })
  try {
    for (const path of [EVENTS, `${EVENTS}/1`, `${EVENTS}/1/comments`]) {
      expectFault(await call(contract.publicUrl, 'GET', path), path, 'noSuchPath', undefined)
    }
    expect(await (await fetch(`${contract.publicUrl}/openapi.json`)).text()).not.toMatch(/getEvents|pricePoint/)
  } finally {
    await contract.close()
  }
})
