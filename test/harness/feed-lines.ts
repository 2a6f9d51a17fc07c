// Lines of the sportsbook's feed over few ids, so that they often refer to each other, repeat, contradict, and are refused.

import fc from 'fast-check'

export type FeedLine = { put: string; id: number | string; data: object }

const idUpTo = (most: number) => fc.integer({ min: 1, max: most })
const sport = idUpTo(3)
const event = idUpTo(5)
const market = idUpTo(6)
const outcome = idUpTo(9)
const name = fc.constantFrom('Home', 'Draw', 'Away', 'Ärger "im" Ziel \\ 5')
const status = fc.constantFrom('active', 'suspended')
const startTime = fc.constantFrom('2030-01-01T15:00:00Z', '2030-01-02T15:00:00Z', '2030-02-30T99:00:00Z')
const price = fc.option(fc.record({ num: idUpTo(20), den: idUpTo(4) }))

const outcomeFields = { name, status, startingPrice: fc.boolean(), price }
const optional = <T>(fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
  fc.record(fields, { requiredKeys }) as fc.Arbitrary<T>
const outcomes = fc.array(optional<object>({ id: outcome, ...outcomeFields }, ['id', 'name']), { maxLength: 3 })
const markets = fc.array(optional<object>({ id: market, name, status, outcomes }, ['id', 'name']), { maxLength: 2 })

const line = (put: string, id: fc.Arbitrary<number>, data: fc.Arbitrary<object>) =>
  fc.record({ put: fc.constant(put), id, data }).map((one) => JSON.stringify(one))

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
          outcomeIds: fc.array(outcome, { minLength: 1, maxLength: 3 }),
          placedAt: fc.constantFrom('2029-12-31T10:00:00Z', 'yesterday'),
        },
        ['customerId', 'outcomeIds'],
      ),
    ),
  },
  {
    weight: 4,
    arbitrary: line(
      'settlement',
      market,
      fc
        .dictionary(outcome.map(String), fc.constantFrom('win', 'lose', 'void'), { minKeys: 1, maxKeys: 3 })
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
