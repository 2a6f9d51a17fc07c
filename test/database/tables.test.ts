// A table of src (platform/database/table-store.ts) has the columns of the database: their types, whether they may be null, and the
// values that a check of the table allows.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bigint,
  type Columns,
  oneOf,
  orNull,
  type Table,
  table,
  text,
} from '../../src/platform/database/table-store.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'
import { exported, filesOf } from './statements.ts'

const root = new URL('../..', import.meta.url).pathname

type AnyTable = Table<Columns>
/** By name, as `bigint or null`. */
type Types = ReadonlyMap<string, string>

/** Events are written into a view. */
const TABLE_OF_VIEW: Record<string, string> = { new_event: 'event_log' }

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await newTestDatabase()
})

afterAll(() => testDatabase.remove())

test('each table has the columns of the database', async () => {
  const tables = await exported(isTable)
  expect(notExported()).toEqual([])
  const wrong = [
    table('profile', { biography: orNull(text), name: text, picture: bigint, colour: text }),
    table('comment', { state: oneOf(['live', 'hidden']) }),
  ]
  const found = []
  for (const one of [...tables.map(({ value }) => value), ...wrong]) found.push(...differences(one, await typesOf(one)))
  expect(found).toEqual([
    'profile.biography is text',
    'profile.name is text or null',
    'profile.picture is text or null',
    'profile.colour is no column',
    'comment.state is one of deactivated,live,removed',
  ])
})

function isTable(value: unknown): value is AnyTable {
  return typeof value === 'object' && value !== null && 'insertRows' in value
}

/** They would not be found. */
function notExported(): string[] {
  return filesOf().filter((file) => /^(?!export ).*\b= table\(/m.test(readFileSync(join(root, 'src', file), 'utf8')))
}

function differences({ table, declared }: AnyTable, types: Types): string[] {
  return Object.entries(declared).flatMap(([name, { type, isNullable, values }]) => {
    const actual = types.get(name)
    if (actual === undefined) return [`${table}.${name} is no column`]
    if (actual !== `${type}${isNullable ? ' or null' : ''}`) return [`${table}.${name} is ${actual}`]
    const allowed = checked.get(`${table}.${name}`)
    const isSame = allowed === undefined || values === undefined || allowed === [...values].sort().join()
    return isSame ? [] : [`${table}.${name} is one of ${allowed}`]
  })
}

/** `column in ('a', 'b')`: from the snapshot of PostgreSQL, which both engines share. */
const CHECK = /^(\w+) \w+ CHECK \(\((\w+) = ANY \(ARRAY\[('.*'::text)\]\)\)\)$/gm
const schema = readFileSync(join(root, 'migrations/schema.postgres.txt'), 'utf8')
const checked = new Map(
  [...schema.matchAll(CHECK)].map(([, table, column, list = '']) => [
    `${table}.${column}`,
    [...list.matchAll(/'(.*?)'::text/g)]
      .map(([, value]) => value)
      .sort()
      .join(),
  ]),
)

// ---- What the engines have

async function typesOf({ table }: AnyTable): Promise<Types> {
  const name = TABLE_OF_VIEW[table] ?? table
  const columns = engine === 'sqlite' ? sqliteColumns(name) : await postgresColumns(name)
  return new Map(columns.map(({ name, type, nullable }) => [name, `${type}${nullable ? ' or null' : ''}`]))
}

type EngineColumn = { name: string; type: string; nullable: number | boolean }

function sqliteColumns(table: string): EngineColumn[] {
  const database = new DatabaseSync(join(testDatabase.settings.DATA_DIR as string, 'paddock.db'))
  // "integer primary key" is the rowid, which is a bigint.
  const columns = `select name, "notnull" = 0 and pk = 0 as nullable,
    case when lower(type) = 'integer' and pk = 1 and max(pk) over () = 1 then 'bigint' else lower(type) end as type
    from pragma_table_xinfo(?)`
  const rows = database.prepare(columns).all(table)
  database.close()
  return rows as EngineColumn[]
}

async function postgresColumns(table: string): Promise<EngineColumn[]> {
  const client = new pg.Client({ connectionString: testDatabase.settings.DATABASE_URL ?? '' })
  await client.connect()
  const columns = `select attname as name, atttypid::regtype::text as type, not attnotnull as nullable
    from pg_attribute where attrelid = $1::regclass and attnum > 0`
  const { rows } = await client.query(columns, [table])
  await client.end()
  return rows
}
