import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, statement } from '../../src/database/database.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { engine, newPlace, type Place } from '../harness/service.ts'

let place: Place
const opened: Database[] = []

function open(): Database {
  const database =
    engine === 'sqlite'
      ? openSqlite(`${place.settings.DATA_DIR}/paddock.db`)
      : openPostgres({ url: place.settings.DATABASE_URL as string })
  opened.push(database)
  return database
}

beforeAll(async () => {
  place = await newPlace('empty')
})

afterAll(async () => {
  for (const database of opened) await database.close()
  await place.remove()
})

describe('migrations', () => {
  test('two processes that start at once apply each once', async () => {
    const applied = await Promise.all([migrateInProcess(), migrateInProcess()])
    const names = readMigrations(engine).map((migration) => migration.name)
    expect(applied.flat().sort()).toEqual(names.sort())
    expect(applied.filter((one) => one.length > 0)).toHaveLength(1)
    expect(await migrate(open(), 3)).toEqual([])
  })

  test('the schema is the one in the snapshot', async () => {
    const file = new URL(`../../migrations/schema.${engine}.txt`, import.meta.url)
    const now = await describeSchema(open())
    // UPDATE_SCHEMA=1 npx vitest run test/database writes the snapshot anew, to be looked at and committed.
    if (process.env.UPDATE_SCHEMA) writeFileSync(file, now)
    expect(now).toBe(readFileSync(file, 'utf8'))
  })

  test('a migration that was changed after it was applied is refused', async () => {
    const database = open()
    await database.script(`update migration set checksum = 'other' where number = 1`)
    await expect(migrate(database, 4)).rejects.toThrow(/0001-foundation was changed after it was applied/)
    await database.script(`update migration set checksum = '${readMigrations(engine)[0]?.checksum}' where number = 1`)
  })

  test('a database of a newer version is refused', async () => {
    const database = open()
    await database.script(`insert into migration values (9999, '9999-future', 'x', 1)`)
    await expect(migrate(database, 5)).rejects.toThrow(/made by a newer version \(migration 9999-future\)/)
    await database.script('delete from migration where number = 9999')
  })
})

async function migrateInProcess(): Promise<string[]> {
  const source = new URL('../../src/database/', import.meta.url).pathname
  const { DATA_DIR, DATABASE_URL } = place.settings
  const opening =
    engine === 'sqlite'
      ? `(await import('${source}sqlite.ts')).openSqlite('${DATA_DIR}/paddock.db')`
      : `(await import('${source}postgres.ts')).openPostgres({ url: '${DATABASE_URL}' })`
  const code = `const database = ${opening}; const { migrate } = await import('${source}migrate.ts')
    console.log(JSON.stringify(await migrate(database, 1))); await database.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  return JSON.parse(stdout)
}

const SQLITE_SCHEMA = statement<[], { line: string }>(
  'sqliteSchema',
  `select sql as line from sqlite_master where sql is not null and name not like 'sqlite_%' order by type desc, name`,
)
const POSTGRES_SCHEMA = statement<[], { line: string }>(
  'postgresSchema',
  `select line from (
     select 1 as part, table_name || '.' || lpad(ordinal_position::text, 2, '0') as place,
       table_name || '.' || column_name || ' ' || data_type || case is_nullable when 'NO' then ' not null' else '' end
         || coalesce(' default ' || column_default, '') || case is_identity when 'YES' then ' identity' else '' end as line
     from information_schema.columns where table_schema = 'public'
     union all
     select 2, conrelid::regclass::text || conname, conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
     from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
     union all select 3, indexname, indexdef from pg_indexes where schemaname = 'public'
     union all select 4, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
   ) parts order by part, place collate "C"`,
)

async function describeSchema(database: Database): Promise<string> {
  const rows = await database.query(engine === 'sqlite' ? SQLITE_SCHEMA : POSTGRES_SCHEMA, [])
  return `${rows.map((row) => row.line).join('\n')}\n`
}
