// The database, and the sandbox's bank, as the version of migration 0134 left them: rows that it wrote itself (write.js).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Database } from '../../../src/platform/database/database.ts'
import { openSandboxBank } from '../../../src/wallets/gateways/sandbox/bank.ts'
import { applyUpTo, openTestDatabase } from '../../harness/old-schema.ts'
import { engine, type TestDatabase } from '../../harness/service.ts'

type Value = string | number | null
/** Of each table the columns, then the rows. */
type Rows = { readonly now: number; readonly [table: string]: readonly (readonly Value[])[] | number }

const BANK = 'bank '

/** Returns the time at which it was written. */
export async function loadEarlierVersion(testDatabase: TestDatabase): Promise<number> {
  const rows = JSON.parse(readFileSync(new URL(`0134.${engine}.rows`, import.meta.url), 'utf8')) as Rows
  const tables = Object.entries(rows).filter((entry): entry is [string, readonly (readonly Value[])[]] =>
    Array.isArray(entry[1]),
  )
  const database = openTestDatabase(testDatabase)
  try {
    await applyUpTo(134, database)
    for (const [table, found] of tables) if (!table.startsWith(BANK)) await load(database, table, found)
  } finally {
    await database.close()
  }
  const file = join(testDatabase.settings.DATA_DIR as string, 'sandbox-gateway.db')
  openSandboxBank(file).close()
  const bank = new DatabaseSync(file)
  for (const [table, found] of tables) if (table.startsWith(BANK)) bank.exec(insertOf(table.slice(BANK.length), found))
  bank.close()
  return rows.now
}

async function load(database: Database, table: string, rows: readonly (readonly Value[])[]): Promise<void> {
  await database.script(insertOf(table, rows))
  const key = table === 'deposit' ? 'number' : 'id'
  if (engine === 'sqlite' || table === 'customer' || table === 'payment_method') return
  await database.script(
    `select setval(pg_get_serial_sequence('${table}', '${key}'), (select max(${key}) from ${table}))`,
  )
}

function insertOf(table: string, [columns = [], ...rows]: readonly (readonly Value[])[]): string {
  const text = (value: Value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`)
  const lines = rows.map((row) => `(${row.map(text).join(', ')})`)
  return `insert into ${table} (${columns.join(', ')}) values ${lines.join(',\n')}`
}
