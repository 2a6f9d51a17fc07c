import type { DatabaseSync } from 'node:sqlite'

/** SQLite's own tables and automatic indexes have names that nobody else may give. */
const SCHEMA = `select type || ' ' || name as part, sql from sqlite_schema
  where sql is not null and substr(name, 1, 7) <> 'sqlite_' order by part`

/** The text that created each table, index, trigger and view, by `table comment`. */
export function readSchema(connection: DatabaseSync): Map<string, string> {
  const rows = connection.prepare(SCHEMA).all() as { part: string; sql: string }[]
  return new Map(rows.map(({ part, sql }) => [part, sql.replace(/\s+/g, ' ')]))
}
