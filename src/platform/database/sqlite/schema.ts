// Compares the schema of a database with what its migrations leave.

import { DatabaseSync } from 'node:sqlite'
import { MIGRATION_TABLE, migrationsOf } from '../migrate.ts'
import { type AppliedMigration, appliedMigrations } from '../migration-store.ts'
import { DamagedDatabase } from './backup.ts'
import { toSqlite } from './connection.ts'
import { readSchema } from './schema-store.ts'

/**
 * What was added, removed or changed since the migrations were applied. Throws if the file has no migrations, or some that
 * are not the first ones of this version.
 */
export function schemaDifferences(file: string): string[] {
  const [schema, applied] = read(file)
  const expected = schemaAfter(migrationsOf('sqlite', applied))
  const parts = new Set([...expected.keys(), ...schema.keys()])
  return [...parts].flatMap((part) => difference(part, expected.get(part), schema.get(part)))
}

function read(file: string): [schema: Map<string, string>, applied: AppliedMigration[]] {
  const connection = new DatabaseSync(file)
  try {
    const schema = readSchema(connection)
    if (!schema.has('table migration')) throw new DamagedDatabase('it has no table of migrations')
    const applied = connection.prepare(appliedMigrations.sql).all() as AppliedMigration[]
    if (applied.length === 0) throw new DamagedDatabase('its table of migrations is empty')
    return [schema, applied]
  } finally {
    connection.close()
  }
}

function schemaAfter(migrations: readonly { sql: string }[]): Map<string, string> {
  const connection = new DatabaseSync(':memory:')
  try {
    connection.exec(MIGRATION_TABLE)
    for (const { sql } of migrations) connection.exec(toSqlite(sql))
    return readSchema(connection)
  } finally {
    connection.close()
  }
}

function difference(part: string, expected: string | undefined, found: string | undefined): string[] {
  if (found === expected) return []
  return [`${part} ${found === undefined ? 'is missing' : expected === undefined ? 'was added' : 'was changed'}`]
}
