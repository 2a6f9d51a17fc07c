// The operator's texts appear in answers of the public API, which may be XML: characters that XML forbids are refused.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/http/representation/json-schema.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { OPERATOR_TOKEN, useService } from '../harness/service.ts'
import { newMatch, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()

/** As JSON has them; a lone surrogate cannot be written as UTF-8. */
const FORBIDDEN = ['\\ufffe', '\\uffff', '\\ud800', '\\udfff', '\\ud83d', '\\u0000', '\\u0007', '\\u001f']

function put(path: string, body: string | Buffer, method = 'PUT') {
  return fetch(`${service.operatorUrl}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: new Uint8Array(Buffer.from(body)),
  })
}

const card = (type: string, scheme: string) =>
  `{"type":"${type}","token":"t","limits":{"minDeposit":"5","maxDeposit":"9"},` +
  `"card":{"number":"411111******1111","expiryDate":"12/49","country":"GB","scheme":"${scheme}"}}`

const event = (name: string, market: string, outcome: string) =>
  `{"sportId":1,"name":"${name}","startTime":"2030-01-01T15:00:00Z","markets":[{"id":900002,"name":"${market}",` +
  `"outcomes":[{"id":900003,"name":"${outcome}"}]}]}`

type Call = (outcome: TestOutcome, customerId: number, text: string) => [path: string, body: string, method?: string]

const CALLS: Record<string, Call> = {
  'a customer’s user name': (_outcome, id, text) => [`/customers/${id}`, `{"username":"${text}"}`],
  'a sport': (_outcome, _id, text) => ['/sports/900001', `{"name":"${text}"}`],
  'an event': (_outcome, _id, text) => ['/events/900001', event(text, 'm', 'o')],
  'a market in its event': (_outcome, _id, text) => ['/events/900001', event('e', text, 'o')],
  'an outcome in its event': (_outcome, _id, text) => ['/events/900001', event('e', 'm', text)],
  'an event renamed': ({ eventId }, _id, text) => [`/events/${eventId}`, `{"name":"${text}"}`, 'PATCH'],
  'a market renamed': ({ marketId }, _id, text) => [`/markets/${marketId}`, `{"name":"${text}"}`, 'PATCH'],
  'an outcome renamed': ({ id }, _customer, text) => [`/outcomes/${id}`, `{"name":"${text}"}`, 'PATCH'],
  'a card’s type': (_outcome, id, text) => [`/customers/${id}/payment-methods/${900_000 + id}`, card(text, 'VISA')],
  'a card’s scheme': (_outcome, id, text) => [`/customers/${id}/payment-methods/${900_000 + id}`, card('CARD', text)],
  'a blocked word': (_outcome, _id, text) => ['/moderation/words', `{"blocked":["${text}"]}`],
  'an allowed word': (_outcome, _id, text) => ['/moderation/words', `{"allowed":["${text}"]}`],
  'an application': (_outcome, _id, text) => ['/applications', `{"name":"${text}"}`, 'POST'],
  'a token': (_outcome, _id, text) => ['/tokens', `{"name":"${text}","role":"feed"}`, 'POST'],
}

describe.each(Object.keys(CALLS))('%s', (what) => {
  test('is refused with characters that XML forbids, and accepted with any other', async () => {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const { id } = await service.customer()
    const send = async (text: string) => {
      const [path, body, method] = (CALLS[what] as Call)(outcome, id, text)
      const reply = await put(path, body, method)
      return [text, reply.status, await reply.text()]
    }
    for (const text of FORBIDDEN) expect(await send(`a${text}b`)).toEqual([`a${text}b`, 422, expect.anything()])
    const fine = 'Zoë \\ud83d\\ude00 \\ufffd'
    expect(await send(fine)).toEqual([fine, expect.toSatisfy((status) => status < 300), expect.anything()])
  })
})

test('a body that is not UTF-8 is refused, and not stored with other characters', async () => {
  const latin1 = Buffer.from('{"name":"Caf\xe9"}', 'latin1')
  const reply = await put('/sports/900009', latin1)
  expect([reply.status, await reply.json()]).toMatchObject([400, { detail: expect.stringContaining('UTF-8') }])
  expect((await put('/sports/900009', Buffer.from('{"name":"Café"}'))).status).toBe(201)
})

test('a line of the feed is refused as well', async () => {
  const lines = FORBIDDEN.map((text, index) => `{"put":"sport","id":${901_000 + index},"data":{"name":"a${text}"}}`)
  const reply = await fetch(`${service.operatorUrl}/operator/v1/feed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  expect(await reply.json()).toMatchObject({ lines: lines.length, refused: lines.length, applied: {} })
})

test('no operation accepts such a text in any field', () => {
  const open = operatorOperations.flatMap(({ name, body }) =>
    typeof body !== 'object' ? [] : stringSchemas(body).map(([pointer, schema]) => ({ name, pointer, schema })),
  )
  expect(open.length).toBeGreaterThan(20)
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^[\d:.TZ+-]+$/ } })
  const taking = open.filter(({ schema }) => {
    const takes = ajv.compile({ ...schema, minLength: 0 })
    return ['a\ufffe', 'a\uffff', 'a\ud800', 'a\0'].some((text) => takes(text))
  })
  // A password is hashed and never shown.
  expect(taking.filter(({ pointer }) => pointer !== '/password')).toEqual([])
})

/** Every position of a string in a body. */
function stringSchemas(schema: JsonSchema, pointer = ''): [pointer: string, schema: JsonSchema][] {
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
  } = schema as {
    properties?: Record<string, JsonSchema>
    items?: JsonSchema
    additionalProperties?: JsonSchema | boolean
    anyOf?: JsonSchema[]
  }
  return [
    ...(schema.type === 'string' ? [[pointer, schema] as [string, JsonSchema]] : []),
    ...Object.entries(properties).flatMap(([name, field]) => stringSchemas(field, `${pointer}/${name}`)),
    ...(items === undefined ? [] : stringSchemas(items, `${pointer}/*`)),
    ...(typeof additionalProperties === 'object' ? stringSchemas(additionalProperties, `${pointer}/*`) : []),
    ...anyOf.flatMap((one) => stringSchemas(one, pointer)),
  ]
}
