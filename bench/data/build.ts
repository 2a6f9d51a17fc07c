// Fills an empty database quickly: one connection, no checks of foreign keys, no triggers (the counts are filled too),
// indexes created at the end.

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Database } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { toSqlite } from '../../src/platform/database/sqlite/connection.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import type { Progress } from '../progress.ts'
import { fillBoard } from './board.ts'
import { type FillStep, fillSteps } from './fill-sql.ts'
import type { Size } from './sizes.ts'
import { fillTipLog } from './tip-log.ts'

export type DatabaseAddress = { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: string }

export type RawConnection = {
  run(sql: string): Promise<void>
  rows<R>(sql: string): Promise<R[]>
  close(): Promise<void>
}

const ROWS_PER_STATEMENT = 50_000

/** `now`: the time of the latest rows. */
export async function build(address: DatabaseAddress, size: Size, now: number, progress: Progress): Promise<void> {
  const engine = engineSql[address.engine]
  await withDatabase(address, (database) => migrate(database, now))
  await withConnection(address, (connection) => fill(connection, engine, fillSteps(size, now), { size, progress }))
  await withDatabase(address, async (database) => {
    await fillBoard(database, now)
    progress.advance(0, 'log of tips')
    await fillTipLog(database, { first: 1, last: size.tips }, now)
  })
  await withConnection(address, (connection) => runAll(connection, engine.finish))
  progress.end()
}

/** The log of tips takes as long as so many indexes. */
const LOG_WEIGHT = 20

type EngineSql = (typeof engineSql)['sqlite' | 'postgres']

async function fill(
  connection: RawConnection,
  engine: EngineSql,
  steps: readonly FillStep[],
  { size, progress }: { size: Size; progress: Progress },
): Promise<void> {
  await connection.run(engine.begin)
  const indexes = await drop(connection, 'index', engine.indexes)
  const triggers = engine.triggers === null ? [] : await drop(connection, 'trigger', engine.triggers)
  // For the progress bar: an index, or a statement over a whole table, takes about as long as this many rows.
  const heavy = size.tips / 4
  progress.begin(steps.reduce((sum, step) => sum + (step.rows || heavy), 0) + (indexes.length + LOG_WEIGHT) * heavy)
  for (const step of steps) await runStep(connection, step, { heavy, progress })
  for (const { name, text } of indexes) {
    await connection.run(text)
    progress.advance(heavy, `index ${name}`)
  }
  for (const { text } of triggers) await connection.run(text)
  await runAll(connection, engine.filled)
}

async function runAll(connection: RawConnection, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await connection.run(sql)
}

async function withConnection(
  address: DatabaseAddress,
  work: (connection: RawConnection) => Promise<void>,
): Promise<void> {
  const connection = await openRawConnection(address)
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}

async function withDatabase(address: DatabaseAddress, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = address.engine === 'sqlite' ? openSqlite(address.file) : openPostgres({ url: address.url })
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

type Definition = { name: string; text: string }

/** Returns the definitions, to create them again. */
async function drop(connection: RawConnection, type: 'index' | 'trigger', query: string): Promise<Definition[]> {
  const definitions = await connection.rows<Definition>(query)
  for (const { name } of definitions) await connection.run(`drop ${type} ${name}`)
  return definitions
}

async function runStep(
  connection: RawConnection,
  { title, rows, sql }: FillStep,
  { heavy, progress }: { heavy: number; progress: Progress },
): Promise<void> {
  if (rows === 0) {
    await connection.run(sql)
    progress.advance(heavy, title)
    return
  }
  for (let first = 1; first <= rows; first += ROWS_PER_STATEMENT) {
    const last = Math.min(rows, first + ROWS_PER_STATEMENT - 1)
    const numbers = `with recursive n (i) as (select cast(${first} as bigint) union all select i + 1 from n where i < ${last})`
    await connection.run(sql.replace('NUMBERS', numbers))
    progress.advance(last - first + 1, title)
  }
}

const engineSql = {
  sqlite: {
    begin: 'pragma locking_mode = exclusive; pragma journal_mode = off',
    indexes: `select name, sql as text from sqlite_master where type = 'index' and sql is not null`,
    triggers: `select name, sql as text from sqlite_master where type = 'trigger'`,
    filled: [
      `insert into profile_name_search (rowid, words) select id, name_words from profile`,
      `insert into profile_search (rowid, words) select id, name_words || biography_words from profile`,
      'update comment_search_position set position = (select max(id) from comment)',
      'pragma journal_mode = wal',
    ],
    // No analyze: the service never gathers statistics on SQLite.
    finish: [],
  },
  postgres: {
    begin: `set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
    indexes: `select indexname as name, indexdef as text from pg_indexes
      where schemaname = 'public' and indexname not in (select conname from pg_constraint)`,
    // No trigger fires for a replica.
    triggers: null,
    // Sequences continue after the ids in use.
    filled: [
      `select setval(pg_get_serial_sequence('profile', 'id'), (select max(id) from profile))`,
      `select setval(pg_get_serial_sequence('comment', 'id'), (select max(id) from comment))`,
      'analyze',
    ],
    // What autovacuum does within minutes.
    finish: ['vacuum analyze'],
  },
}

/** A connection of the driver, without the service's database layer. */
export async function openRawConnection(address: DatabaseAddress): Promise<RawConnection> {
  if (address.engine === 'sqlite') {
    const sqlite = new DatabaseSync(address.file, { timeout: 60_000, enableForeignKeyConstraints: false })
    sqlite.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma temp_store = memory')
    return {
      run: async (sql) => sqlite.exec(toSqlite(sql)),
      rows: async <R>(sql: string) => sqlite.prepare(toSqlite(sql)).all() as R[],
      close: async () => sqlite.close(),
    }
  }
  const client = new pg.Client({ connectionString: address.url })
  await client.connect()
  return {
    run: async (sql) => {
      await client.query(sql)
    },
    rows: async (sql) => (await client.query(sql)).rows,
    close: () => client.end(),
  }
}
