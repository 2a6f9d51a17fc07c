import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import {
  type Database,
  DatabaseNotReached,
  DatabaseUnavailable,
  type Durability,
  type Last,
  type SqlValue,
  type Statement,
  type StatementObserver,
  valuesOf,
} from '../database.ts'
import { schemaNumber } from '../migration-list.ts'
import { writeAlone, writeQueues } from '../write-queue.ts'
import type { CommitPositions } from './commit-positions.ts'
import { translated } from './errors.ts'
import type { Result } from './pipeline/prepared-query.ts'
import { SharedConnections } from './pipeline/shared-connections.ts'
import { openServers } from './servers.ts'
import { inTransaction, type OpenTransaction, sendAlone, toPostgres } from './transaction.ts'

export type PostgresSettings = {
  /** Names one server or several (servers.ts). */
  url: string
  /** Connections shared by single statements, pipelined: many requests in flight on each. */
  sharedConnections?: number
  /** Connections for transactions, one each while it lasts. */
  transactionConnections?: number
  statementTimeoutMs?: number
  connectTimeoutMs?: number
  /** Creates the sockets, for a caller who may close them (severable-postgres.ts). */
  socket?: () => Socket
  /** Throws if a durable write would wait, so that it fails at once instead (write-check.ts). */
  beforeWrite?: () => void
  /** The timeline that a server must be on at least, once another one was promoted (primary-watch.ts); null: any. */
  demandedTimeline?: () => number | null
  /** Where each durable commit is in the log (x-write-position); absent: nobody needs to know. */
  commits?: CommitPositions | undefined
  observe?: StatementObserver
  /** Called for every transaction that is undone and repeated because of others, with its SQLSTATE. */
  onConflict?: (code: string) => void
}

const TRANSACTION_TRIES = 6
const RETRYABLE = new Set(['40001', '40P01'])

export function openPostgres(settings: PostgresSettings): Database {
  const { observe = () => {}, onConflict = () => {} } = settings
  const servers = openServers(settings.url, settings.demandedTimeline)
  const { connection, silentMs } = connectionConfig(settings)
  const shared = new SharedConnections(connection, settings.sharedConnections ?? 3, { silentMs, servers })
  const pool = new pg.Pool({
    ...connection,
    query_timeout: silentMs,
    max: settings.transactionConnections ?? 10,
    Client: servers.Client as new () => pg.Client,
    onConnect: servers.checkForWrites,
  })
  // An idle connection that dies (server restart) is dropped by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const inside = new AsyncLocalStorage<boolean>()
  const notePosition = settings.commits?.note
  const connect: Connect = (durability) => {
    if (durability === 'durable') settings.beforeWrite?.()
    return servers.connectToAny(() => pool.connect())
  }

  /** A statement that writes or locks never runs on a shared connection: the reads behind it would wait for its commit. */
  async function send(statement: Statement<never, unknown>, values: readonly SqlValue[]): Promise<Result> {
    if (inside.getStore()) throw new Error('inside a transaction, use the handle it was given')
    const start = performance.now()
    try {
      if (statement.access === 'reads') return await shared.send(statement, values)
      return await withRetries(onConflict, () =>
        onConnection(connect, 'durable', (client) => sendAlone(client, statement, values, notePosition)),
      )
    } catch (error) {
      throw translated(error)
    } finally {
      observe(statement.name, (performance.now() - start) / 1000)
    }
  }

  const database: Database = {
    ...queriesWith(send),
    inBatch: (write, item) => batches.add(write, item),
    script: async (sql) => {
      await pool.query(toPostgres(sql)).catch((error) => {
        throw translated(error)
      })
    },
    transaction: async (work, durability = 'durable') => {
      if (inside.getStore()) throw new Error('a transaction is already open')
      const run = (begun: OpenTransaction) => inside.run(true, () => work(transactionHandle(begun, observe)))
      return withRetries(onConflict, () =>
        onConnection(connect, durability, (client) => inTransaction(client, { durability, notePosition }, run)),
      )
    },
    close: async () => {
      await Promise.all([shared.close(), pool.end()])
    },
  }
  const batches = writeQueues(database)
  return database
}

function connectionConfig(settings: PostgresSettings): { connection: pg.ClientConfig; silentMs: number } {
  const { statementTimeoutMs = 10_000, connectTimeoutMs = 3_000, socket } = settings
  const connection: pg.ClientConfig = {
    // Tells a later version that migrates who else is there (../migrate.ts).
    application_name: `paddock ${schemaNumber()}`,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The tests check the generic plans. Left to choose, the server plans long statements again each time, which takes as
    // long as running them.
    options: '-c plan_cache_mode=force_generic_plan',
    keepAlive: true,
    ...(socket === undefined ? {} : { stream: socket }),
  }
  // The server's own timeout fires first; this one is for a server that no longer answers.
  return { connection, silentMs: statementTimeoutMs + 2_000 }
}

type Send = (statement: Statement<never, unknown>, values: readonly SqlValue[], last?: Last) => Promise<Result>

function queriesWith(send: Send): Pick<Database, 'engine' | 'query' | 'one' | 'run'> {
  return {
    engine: 'postgres',
    query: async (statement, parameters, last) =>
      (await send(statement as never, valuesOf(statement as never, parameters), last)).rows,
    one: async (statement, parameters, last) =>
      (await send(statement as never, valuesOf(statement as never, parameters), last)).rows[0],
    run: async (statement, parameters, last) =>
      (await send(statement as never, valuesOf(statement as never, parameters), last)).changed,
  }
}

function transactionHandle(open: OpenTransaction, observe: StatementObserver): Database {
  const send: Send = async (statement, values, last) => {
    const start = performance.now()
    try {
      return await open.send(statement, values, last)
    } finally {
      observe(statement.name, (performance.now() - start) / 1000)
    }
  }
  const handle: Database = {
    ...queriesWith(send),
    inBatch: (write, item) => writeAlone(handle, write, item),
    script: (sql) => open.script(toPostgres(sql)),
    transaction: () => Promise.reject(new Error('a transaction is already open')),
    close: () => Promise.reject(new Error('the handle of a transaction cannot be closed: close the database itself')),
  }
  return handle
}

/** The only place that retries serialization failures and deadlocks. */
async function withRetries<T>(onConflict: (code: string) => void, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (!RETRYABLE.has(code)) throw translated(error)
      onConflict(code)
      if (attempt === TRANSACTION_TRIES) {
        throw new DatabaseUnavailable('gave up after repeated conflicts with other transactions', { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt))
    }
  }
}

type Connect = (durability: Durability) => Promise<pg.PoolClient>

/** A connection that was lost, or fell silent, does not return to the pool. */
async function onConnection<T>(
  connect: Connect,
  durability: Durability,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connected(connect, durability)
  let broken = false
  try {
    return await work(client)
  } catch (error) {
    broken = translated(error) instanceof DatabaseUnavailable
    throw error
  } finally {
    client.release(broken)
  }
}

async function connected(connect: Connect, durability: Durability): Promise<pg.PoolClient> {
  try {
    return await connect(durability)
  } catch (error) {
    const known = translated(error)
    throw known instanceof DatabaseUnavailable ? new DatabaseNotReached(known.message, { cause: error }) : known
  }
}
