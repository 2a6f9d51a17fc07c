import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import {
  type Database,
  DatabaseUnavailable,
  type SqlValue,
  type Statement,
  type StatementObserver,
  UniqueViolation,
} from './database.ts'

export type PostgresSettings = {
  url: string
  /** Connections shared by single statements, pipelined: many requests in flight on each. */
  sharedConnections?: number
  /** Connections for transactions, one each while it lasts. */
  transactionConnections?: number
  statementTimeoutMs?: number
  connectTimeoutMs?: number
  observe?: StatementObserver
}

const TRANSACTION_TRIES = 6
const RETRYABLE = new Set(['40001', '40P01'])

// Integers and sums arrive as text by default; ours fit a double (money is selected as text and read as BigInt).
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export function openPostgres(settings: PostgresSettings): Database {
  const observe = settings.observe ?? (() => {})
  const connection: pg.ClientConfig = {
    connectionString: settings.url,
    application_name: 'paddock',
    connectionTimeoutMillis: settings.connectTimeoutMs ?? 3_000,
    statement_timeout: settings.statementTimeoutMs ?? 10_000,
    // The server's own time-out answers first; this one is for a server that no longer answers at all.
    query_timeout: (settings.statementTimeoutMs ?? 10_000) + 2_000,
    keepAlive: true,
    types,
  }
  const shared = sharedClients(connection, settings.sharedConnections ?? 3)
  const pool = new pg.Pool({ ...connection, max: settings.transactionConnections ?? 10 })
  // An idle connection that dies (server restart) is dropped by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const inside = new AsyncLocalStorage<boolean>()

  async function send<R>(statement: Statement<never, R>, parameters: readonly SqlValue[]): Promise<pg.QueryResult> {
    if (inside.getStore()) throw new Error('inside a transaction, use the handle it was given')
    const start = performance.now()
    try {
      return await sendOn(await shared.next(), statement, parameters)
    } catch (error) {
      throw translated(error)
    } finally {
      observe(statement.name, (performance.now() - start) / 1000)
    }
  }

  return {
    engine: 'postgres',
    query: async (statement, parameters) => (await send(statement as never, parameters)).rows,
    one: async (statement, parameters) => (await send(statement as never, parameters)).rows[0],
    run: async (statement, parameters) => (await send(statement as never, parameters)).rowCount ?? 0,
    script: async (sql) => {
      await pool.query(toPostgres(sql)).catch((error) => {
        throw translated(error)
      })
    },
    transaction: async (work) => {
      if (inside.getStore()) throw new Error('a transaction is already open')
      return inRetriedTransaction(pool, (client) => inside.run(true, () => work(transactionHandle(client, observe))))
    },
    close: async () => {
      await Promise.all([shared.close(), pool.end()])
    },
  }
}

function sendOn<R>(client: pg.ClientBase, statement: Statement<never, R>, parameters: readonly SqlValue[]) {
  return client.query({ name: statement.name, text: statement.sql, values: parameters as SqlValue[] })
}

function transactionHandle(client: pg.PoolClient, observe: StatementObserver): Database {
  async function send<R>(statement: Statement<never, R>, parameters: readonly SqlValue[]): Promise<pg.QueryResult> {
    const start = performance.now()
    try {
      return await sendOn(client, statement, parameters)
    } finally {
      observe(statement.name, (performance.now() - start) / 1000)
    }
  }
  return {
    engine: 'postgres',
    query: async (statement, parameters) => (await send(statement as never, parameters)).rows,
    one: async (statement, parameters) => (await send(statement as never, parameters)).rows[0],
    run: async (statement, parameters) => (await send(statement as never, parameters)).rowCount ?? 0,
    script: async (sql) => {
      await client.query(toPostgres(sql))
    },
    transaction: () => Promise.reject(new Error('a transaction is already open')),
    close: () => Promise.reject(new Error('a transaction does not close the database')),
  }
}

/** The one place where serialization failures and deadlocks are tried again. */
async function inRetriedTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, work)
    } catch (error) {
      if (!RETRYABLE.has((error as { code?: string }).code ?? '')) throw translated(error)
      if (attempt === TRANSACTION_TRIES) {
        throw new DatabaseUnavailable('gave up after repeated conflicts with other transactions', { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt))
    }
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot even roll back must not go back to the pool.
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** A few pipelined connections used in turn; one that breaks is replaced at its next use. */
function sharedClients(config: pg.ClientConfig, size: number) {
  const slots: (Promise<pg.Client> | undefined)[] = new Array(size).fill(undefined)
  let turn = 0
  let closed = false

  async function open(slot: number): Promise<pg.Client> {
    const client = new pg.Client({ ...config, pipeline: true })
    const drop = () => {
      slots[slot] = undefined
    }
    client.on('error', drop)
    client.on('end', drop)
    try {
      await client.connect()
    } catch (error) {
      drop()
      throw error
    }
    return client
  }

  return {
    next(): Promise<pg.Client> {
      if (closed) return Promise.reject(new DatabaseUnavailable('the database is closed'))
      turn = (turn + 1) % size
      slots[turn] ??= open(turn)
      return slots[turn] as Promise<pg.Client>
    },
    async close(): Promise<void> {
      closed = true
      const clients = await Promise.allSettled(slots.filter((slot) => slot !== undefined))
      await Promise.all(clients.map((client) => (client.status === 'fulfilled' ? client.value?.end() : undefined)))
    },
  }
}

export function toPostgres(sql: string): string {
  return sql
    .replace(/\{\{identity\}\}/g, 'bigint generated by default as identity primary key')
    .replace(/\{\{key\}\}/g, 'bigint primary key')
}

/**
 * What PostgreSQL says when it cannot serve for now: connection exceptions (08), insufficient resources (53),
 * operator intervention (57: shutdown, starting up, cancelled by time-out), read-only after a failover (25006).
 */
const UNAVAILABLE_STATE = /^(08|53|57|25006)/

function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !(error instanceof Error)) return error
  const code = (error as { code?: string }).code
  if (code === '23505') return new UniqueViolation('this key is already there', { cause: error })
  const socketFailure = code !== undefined && /^E[A-Z]+$/.test(code)
  const clientFailure = code === undefined && /connect|Connection|timeout|not queryable/.test(error.message)
  if (socketFailure || clientFailure || UNAVAILABLE_STATE.test(code ?? '')) {
    return new DatabaseUnavailable(`PostgreSQL cannot serve: ${error.message}`, { cause: error })
  }
  return error
}
