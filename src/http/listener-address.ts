import type { FastifyInstance } from 'fastify'

/** The port that was assigned if the settings say 0. */
export function portOf(app: FastifyInstance): number {
  const bound = app.server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

export function addressOf(scheme: string, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
