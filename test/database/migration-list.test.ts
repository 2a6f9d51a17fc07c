// migrations/list.json, compared with what the migrations say and do.

import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { MIGRATION_TABLE, readMigrations } from '../../src/platform/database/migrate.ts'
import { migrationList } from '../../src/platform/database/migration-list.ts'
import { openTestDatabase } from '../harness/old-schema.ts'
import { engine, newTestDatabase } from '../harness/service.ts'

const migrations = (['sqlite', 'postgres'] as const).flatMap(readMigrations)

test('every migration is listed, and no other', () => {
  expect(Object.keys(migrationList())).toEqual([...new Set(migrations.map(({ name }) => name))].sort())
})

test('those that write, drop or rebuild a table that was there are listed as changing data', () => {
  for (const [name, { data }] of Object.entries(migrationList())) {
    const changes = migrations.filter((one) => one.name === name).some(({ sql }) => changesRows(sql))
    expect({ name, data }).toEqual({ name, data: changes })
  }
})

/** Of its own statements, not of the triggers and functions that it creates. */
function changesRows(sql: string): boolean {
  const plain = sql
    .replace(/--.*$/gm, '')
    .replace(/\$\$[\s\S]*?\$\$/g, '')
    .replace(/create trigger[\s\S]*?\bend;/gi, '')
  const created = [...plain.matchAll(/create table (\w+)/gi)].map(([, table]) => table)
  const written = plain.matchAll(
    /(?:^|;)\s*(?:update|delete from|insert into|drop table|alter table (?=\w+ rename to))\s*(\w+)/gim,
  )
  return [...written].some(([, table]) => !created.includes(table)) || /drop column/i.test(plain)
}

const tables = reading<NoParameters, { name: string }>('tablesBeforeMigration')`
  select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
const heldLocks = reading<NoParameters, { name: string; mode: string }>('locksOfMigration')`
  select c.relname as name, l.mode from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`

const STRENGTHS = ['read', 'rows', 'writes', 'all']

function strength(mode: string): number {
  if (mode === 'AccessExclusiveLock') return 3
  if (/^(Share|ShareRowExclusive|Exclusive)Lock$/.test(mode)) return 2
  return mode === 'RowExclusiveLock' ? 1 : 0
}

test.skipIf(engine === 'sqlite')('each holds exactly the listed locks', async () => {
  const home = await newTestDatabase('empty')
  const database = openTestDatabase(home)
  try {
    await database.script(MIGRATION_TABLE)
    const found: Record<string, Record<string, string | undefined>> = {}
    for (const { name, sql } of readMigrations('postgres')) {
      found[name] = await database.transaction(async (transaction) => {
        const before = (await transaction.query(tables, {})).map((table) => table.name)
        await transaction.script(sql)
        const held = new Map<string, number>()
        for (const lock of await transaction.query(heldLocks, {})) {
          if (before.includes(lock.name)) held.set(lock.name, Math.max(held.get(lock.name) ?? 0, strength(lock.mode)))
        }
        return Object.fromEntries([...held].map(([table, level]) => [table, STRENGTHS[level]]))
      })
    }
    const stated = Object.entries(migrationList()).filter(([name]) => name in found)
    expect(found).toEqual(Object.fromEntries(stated.map(([name, { locks }]) => [name, locks])))
  } finally {
    await database.close()
    await home.remove()
  }
})
