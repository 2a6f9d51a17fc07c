import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { responseWriter } from '../../src/http/answers/raw-response.ts'
import { watchConnections } from '../../src/http/connection/connections.ts'

const { sendText } = responseWriter({ raw: true })

const IDLE_MS = 800
const DEADLINES = { idleMs: IDLE_MS, bodyMs: 60_000, answerMs: 60_000 }
/** More than the system buffers for a client that does not read. */
const LONG = 'x'.repeat(30_000_000)
const [cert, key] = ['cert', 'key'].map((file) => readFileSync(new URL(`../harness/tls/${file}.pem`, import.meta.url)))

const PIECE = 'x'.repeat(100_000)
const PIECES = 300
function* pieces(): Generator<string> {
  for (let piece = 0; piece < PIECES; piece++) yield PIECE
}
const long = { text: LONG, bytes: LONG.length }
const answer: RequestListener = ({ url }, response) => {
  const body = { text: '{}', bytes: 2 }
  if (url === '/at-once') sendText(response, { status: 200, representation: 'json', body, id: 'i' })
  else if (url === '/long') sendText(response, { status: 200, representation: 'json', body: long, id: 'i' })
  else if (url === '/in-pieces') Readable.from(pieces()).pipe(response)
  else if (url === '/long-by-node') response.end(LONG)
  else setTimeout(() => response.end('{}'), url === '/slow' ? 2 * IDLE_MS : 0)
}
const servers = {
  'plain HTTP': {
    make: () => createServer({ keepAliveTimeout: 0 }, answer),
    reach: (port: number): Socket => connect(port, '127.0.0.1'),
  },
  TLS: {
    make: () => createTlsServer({ keepAliveTimeout: 0, cert, key }, answer),
    reach: (port: number): Socket => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }),
  },
}

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe.each(Object.keys(servers) as (keyof typeof servers)[])('over %s', (kind) => {
  async function connections(count: number, deadlines = DEADLINES): Promise<Socket[]> {
    server = servers[kind].make()
    watchConnections(server, deadlines)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return Promise.all(Array.from({ length: count }, () => opened(servers[kind].reach(port))))
  }

  test('a connection in use stays open, an idle one is closed, used before or not', async () => {
    const [used, ...silent] = (await connections(4)) as [Socket, Socket, Socket, Socket]
    const begun = performance.now()
    await ask(silent[0])
    await ask(silent[1], '/at-once')
    const closed = silent.map((socket) => closing(socket))
    while (silent.some((socket) => !socket.destroyed)) {
      await ask(used)
      await pause(20)
    }
    for (const at of await Promise.all(closed)) expect(at - begun).toBeGreaterThanOrEqual(IDLE_MS * 0.9)
    await ask(used)
  })

  test('a connection that waits for its answer stays open, and is closed when it is idle afterwards', async () => {
    const [waiting] = (await connections(1)) as [Socket]
    await ask(waiting, '/slow')
    const answered = performance.now()
    expect((await closing(waiting)) - answered).toBeGreaterThanOrEqual(IDLE_MS * 0.7)
  })

  test.each(['/long', '/long-by-node'])('an answer that the client does not read is cut off: %s', async (path) => {
    const [reader] = (await connections(1, { ...DEADLINES, answerMs: 300 })) as [Socket]
    reader.pause()
    reader.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await expect.poll(openConnections, { timeout: 30_000 }).toBe(0)
    reader.destroy()
  })

  // TLS gives a reader its records one by one, which takes too long here.
  test.runIf(kind === 'plain HTTP')(
    'an answer that the client reads slowly is not cut off, although it takes longer',
    async () => {
      const [reader] = (await connections(1, { ...DEADLINES, answerMs: 3000 })) as [Socket]
      reader.pause()
      reader.write('GET /in-pieces HTTP/1.1\r\nHost: x\r\n\r\n')
      const begun = performance.now()
      for (let size = 0; size < PIECES * PIECE.length; ) {
        await pause(5)
        expect(reader.destroyed).toBe(false)
        const isEarly = size / (PIECES * PIECE.length) > (performance.now() - begun) / 4000
        if (!isEarly) size += reader.read()?.length ?? 0
      }
      expect(performance.now() - begun).toBeGreaterThan(3000)
      reader.destroy()
    },
  )

  test.each(['/long', '/long-by-node'])(
    'an answer that is being read when the server closes is not cut off: %s',
    async (path) => {
      const [reader, idle] = (await connections(2)) as [Socket, Socket]
      await ask(idle)
      reader.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(reader, 'readable')
      const begin = reader.read() as Buffer
      const idleClosed = closing(idle)
      // Closes idle connections too, as a stop of the service does again and again.
      server.close()
      await idleClosed
      let size = begin.length - begin.indexOf('\r\n\r\n') - 4
      reader.on('data', (data: Buffer) => {
        size += data.length
        server.closeIdleConnections()
      })
      await closing(reader)
      expect(size).toBe(LONG.length)
    },
  )

  test('a body that arrives after its answer must arrive in time, in however many pieces', async () => {
    const [sender] = (await connections(1, { ...DEADLINES, bodyMs: 300 })) as [Socket]
    sender.on('error', () => {})
    sender.write('POST /at-once HTTP/1.1\r\nHost: x\r\ncontent-length: 100000\r\n\r\n')
    const drip = setInterval(() => sender.write('x'), 20)
    await closing(sender)
    clearInterval(drip)
  })
})

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

function opened(socket: Socket): Promise<Socket> {
  const ready = 'encrypted' in socket ? 'secureConnect' : 'connect'
  return new Promise((resolve, reject) => socket.once(ready, () => resolve(socket)).once('error', reject))
}

async function closing(socket: Socket): Promise<number> {
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  return performance.now()
}

async function ask(socket: Socket, path = '/'): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const closed = new AbortController()
  const abort = () => closed.abort()
  socket.once('close', abort)
  const [text] = await once(socket, 'data', { signal: closed.signal })
  socket.off('close', abort)
  expect(`${text}`).toMatch(/^HTTP\/1.1 200 [\s\S]*\{\}$/)
}
