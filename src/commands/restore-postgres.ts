// The restored schema takes the place of the one that is there, which keeps another name: in one transaction, and back if the checks fail.

import { join } from 'node:path'
import { countRows } from '../platform/database/backup/counts-store.ts'
import { DATABASE_FILE, type Manifest } from '../platform/database/backup/manifest.ts'
import { checkDump, openPatientPostgres, programsFor, restoreDump } from '../platform/database/backup/postgres-dump.ts'
import { dropSchema, otherConnections, putSchemaBack } from '../platform/database/backup/postgres-store.ts'
import { type Database, whileOpen } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { failure, orUnchanged } from './backup.ts'
import { type Check, checkContent, refuseFindings } from './backup-checks.ts'
import { CommandError } from './command.ts'
import { showProgress } from './progress.ts'

type Given = { manifest: Manifest; without: ReadonlySet<Check>; replace: boolean; aside: string }

/** Returns the name of what was replaced. */
export async function restorePostgres(url: string, folder: string, given: Given): Promise<string[]> {
  const before = await refuseOthers(url, given)
  const schema = `replaced_${given.aside.toLowerCase()}`
  const file = join(folder, DATABASE_FILE.postgres)
  const progress = showProgress()
  await orUnchanged(folder, async () => {
    await inDatabase(url, async (database) =>
      checkDump(await programsFor(database), file, given.manifest.counts, progress),
    )
    progress('restoring the database')
    await restoreDump(url, file, schema)
  })
  progress('checking what was restored')
  try {
    await inDatabase(url, (database) => checkRestored(database, given))
  } catch (error) {
    await inDatabase(url, (database) =>
      database.transaction((transaction) => transaction.script(putSchemaBack(schema))),
    )
    throw failure(error, `${folder} cannot be restored`, 'The database is as it was before.')
  }
  if (before > 0) return [`the schema ${schema} of the database`]
  await inDatabase(url, (database) => database.script(dropSchema(schema)))
  return []
}

function inDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  return whileOpen(openPatientPostgres(url), work)
}

/** Returns the number of tables that are there. */
function refuseOthers(url: string, { replace }: Given): Promise<number> {
  return inDatabase(url, async (database) => {
    const { connections = 0 } = (await database.one(otherConnections, {})) ?? {}
    if (connections > 0) {
      throw new CommandError(
        `A service is running on this database, or somebody else is connected to it (${connections} connections): stop it first. Nothing was changed.`,
      )
    }
    const tables = Object.keys(await countRows(database)).length
    if (tables > 0 && !replace) {
      throw new CommandError(
        `The database has ${tables} tables: to replace them, which keeps them in another schema, add --replace. Nothing was changed.`,
      )
    }
    return tables
  })
}

async function checkRestored(database: Database, { manifest, without }: Given): Promise<void> {
  const counts = await countRows(database)
  const wrong = Object.entries(manifest.counts).find(([table, rows]) => counts[table] !== rows)
  if (wrong !== undefined) throw new Error(`it has ${counts[wrong[0]]} rows of ${wrong[0]}, not ${wrong[1]}`)
  await migrate(database, Date.now())
  refuseFindings(await checkContent(database, without))
}
