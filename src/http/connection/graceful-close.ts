import type { FastifyInstance } from 'fastify'

/** A connection that serves a request when closing begins would otherwise stay open for the next one. */
const CLOSE_IDLE_EVERY_MS = 50
/** Requests that take longer than this to finish are cut off. */
const MAX_CLOSING_MS = 15_000

export function gracefulClose(app: FastifyInstance): { close(): Promise<void> } {
  return {
    async close() {
      const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
      const late = setTimeout(() => app.server.closeAllConnections(), MAX_CLOSING_MS)
      await app.close()
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}
