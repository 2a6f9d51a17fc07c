// What may become of a connection: it is closed when it is idle, when its answer is not taken, when the rest of a body stays out,
// and after a request that cannot be read. Node's own way of closing idle ones sets a timer and clears it for each request, a
// twentieth of the time of a short one; looking at all connections now and then costs less.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { Fault } from '../faults.ts'

/** Longer than most balancers keep theirs. */
export const KEEP_ALIVE_MS = 72_000

export type Deadlines = {
  /** Nothing came or went, and nothing is waited for. */
  readonly idleMs: number
  /** For the rest of a body after its answer was sent. */
  readonly bodyMs: number
  /** How long the client may take nothing of an answer. */
  readonly answerMs: number
}

/** How exactly times are kept: a connection is closed after its time and at most an eighth more. */
const LOOKS = 8
/** What was said last must reach the client before the connection is closed: closing with bytes unread would discard it. */
const LINGER_MS = 1_000

export function lookEvery(shortestMs: number): number {
  return Math.max(10, Math.floor(shortestMs / LOOKS))
}

/** `request` and `response`: the last ones begun, for as long as they may be under way. */
type Connection = {
  request: IncomingMessage | null
  response: ServerResponse | null
  bytes: number
  activeSince: number
  taken: number
  takenSince: number
  /** When it was seen that the request was answered, though its body is not there. */
  answeredSince: number | null
  /** Nothing more is read from it. */
  refusedSince: number | null
}

export type Refusal = (socket: Socket) => void

export function watchConnections(server: Server, deadlines: Deadlines) {
  const { idleMs, bodyMs, answerMs } = deadlines
  const connections = new Map<Socket, Connection>()
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, newConnection())
    socket.once('close', () => connections.delete(socket))
  })
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    connection.request = request
    connection.response = response
  }
  server.on('request', begin)
  server.on('checkExpectation', begin)
  const look = (): void => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      if (isOver(socket, connection, deadlines, now)) socket.destroy()
    }
  }
  const timer = setInterval(look, lookEvery(Math.min(idleMs, bodyMs, answerMs)))
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return {
    /**
     * After what cannot be read nothing more is read. `answer` is called once everything asked before is answered, so that it
     * does not pass for another request's answer; it is not called where the request at fault has an answer of its own.
     */
    refuse(socket: Socket, answer: Refusal): void {
      const connection = connections.get(socket)
      if (connection !== undefined && connection.refusedSince !== null) return
      if (connection === undefined || !socket.writable) socket.destroy()
      else refuseMore(socket, connection, answer)
    },
  }
}

function isOver(socket: Socket, connection: Connection, deadlines: Deadlines, now: number): boolean {
  const { refusedSince } = connection
  return (
    (refusedSince !== null && now - refusedSince >= LINGER_MS) ||
    untakenMs(socket, connection, now) >= deadlines.answerMs ||
    incompleteMs(connection, now) >= deadlines.bodyMs ||
    idleForMs(socket, connection, now) >= deadlines.idleMs
  )
}

function newConnection(): Connection {
  const now = performance.now()
  return {
    request: null,
    response: null,
    bytes: 0,
    activeSince: now,
    taken: 0,
    takenSince: now,
    answeredSince: null,
    refusedSince: null,
  }
}

// ---- For how many milliseconds it has been so, as far as was seen.

/** Something of an answer is to be sent, and the client takes none of it. */
function untakenMs(socket: Socket, connection: Connection, now: number): number {
  const taken = socket.bytesWritten - socket.writableLength
  if (socket.writableLength === 0 || taken !== connection.taken) Object.assign(connection, { taken, takenSince: now })
  return now - connection.takenSince
}

/** The request was answered, and its body still comes. */
function incompleteMs(connection: Connection, now: number): number {
  if (!isAnswered(connection)) connection.answeredSince = null
  else if (connection.request?.complete === false) connection.answeredSince ??= now
  else Object.assign(connection, { request: null, response: null, answeredSince: null })
  return connection.answeredSince === null ? 0 : now - connection.answeredSince
}

function idleForMs(socket: Socket, connection: Connection, now: number): number {
  const bytes = socket.bytesRead + socket.bytesWritten
  if (!isAnswered(connection) || bytes !== connection.bytes) Object.assign(connection, { bytes, activeSince: now })
  return now - connection.activeSince
}

function isAnswered({ response }: Connection): boolean {
  return response === null || response.closed
}

// ---- The end of a connection that cannot be read.

function refuseMore(socket: Socket, connection: Connection, answer: Refusal): void {
  connection.refusedSince = Number.POSITIVE_INFINITY
  const close = () => {
    connection.refusedSince = performance.now()
    socket.end()
  }
  const answerAndClose = () => {
    if (socket.writable) answer(socket)
    close()
  }
  const { request, response } = connection
  if (response === null || request === null) answerAndClose()
  else if (request.complete) whenClosed(response, answerAndClose)
  else {
    // Its own body is at fault: it is answered by itself, if it was not already.
    if (!response.headersSent && !response.finished) response.shouldKeepAlive = false
    endBody(request)
    whenClosed(response, close)
  }
}

/** Whoever reads the body, now or later, gets the fault. The connection stays, so that it can be answered. */
function endBody(request: IncomingMessage): void {
  request.once('error', () => {})
  Object.assign(request, { _destroy: (error: Error, done: (error: Error) => void) => done(error) })
  request.destroy(new Fault('malformedRequest'))
}

function whenClosed(response: ServerResponse, then: () => void): void {
  if (response.closed) then()
  else response.once('close', then)
}
