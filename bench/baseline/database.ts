// The database port of the baseline: the drivers with as little as possible on top. No metrics, no retries, no
// translated errors, no checks.

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { type Database, type Statement, valuesOf } from '../../src/platform/database/database.ts'
import { toSqlite } from '../../src/platform/database/sqlite/connection.ts'
import { writeAlone } from '../../src/platform/database/write-queue.ts'
import type { DatabaseAddress } from '../data/build.ts'

export function openBaselineDatabase(address: DatabaseAddress): Database {
  return address.engine === 'sqlite' ? baselineSqlite(address.file) : baselinePostgres(address.url)
}

type AnyStatement = Statement<never, unknown>

function baselineSqlite(file: string): Database {
  const connection = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true })
  connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory')
  const prepared = new Map<AnyStatement, StatementSync>()
  let last: Promise<unknown> = Promise.resolve()

  function prepare(statement: AnyStatement): StatementSync {
    let found = prepared.get(statement)
    if (found === undefined) {
      found = connection.prepare(toSqlite(statement.sql))
      prepared.set(statement, found)
    }
    return found
  }

  const database: Database = {
    engine: 'sqlite',
    query: async (statement, parameters) =>
      prepare(statement as AnyStatement).all(...valuesOf(statement as AnyStatement, parameters)) as never,
    one: async (statement, parameters) =>
      prepare(statement as AnyStatement).get(...valuesOf(statement as AnyStatement, parameters)) as never,
    run: async (statement, parameters) =>
      Number(prepare(statement as AnyStatement).run(...valuesOf(statement as AnyStatement, parameters)).changes),
    inBatch: (write, item) => writeAlone(database, write, item),
    script: async (sql) => connection.exec(toSqlite(sql)),
    // One after the other: there is one connection.
    transaction: (work) => {
      const transaction = last.then(async () => {
        connection.exec('begin immediate')
        try {
          const result = await work(database)
          connection.exec('commit')
          return result
        } catch (error) {
          connection.exec('rollback')
          throw error
        }
      })
      last = transaction.catch(() => {})
      return transaction
    },
    close: async () => connection.close(),
  }
  return database
}

const SHARED = 3
const POOLED = 10

function baselinePostgres(url: string): Database {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  const pool = new pg.Pool({ connectionString: url, types, max: POOLED })
  const shared = Array.from({ length: SHARED }, async () => {
    const client = new pg.Client({ connectionString: url, types, pipeline: true } as pg.ClientConfig)
    await client.connect()
    return client
  })
  let next = 0

  function handle(client: () => Promise<pg.ClientBase> | pg.ClientBase): Database {
    const send = async (statement: AnyStatement, values: readonly unknown[]) =>
      (await client()).query({ name: statement.name, text: statement.sql, values: values as unknown[] })
    const database: Database = {
      engine: 'postgres',
      query: async (statement, parameters) =>
        (await send(statement as AnyStatement, valuesOf(statement as AnyStatement, parameters))).rows,
      one: async (statement, parameters) =>
        (await send(statement as AnyStatement, valuesOf(statement as AnyStatement, parameters))).rows[0],
      run: async (statement, parameters) =>
        (await send(statement as AnyStatement, valuesOf(statement as AnyStatement, parameters))).rowCount ?? 0,
      inBatch: (write, item) => writeAlone(database, write, item),
      script: async (sql) => {
        await pool.query(sql)
      },
      transaction: async (work) => {
        const own = await pool.connect()
        try {
          await own.query('begin')
          const result = await work(handle(() => own))
          await own.query('commit')
          own.release()
          return result
        } catch (error) {
          own.release(true)
          throw error
        }
      },
      close: async () => {
        await Promise.all([pool.end(), ...shared.map(async (one) => (await one).end())])
      },
    }
    return database
  }
  return handle(() => {
    next = (next + 1) % SHARED
    return shared[next] as Promise<pg.Client>
  })
}
