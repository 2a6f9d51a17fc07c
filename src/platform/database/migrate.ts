import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from './database.ts'
import { type AppliedMigration, appliedMigrations, recordMigration } from './migration-store.ts'
import { DatabaseBusy } from './sqlite/turns.ts'

const migrationsFolder = new URL('../../../migrations/', import.meta.url)

type Migration = { number: number; name: string; sql: string; checksum: string }

/** Unlikely to be used by another application on the same PostgreSQL server. */
const LOCK = 7_233_625

/** A start that waits for longer fails, and says that another process is writing. */
const LONGEST_MIGRATION_MS = 600_000

export const MIGRATION_TABLE = `create table if not exists migration (
  number integer primary key, name text not null, checksum text not null, applied_at bigint not null)`

/**
 * Applies all pending migrations in one transaction, under a lock, so that two processes that start at once apply each
 * once. Returns the names of those applied now.
 */
export async function migrate(database: Database, now: number): Promise<string[]> {
  const until = performance.now() + LONGEST_MIGRATION_MS
  for (;;) {
    try {
      return await applyPending(database, now)
    } catch (error) {
      // SQLite: a transaction waits for seconds, and another process may be migrating a large table.
      if (!(error instanceof DatabaseBusy) || performance.now() >= until) throw error
    }
  }
}

function applyPending(database: Database, now: number): Promise<string[]> {
  const wanted = readMigrations(database.engine)
  return database.transaction(async (transaction) => {
    if (database.engine === 'postgres') {
      // The timeout for requests would end the migration of a large table after ten seconds.
      await transaction.script('set local statement_timeout = 0')
      await transaction.script(`select pg_advisory_xact_lock(${LOCK})`)
    }
    await transaction.script(MIGRATION_TABLE)
    const applied = new Map((await transaction.query(appliedMigrations, {})).map((row) => [row.number, row]))
    for (const row of applied.values()) refuseUnknownOrChanged(row, wanted)
    const pending = wanted.filter((migration) => !applied.has(migration.number))
    for (const migration of pending) {
      await transaction.script(migration.sql)
      const { number, name, checksum } = migration
      await transaction.run(recordMigration, { number, name, checksum, now })
    }
    return pending.map((migration) => migration.name)
  })
}

/** For a process that does not migrate. */
export async function refuseOtherSchema(database: Database): Promise<void> {
  const wanted = readMigrations(database.engine)
  const applied = await database.query(appliedMigrations, {})
  for (const row of applied) refuseUnknownOrChanged(row, wanted)
  const numbers = new Set(applied.map((row) => row.number))
  const missing = wanted.find((migration) => !numbers.has(migration.number))
  if (missing !== undefined) throw new Error(`the database lacks migration ${missing.name}: restart the whole service`)
}

/**
 * Returns the migrations that were applied. Throws unless they are the first ones of this version, unchanged and
 * without a gap.
 */
export function migrationsOf(engine: Database['engine'], applied: readonly AppliedMigration[]): Migration[] {
  const wanted = readMigrations(engine)
  for (const row of applied) refuseUnknownOrChanged(row, wanted)
  const first = wanted.slice(0, applied.length)
  const missing = first.find(({ number }) => !applied.some((row) => row.number === number))
  if (missing !== undefined) throw new Error(`its table of migrations lacks ${missing.name}`)
  return first
}

function refuseUnknownOrChanged(row: AppliedMigration, wanted: Migration[]): void {
  const known = wanted.find((migration) => migration.number === row.number)
  if (!known) {
    throw new Error(
      `the database was migrated by a newer version (migration ${row.name}): start that version or a later one`,
    )
  }
  if (known.checksum !== row.checksum) {
    throw new Error(
      `migration ${row.name} was changed after it was applied: restore its text and add a new file instead`,
    )
  }
}

/** `0001-name.sql` is for both engines; where they must differ, `0001-name.sqlite.sql` and `0001-name.postgres.sql`. */
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
