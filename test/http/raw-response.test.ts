// An answer is the same, byte for byte, whether it is written as one text or by Node, and the connection continues either way.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ResponseWriter, responseWriter } from '../../src/http/answers/raw-response.ts'
import { credentials, openConnection } from '../harness/raw-connection.ts'
import { startTestService } from '../harness/service.ts'

const RAW = responseWriter({ raw: true })
const NODES = responseWriter({ raw: false })

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function listening(listener: RequestListener): Promise<Socket> {
  const listening = createServer({ keepAliveTimeout: 0 }, listener)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1')
  socket.setEncoding('utf8')
  await once(socket, 'connect')
  return socket
}

const head = (method = 'GET', path = '/', more = '') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

type Answer = { text: string; headers: string[]; body: string }

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
    const body = rest.subarray(0, size).toString()
    const head = text.slice(0, end)
    answers.push({ text: `${head}\r\n\r\n${body}`, headers: head.split('\r\n').slice(1), body })
    text = rest.subarray(size).toString()
  }
  expect(text).toBe('')
  socket.removeAllListeners('data')
  return answers
}

const DATE = /^Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/m
const undated = (text: string) => text.replace(DATE, 'Date')

const profile = (text: string) => ({ text, bytes: Buffer.byteLength(text) })
const sends: Record<string, (response: ServerResponse, writer?: ResponseWriter) => void> = {
  JSON: sending(200, 'json', '{"a":"b"}'),
  XML: sending(200, 'xml', '<a>b</a>'),
  'a refusal': sending(404, 'xml', '<a/>'),
  'text beyond ASCII': sending(201, 'json', '{"a":"é 日本 🐎"}'),
  'a long text': sending(200, 'json', 'x'.repeat(3_000_000)),
  'no text': sending(200, 'json', ''),
  nothing: (response, writer = RAW) => writer.sendNoContent(response, 'i-7'),
}

function sending(status: number, representation: 'xml' | 'json', text: string) {
  return (response: ServerResponse, writer = RAW) =>
    writer.sendText(response, { status, representation, body: profile(text), id: 'i-1' })
}

describe.each(Object.keys(sends))('%s', (name) => {
  const send = sends[name] as (response: ServerResponse, writer?: ResponseWriter) => void

  test('is the same written as one text and by Node', async () => {
    const socket = await listening(({ url }, response) => send(response, url === '/node' ? NODES : RAW))
    const [raw] = (await answersTo(socket, head())) as [Answer]
    const [nodes] = (await answersTo(socket, head('GET', '/node'))) as [Answer]
    expect(raw.headers.filter((line) => DATE.test(line))).toHaveLength(1)
    expect(undated(nodes.text)).toBe(undated(raw.text))
  })

  test('is followed by others on the same connection', async () => {
    const socket = await listening((_request, response) => send(response))
    for (const _ of [1, 2, 3]) await answersTo(socket, head())
  })
})

test('answers to pipelined requests are sent in order, whichever is ready first', async () => {
  const waiting: (() => void)[] = []
  const socket = await listening(({ url }, response) => {
    waiting.push(() => sending(200, 'json', url ?? '')(response))
    if (waiting.length === 3) for (const send of waiting.reverse()) send()
  })
  const paths = ['/one', '/two', '/three']
  const answers = await answersTo(socket, paths.map((path) => head('GET', path)).join(''), 3)
  expect(answers.map(({ body }) => body)).toEqual(paths)
})

test('HEAD has the content length, and no body', async () => {
  const socket = await listening((_request, response) => sends.JSON?.(response))
  const [answer] = (await answersTo(socket, head('HEAD'), 1, true)) as [Answer]
  expect(answer.headers).toContain('content-length: 9')
  await answersTo(socket, head())
})

test.each([
  ['that requests it', head('GET', '/', 'connection: close\r\n')],
  ['of HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
])('the connection of a client %s is closed after the answer', async (_who, bytes) => {
  const socket = await listening((_request, response) => sends.JSON?.(response))
  const closed = once(socket, 'close')
  const [answer] = (await answersTo(socket, bytes)) as [Answer]
  expect(answer.headers).toContain('Connection: close')
  expect(answer.headers.filter((line) => line.startsWith('keep-alive'))).toEqual([])
  socket.resume()
  await closed
})

test('an unread body is discarded before the next request', async () => {
  const socket = await listening((_request, response) => sends.JSON?.(response))
  const body = 'x'.repeat(300_000)
  const post = `${head('POST', '/', `content-length: ${body.length}\r\n`)}${body}`
  const answers = await answersTo(socket, post + head() + post + head(), 4)
  expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => '{"a":"b"}'))
})

test('Node sees the end of the response', async () => {
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
  server?.closeIdleConnections()
  await closed
})

test('a client that has disconnected is sent nothing, and nothing fails', async () => {
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

test('a client that disconnects during a long answer ends it, and nothing fails', async () => {
  const over = Promise.withResolvers<ServerResponse>()
  const socket = await listening((_request, response) => {
    response.once('finish', () => over.reject(new Error('finished')))
    response.once('close', () => over.resolve(response))
    sending(200, 'json', 'x'.repeat(30_000_000))(response)
  })
  socket.write(head())
  await once(socket, 'data')
  socket.destroy()
  expect((await over.promise).closed).toBe(true)
  await nextTurn()
})

/** Answers with and without a body, in both representations, and faults. */
const REQUESTS = [
  ['DELETE', '/v1/sessions/tickets/unknown', 'application/xml'],
  ['DELETE', '/v1/sessions/tickets/unknown', 'application/json'],
  ['GET', '/v1/communities/comments/outcomes/top', 'application/xml'],
  ['GET', '/v1/profiles/77', 'application/xml'],
  ['GET', '/v1/communities/comments/77', 'application/json'],
  ['HEAD', '/v1/profiles/77', 'application/json'],
]

/** What a service with this setting answers to all requests on one connection, and how often Node wrote the head. */
async function answered(setting: 'on' | 'off'): Promise<{ bytes: string; byNode: number }> {
  const service = await startTestService({ RAW_RESPONSES: setting })
  const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead')
  try {
    const client = await openConnection(service.publicUrl)
    for (const [index, [method, path, accept]] of REQUESTS.entries()) {
      const close = index === REQUESTS.length - 1 ? 'connection: close\r\n' : ''
      client.send(`${method} ${path} HTTP/1.1\r\n${credentials()}accept: ${accept}\r\n${close}\r\n`)
      await client.until(new RegExp(`(HTTP/1\\.1 [^]*){${index + 1}}`))
    }
    const received = await client.ended()
    client.destroy()
    const bytes = received.replaceAll(/^Date: .*$/gm, 'Date').replaceAll(/^(x-request-id: )\w+/gm, '$1')
    return { bytes, byNode: writeHead.mock.calls.length }
  } finally {
    writeHead.mockRestore()
    await service.close()
  }
}

test('RAW_RESPONSES=off has Node write every answer, with the same bytes', async () => {
  const [on, off] = [await answered('on'), await answered('off')]
  expect(off.bytes).toBe(on.bytes)
  expect(on.bytes.match(/HTTP\/1\.1 \d+/g)).toEqual(
    [200, 200, 204, 404, 400, 404].map((status) => `HTTP/1.1 ${status}`),
  )
  // HEAD, and the last answer of a connection, are always Node's.
  expect([on.byNode, off.byNode]).toEqual([1, REQUESTS.length])
})
