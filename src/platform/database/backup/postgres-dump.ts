// A dump of PostgreSQL in pg_dump's own format, with the counts of the rows that it has.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { DAY_MS } from '../../runtime/durations.ts'
import { type Database, whileOpen } from '../database.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { syncPath } from '../sqlite/backup.ts'
import { countRows, newestMigration } from './counts-store.ts'
import { DATABASE_FILE, type Progress } from './manifest.ts'
import { ended, findPrograms, type PostgresPrograms } from './postgres-programs.ts'
import { exportSnapshot, serverVersion, setSchemaAside } from './postgres-store.ts'

/** Without the timeouts of requests: counting a large table takes longer. */
export function openPatientPostgres(url: string): Database {
  return openPostgres({ url, statementTimeoutMs: DAY_MS, sharedConnections: 1, transactionConnections: 2 })
}

const SHOW_EVERY_MS = 1_000
const VERSIONS_PER_MAJOR = 10_000

export async function programsFor(database: Database): Promise<PostgresPrograms> {
  const { version = 0 } = (await database.one(serverVersion, {})) ?? {}
  return findPrograms(Math.floor(version / VERSIONS_PER_MAJOR))
}

type Dumped = { counts: Record<string, number>; schema: number }

/** The state of one moment: pg_dump and the counts see the same. */
export function dumpPostgres(url: string, folder: string, progress: Progress): Promise<Dumped> {
  return whileOpen(openPatientPostgres(url), async (database) => {
    const programs = await programsFor(database)
    return await database.transaction(async (transaction) => {
      await transaction.script(
        'set transaction isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = 0',
      )
      const { snapshot = '' } = (await transaction.one(exportSnapshot, {})) ?? {}
      await runDump(programs, { url, snapshot, folder }, progress)
      progress('counting rows')
      const { number: schema = 0 } = (await transaction.one(newestMigration, {})) ?? {}
      const counts = await countRows(transaction)
      await checkDump(programs, join(folder, DATABASE_FILE.postgres), counts, progress)
      return { counts, schema }
    })
  })
}

async function runDump(
  programs: PostgresPrograms,
  { url, snapshot, folder }: { url: string; snapshot: string; folder: string },
  progress: Progress,
): Promise<void> {
  const file = join(folder, DATABASE_FILE.postgres)
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--exclude-schema=replaced_*']
  const dump = programs.start('pg_dump', [...options, `--snapshot=${snapshot}`, `--file=${file}`], url)
  const showing = setInterval(() => {
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    progress(`dumping the database: ${Math.round(bytes / 1e6)} MB`)
  }, SHOW_EVERY_MS)
  progress('dumping the database')
  try {
    await ended(dump, 'pg_dump')
    syncPath(file)
  } finally {
    clearInterval(showing)
  }
}

/** Reads the whole dump, and compares its rows with the counts. */
export async function checkDump(
  programs: PostgresPrograms,
  file: string,
  counts: Readonly<Record<string, number>>,
  progress: Progress,
): Promise<void> {
  progress('reading the dump again')
  const reading = programs.start('pg_restore', ['--data-only', '--file=-', file])
  const [found] = await Promise.all([rowsIn(reading.stdout as Readable), ended(reading, 'pg_restore')])
  const wrong = Object.entries(counts).find(([table, rows]) => (found.get(table) ?? 0) !== rows)
  if (wrong !== undefined) {
    throw new Error(`the dump has ${found.get(wrong[0]) ?? 0} rows of ${wrong[0]}, not ${wrong[1]}`)
  }
}

async function rowsIn(script: Readable): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let table: string | undefined
  let rows = 0
  for await (const line of createInterface({ input: script, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (table === undefined) {
      table = /^COPY public\."?(\w+)"? .*FROM stdin;$/.exec(line)?.[1]
      rows = 0
    } else if (line === '\\.') {
      counts.set(table, rows)
      table = undefined
    } else rows++
  }
  return counts
}

/** `aside`: the name under which the schema that is there stays. All or nothing. */
export async function restoreDump(url: string, file: string, aside: string): Promise<void> {
  const programs = await whileOpen(openPatientPostgres(url), programsFor)
  const script = programs.start('pg_restore', ['--no-owner', '--no-privileges', '--file=-', file])
  const psql = programs.start(
    'psql',
    [
      ...['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--output=/dev/null'],
      ...[`--command=begin; ${setSchemaAside(aside)}`, '--file=-'],
    ],
    url,
  )
  // If one ends early the other gets no more, and its own words say why.
  psql.stdin?.on('error', () => script.kill())
  script.stdout?.pipe(psql.stdin as NodeJS.WritableStream, { end: false })
  const read = ended(script, 'pg_restore')
  const written = ended(psql, 'psql')
  // Only a script that was read to its end is committed: where this process is killed, psql reads an end and no commit.
  read.then(
    () => psql.stdin?.end('commit;\n'),
    () => psql.kill(),
  )
  const [first, second] = await Promise.allSettled([written, read])
  for (const one of [first, second]) if (one.status === 'rejected') throw one.reason
}
