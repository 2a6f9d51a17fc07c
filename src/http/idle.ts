import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

/** Longer than most balancers keep theirs. */
export const KEEP_ALIVE_MS = 72_000

/** How exactly the time is kept: a connection is closed after its time and at most an eighth more. */
const LOOKS = 8

/** `response`: the last one begun, for as long as it may be under way. */
type Seen = { bytes: number; since: number; response: ServerResponse | null }

/**
 * Closes connections on which nothing came or went for a while and nothing is waited for. Node's own way sets a timer and
 * clears it for each request, a twentieth of the time of a short one; looking at all connections now and then costs less.
 */
export function closeIdleConnections(server: Server, idleMs = KEEP_ALIVE_MS): void {
  const connections = new Map<Socket, Seen>()
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, { bytes: 0, since: performance.now(), response: null })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    const seen = connections.get(socket)
    if (seen !== undefined) seen.response = response
  })
  const timer = setInterval(look, idleMs / LOOKS)
  timer.unref()
  server.once('close', () => clearInterval(timer))

  function look(): void {
    const now = performance.now()
    for (const [socket, seen] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten
      const isWaiting = seen.response !== null && !seen.response.closed
      if (!isWaiting) seen.response = null
      if (isWaiting || bytes !== seen.bytes) Object.assign(seen, { bytes, since: now })
      else if (now - seen.since >= idleMs) socket.destroy()
    }
  }
}
