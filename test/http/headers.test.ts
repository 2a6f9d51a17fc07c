// A request's headers are those that Node itself would give, whatever was sent.

import { createServer, IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Request } from '../../src/http/headers.ts'

const echo = (kind: typeof IncomingMessage) =>
  createServer({ IncomingMessage: kind }, ({ headers, headersDistinct }, response) => {
    response.end(JSON.stringify([Object.entries(headers), headersDistinct]))
  })
const servers: Server[] = [echo(Request), echo(IncomingMessage)]

beforeAll(() => Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))))
afterAll(() => {
  for (const server of servers) server.close()
})

const lists: Record<string, string[]> = {
  'none but the host': [],
  'as the contract writes them': [
    'who-apiKey: key',
    'who-secret: secret',
    'who-ticket: ticket',
    'accept: application/xml',
  ],
  'in other letters': ['WHO-APIKEY: key', 'Who-Secret: secret', 'wHO-tICKET: ticket', 'ACCEPT: */*'],
  'one of ours twice': ['who-ticket: one', 'who-ticket: two', 'who-secret: three'],
  'one of ours twice, in different letters': ['who-apiKey: one', 'Who-ApiKey: two'],
  'accept twice': ['accept: text/html', 'Accept: application/json'],
  'a type twice, of which the first counts': ['content-type: text/plain', 'content-type: text/html'],
  'user agents twice': ['user-agent: one', 'user-agent: two'],
  'cookies twice': ['cookie: a=1', 'cookie: b=2'],
  'set-cookie, which is always a list': ['set-cookie: a=1'],
  'forwarded twice': ['x-forwarded-for: 1.2.3.4', 'x-forwarded-for: 5.6.7.8', 'x-forwarded-proto: https'],
  'nothing in it': ['who-ticket:', 'accept: '],
  'beyond ASCII': ['x-name: \u00c3\u00a9'],
  'the prototype': ['__proto__: x', 'who-apiKey: key'],
  'what every object has': ['constructor: x', 'toString: y', 'hasOwnProperty: z'],
  'a number': ['1: one', '0: zero', 'who-apiKey: key'],
  'a long name': [`x-${'long-'.repeat(100)}: x`, 'who-apiKey: key'],
  'as many as Node allows': Array.from({ length: 998 }, (_, index) => `${index.toString(36)}:`),
}

/** More often than it takes until a function is made for a list of names. */
const OFTEN = 110

/** What a connection is answered that asks so often, all at once. */
async function seenBy(server: Server, headers: readonly string[], times = OFTEN): Promise<unknown[]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const ask = (connection: string) =>
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`
  socket.end(ask('keep-alive').repeat(times - 1) + ask('close'), 'latin1')
  const answers = Buffer.concat(await socket.toArray())
    .toString()
    .split('HTTP/1.1 200 OK\r\n')
    .slice(1)
  expect(answers).toHaveLength(times)
  return answers.map((answer) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)))
}

async function expectTheSame(headers: readonly string[], times?: number): Promise<void> {
  const [ours, nodes] = await Promise.all(servers.map((server) => seenBy(server, headers, times)))
  expect(ours).toEqual(nodes)
}

test.each(Object.keys(lists))('%s', (name) => expectTheSame(lists[name] as string[]))

test('each has its own values', async () => {
  for (let count = 0; count < OFTEN; count++) await expectTheSame([`who-ticket: ${count}`, `accept: ${-count}`], 2)
})

test('lists that take each other’s place', async () => {
  for (let count = 0; count < 5; count++) {
    await expectTheSame(['x-one: 1', 'x-two: 2'])
    await expectTheSame(['x-six: 1', 'x-ten: 2'])
  }
})

/** Node makes nothing of it, because no parser counted these headers: what is there was made by us. */
function withHeaders(rawHeaders: string[]): Request {
  return Object.assign(new Request(null as never), { rawHeaders })
}

test('those that come often are made without Node', () => {
  const headers = Array.from({ length: OFTEN }, () => withHeaders(['X-Often', 'yes', 'Accept', '*/*']).headers)
  expect(headers[0]).toEqual({})
  expect(headers.at(-1)).toEqual({ 'x-often': 'yes', accept: '*/*' })
})

test.each(['__proto__', 'constructor', 'set-cookie', 'x-often, accept', "x'];evil(['"])(
  '%s is left to Node',
  (special) => {
    const raw = special.split(', ').flatMap((name) => ['x-often', 'yes', name, 'x'])
    for (let count = 0; count < OFTEN; count++) expect(withHeaders(raw).headers).toEqual({})
  },
)

test('more lists than are remembered make it forget, and those that come often then are known again', () => {
  const often = () => withHeaders(['x-kept', 'yes']).headers
  for (let count = 0; count < OFTEN; count++) often()
  expect(often()).toEqual({ 'x-kept': 'yes' })
  for (let other = 0; other < 1_001; other++) {
    const lengths = [other % 11, Math.floor(other / 11) % 11, Math.floor(other / 121)]
    expect(withHeaders(lengths.flatMap((length) => ['y'.repeat(1 + length), 'x'])).headers).toEqual({})
  }
  expect(often()).toEqual({})
  for (let count = 0; count < OFTEN; count++) often()
  expect(often()).toEqual({ 'x-kept': 'yes' })
})

test('names that are long are not kept', () => {
  const raw = [`x-${'long'.repeat(10)}`, 'x']
  for (let count = 0; count < OFTEN; count++) expect(withHeaders(raw).headers).toEqual({})
})

test('headers that were set are read as they were set', () => {
  const request = new Request(null as never)
  request.headers = { 'who-apikey': 'mine' }
  expect(request.headers).toEqual({ 'who-apikey': 'mine' })
})
