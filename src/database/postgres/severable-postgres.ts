import { Socket } from 'node:net'
import type { Database } from '../database.ts'
import { openPostgres, type PostgresSettings } from './postgres.ts'

export type SeverablePostgres = {
  readonly database: Database
  /** Ends all connections now. What waits on them fails; the next statement opens new ones. */
  sever(): void
  close(): Promise<void>
}

/**
 * A server that no longer answers also does not say goodbye, and a connection that is closed in order waits for that.
 * These connections can be cut, so that what was asked on them can be asked elsewhere at once.
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
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    database,
    sever: cut,
    async close() {
      cut()
      await database.close()
    },
  }
}
