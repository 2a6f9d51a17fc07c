// The closing price of an outcome is the last price before its event starts.

import { beforeAll, expect, test } from 'vitest'
import { reading } from '../../src/platform/database/database.ts'
import { isoTime } from '../../src/platform/runtime/iso-time.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
const MINUTE = 60_000
const STORED = reading<{ id: number }, { num: number | null; den: number | null }>(
  'closingPrice',
  'select closing_num as num, closing_den as den from outcome where id = :id',
)
const closing = ({ id }: { id: number }) => service.context.database.one(STORED, { id })
const NONE = { num: null, den: null }
const TOLD = { num: 11, den: 10 }

beforeAll(() => service.clock.hold())

const inMinutes = (minutes: number) => isoTime(service.clock.now() + minutes * MINUTE)

async function matchIn(minutes: number): Promise<TestOutcome> {
  return (await newMatch(service, { startTime: inMinutes(minutes) }))[0] as TestOutcome
}
const patch = ({ id }: TestOutcome, change: object) => operatorOk(service, 'PATCH', `/outcomes/${id}`, change)
const putOutcome = ({ id, marketId }: TestOutcome, price: object | null) =>
  feed([{ put: 'outcome', id, data: { marketId, name: 'Home', price } }])

async function feed(lines: object[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const { body } = await service.operator('POST', '/operator/v1/feed', Buffer.from(text))
  expect(body.refusals).toEqual([])
}

test('every price before the start replaces the one before, by a call or a feed, and none after it', async () => {
  const outcome = await matchIn(10)
  expect(await closing(outcome)).toEqual(TOLD)
  await patch(outcome, { price: { num: 2, den: 1 } })
  expect(await closing(outcome)).toEqual({ num: 2, den: 1 })
  await putOutcome(outcome, { num: 3, den: 1 })
  expect(await closing(outcome)).toEqual({ num: 3, den: 1 })
  service.clock.advance(10 * MINUTE - 1)
  await patch(outcome, { price: { num: 4, den: 1 } })
  service.clock.advance(1)
  await patch(outcome, { price: { num: 5, den: 1 } })
  await putOutcome(outcome, { num: 6, den: 1 })
  expect(await closing(outcome)).toEqual({ num: 4, den: 1 })
})

test('an outcome without a price for now keeps the last one', async () => {
  const outcome = await matchIn(10)
  await patch(outcome, { price: null })
  expect(await closing(outcome)).toEqual(TOLD)
  await putOutcome(outcome, null)
  await patch(outcome, { status: 'suspended' })
  expect(await closing(outcome)).toEqual(TOLD)
})

test('an outcome that is new after the start has none', async () => {
  const { marketId } = await matchIn(-1)
  const late = { id: 700_001, marketId } as TestOutcome
  await putOutcome(late, { num: 3, den: 1 })
  expect(await closing(late)).toEqual(NONE)
})

test('a settlement before the start fixes it', async () => {
  const outcome = await matchIn(10)
  await operatorOk(service, 'POST', `/markets/${outcome.marketId}/settlement`, { results: { [outcome.id]: 'win' } })
  await patch(outcome, { price: { num: 2, den: 1 } })
  await putOutcome(outcome, { num: 3, den: 1 })
  expect(await closing(outcome)).toEqual(TOLD)
})

test('within one feed, a price after the settlement does not change it', async () => {
  const outcome = await matchIn(10)
  await feed([
    { put: 'settlement', id: outcome.marketId, data: { results: { [outcome.id]: 'lose' } } },
    { put: 'outcome', id: outcome.id, data: { marketId: outcome.marketId, name: 'Home', price: { num: 9, den: 1 } } },
  ])
  expect(await closing(outcome)).toEqual(TOLD)
})

test('a rescheduled event closes at its new time', async () => {
  const [later, sooner] = [await matchIn(10), await matchIn(10)]
  await operatorOk(service, 'PATCH', `/events/${sooner.eventId}`, { startTime: inMinutes(1) })
  service.clock.advance(2 * MINUTE)
  await patch(sooner, { price: { num: 2, den: 1 } })
  expect(await closing(sooner)).toEqual(TOLD)
  await operatorOk(service, 'PATCH', `/events/${later.eventId}`, { startTime: inMinutes(60) })
  service.clock.advance(30 * MINUTE)
  await patch(later, { price: { num: 2, den: 1 } })
  expect(await closing(later)).toEqual({ num: 2, den: 1 })
})

test('within one feed, the start time is the one that the lines before it left', async () => {
  const [sport, event] = [
    { put: 'sport', id: 71, data: { name: 'Darts' } },
    (id: number, minutes: number, markets: Json[] = []) => ({
      put: 'event',
      id,
      data: { sportId: 71, name: 'Final', startTime: inMinutes(minutes), markets },
    }),
  ]
  const price = (num: number) => ({ num, den: 1 })
  const outcome = (id: number, marketId: number, num: number) => ({
    put: 'outcome',
    id,
    data: { marketId, name: 'Home', price: price(num) },
  })
  const market = (id: number, outcomeId: number, num: number) => ({
    id,
    name: 'Winner',
    outcomes: [{ id: outcomeId, name: 'Home', price: price(num) }],
  })
  await feed([
    sport,
    event(710, 10, [market(711, 712, 2)]),
    outcome(713, 711, 3),
    outcome(712, 711, 4),
    // In play when it is created.
    event(720, -10, [market(721, 722, 2)]),
    outcome(723, 721, 3),
    { put: 'market', id: 731, data: { ...market(731, 732, 2), id: undefined, eventId: 720 } },
  ])
  expect(await closing({ id: 712 })).toEqual(price(4))
  expect(await closing({ id: 713 })).toEqual(price(3))
  for (const id of [722, 723, 732]) expect(await closing({ id })).toEqual(NONE)
  // Moved into the past and back.
  await feed([event(710, -1), outcome(712, 711, 5), event(720, 5), outcome(723, 721, 6), outcome(722, 721, 7)])
  expect([await closing({ id: 712 }), await closing({ id: 723 }), await closing({ id: 722 })]).toEqual(
    [4, 6, 7].map(price),
  )
})
