import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type Database, DatabaseUnavailable } from './database.ts'
import { isBesideNeighbours, migrationsFolder } from './migration-list.ts'
import {
  type AppliedMigration,
  appliedMigrations,
  neighbours,
  recordMigration,
  recordNeighbours,
} from './migration-store.ts'
import { olderConnections } from './postgres/neighbour-store.ts'
import { brokenReferences } from './sqlite/reference-store.ts'
import { DatabaseBusy } from './sqlite/turns.ts'

export type Migration = { number: number; name: string; sql: string; checksum: string }

/** Unlikely to be used by another application on the same PostgreSQL server. */
export const MIGRATION_LOCK = 7_233_625

/** A start that waits for longer fails and reports that another process is writing. */
const LONGEST_MIGRATION_MS = 600_000

export const MIGRATION_TABLE = `create table if not exists migration (
  number integer primary key, name text not null, checksum text not null, applied_at bigint not null)`

/** From this one on a database says which of its migrations an older version may run on. */
const FIRST_WITH_NEIGHBOURS = 147

/** What is done first, under the lock, unless the database is new. */
export type BeforeMigrations = (pending: readonly Migration[]) => Promise<void>

/** Processes of an older version use the database, which may not run on what the migrations leave. */
export class OlderVersionRuns extends DatabaseUnavailable {}

/**
 * Applies all pending migrations in one transaction, under a lock, so that two processes that start at once apply each
 * once. Returns the names of those applied now.
 */
export async function migrate(
  database: Database,
  now: number,
  before: BeforeMigrations = async () => {},
): Promise<string[]> {
  const first = once(before)
  if (database.engine === 'postgres') return applyPending(database, now, first)
  const until = performance.now() + LONGEST_MIGRATION_MS
  for (;;) {
    try {
      return await withoutForeignKeys(database, () => applyPending(database, now, first))
    } catch (error) {
      // A transaction waits for seconds, and another process may be migrating a large table.
      if (!(error instanceof DatabaseBusy) || performance.now() >= until) throw error
    }
  }
}

/**
 * SQLite changes the checks of a table only with a new table. To drop the old one it would look for each of its rows in all rows of the tables
 * that refer to it: hours. They are checked once, at the end (refuseBrokenReferences).
 */
export async function withoutForeignKeys<T>(database: Database, work: () => Promise<T>): Promise<T> {
  await database.script('pragma foreign_keys = off')
  try {
    return await work()
  } finally {
    await database.script('pragma foreign_keys = on')
  }
}

async function refuseBrokenReferences(transaction: Database): Promise<void> {
  const [broken] = await transaction.query(brokenReferences, {})
  if (broken !== undefined) {
    throw new Error(`after the migrations a row of ${broken.table} refers to a row of ${broken.parent} that is missing`)
  }
}

/** The transaction is repeated after a conflict. */
function once(before: BeforeMigrations): BeforeMigrations {
  let done: Promise<void> | undefined
  return (pending) => {
    done ??= before(pending)
    return done
  }
}

function applyPending(database: Database, now: number, before: BeforeMigrations): Promise<string[]> {
  const wanted = readMigrations(database.engine)
  return database.transaction(async (transaction) => {
    if (database.engine === 'postgres') {
      // The timeout for requests would end the migration of a large table after ten seconds.
      await transaction.script('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
      await transaction.script(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    }
    await transaction.script(MIGRATION_TABLE)
    const applied = await transaction.query(appliedMigrations, {})
    const pending = await pendingOf(transaction, applied, wanted)
    if (pending.length > 0 && applied.length > 0) {
      await refuseOlderVersions(transaction, pending)
      await before(pending)
    }
    for (const migration of pending) {
      await transaction.script(migration.sql)
      const { number, name, checksum } = migration
      await transaction.run(recordMigration, { number, name, checksum, now })
    }
    if (database.engine === 'sqlite' && pending.length > 0) await refuseBrokenReferences(transaction)
    const numbers = pending.filter(isBesideNeighbours).map(({ number }) => number)
    const recorded = JSON.stringify(numbers.filter((number) => number >= FIRST_WITH_NEIGHBOURS))
    if (recorded !== '[]') await transaction.run(recordNeighbours, { numbers: recorded })
    return pending.map((migration) => migration.name)
  })
}

/** Throws if the database is one that this version may not run on. */
export async function pendingOf(
  database: Database,
  applied: readonly AppliedMigration[],
  wanted: readonly Migration[],
): Promise<Migration[]> {
  const numbers = new Set(applied.map(({ number }) => number))
  const allowed = numbers.has(FIRST_WITH_NEIGHBOURS) ? await database.query(neighbours, {}) : []
  const known = applied.filter(({ number }) => !allowed.some((one) => one.number === number) || isOurs(number, wanted))
  for (const row of known) refuseUnknownOrChanged(row, wanted)
  return wanted.filter(({ number }) => !numbers.has(number))
}

function isOurs(number: number, wanted: readonly Migration[]): boolean {
  return wanted.some((migration) => migration.number === number)
}

/** The embedded database has one service at a time. */
async function refuseOlderVersions(database: Database, pending: readonly Migration[]): Promise<void> {
  const alone = pending.filter((migration) => !isBesideNeighbours(migration)).at(-1)
  if (alone === undefined || database.engine === 'sqlite') return
  const older = (await database.one(olderConnections, { number: alone.number }))?.connections ?? 0
  if (older === 0) return
  throw new OlderVersionRuns(
    `an older version of Paddock is connected to the database (${older} connections) and may not run beside migration ${alone.name}: stop it on all machines`,
  )
}

/** For a process that does not migrate. */
export async function refuseOtherSchema(database: Database): Promise<void> {
  const applied = await database.query(appliedMigrations, {})
  const [missing] = await pendingOf(database, applied, readMigrations(database.engine))
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

function refuseUnknownOrChanged(row: AppliedMigration, wanted: readonly Migration[]): void {
  const known = wanted.find((migration) => migration.number === row.number)
  if (!known) {
    throw new Error(
      `the database was migrated by a newer version (migration ${row.name}), beside which this one may not run: start that version or a later one`,
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
