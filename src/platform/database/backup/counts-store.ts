import { type Database, type NoParameters, reading } from '../database.ts'

/** Leaves out the indexes of the full-text search in the embedded database, which are tables too. */
export const tablesOf = {
  sqlite: reading<NoParameters, { name: string }>('tablesOfFile')`
    select name from sqlite_schema t where type = 'table' and sql not like 'create virtual table%'
      and not exists (select 1 from sqlite_schema v where v.sql like 'create virtual table%' and t.name glob v.name || '_*')
    order by name`,
  postgres: reading<NoParameters, { name: string }>('tablesOfSchema')`
    select cast(relname as text) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
}

/** All rows of all tables, in the state that the handle sees. */
export async function countRows(database: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await database.query(tablesOf[database.engine], {})) {
    const statement = reading<NoParameters, { rows: number }>(
      `rowsOf ${name}`,
      `select count(*) as rows from "${name}"`,
    )
    counts[name] = Number((await database.one(statement, {}))?.rows)
  }
  return counts
}

export const newestMigration = reading<NoParameters, { number: number }>('newestMigration')`
  select coalesce(max(number), 0) as number from migration`
