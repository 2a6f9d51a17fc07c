// Writes most answers to the connection as one text, bypassing Node's response, which costs 10 % of a profile read; Fastify's
// reply would cost another 10 %. RAW_RESPONSES=off leaves every answer to Node; the bytes are the same
// (test/http/raw-response.test.ts).

import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Written } from '../representation/compile.ts'
import { turnTime } from '../runtime/clock.ts'
import { KEEP_ALIVE_MS } from './connections.ts'
import type { Representation } from './negotiate.ts'

export const CONTENT_TYPE: Record<Representation, string> = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Browsers take an answer for what its type says, whatever text of customers is in it. */
export const NO_SNIFFING = ['x-content-type-options', 'nosniff'] as const
const ALWAYS = ['vary', 'accept', 'cache-control', 'no-store', ...NO_SNIFFING] as const
/** A client that knows when we close idle connections sends no request into one that is about to close. */
export const KEEP_ALIVE_HEADER = ['keep-alive', `timeout=${KEEP_ALIVE_MS / 1000}`] as const

type Text = { status: number; representation: Representation; body: Written; id: string }

export type ResponseWriter = ReturnType<typeof responseWriter>

/** `raw`: bypass Node's response wherever that is possible. */
export function responseWriter({ raw }: { raw: boolean }) {
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
  return {
    sendText(response: ServerResponse, { status, representation, body, id }: Text): void {
      const { text, bytes } = body
      // Text that is ASCII, as most is, needs no encoding.
      const encoding = bytes === text.length ? 'latin1' : 'utf8'
      if (canWriteRaw(response)) {
        const size = `content-length: ${bytes}\r\n`
        write(
          response,
          status,
          firstLines[representation](status) + size + FIXED_HEADERS + id + lastLines() + text,
          encoding,
        )
      } else {
        const content = ['content-type', CONTENT_TYPE[representation], 'content-length', `${bytes}`]
        response.writeHead(status, headersOf(response, content, id)).end(text, encoding)
      }
    },
    sendNoContent(response: ServerResponse, id: string): void {
      if (canWriteRaw(response)) write(response, 204, NO_CONTENT + FIXED_HEADERS + id + lastLines(), 'latin1')
      else response.writeHead(204, headersOf(response, [], id)).end()
    },
    /** For a caller that reads neither XML nor JSON. */
    sendPlainText(response: ServerResponse, text: string, id: string): void {
      const content = ['content-type', 'text/plain', 'content-length', `${text.length}`]
      response.writeHead(200, headersOf(response, content, id)).end(text)
    },
  }
}

/**
 * Of a stream of server-sent events. `no-transform` and `x-accel-buffering` keep proxies from compressing it or from
 * collecting events before they pass them on.
 */
export function streamHeaders(id: string): string[] {
  return [
    ...['content-type', 'text/event-stream; charset=utf-8'],
    ...['vary', 'accept', 'cache-control', 'no-store, no-transform', 'x-accel-buffering', 'no'],
    ...NO_SNIFFING,
    ...['x-request-id', id],
  ]
}

/** Does what `end` does. A failed write closes the connection, which Node then handles. */
function write(response: ServerResponse, status: number, text: string, encoding: BufferEncoding): void {
  response.statusCode = status
  response.finished = true
  response.socket?.write(text, encoding, (error) => {
    if (!error) response.emit('finish')
  })
}

function headersOf({ shouldKeepAlive }: ServerResponse, content: string[], id: string): string[] {
  return [...content, ...ALWAYS, 'x-request-id', id, ...(shouldKeepAlive ? KEEP_ALIVE_HEADER : [])]
}

// ---- The same headers as text.

function linesOf(headers: readonly string[]): string {
  return headers.map((part, index) => part + (index % 2 === 0 ? ': ' : '\r\n')).join('')
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`

const firstLines = { xml: cachedFirstLines('xml'), json: cachedFirstLines('json') }
const NO_CONTENT = statusLine(204)
const FIXED_HEADERS = `${linesOf(ALWAYS)}x-request-id: `

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
