import { Socket } from 'node:net'
import type { Database } from '../database.ts'
import { openPostgres, type PostgresSettings } from './postgres.ts'

export type SeverablePostgres = {
  readonly database: Database
  /** Closes all connections now. Statements in flight fail; the next one opens a new connection. */
  sever(): void
  close(): Promise<void>
}

/**
 * An orderly close waits for a server that no longer answers. These connections can be severed instead, so that their
 * statements can be repeated elsewhere at once.
 */
export function openSeverablePostgres(settings: PostgresSettings): SeverablePostgres {
  const sockets = new Set<Socket>()
  const database = openPostgres({
    ...settings,
    socket() {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
  })
  const sever = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    database,
    sever,
    async close() {
      sever()
      await database.close()
    },
  }
}
