// Closes connections: idle ones, those whose client does not read its answer, those whose body never ends, and those with a
// request that cannot be parsed. Node's own keep-alive timer is set and cleared for each request, which costs a twentieth of a
// short one; checking all connections at an interval costs less.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { Fault } from '../../faults.ts'

/** Longer than the idle timeout of most load balancers. */
export const KEEP_ALIVE_MS = 72_000

type Deadlines = {
  /** No bytes in either direction, and no request under way. */
  readonly idleMs: number
  /** For the rest of a body after its answer was sent. */
  readonly bodyMs: number
  /** How long the client may read nothing of an answer. */
  readonly answerMs: number
}

/** A connection is closed at most an eighth of its deadline late. */
const CHECKS_PER_DEADLINE = 8
/** The last answer must reach the client before the connection is closed: closing with unread bytes would discard it. */
const LINGER_MS = 1_000

export function checkInterval(shortestMs: number): number {
  return Math.max(10, Math.floor(shortestMs / CHECKS_PER_DEADLINE))
}

/** `request` and `response`: the latest ones, null once they are known to be over. */
type Connection = {
  request: IncomingMessage | null
  response: ServerResponse | null
  bytes: number
  activeSince: number
  /** Bytes that the client has read. */
  read: number
  readSince: number
  /** When a check first found the request answered, but its body incomplete. */
  answeredSince: number | null
  /** When it was refused; it is no longer read. */
  refusedSince: number | null
}

export type WriteAnswer = (socket: Socket) => void

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
  spareConnectionsThatSend(server, connections)
  const check = (): void => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      if (isOverdue(socket, connection, deadlines, now)) socket.destroy()
    }
  }
  const timer = setInterval(check, checkInterval(Math.min(idleMs, bodyMs, answerMs)))
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return {
    /**
     * Stops reading after bytes that cannot be parsed. `answer` is called once all earlier requests are answered, so that the
     * client does not take it for the answer to one of them; it is not called where the request at fault has an answer of its own.
     */
    refuse(socket: Socket, answer: WriteAnswer): void {
      const connection = connections.get(socket)
      if (connection !== undefined && connection.refusedSince !== null) return
      if (connection === undefined || !socket.writable) socket.destroy()
      else refuseAndClose(socket, connection, answer)
    },
  }
}

/**
 * To Node a connection is idle as soon as its answer is handed over. When the service stops, it would cut off what a slow client
 * has not read yet.
 */
function spareConnectionsThatSend(server: Server, connections: ReadonlyMap<Socket, unknown>): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    const sending: Partial<Socket>[] = [...connections.keys()].filter((socket) => socket.writableLength > 0)
    for (const socket of sending) socket.destroy = () => socket as Socket
    closeIdle()
    for (const socket of sending) delete socket.destroy
  }
}

function isOverdue(socket: Socket, connection: Connection, deadlines: Deadlines, now: number): boolean {
  const { refusedSince } = connection
  return (
    (refusedSince !== null && now - refusedSince >= LINGER_MS) ||
    stalledMs(socket, connection, now) >= deadlines.answerMs ||
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
    read: 0,
    readSince: now,
    answeredSince: null,
    refusedSince: null,
  }
}

// ---- For how many milliseconds the checks have found a connection in each state.

/** An answer is being sent, and the client reads none of it. */
function stalledMs(socket: Socket, connection: Connection, now: number): number {
  const read = socket.bytesWritten - socket.writableLength
  if (socket.writableLength === 0 || read !== connection.read) Object.assign(connection, { read, readSince: now })
  return now - connection.readSince
}

/** The request was answered, and its body has not ended. */
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

// ---- The end of a connection that cannot be parsed.

function refuseAndClose(socket: Socket, connection: Connection, answer: WriteAnswer): void {
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
    // Its own body is at fault: the operation answers it, if it did not already.
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
