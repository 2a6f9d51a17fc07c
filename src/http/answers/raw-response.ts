// Writes most answers to the connection as one text, bypassing Node's response, which costs 10 % of a profile read; Fastify's
// reply would cost another 10 %. RAW_RESPONSES=off leaves every answer to Node; the bytes are the same
// (test/http/raw-response.test.ts).

import { type ServerResponse, STATUS_CODES } from 'node:http'
import { turnTime } from '../../platform/runtime/clock.ts'
import { hasCurrentCopy } from '../../platform/runtime/etags.ts'
import { KEEP_ALIVE_MS } from '../connection/connections.ts'
import type { Written } from '../representation/compile.ts'
import { compressed, type Encoding, encodingOf } from './encodings.ts'
import type { Representation } from './negotiate.ts'

export const CONTENT_TYPE: Record<Representation, string> = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Browsers trust the declared type of an answer, whatever text of customers is in it. */
export const NO_SNIFFING = ['x-content-type-options', 'nosniff'] as const
const ALWAYS = ['cache-control', 'no-store', ...NO_SNIFFING] as const
/** A client that knows when we close idle connections sends no request into one that is about to close. */
export const KEEP_ALIVE_HEADER = ['keep-alive', `timeout=${KEEP_ALIVE_MS / 1000}`] as const

/** `secret`: never compressed, because the size of a compressed answer reveals its content (BREACH). */
type Text = { status: number; representation: Representation; body: Written; id: string; secret?: boolean }

const MIN_COMPRESSED = 2_048

export type ResponseWriter = ReturnType<typeof responseWriter>

/** `raw`: bypass Node's response wherever that is possible. `compress`: answers over 2 KB, for clients that accept it. */
export function responseWriter({ raw, compress = false }: { raw: boolean; compress?: boolean }) {
  const vary = compress ? 'accept, accept-encoding' : 'accept'
  const fixedHeaders = `vary: ${vary}\r\n${linesOf(ALWAYS)}x-request-id: `
  /** Whether it is this answer's turn on a connection that stays open, and no handler has set other headers. */
  const canWriteRaw = (response: ServerResponse): boolean => {
    const { socket, shouldKeepAlive, req } = response
    return (
      raw &&
      shouldKeepAlive &&
      socket?.writable === true &&
      req.method !== 'HEAD' &&
      response.getHeaderNames().length === 0
    )
  }
  const writer = {
    sendText(response: ServerResponse, answer: Text): void {
      const compression = compress ? encodingFor(response, answer) : null
      if (compression !== null) {
        sendCompressed(response, answer, compression, vary)
        return
      }
      const { status, representation, body, id } = answer
      const { text, bytes } = body
      // Text that is ASCII, as most is, needs no encoding.
      const encoding = bytes === text.length ? 'latin1' : 'utf8'
      if (canWriteRaw(response)) {
        const size = `content-length: ${bytes}\r\n`
        write(
          response,
          status,
          firstLines[representation](status) + size + fixedHeaders + id + lastLines() + text,
          encoding,
        )
      } else {
        const content = ['content-type', CONTENT_TYPE[representation], 'content-length', `${bytes}`]
        response.writeHead(status, headersOf(response, vary, content, id)).end(text, encoding)
      }
    },
    sendNoContent(response: ServerResponse, id: string): void {
      if (canWriteRaw(response)) write(response, 204, NO_CONTENT + fixedHeaders + id + lastLines(), 'latin1')
      else response.writeHead(204, headersOf(response, vary, [], id)).end()
    },
    /** For a caller that reads neither XML nor JSON. */
    sendPlainText(response: ServerResponse, text: string, id: string): void {
      const content = ['content-type', 'text/plain', 'content-length', `${text.length}`]
      response.writeHead(200, headersOf(response, vary, content, id)).end(text)
    },
    /** With an ETag, and the handler's cache-control; else caches revalidate each time. */
    sendCacheable(response: ServerResponse, etag: string, answer: Text): void {
      // Weak where the bytes may be compressed or not.
      response.setHeader('etag', compress ? `W/${etag}` : etag)
      if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-cache')
      if (!hasCurrentCopy(response.req.headers['if-none-match'], etag)) writer.sendText(response, answer)
      else response.writeHead(304, headersOf(response, vary, [], answer.id)).end()
    },
  }
  return writer
}

/**
 * The headers of a stream of server-sent events. `no-transform` and `x-accel-buffering` keep proxies from compressing
 * it or from collecting events before they pass them on.
 */
export function streamHeaders(id: string): string[] {
  return [
    ...['content-type', 'text/event-stream; charset=utf-8'],
    ...['vary', 'accept', 'cache-control', 'no-store, no-transform', 'x-accel-buffering', 'no'],
    ...NO_SNIFFING,
    ...['x-request-id', id],
  ]
}

function encodingFor({ req }: ServerResponse, { body, secret }: Text): Encoding | null {
  return body.bytes <= MIN_COMPRESSED || secret ? null : encodingOf(req.headers['accept-encoding'])
}

/** The answer is sent later; its status is known at once, for the log. */
function sendCompressed(response: ServerResponse, answer: Text, encoding: Encoding, vary: string): void {
  const { status, representation, body, id } = answer
  response.statusCode = status
  compressed(Buffer.from(body.text), encoding, { often: true })
    .then((bytes) => {
      const type = ['content-type', CONTENT_TYPE[representation], 'content-encoding', encoding]
      const content = [...type, 'content-length', `${bytes.length}`]
      response.writeHead(status, headersOf(response, vary, content, id)).end(bytes)
    })
    .catch((error: Error) => response.destroy(error))
}

function headersOf(response: ServerResponse, vary: string, content: string[], id: string): string[] {
  const varying = response.hasHeader('access-control-allow-origin') ? `${vary}, origin` : vary
  const lasting = response.shouldKeepAlive ? KEEP_ALIVE_HEADER : []
  const always = response.hasHeader('etag') ? NO_SNIFFING : ALWAYS
  return [...content, 'vary', varying, ...always, 'x-request-id', id, ...lasting]
}

/** Does what `end` does. A failed write closes the connection, which Node then handles. */
function write(response: ServerResponse, status: number, text: string, encoding: BufferEncoding): void {
  response.statusCode = status
  response.finished = true
  response.socket?.write(text, encoding, (error) => {
    if (!error) response.emit('finish')
  })
}

// ---- The same headers as text.

function linesOf(headers: readonly string[]): string {
  return headers.map((part, index) => part + (index % 2 === 0 ? ': ' : '\r\n')).join('')
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`

const firstLines = { xml: cachedFirstLines('xml'), json: cachedFirstLines('json') }
const NO_CONTENT = statusLine(204)

function cachedFirstLines(representation: Representation): (status: number) => string {
  const known = new Map<number, string>()
  return (status) => {
    let text = known.get(status)
    if (text === undefined) {
      text = statusLine(status) + linesOf(['content-type', CONTENT_TYPE[representation]])
      known.set(status, text)
    }
    return text
  }
}

let lastLinesSecond = 0
let lastLinesText = ''

/** Cached, because the date changes only once a second. */
function lastLines(): string {
  const second = Math.floor(turnTime() / 1000)
  if (second !== lastLinesSecond) {
    const date = new Date(second * 1000).toUTCString()
    lastLinesText = `\r\n${linesOf([...KEEP_ALIVE_HEADER, 'Date', date, 'Connection', 'keep-alive'])}\r\n`
    lastLinesSecond = second
  }
  return lastLinesText
}
