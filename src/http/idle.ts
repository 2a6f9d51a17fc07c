import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Longer than most balancers keep theirs, and than any request may take: the answer may be all that a connection waits for. */
export const KEEP_ALIVE_MS = 150_000

/** How exactly the time is kept: a connection is closed after its time and at most an eighth more. */
const LOOKS = 8

type Seen = { bytes: number; since: number }

/**
 * Closes connections on which nothing came or went for a while. Node's own way sets a timer and clears it for each request,
 * a twentieth of the time of a short one; looking at all connections now and then costs requests nothing.
 */
export function closeIdleConnections(server: Server, idleMs = KEEP_ALIVE_MS): void {
  const connections = new Map<Socket, Seen>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { bytes: -1, since: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })
  const timer = setInterval(look, idleMs / LOOKS)
  timer.unref()
  server.once('close', () => clearInterval(timer))

  function look(): void {
    const now = performance.now()
    for (const [socket, seen] of connections) {
      const bytes = socket.bytesRead + socket.bytesWritten
      if (bytes !== seen.bytes) connections.set(socket, { bytes, since: now })
      else if (now - seen.since >= idleMs) socket.destroy()
    }
  }
}
