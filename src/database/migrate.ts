import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type Database, type NoParameters, reading, writing } from './database.ts'

export const migrationsFolder = new URL('../../migrations/', import.meta.url)

type Migration = { number: number; name: string; sql: string; checksum: string }

/** Any number that no other user of the same PostgreSQL server's advisory locks is likely to take. */
const LOCK = 7_233_625

export const appliedMigrations = reading<NoParameters, { number: number; name: string; checksum: string }>(
  'appliedMigrations',
  'select number, name, checksum from migration order by number',
)
export const recordMigration = writing<{ value1: number; value2: string; value3: string; value4: number }>(
  'recordMigration',
  'insert into migration (number, name, checksum, applied_at) values (:value1, :value2, :value3, :value4)',
)

/**
 * Brings the schema up to date, all or nothing, under a lock: two processes that start at once do it once.
 * Forward only; answers the names of what was applied now.
 */
export async function migrate(database: Database, now: number): Promise<string[]> {
  const wanted = readMigrations(database.engine)
  return database.transaction(async (transaction) => {
    if (database.engine === 'postgres') {
      // What keeps a request from waiting too long would end a migration of a large table at its tenth second.
      await transaction.script('set local statement_timeout = 0')
      await transaction.script(`select pg_advisory_xact_lock(${LOCK})`)
    }
    await transaction.script(
      `create table if not exists migration (
        number integer primary key, name text not null, checksum text not null, applied_at bigint not null)`,
    )
    const applied = new Map((await transaction.query(appliedMigrations, {})).map((row) => [row.number, row]))
    for (const row of applied.values()) refuseSurprise(row, wanted)
    const pending = wanted.filter((migration) => !applied.has(migration.number))
    for (const migration of pending) {
      await transaction.script(migration.sql)
      await transaction.run(recordMigration, {
        value1: migration.number,
        value2: migration.name,
        value3: migration.checksum,
        value4: now,
      })
    }
    return pending.map((migration) => migration.name)
  })
}

/** For a process that leaves migrating to another. */
export async function refuseOtherSchema(database: Database): Promise<void> {
  const wanted = readMigrations(database.engine)
  const applied = await database.query(appliedMigrations, {})
  for (const row of applied) refuseSurprise(row, wanted)
  const numbers = new Set(applied.map((row) => row.number))
  const missing = wanted.find((migration) => !numbers.has(migration.number))
  if (missing !== undefined) throw new Error(`the database lacks migration ${missing.name}: restart the whole service`)
}

function refuseSurprise(row: { number: number; name: string; checksum: string }, wanted: Migration[]): void {
  const known = wanted.find((migration) => migration.number === row.number)
  if (!known) {
    throw new Error(
      `the database was made by a newer version (migration ${row.name}): start that version or a later one`,
    )
  }
  if (known.checksum !== row.checksum) {
    throw new Error(
      `migration ${row.name} was changed after it was applied: restore its text and add a new file instead`,
    )
  }
}

/** `0001-name.sql` serves both engines; where they must differ, `0001-name.sqlite.sql` and `0001-name.postgres.sql`. */
export function readMigrations(engine: Database['engine']): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((file) => /^\d{4}-[\w-]+(\.sqlite|\.postgres)?\.sql$/.test(file))
    .filter((file) => !/\.(sqlite|postgres)\.sql$/.test(file) || file.endsWith(`.${engine}.sql`))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, migrationsFolder), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { number: Number(file.slice(0, 4)), name: file.replace(/(\.sqlite|\.postgres)?\.sql$/, ''), sql, checksum }
    })
}
