// An answer is the same, byte for byte, whether it is written at once or by Node, and Node goes on after it either way.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { sendNothing, sendText } from '../../src/http/raw-response.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function listening(listener: RequestListener): Promise<Socket> {
  server = createServer({ keepAliveTimeout: 0 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.setEncoding('utf8')
  await once(socket, 'connect')
  return socket
}

const head = (method = 'GET', path = '/', more = '') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

type Answer = { status: string; headers: string[]; body: string }

/** Sends `bytes`, which hold `count` requests, and reads as many answers and nothing more. */
async function answersTo(socket: Socket, bytes: string, count = 1, isHead = false): Promise<Answer[]> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  const answers: Answer[] = []
  while (answers.length < count) {
    const end = text.indexOf('\r\n\r\n')
    const size = isHead ? 0 : Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
    const rest = Buffer.from(text.slice(end + 4))
    if (end === -1 || rest.length < size) {
      await once(socket, 'data')
      continue
    }
    const [status = '', ...headers] = text.slice(0, end).split('\r\n')
    answers.push({ status, headers: headers.sort(), body: rest.subarray(0, size).toString() })
    text = rest.subarray(size).toString()
  }
  expect(text).toBe('')
  socket.removeAllListeners('data')
  return answers
}

const DATE = /^Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const dated = (headers: string[]) => headers.map((line) => (DATE.test(line) ? 'Date' : line))

/** A header set beforehand leaves the answer to Node. */
function byNode(response: ServerResponse): ServerResponse {
  response.setHeader('x-by', 'node')
  return response
}

const profile = (text: string) => ({ text, bytes: Buffer.byteLength(text) })
const sends: Record<string, (response: ServerResponse) => void> = {
  JSON: (response) =>
    sendText(response, { status: 200, representation: 'json', body: profile('{"a":"b"}'), id: 'i-1' }),
  XML: (response) => sendText(response, { status: 200, representation: 'xml', body: profile('<a>b</a>'), id: 'i-2' }),
  'a refusal': (response) =>
    sendText(response, { status: 404, representation: 'xml', body: profile('<a/>'), id: 'i-3' }),
  'text beyond ASCII': (response) =>
    sendText(response, { status: 201, representation: 'json', body: profile('{"a":"é 日本 🐎"}'), id: 'i-4' }),
  'a long text': (response) =>
    sendText(response, { status: 200, representation: 'json', body: profile('x'.repeat(3_000_000)), id: 'i-5' }),
  'no text': (response) => sendText(response, { status: 200, representation: 'json', body: profile(''), id: 'i-6' }),
  nothing: (response) => sendNothing(response, 'i-7'),
}

describe.each(Object.keys(sends))('%s', (name) => {
  const send = sends[name] as (response: ServerResponse) => void

  test('is the same at once and by Node', async () => {
    const socket = await listening(({ url }, response) => send(url === '/node' ? byNode(response) : response))
    const [atOnce] = (await answersTo(socket, head())) as [Answer]
    const [nodes] = (await answersTo(socket, head('GET', '/node'))) as [Answer]
    expect(atOnce.headers.filter((line) => DATE.test(line))).toHaveLength(1)
    expect(nodes.headers).toContain('x-by: node')
    expect({ ...nodes, headers: dated(nodes.headers.filter((line) => line !== 'x-by: node')) }).toEqual({
      ...atOnce,
      headers: dated(atOnce.headers),
    })
  })

  test('is followed by others on the same connection', async () => {
    const socket = await listening((_request, response) => send(response))
    for (const _ of [1, 2, 3]) await answersTo(socket, head())
  })
})

test('answers to requests sent together come in their order, whichever is ready first', async () => {
  const waiting: (() => void)[] = []
  const socket = await listening(({ url }, response) => {
    waiting.push(() => sendText(response, { status: 200, representation: 'json', body: profile(url ?? ''), id: 'i' }))
    if (waiting.length === 3) for (const send of waiting.reverse()) send()
  })
  const paths = ['/one', '/two', '/three']
  const answers = await answersTo(socket, paths.map((path) => head('GET', path)).join(''), 3)
  expect(answers.map(({ body }) => body)).toEqual(paths)
})

test('HEAD has the size of the text, and no text', async () => {
  const socket = await listening((_request, response) => sends.JSON?.(response))
  const [answer] = (await answersTo(socket, head('HEAD'), 1, true)) as [Answer]
  expect(answer.headers).toContain('content-length: 9')
  await answersTo(socket, head())
})

test.each([
  ['who asks to', head('GET', '/', 'connection: close\r\n')],
  ['who speaks HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
])('the connection of one %s is closed after the answer', async (_who, bytes) => {
  const socket = await listening((_request, response) => sends.JSON?.(response))
  const closed = once(socket, 'close')
  const [answer] = (await answersTo(socket, bytes)) as [Answer]
  expect(answer.headers).toContain('Connection: close')
  expect(answer.headers.filter((line) => line.startsWith('keep-alive'))).toEqual([])
  socket.resume()
  await closed
})

test('a body that nobody read is read away before the next request', async () => {
  const socket = await listening((_request, response) => sends.JSON?.(response))
  const body = 'x'.repeat(300_000)
  const post = `${head('POST', '/', `content-length: ${body.length}\r\n`)}${body}`
  const answers = await answersTo(socket, post + head() + post + head(), 4)
  expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => '{"a":"b"}'))
})

test('Node knows that it is over', async () => {
  let events: Promise<unknown> = Promise.resolve()
  const responses: ServerResponse[] = []
  const socket = await listening((_request, response) => {
    responses.push(response)
    events = Promise.all([once(response, 'finish'), once(response, 'close')])
    sends['text beyond ASCII']?.(response)
    expect(response.writableEnded).toBe(true)
  })
  await answersTo(socket, head())
  await events
  expect(responses.map(({ statusCode, closed }) => ({ statusCode, closed }))).toEqual([
    { statusCode: 201, closed: true },
  ])
  const closed = once(socket, 'close')
  server.closeIdleConnections()
  await closed
})

test('somebody who has gone is sent nothing, and nothing else happens', async () => {
  const written = Promise.withResolvers<number>()
  const socket = await listening(async ({ socket: theirs }, response) => {
    socket.destroy()
    await once(theirs, 'close')
    sends.JSON?.(response)
    await nextTurn()
    written.resolve(theirs.bytesWritten)
  })
  socket.write(head())
  expect(await written.promise).toBe(0)
})

test('somebody who goes while a long answer is sent ends it, and nothing else happens', async () => {
  const over = Promise.withResolvers<ServerResponse>()
  const socket = await listening((_request, response) => {
    response.once('finish', () => over.reject(new Error('finished')))
    response.once('close', () => over.resolve(response))
    sendText(response, { status: 200, representation: 'json', body: profile('x'.repeat(30_000_000)), id: 'i' })
  })
  socket.write(head())
  await once(socket, 'data')
  socket.destroy()
  expect((await over.promise).closed).toBe(true)
  await nextTurn()
})
