import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { newDataFolder } from './data-folder.ts'
import { isEachChange } from './each-change.ts'
import { runSql, startPostgres } from './postgres.ts'
import { statementsNeverRun } from './run-statements.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** A database with the schema in it, to be copied: a tenth of the time of making it again for each service. */
    postgresTemplate: string
    /** Made for this run, so that its files may be touched. */
    postgresIsOurs: boolean
    /** Where the names of the statements that were run are noted (run-statements.ts). */
    postgresStatements: string
  }
}

/** Little, because it may be in memory; a checkpoint, which ends the use of a file of it, writes to memory too. */
const IN_MEMORY = ['max_wal_size=256MB']

/** One server for the whole run: TEST_DATABASE_URL, else one of our own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const own = given ? undefined : await startPostgres(IN_MEMORY, newDataFolder())
  const url = own?.url ?? (given as string)
  const template = `test_template_${randomBytes(8).toString('hex')}`
  await makeTemplate(url, template)
  project.provide('postgresUrl', url)
  project.provide('postgresTemplate', template)
  project.provide('postgresIsOurs', own !== undefined)
  const statements = newDataFolder()
  project.provide('postgresStatements', statements)
  return async () => {
    await (own?.remove() ?? runSql(url, `drop database ${template}`))
    const missing = isEachChange ? statementsNeverRun(statements) : []
    rmSync(statements, { recursive: true })
    if (missing.length > 0)
      throw new Error(`No suite of npm test runs these statements on PostgreSQL: ${missing.join(', ')}`)
  }
}

async function makeTemplate(server: string, name: string): Promise<void> {
  await runSql(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = openPostgres({ url: url.href })
  await migrate(database, Date.now())
  await database.close()
}
