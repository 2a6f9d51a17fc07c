// Answers of operations. Most are written to the connection as one text, and Node's response is told when that is done:
// to look at each header and write piece by piece, as it does by itself, takes a tenth of the time of a profile read, and
// what Fastify's reply does more another tenth.

import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Written } from '../representation/compile.ts'
import { turnTime } from '../runtime/clock.ts'
import { KEEP_ALIVE_MS } from './connections.ts'
import type { Representation } from './negotiate.ts'

export const CONTENT_TYPE: Record<Representation, string> = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

const ALWAYS = ['vary', 'accept', 'cache-control', 'no-store'] as const
/** A client that knows when we close an idle connection sends nothing into one that is about to be. */
export const WHERE_KEPT = ['keep-alive', `timeout=${KEEP_ALIVE_MS / 1000}`] as const

export type Text = { status: number; representation: Representation; body: Written; id: string }

export function sendText(raw: ServerResponse, { status, representation, body, id }: Text): void {
  const { text, bytes } = body
  // Text that is ASCII, as most is, needs no encoding.
  const encoding = bytes === text.length ? 'latin1' : 'utf8'
  if (isPlain(raw)) {
    const size = `content-length: ${bytes}\r\n`
    write(raw, status, beginnings[representation](status) + size + MIDDLE + id + ending() + text, encoding)
  } else {
    const content = ['content-type', CONTENT_TYPE[representation], 'content-length', `${bytes}`]
    raw.writeHead(status, headersOf(raw, content, id)).end(text, encoding)
  }
}

export function sendNothing(raw: ServerResponse, id: string): void {
  if (isPlain(raw)) write(raw, 204, NOTHING + MIDDLE + id + ending(), 'latin1')
  else raw.writeHead(204, headersOf(raw, [], id)).end()
}

/** For whom an answer of the contract means nothing. */
export function sendPlainText(raw: ServerResponse, text: string, id: string): void {
  raw.writeHead(200, headersOf(raw, ['content-type', 'text/plain', 'content-length', `${text.length}`], id)).end(text)
}

/** It is this answer's turn on a connection that stays open, and nothing else is said in its head. */
function isPlain(raw: ServerResponse): boolean {
  const { socket, shouldKeepAlive, req } = raw
  return shouldKeepAlive && socket?.writable === true && req.method !== 'HEAD' && raw.getHeaderNames().length === 0
}

/** Does what `end` does. Where the text cannot be written, the connection is closed, and Node learns it from there. */
function write(raw: ServerResponse, status: number, text: string, encoding: BufferEncoding): void {
  raw.statusCode = status
  raw.finished = true
  raw.socket?.write(text, encoding, (error) => {
    if (!error) raw.emit('finish')
  })
}

function headersOf({ shouldKeepAlive }: ServerResponse, content: string[], id: string): string[] {
  return [...content, ...ALWAYS, 'x-request-id', id, ...(shouldKeepAlive ? WHERE_KEPT : [])]
}

// ---- The same as text.

function linesOf(headers: readonly string[]): string {
  return headers.map((part, index) => part + (index % 2 === 0 ? ': ' : '\r\n')).join('')
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`

const beginnings = { xml: beginningsOf('xml'), json: beginningsOf('json') }
const NOTHING = statusLine(204)
const MIDDLE = `${linesOf(ALWAYS)}x-request-id: `

function beginningsOf(representation: Representation): (status: number) => string {
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

let endingOf = 0
let lastEnding = ''

/** The date changes once in a second. */
function ending(): string {
  const second = Math.floor(turnTime() / 1000)
  if (second !== endingOf) {
    const date = new Date(second * 1000).toUTCString()
    lastEnding = `\r\n${linesOf([...WHERE_KEPT, 'Date', date, 'Connection', 'keep-alive'])}\r\n`
    endingOf = second
  }
  return lastEnding
}
