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

async function seenBy(server: Server, headers: readonly string[]): Promise<unknown> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
    'latin1',
  )
  const answer = Buffer.concat(await socket.toArray()).toString()
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
}

const both = (headers: readonly string[]) => Promise.all(servers.map((server) => seenBy(server, headers)))

test.each(Object.keys(lists))('%s', async (name) => {
  const headers = lists[name] as string[]
  // The second time their names are known.
  for (const _ of [1, 2]) {
    const [ours, nodes] = await both(headers)
    expect(ours).toEqual(nodes)
  }
})

test('more names than are remembered', async () => {
  for (let from = 0; from < 3_000; from += 60) {
    const [ours, nodes] = await both(Array.from({ length: 60 }, (_, index) => `X-${from + index}: ${from + index}`))
    expect(ours).toEqual(nodes)
  }
})

test('headers that were set are read as they were set', () => {
  const request = new Request(null as never)
  request.headers = { 'who-apikey': 'mine' }
  expect(request.headers).toEqual({ 'who-apikey': 'mine' })
})
