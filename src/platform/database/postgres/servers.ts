// The servers of a URL. Connections are opened to the server in use; when that cannot be reached, or takes no writes
// although the URL demands it, the next one is in use. So the service follows the primary after a failover, without a
// balancer.

import pg from 'pg'
import { serversOf } from '../../runtime/postgres-url.ts'
import { DatabaseUnavailable } from '../database.ts'
import { CURRENT_TIMELINE } from './heartbeat-store.ts'

export type Servers = {
  /** Opens connections to the server in use. */
  readonly Client: new (
    config: pg.ClientConfig,
  ) => pg.Client
  /** Where the URL demands a primary: fails on a server that takes no writes, or, for reads, on a standby. */
  checkForWrites(client: pg.ClientBase): Promise<void>
  checkForReads(client: pg.ClientBase): Promise<void>
  /** Calls `connect` once for each server, until it succeeds. */
  connectToAny<C>(connect: () => Promise<C>): Promise<C>
}

/** `demandedTimeline`: once another server was promoted, the former primary is refused (primary-watch.ts). */
export function openServers(url: string, demandedTimeline: () => number | null = () => null): Servers {
  const { urls, mustTakeWrites } = serversOf(url)
  let current = 0

  /** If several connections fail at once, only one changes the server. */
  function leave(server: number): void {
    if (server === current) current = (server + 1) % urls.length
  }

  class Client extends pg.Client {
    readonly #server = current

    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: urls[current] as string })
    }

    leaveServer(): void {
      leave(this.#server)
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connecting = super.connect() as unknown as Promise<this>
      connecting.catch(() => this.leaveServer())
      if (callback === undefined) return connecting
      connecting.then(() => callback(undefined as never), callback)
      return undefined
    }
  }

  async function check(client: pg.ClientBase, isWrong: string, problem: string): Promise<void> {
    const demanded = demandedTimeline()
    if (demanded !== null && (await timelineOf(client)) < demanded) {
      leaveAndThrow(client, `the server is not on timeline ${demanded} or a newer one`)
    }
    if (!mustTakeWrites) return
    const { rows } = await client.query(`select ${isWrong} as wrong`)
    if (rows[0]?.wrong) leaveAndThrow(client, problem)
  }

  return {
    Client,
    checkForWrites: (client) =>
      check(client, `current_setting('transaction_read_only') = 'on'`, 'the server takes no writes'),
    checkForReads: (client) => check(client, 'pg_is_in_recovery()', 'the server is a standby'),
    async connectToAny(connect) {
      for (let tries = 1; ; tries++) {
        const tried = current
        try {
          return await connect()
        } catch (error) {
          // Nothing but the server's failure changes the server: waiting for a free connection may fail too.
          if (tries === urls.length || current === tried) throw error
        }
      }
    },
  }
}

function leaveAndThrow(client: pg.ClientBase, why: string): never {
  ;(client as pg.ClientBase & { leaveServer(): void }).leaveServer()
  throw new DatabaseUnavailable(why)
}

/** 0: it is a standby. */
async function timelineOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query(
    `select case when pg_is_in_recovery() then 0 else ${CURRENT_TIMELINE} end as timeline`,
  )
  return rows[0]?.timeline ?? 0
}
