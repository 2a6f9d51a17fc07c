// Answers of operations, straight to Node's response: what Fastify's reply does more costs 3 of 30 µs.

import type { ServerResponse } from 'node:http'
import type { Written } from '../representation/compile.ts'
import { KEEP_ALIVE_MS } from './idle.ts'
import type { Representation } from './negotiate.ts'

export const CONTENT_TYPE: Record<Representation, string> = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** A client that knows when we close an idle connection sends nothing into one that is about to be. */
const KEEP_ALIVE = `timeout=${KEEP_ALIVE_MS / 1000}`

export type Text = { status: number; representation: Representation; body: Written; id: string }

/** Text that is ASCII, as most is, is written as Latin-1, which needs no encoding. */
export function sendText(raw: ServerResponse, { status, representation, body, id }: Text): void {
  const { text, bytes } = body
  writeHead(raw, status, [
    'content-type',
    CONTENT_TYPE[representation],
    'content-length',
    bytes as never,
    'vary',
    'accept',
    'cache-control',
    'no-store',
    'x-request-id',
    id,
    'keep-alive',
    KEEP_ALIVE,
  ])
  raw.end(text, bytes === text.length ? 'latin1' : 'utf8')
}

export function sendNothing(raw: ServerResponse, id: string): void {
  writeHead(raw, 204, ['vary', 'accept', 'cache-control', 'no-store', 'x-request-id', id, 'keep-alive', KEEP_ALIVE])
  raw.end()
}

/** Headers as pairs in a row, which Node takes as they are; the last is for connections that are kept. */
function writeHead(raw: ServerResponse, status: number, headers: string[]): void {
  if (!raw.shouldKeepAlive) headers.length -= 2
  raw.writeHead(status, headers)
}
