import { existsSync } from 'node:fs'
import { sqliteFile } from '../../platform/configured-database.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrationsOf, readMigrations } from '../../platform/database/migrate.ts'
import type { AppliedMigration } from '../../platform/database/migration-store.ts'
import { migrationsIn, quickCheck } from '../../platform/database/sqlite/inspection-store.ts'
import type { Check } from '../health/checks.ts'
import { postgresChecks } from './postgres.ts'
import { type Probe, part, sentence } from './probe.ts'

const schema = part('schema', 'Schema')
const engine = part('database', 'Database')

const QUICK_CHECK_MS = 8_000

export const database: Probe = {
  name: 'database',
  title: 'Database',
  run: (examined) =>
    examined.config.databaseUrl === null
      ? sqliteChecks(sqliteFile(examined.config))
      : postgresChecks(examined, examined.config.databaseUrl, schemaCheck),
}

async function sqliteChecks(file: string): Promise<Check[]> {
  if (!existsSync(file)) return [engine.good(`There is none yet: the first start creates ${file}.`)]
  const problems = await quickCheck(file, QUICK_CHECK_MS)
  if (problems !== null && problems.length > 0) {
    const advice = 'Stop the service, and restore the last backup (paddock restore).'
    return [engine.critical(`${file} is damaged: ${problems.join('; ')}.`, advice)]
  }
  const pages =
    problems === null
      ? `was not read to its end in ${QUICK_CHECK_MS / 1000} s: no fault until then`
      : 'has its pages in order'
  return [
    engine.good(`${file} ${pages} (SQLite ${process.versions.sqlite}).`),
    schemaCheck('sqlite', migrationsIn(file)),
  ]
}

/** `applied`: null where there is no schema. */
function schemaCheck(kind: Database['engine'], applied: readonly AppliedMigration[] | null): Check {
  if (applied === null) return schema.good('There is none yet: the first start creates it.')
  try {
    const missing = readMigrations(kind).length - migrationsOf(kind, applied).length
    if (missing === 0) return schema.good('It is that of this version.')
    const detail = `${missing} migrations of this version are not applied yet.`
    return schema.warning(
      detail,
      'Read what "paddock upgrade --check" says of them, then start the service or run "paddock migrate".',
    )
  } catch (error) {
    return schema.critical(
      sentence((error as Error).message),
      'Start the version that it belongs to, or restore a backup.',
    )
  }
}
