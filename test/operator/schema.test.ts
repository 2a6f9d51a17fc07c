import { expect, test } from 'vitest'
import {
  boolean,
  integer,
  list,
  named,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  type ValueOf,
  withDefault,
} from '../../src/http/representation/json-schema.ts'
import { exampleOf } from '../../src/operator/server/example.ts'
import { operatorOperation } from '../../src/operator/server/operation.ts'

const bet = named(
  'Bet',
  object(
    { stake: integer(1, 10, 5), legs: list(string('home')) },
    { note: string(), isEachWay: withDefault(boolean(), false) },
  ),
)

test('a schema is valid JSON Schema', () => {
  expect(JSON.parse(JSON.stringify(bet))).toEqual({
    type: 'object',
    title: 'Bet',
    required: ['stake', 'legs'],
    additionalProperties: false,
    properties: {
      stake: { type: 'integer', minimum: 1, maximum: 10, examples: [5] },
      legs: { type: 'array', items: { type: 'string', examples: ['home'] } },
      note: { type: 'string' },
      isEachWay: { type: 'boolean', default: false },
    },
  })
  expect(orNull(oneOf(['a', 'b']))).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] })
  expect(orNull(bet)).toEqual({ anyOf: [bet, { type: 'null' }] })
})

test('the type of a schema has optional fields, and fields with defaults', () => {
  const value: ValueOf<typeof bet> = { stake: 1, legs: [], isEachWay: true }
  const sent: SentOf<typeof bet> = { stake: 1, legs: [] }
  // @ts-expect-error: handlers always have what has a default
  const incomplete: ValueOf<typeof bet> = { stake: 1, legs: [] }
  // @ts-expect-error: a stake is a number
  const wrong: SentOf<typeof bet> = { stake: '1', legs: [] }
  expect([value, sent, incomplete, wrong]).toHaveLength(4)
})

test('an example is composed of the examples of the required fields', () => {
  expect(exampleOf(bet)).toEqual({ stake: 5, legs: ['home'] })
  expect(() => exampleOf(string())).toThrow('without an example')
})

test('a row whose handler or example contradicts its schemas does not compile', () => {
  const row = { name: 'x', summary: 'X', route: 'PUT /bets/{id}', role: 'admin' } as const
  const example = { path: { id: '2' }, body: { stake: 1, legs: [] } }
  const good = operatorOperation({
    ...row,
    body: bet,
    answer: { 200: bet, 204: null },
    example,
    handle: async (_context, { body }) =>
      body.isEachWay ? ({ status: 200, body } as const) : ({ status: 204 } as const),
  })
  const badAnswer = operatorOperation({
    ...row,
    body: bet,
    answer: { 200: bet },
    example,
    // @ts-expect-error: the legs are missing
    handle: async (_context, { body }) => ({ stake: body.stake, isEachWay: true }),
  })
  const badStatus = operatorOperation({
    ...row,
    answer: { 200: bet, 201: bet },
    // @ts-expect-error: 204 is not described
    handle: async () => ({ status: 204 }) as const,
  })
  const badExample = operatorOperation({
    ...row,
    answer: { 204: null },
    // @ts-expect-error: the path has no such parameter
    example: { path: { name: 'x' } },
    handle: async () => {},
  })
  expect([good, badAnswer, badStatus, badExample]).toHaveLength(4)
})
