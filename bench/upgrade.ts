// How long each migration takes: `npm run bench:upgrade -- --help`. `paddock upgrade --check` reads what it writes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { positiveNumber, readCommandLine } from '../scripts/command-line.js'
import { countRows } from '../src/platform/database/backup/counts-store.ts'
import type { Database } from '../src/platform/database/database.ts'
import { MIGRATION_TABLE, readMigrations, withoutForeignKeys } from '../src/platform/database/migrate.ts'
import { listed } from '../src/platform/database/migration-list.ts'
import { recordMigration } from '../src/platform/database/migration-store.ts'
import { openPostgres } from '../src/platform/database/postgres/postgres.ts'
import { openSqlite } from '../src/platform/database/sqlite/sqlite.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import type { EngineName } from './data/data-sets.ts'
import { FIRST_RELEASE, fillFirstRelease } from './data/first-release.ts'
import { enginesOf } from './options.ts'

const USAGE = `Usage: npm run bench:upgrade -- [options]

  Fills an installation of the first release (migration ${String(FIRST_RELEASE).padStart(4, '0')}) with tips, and as many follows, likes and bets, and times each later
  migration on it. Writes the milliseconds for a million rows of the tables that a migration touches.

  --engine sqlite|postgres|both    which engine (both)
  --tips N                         how many tips (1000000)
  --times FILE                     where the times are written (migrations/times.json)
  --help`

const MILLION = 1_000_000
/** The time of fewer rows says nothing of a million. */
const FEWEST_ROWS = 1_000
const SHOWN_MS = 500

const options = readCommandLine(USAGE, (args: string[]) => {
  const { values } = parseArgs({
    args,
    options: {
      engine: { type: 'string', default: 'both' },
      tips: { type: 'string', default: `${MILLION}` },
      times: { type: 'string', default: new URL('../migrations/times.json', import.meta.url).pathname },
    },
  })
  return { ...values, engines: enginesOf(values.engine), tips: positiveNumber('--tips', values.tips) }
})

type Times = Record<string, number>

async function timesOf(database: Database): Promise<{ seconds: number; times: Times }> {
  await database.script(MIGRATION_TABLE)
  const [first, later] = [true, false].map((isFirst) =>
    readMigrations(database.engine).filter(({ number }) => number <= FIRST_RELEASE === isFirst),
  )
  for (const { number, name, sql, checksum } of first ?? []) {
    await database.transaction((transaction) => transaction.script(sql))
    await database.run(recordMigration, { number, name, checksum, now: 1 })
  }
  await fillFirstRelease(database, options.tips)
  console.log(`${database.engine}: filled`)
  const times: Times = {}
  let total = 0
  for (const { name, sql } of later ?? []) {
    const counts = await countRows(database)
    const rows = Object.keys(listed({ name }).locks).reduce((sum, table) => sum + (counts[table] ?? 0), 0)
    const start = performance.now()
    const migrate = () => database.transaction((transaction) => transaction.script(sql))
    await (database.engine === 'sqlite' ? withoutForeignKeys(database, migrate) : migrate())
    const took = performance.now() - start
    total += took
    if (took >= SHOWN_MS) console.log(`${database.engine}: ${name} ${Math.round(took)} ms`)
    times[name] = rows < FEWEST_ROWS ? 0 : Math.round((took * MILLION) / rows)
  }
  return { seconds: Math.round(total / 100) / 10, times }
}

async function measure(engine: EngineName): Promise<{ seconds: number; times: Times }> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  const server = engine === 'postgres' ? await startPostgres([], folder) : undefined
  const database =
    server === undefined
      ? openSqlite(join(folder, 'paddock.db'))
      : openPostgres({ url: server.url, statementTimeoutMs: 3_600_000 })
  try {
    const measured = await timesOf(database)
    console.log(`${engine}: ${options.tips} tips of the first release are upgraded in ${measured.seconds} s`)
    return measured
  } finally {
    await database.close()
    await server?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const measured: Record<string, unknown> = {}
for (const engine of options.engines) measured[engine] = await measure(engine)
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`
writeFileSync(options.times, `${JSON.stringify({ tips: options.tips, machine, ...measured }, null, 2)}\n`)
