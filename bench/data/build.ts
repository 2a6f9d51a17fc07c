// Fills an empty database quickly: one connection, no foreign keys checked, indexes made at the end.

import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { migrate } from '../../src/database/migrate.ts'
import { openPostgres } from '../../src/database/postgres/postgres.ts'
import { toSqlite } from '../../src/database/sqlite/connection.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite.ts'
import type { Progress } from '../progress.ts'
import { type Step, steps } from './fill-sql.ts'
import type { Size } from './sizes.ts'

/** A file of SQLite, or the address of a database of PostgreSQL. */
export type Target = { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: string }

export type Hand = {
  run(sql: string): Promise<void>
  rows<R>(sql: string): Promise<R[]>
  close(): Promise<void>
}

const PART = 50_000

/** `now`: when the set's time ends. */
export async function build(target: Target, size: Size, now: number, progress: Progress): Promise<void> {
  const database = target.engine === 'sqlite' ? openSqlite(target.file) : openPostgres({ url: target.url })
  await migrate(database, now)
  await database.close()
  const hand = await openHand(target)
  try {
    const engine = makers[target.engine]
    await hand.run(engine.begin)
    const indexes = await hand.rows<{ name: string; text: string }>(engine.indexes)
    for (const { name } of indexes) await hand.run(`drop index ${name}`)
    const all = steps(size, now)
    // An index, or a statement over everything, takes about as long as so many rows.
    const heavy = size.tips / 4
    progress.begin(all.reduce((sum, step) => sum + (step.rows || heavy), 0) + indexes.length * heavy)
    for (const step of all) await perform(hand, step, heavy, progress)
    for (const { name, text } of indexes) {
      await hand.run(text)
      progress.advance(heavy, `index ${name}`)
    }
    for (const sql of engine.finish) await hand.run(sql)
  } finally {
    await hand.close()
  }
  progress.end()
}

async function perform(hand: Hand, { what, rows, sql }: Step, heavy: number, progress: Progress): Promise<void> {
  if (rows === 0) {
    await hand.run(sql)
    progress.advance(heavy, what)
    return
  }
  for (let first = 1; first <= rows; first += PART) {
    const last = Math.min(rows, first + PART - 1)
    const numbers = `with recursive n (i) as (select cast(${first} as bigint) union all select i + 1 from n where i < ${last})`
    await hand.run(sql.replace('NUMBERS', numbers))
    progress.advance(last - first + 1, what)
  }
}

const makers = {
  sqlite: {
    begin: 'pragma locking_mode = exclusive; pragma journal_mode = off',
    indexes: `select name, sql as text from sqlite_master where type = 'index' and sql is not null`,
    // As the service leaves it: it never gathers statistics of SQLite.
    finish: ['pragma journal_mode = wal'],
  },
  postgres: {
    begin: `set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
    indexes: `select indexname as name, indexdef as text from pg_indexes
      where schemaname = 'public' and indexname not in (select conname from pg_constraint)`,
    // What autovacuum does within minutes; and ids that were given must not be given again.
    finish: [
      `select setval(pg_get_serial_sequence('profile', 'id'), (select max(id) from profile))`,
      `select setval(pg_get_serial_sequence('comment', 'id'), (select max(id) from comment))`,
      'vacuum analyze',
    ],
  },
}

/** A bare connection, for filling and for looking. */
export async function openHand(target: Target): Promise<Hand> {
  if (target.engine === 'sqlite') {
    const connection = new DatabaseSync(target.file, { timeout: 60_000, enableForeignKeyConstraints: false })
    connection.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma temp_store = memory')
    return {
      run: async (sql) => connection.exec(toSqlite(sql)),
      rows: async <R>(sql: string) => connection.prepare(toSqlite(sql)).all() as R[],
      close: async () => connection.close(),
    }
  }
  const client = new pg.Client({ connectionString: target.url })
  await client.connect()
  return {
    run: async (sql) => {
      await client.query(sql)
    },
    rows: async (sql) => (await client.query(sql)).rows,
    close: () => client.end(),
  }
}
