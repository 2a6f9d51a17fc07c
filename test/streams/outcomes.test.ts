// What a stream tells of outcomes that its client watches, and of the customer's account: only the newest state of each.

import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/platform/runtime/durations.ts'
import { expectFault } from '../harness/answers.ts'
import { type Listener, listen } from '../harness/event-source.ts'
import { move, newReference } from '../harness/movements.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { type Json, newTestDatabase, startTestService, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { allStatementCounts } from '../harness/statement-counts.ts'

const service = useService()
const listeners: Listener[] = []
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close()
})

type Watching = { outcomes?: readonly number[]; account?: boolean }

function watch({ ticket }: TestCustomer, watching: Watching, url = service.publicUrl): Listener {
  const listener = listen(url, { ticket, ...watching })
  listeners.push(listener)
  return listener
}

const idsOf = (outcomes: readonly TestOutcome[]) => outcomes.map(({ id }) => id)
const latest = (listener: Listener, type: string): Json => listener.states(type).at(-1)
const stateOf = (listener: Listener, id: number): Json =>
  listener.states('outcome').findLast(({ outcomeId }) => outcomeId === `${id}`)
const priceOf = (listener: Listener, id: number) => stateOf(listener, id)?.livePrice?.priceFrac
const setPrice = (id: number, num: number) =>
  operatorOk(service, 'PATCH', `/outcomes/${id}`, { price: { num, den: 3 } })

describe('the states of outcomes', () => {
  test('reach every customer who watches: the current ones at first, then each change', async () => {
    const outcomes = await newMatch(service)
    const [one, other] = outcomes as [TestOutcome, TestOutcome]
    const [ann, bob] = [await service.member(), await service.member()]
    const both = [watch(ann, { outcomes: idsOf(outcomes) }), watch(bob, { outcomes: [one.id, 987_654_321] })]
    const prices = (id: number) => both.map((listener) => priceOf(listener, id))
    await expect.poll(() => prices(one.id)).toEqual(['11/10', '11/10'])
    expect(stateOf(both[0] as Listener, one.id)).toEqual({
      outcomeId: `${one.id}`,
      eventId: `${one.eventId}`,
      livePrice: { priceNum: 11, priceDen: 10, priceFrac: '11/10', priceDec: '2.10', priceUS: 110 },
      displayStatus: 'A',
      result: null,
      deadHeat: null,
      placeDeadHeat: null,
      rule4: null,
    })
    await setPrice(one.id, 5)
    await expect.poll(() => prices(one.id)).toEqual(['5/3', '5/3'])
    await setPrice(other.id, 7)
    await expect.poll(() => prices(other.id)).toEqual(['7/3', undefined])
    await operatorOk(service, 'PATCH', `/outcomes/${one.id}`, { price: null, status: 'suspended' })
    await expect.poll(() => stateOf(both[1] as Listener, one.id)).toMatchObject({ livePrice: null, displayStatus: 'I' })
    // A client that comes back is right again.
    await setPrice(one.id, 8)
    const again = watch(bob, { outcomes: [one.id] })
    await expect.poll(() => priceOf(again, one.id)).toBe('8/3')
    // A stream that asks for nothing is told nothing of it.
    const plain = watch(ann, {})
    await plain.greeted()
    await setPrice(one.id, 9)
    await expect.poll(() => priceOf(again, one.id)).toBe('9/3')
    expect(plain.received.map(({ type }) => type)).toEqual(['ready'])
  })

  test('have the start, the score and the settlement of their event', async () => {
    const startTime = new Date(service.clock.now() + HOUR_MS).toISOString()
    const [one, other] = (await newMatch(service, { startTime })) as [TestOutcome, TestOutcome]
    const listener = watch(await service.member(), { outcomes: [one.id, other.id] })
    const event = () => latest(listener, 'event')
    await expect.poll(event).toEqual({
      ...{ eventId: `${one.eventId}`, status: 'upcoming', startTime, isSuspended: false, score: null, clock: null },
    })
    // Nobody writes anything when an event starts.
    service.clock.advance(HOUR_MS)
    await expect.poll(() => event().status).toBe('live')
    await operatorOk(service, 'PATCH', `/events/${one.eventId}`, { score: '1 – 0', clock: '12’' })
    await expect.poll(event).toMatchObject({ score: '1 – 0', clock: '12’' })
    const results = { [one.id]: 'win', [other.id]: 'lose' }
    await operatorOk(service, 'POST', `/markets/${one.marketId}/settlement`, { results })
    await expect.poll(() => event().status).toBe('settled')
    await expect.poll(() => stateOf(listener, other.id).result).toBe('lose')
    expect(stateOf(listener, one.id)).toMatchObject({ displayStatus: 'I', result: 'win' })
    // One message for each state, not one for each outcome.
    expect(listener.states('event').length).toBeLessThanOrEqual(4)
  })

  test('have a correction of the dead heat or of Rule 4 alone', async () => {
    const [one, other] = (await newMatch(service)) as [TestOutcome, TestOutcome]
    const listener = watch(await service.member(), { outcomes: [one.id] })
    const path = `/markets/${one.marketId}/settlement`
    const settled = (winner: object) =>
      operatorOk(service, 'POST', path, { results: { [one.id]: { result: 'win', ...winner }, [other.id]: 'lose' } })
    const terms = () => {
      const { result, deadHeat, placeDeadHeat, rule4 } = stateOf(listener, one.id) ?? {}
      return [result, deadHeat, placeDeadHeat, rule4]
    }
    await settled({})
    await expect.poll(terms).toEqual(['win', null, null, null])
    await settled({ rule4: '0.25' })
    await expect.poll(terms).toEqual(['win', null, null, '0.25'])
    await settled({ deadHeat: { num: 1, den: 2 } })
    await expect.poll(terms).toEqual(['win', '1/2', null, null])
  })

  test('cross from one service to another on the same database', async () => {
    const testDatabase = await newTestDatabase()
    const [one, other] = [await startTestService({}, testDatabase), await startTestService({}, testDatabase)]
    const [outcome] = (await newMatch(one)) as [TestOutcome]
    const member = await one.member()
    const both = [one, other].map(({ publicUrl }) => watch(member, { outcomes: [outcome.id] }, publicUrl))
    for (const [index, writer] of [one, other].entries()) {
      await operatorOk(writer, 'PATCH', `/outcomes/${outcome.id}`, { price: { num: index + 1, den: 9 } })
      const price = `${index + 1}/9`
      await expect.poll(() => both.map((listener) => priceOf(listener, outcome.id))).toEqual([price, price])
    }
    for (const listener of both) listener.close()
    await Promise.all([one.close(), other.close()])
    await testDatabase.remove()
  })

  test('end as they are in the database, whatever was changed', async () => {
    const outcomes = await newMatch(service, { outcomes: 4 })
    const ids = idsOf(outcomes)
    const listener = watch(await service.member(), { outcomes: ids })
    const change = fc.record({
      id: fc.constantFrom(...ids),
      data: fc.record(
        {
          price: fc.option(fc.record({ num: fc.integer({ min: 1, max: 9 }), den: fc.integer({ min: 1, max: 9 }) })),
          status: fc.constantFrom('active', 'suspended'),
        },
        { requiredKeys: [] },
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
        await Promise.all(changes.map(({ id, data }) => operatorOk(service, 'PATCH', `/outcomes/${id}`, data)))
        const path = `/v1/communities/events/${outcomes[0]?.eventId}`
        const { event } = (await service.call('GET', path, { accept: 'application/json' })).json().whoCommunities
        const stored = event.market.outcome.map((one: Json) => [one.livePrice?.priceFrac, one.displayStatus])
        const seen = () => ids.map((id) => [priceOf(listener, id), stateOf(listener, id)?.displayStatus])
        await expect.poll(seen).toEqual(stored)
      }),
      { numRuns: propertyRuns(6) },
    )
  })

  test('cost the same statements for one stream and for forty', async () => {
    const outcomes = await newMatch(service, { outcomes: 40 })
    const members = await Promise.all([1, 2, 3, 4].map(() => service.member()))
    const all = outcomes.map(({ id }, index) => watch(members[index % 4] as TestCustomer, { outcomes: [id] }))
    await expect.poll(() => all.every((listener) => listener.states('outcome').length === 1)).toBe(true)
    const looks = () => allStatementCounts(service.context.metrics.render()).get('outcomeStates') ?? 0
    const before = looks()
    await expect.poll(() => looks() - before, { interval: 20 }).toBeGreaterThanOrEqual(3)
    expect(looks() - before).toBeLessThan(40)
  })
})

describe('the outcomes of a stream', () => {
  test('are at most 100', async () => {
    const { ticket } = await service.member()
    const ask = (ids: string) => service.call('GET', `/v1/stream?outcomes=${ids}`, { ticket })
    const numbers = Array.from({ length: 101 }, (_, index) => index + 1)
    expect((await ask(numbers.slice(1).join())).status).toBe(200)
    for (const wrong of [numbers.join(), '1,', ',1', '1,,2', '1;2', '-1', 'x', '1&outcomes=2']) {
      expectFault(await ask(wrong), '/v1/stream', 'invalid', 'outcomes')
    }
    expect((await ask('')).status).toBe(200)
  })
})

describe('new tips on watched outcomes', () => {
  test('are told with their author, and never across a block', async () => {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const [author, reader, blocked] = await Promise.all([1, 2, 3].map(() => service.member()))
    if (author === undefined || reader === undefined || blocked === undefined) throw new Error('three members')
    await service.call('PUT', `/v1/profiles/me/blocks/${blocked.profileId}`, { ticket: author.ticket })
    const all = [reader, blocked, author].map((member) => watch(member, { outcomes: [outcome.id] }))
    for (const listener of all) await expect.poll(() => priceOf(listener, outcome.id)).toBeDefined()
    const first = await newTip(service, author, outcome.id, { text: 'never in a stream' })
    const told = (id: number, profileId: number) => ({
      ...{ commentId: `${id}`, outcomeId: `${outcome.id}`, profileId: `${profileId}` },
    })
    await expect.poll(() => latest(all[0] as Listener, 'tip')).toEqual(told(first, author.profileId))
    await expect.poll(() => latest(all[2] as Listener, 'tip')).toEqual(told(first, author.profileId))
    const second = await newTip(service, reader, outcome.id)
    const ofReader = told(second, reader.profileId)
    await expect.poll(() => all.map((listener) => latest(listener, 'tip'))).toEqual([ofReader, ofReader, ofReader])
    expect(all[1]?.states('tip')).toEqual([ofReader])
  })
})

describe('the account of the customer', () => {
  test('is told to its own streams, when the sportsbook moves money and when there is a notification', async () => {
    const [ann, bob] = [await service.member(), await service.member()]
    const [own, other] = [watch(ann, { account: true }), watch(bob, { account: true })]
    const empty = { balance: '0.00', currency: 'GBP', newestUnreadId: null }
    await expect.poll(() => [own, other].map((one) => latest(one, 'account'))).toEqual([empty, empty])
    const movement = { reference: newReference(), customerId: ann.id, kind: 'winnings', amount: '12.30' } as const
    expect((await move(service, movement)).status).toBeLessThan(300)
    await expect.poll(() => latest(own, 'account')).toEqual({ ...empty, balance: '12.30' })
    await service.call('POST', `/v1/profiles/me/followings/${ann.profileId}`, { ticket: bob.ticket })
    await expect.poll(() => latest(own, 'account').newestUnreadId).toMatch(/^\d+$/)
    const upTo = latest(own, 'account').newestUnreadId
    await service.call('PUT', `/v1/profiles/me/notifications/read?upTo=${upTo}`, { ticket: ann.ticket })
    await expect.poll(() => latest(own, 'account')).toEqual({ ...empty, balance: '12.30' })
    expect(other.states('account')).toEqual([empty])
  })
})

test('a settlement reaches the tip’s author as an event and all who watch as a state', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const author = await service.member()
  await newTip(service, author, outcome.id)
  const listener = watch(author, { outcomes: [outcome.id] })
  await expect.poll(() => priceOf(listener, outcome.id)).toBe('11/10')
  await settle(service, outcome, 'void')
  await expect.poll(() => stateOf(listener, outcome.id).result).toBe('void')
  await expect.poll(() => listener.summary().map((line) => line.split(' ')[0])).toEqual(['tip.settled'])
})
