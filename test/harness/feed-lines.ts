// Lines of the sportsbook's feed over few ids, so that they often refer to each other, repeat, contradict, and are refused.

import fc from 'fast-check'
import { RESULTS } from '../../src/record/figures.ts'

export type FeedLine = { put: string; id: number | string; data: object }

const idUpTo = (most: number) => fc.integer({ min: 1, max: most })
const sport = idUpTo(3)
const event = idUpTo(5)
const market = idUpTo(6)
const outcome = idUpTo(9)
const name = fc.constantFrom('Home', 'Draw', 'Away', 'Ärger "im" Ziel \\ 5')
const status = fc.constantFrom('active', 'suspended')
const startTime = fc.constantFrom(
  '2020-01-01T15:00:00Z',
  '2030-01-01T15:00:00Z',
  '2030-01-02T15:00:00Z',
  '2030-02-30T99:00:00Z',
)
const fraction = fc.record({ num: idUpTo(20), den: idUpTo(4) })
const price = fc.option(fraction)

const outcomeFields = { name, status, startingPrice: fc.boolean(), price }
const optional = <T>(fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
  fc.record(fields, { requiredKeys }) as fc.Arbitrary<T>
const outcomes = fc.array(optional<object>({ id: outcome, ...outcomeFields }, ['id', 'name']), { maxLength: 3 })
const markets = fc.array(optional<object>({ id: market, name, status, outcomes }, ['id', 'name']), { maxLength: 2 })

const line = (put: string, id: fc.Arbitrary<number>, data: fc.Arbitrary<object>) =>
  fc.record({ put: fc.constant(put), id, data }).map((one) => JSON.stringify(one))

const part = fc.constantFrom({ num: 1, den: 2 }, { num: 1, den: 3 }, { num: 3, den: 4 })
const eachWay = fc.record({ num: fc.constant(1), den: idUpTo(5), places: idUpTo(4) })
const leg = optional<object>({ outcomeId: outcome, price: fraction, startingPrice: fc.boolean(), eachWay }, [
  'outcomeId',
])
const cashOut = fc.record({ at: fc.constantFrom('2030-01-01T14:00:00Z', '2030-01-01T14:30:00Z'), fraction: part })
const result = fc.constantFrom(...RESULTS)
const half = { num: 1, den: 2 }
const detailedResult = fc.constantFrom(
  { result: 'win', deadHeat: half, rule4: '0.05' },
  { result: 'win', rule4: '0.9', startingPrice: half },
  { result: 'place', placeDeadHeat: half },
  // Refused.
  { result: 'lose', deadHeat: half },
)

/** Customers 1 and 2 exist, 3 only once a line has created it. */
const customer = idUpTo(3)

export const feedLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: line('sport', sport, optional({ name, communities: fc.boolean() }, ['name'])) },
  {
    weight: 5,
    arbitrary: line(
      'event',
      event,
      optional({ sportId: sport, name, startTime, status, markets }, ['sportId', 'name', 'startTime']),
    ),
  },
  { weight: 3, arbitrary: line('market', market, optional({ eventId: event, name, outcomes }, ['eventId', 'name'])) },
  {
    weight: 4,
    arbitrary: line('outcome', outcome, optional({ marketId: market, ...outcomeFields }, ['marketId', 'name'])),
  },
  {
    weight: 4,
    arbitrary: line(
      'bet',
      idUpTo(4),
      optional(
        {
          customerId: customer,
          outcomeIds: fc.array(outcome, { maxLength: 3 }),
          legs: fc.array(leg, { maxLength: 2 }),
          cashOut: fc.array(cashOut, { maxLength: 2 }),
          placedAt: fc.constantFrom('2029-12-31T10:00:00Z', 'yesterday'),
        },
        ['customerId'],
      ),
    ),
  },
  {
    weight: 4,
    arbitrary: line(
      'settlement',
      market,
      fc
        .dictionary(outcome.map(String), fc.oneof(result, result, detailedResult), { minKeys: 1, maxKeys: 3 })
        .map((results) => ({ results })),
    ),
  },
  { weight: 1, arbitrary: line('customer', customer, fc.constantFrom({}, { status: 'suspended' }, { verified: 'x' })) },
  { weight: 1, arbitrary: fc.constantFrom('', 'not JSON', '[1]', '{"put":"horse","id":1,"data":{}}') },
)

const sports = [1, 2, 3].map((id) => JSON.stringify({ put: 'sport', id, data: { name: `Sport ${id}` } }))
const events = [1, 2].map((id) => {
  const market = { id, name: 'Result', outcomes: [3, 2, 1].map((at) => ({ id: 3 * id + 1 - at, name: 'Home' })) }
  const data = { sportId: id, name: 'Final', startTime: '2030-01-01T15:00:00Z', markets: [market] }
  return JSON.stringify({ put: 'event', id, data })
})

/** Most begin with a small catalogue: otherwise nearly every line is refused. */
export function feedOfLines(most: number): fc.Arbitrary<string[]> {
  const lines = fc.array(feedLine, { minLength: 10, maxLength: most, size: 'max' })
  const begin = fc.constantFrom([], sports, [...sports, ...events], [...sports, ...events])
  return fc.tuple(begin, lines).map(([first, rest]) => [...first, ...rest])
}
