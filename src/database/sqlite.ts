import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Database,
  DatabaseUnavailable,
  type SqlValue,
  type Statement,
  type StatementObserver,
  UniqueViolation,
} from './database.ts'

const BUSY_TIMEOUT_MS = 5_000

/**
 * The embedded engine. One connection writes and one reads. A transaction may await between its statements, so
 * writers take turns: the statements of other requests can never fall into somebody's open transaction, and
 * meanwhile readers see the last commit.
 */
export function openSqlite(file: string, observe: StatementObserver = () => {}): Database {
  mkdirSync(dirname(file), { recursive: true })
  const writer = connect(file)
  const reader = connect(file)
  const turns = turnstile()
  const inside = new AsyncLocalStorage<boolean>()

  const outer: Database = {
    engine: 'sqlite',
    async query(statement, parameters) {
      refuseInside(inside)
      return statement.reads
        ? reader.all(statement, parameters, observe)
        : turns.run(() => writer.all(statement, parameters, observe))
    },
    async one(statement, parameters) {
      refuseInside(inside)
      return statement.reads
        ? reader.first(statement, parameters, observe)
        : turns.run(() => writer.first(statement, parameters, observe))
    },
    async run(statement, parameters) {
      refuseInside(inside)
      return turns.run(() => writer.change(statement, parameters, observe))
    },
    async script(sql) {
      refuseInside(inside)
      return turns.run(() => writer.script(sql))
    },
    async transaction(work) {
      refuseInside(inside)
      return turns.run(async () => {
        writer.script('begin immediate')
        try {
          const result = await inside.run(true, () => work(handle))
          writer.script('commit')
          return result
        } catch (error) {
          writer.rollback()
          throw error
        }
      })
    },
    async close() {
      await turns.run(() => {
        reader.close()
        writer.close()
      })
    },
  }
  const handle: Database = {
    engine: 'sqlite',
    query: async (statement, parameters) => writer.all(statement, parameters, observe),
    one: async (statement, parameters) => writer.first(statement, parameters, observe),
    run: async (statement, parameters) => writer.change(statement, parameters, observe),
    script: async (sql) => writer.script(sql),
    transaction: () => Promise.reject(new Error('a transaction is already open')),
    close: () => Promise.reject(new Error('a transaction does not close the database')),
  }
  return outer
}

function refuseInside(inside: AsyncLocalStorage<boolean>): void {
  if (inside.getStore()) throw new Error('inside a transaction, use the handle it was given')
}

/** First come, first served; runs at once, without a promise in between, when nobody is before. */
function turnstile() {
  let last: Promise<unknown> | undefined
  return {
    run<T>(work: () => T | Promise<T>): T | Promise<T> {
      const before = last
      const mine = before ? before.then(work, work) : work()
      if (!(mine instanceof Promise)) return mine
      const settled = mine
        .catch(() => {})
        .then(() => {
          if (last === settled) last = undefined
        })
      last = settled
      return mine
    },
  }
}

function connect(file: string) {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory')
  const prepared = new Map<Statement<never, unknown>, StatementSync>()

  function ready(statement: Statement<never, unknown>): StatementSync {
    let found = prepared.get(statement)
    if (!found) {
      found = connection.prepare(toSqlite(statement.sql))
      prepared.set(statement, found)
    }
    return found
  }

  function timed<T>(name: string, observe: StatementObserver, work: () => T): T {
    const start = performance.now()
    try {
      return work()
    } catch (error) {
      throw translated(error)
    } finally {
      observe(name, (performance.now() - start) / 1000)
    }
  }

  return {
    all: <P extends readonly SqlValue[], R>(statement: Statement<P, R>, parameters: P, observe: StatementObserver) =>
      timed(statement.name, observe, () => ready(statement as never).all(...parameters) as R[]),
    first: <P extends readonly SqlValue[], R>(statement: Statement<P, R>, parameters: P, observe: StatementObserver) =>
      timed(statement.name, observe, () => ready(statement as never).get(...parameters) as R | undefined),
    change: <P extends readonly SqlValue[], R>(statement: Statement<P, R>, parameters: P, observe: StatementObserver) =>
      timed(statement.name, observe, () => Number(ready(statement as never).run(...parameters).changes)),
    script: (sql: string) =>
      timed(
        'script',
        () => {},
        () => connection.exec(toSqlite(sql)),
      ),
    rollback: () => {
      // SQLite rolls back by itself on some errors (disk full); a second rollback would hide the first error.
      if (connection.isTransaction) connection.exec('rollback')
    },
    close: () => connection.close(),
  }
}

/** What PostgreSQL needs and SQLite must not see: row locks (one writer has no need of them) and parameter style. */
export function toSqlite(sql: string): string {
  return sql
    .replace(/\bfor (no key update|update|share)( of \w+(, \w+)*)?( skip locked)?/gi, '')
    .replace(/\$(\d+)/g, '?$1')
    .replace(/\{\{identity\}\}/g, 'integer primary key autoincrement')
    .replace(/\{\{key\}\}/g, 'integer primary key')
}

const SQLITE_BUSY = 5
const SQLITE_FULL = 13
const SQLITE_IOERR = 10
const SQLITE_CONSTRAINT_UNIQUE = 2067
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555

function translated(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode
  if (code === undefined) return error
  if (code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY) {
    return new UniqueViolation('this key is already there', { cause: error })
  }
  const primary = code & 0xff
  if (primary === SQLITE_BUSY || primary === SQLITE_FULL || primary === SQLITE_IOERR) {
    return new DatabaseUnavailable(`the embedded database cannot serve: ${(error as Error).message}`, { cause: error })
  }
  return error
}
