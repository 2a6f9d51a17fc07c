import type { FastifyInstance } from 'fastify'

/** The assigned port, where the settings have 0. */
export function portOf(app: FastifyInstance): number {
  const bound = app.server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

/** To listen on every address of the machine; nobody can open these. */
const EVERY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** An address that a browser on this machine can open. `tls`: null is plain HTTP. */
export function addressOf({ host, tls }: { host: string; tls: unknown }, port: number): string {
  const name = EVERY_ADDRESS[host] ?? host
  return `${tls === null ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
