import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { DAY_MS } from '../../runtime/durations.ts'
import { wordsOf } from '../../runtime/error-words.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'
import {
  type Database,
  DatabaseUnavailable,
  type Durability,
  type Last,
  type SqlValue,
  type Statement,
  type StatementObserver,
  UniqueViolation,
  valuesOf,
} from '../database.ts'
import { schemaNumber } from '../migration-list.ts'
import { writeAlone, writeQueues } from '../write-queue.ts'
import { COMMIT, type Result, sendPrepared } from './pipeline/prepared-query.ts'
import { SharedConnections } from './pipeline/shared-connections.ts'
import { openServers } from './servers.ts'

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
  observe?: StatementObserver
  /** Called for every transaction that is undone and repeated because of others, with its SQLSTATE. */
  onConflict?: (code: string) => void
}

const TRANSACTION_TRIES = 6
const RETRYABLE = new Set(['40001', '40P01'])

export function openPostgres(settings: PostgresSettings): Database {
  const { observe = () => {}, onConflict = () => {} } = settings
  const servers = openServers(settings.url)
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
        onConnection(connect, 'durable', (client) => sendPrepared(client, statement, values)),
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
      return withRetries(onConflict, () =>
        onConnection(connect, durability, (client) =>
          inTransaction(client, durability, (begun) => inside.run(true, () => work(transactionHandle(begun, observe)))),
        ),
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
  const client = await connect(durability)
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

async function inTransaction<T>(
  client: pg.PoolClient,
  durability: Durability,
  work: (open: OpenTransaction) => MaybePromise<T>,
): Promise<T> {
  const open = openTransaction(client, durability)
  try {
    const result = await work(open)
    if (open.state() === 'begun') await sendPrepared(client, COMMIT, [])
    return result
  } catch (error) {
    // A lost or silent connection does not even try: that would wait for the timeout again.
    if (!(translated(error) instanceof DatabaseUnavailable)) await rollBack(client, error)
    throw error
  }
}

async function rollBack(client: pg.PoolClient, cause: unknown): Promise<void> {
  try {
    await client.query('rollback')
  } catch {
    throw new DatabaseUnavailable('a transaction could not be rolled back', { cause })
  }
}

type OpenTransaction = ReturnType<typeof openTransaction>

/** A script within a transaction is a migration: it may rewrite large tables, or wait for another process that does. */
const MIGRATION_MS = DAY_MS

/** `begin` is sent with the first statement, and `commit` may be sent with the last. */
function openTransaction(client: pg.PoolClient, durability: Durability) {
  let state: 'new' | 'begun' | 'over' = 'new'
  return {
    state: () => state,
    send(statement: Statement<never, unknown>, values: readonly SqlValue[], last?: Last): Promise<Result> {
      if (state === 'over') throw new Error(`${statement.name} comes after the last statement of its transaction`)
      const around = { begin: state === 'new', relaxed: durability === 'may be lost', commit: last === 'last' }
      state = around.commit ? 'over' : 'begun'
      return sendPrepared(client, statement, values, around)
    },
    async script(sql: string): Promise<void> {
      if (state === 'new') await client.query('begin')
      state = 'begun'
      await client.query({ text: sql, query_timeout: MIGRATION_MS } as pg.QueryConfig)
    },
  }
}

function toPostgres(sql: string): string {
  return sql
    .replace(/\{\{identity\}\}/g, 'bigint generated by default as identity primary key')
    .replace(/\{\{key\}\}/g, 'bigint primary key')
}

/**
 * The SQLSTATEs of a server that cannot serve for now: connection exceptions (08), insufficient resources (53),
 * operator intervention (57: shutdown, starting up, cancelled by timeout), read-only after a failover (25006), and a
 * statement whose preparation failed (26000), which the next caller prepares again.
 */
const UNAVAILABLE_STATE = /^(08|53|57|25006|26000)/

function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !(error instanceof Error)) return error
  const code = (error as { code?: string }).code
  if (code === '23505') return new UniqueViolation('a row with this key exists already', { cause: error })
  const socketFailure = code !== undefined && /^E[A-Z]+$/.test(code)
  const clientFailure = code === undefined && /connect|Connection|timeout|not queryable/.test(error.message)
  if (socketFailure || clientFailure || UNAVAILABLE_STATE.test(code ?? '')) {
    return new DatabaseUnavailable(`PostgreSQL is unavailable: ${wordsOf(error)}`, { cause: error })
  }
  return error
}
