// Databases as older versions left them.

import type { Database } from '../../src/platform/database/database.ts'
import { MIGRATION_TABLE, readMigrations } from '../../src/platform/database/migrate.ts'
import { recordMigration } from '../../src/platform/database/migration-store.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import { engine, type TestDatabase } from './service.ts'

export function openTestDatabase({ settings }: TestDatabase): Database {
  return engine === 'sqlite'
    ? openSqlite(`${settings.DATA_DIR}/paddock.db`)
    : openPostgres({ url: settings.DATABASE_URL as string })
}

/** `last`: the last migration of that version. */
export async function applyUpTo(last: number, database: Database): Promise<void> {
  await database.script(MIGRATION_TABLE)
  for (const { number, name, sql, checksum } of readMigrations(engine).filter(({ number }) => number <= last)) {
    await database.script(sql)
    await database.run(recordMigration, { number, name, checksum, now: 1 })
  }
}
