import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import { newDataFolder } from './data-folder.ts'

/** As `sqliteFile` of the service names it. */
const NAME = 'paddock.db'
let template: Promise<Buffer> | undefined

/** Puts an embedded database with the schema in it into `folder`: migrating each new one took 150 ms. */
export async function copyMigratedSqlite(folder: string): Promise<void> {
  template ??= makeTemplate()
  writeFileSync(join(folder, NAME), await template, { mode: 0o600 })
}

async function makeTemplate(): Promise<Buffer> {
  const folder = newDataFolder()
  const file = join(folder, NAME)
  const database = openSqlite(file)
  await migrate(database, Date.now())
  await database.close()
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return bytes
}
