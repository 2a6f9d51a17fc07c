// `paddock upgrade --check`: what a start of this version would do to the database. It changes nothing.

import { existsSync, readFileSync, statfsSync } from 'node:fs'
import type { Config } from '../platform/config/config.ts'
import { checkEnvFile } from '../platform/config/env-file.ts'
import { goneSettings } from '../platform/config/gone-settings.ts'
import { openDatabase, sqliteFile } from '../platform/configured-database.ts'
import { countRows } from '../platform/database/backup/counts-store.ts'
import { programsFor } from '../platform/database/backup/postgres-dump.ts'
import { databaseBytes } from '../platform/database/backup/size-store.ts'
import { type Database, whileOpen } from '../platform/database/database.ts'
import { type Migration, pendingOf, readMigrations } from '../platform/database/migrate.ts'
import { changesData, isBesideNeighbours, listed, type TableLock } from '../platform/database/migration-list.ts'
import { appliedMigrations } from '../platform/database/migration-store.ts'
import { estimatedSeconds, measuredTimes } from '../platform/database/migration-times.ts'
import { type Command, UsageError } from './command.ts'

const PROBLEMS_FOUND = 1

type Step = {
  name: string
  changesData: boolean
  neighbours: boolean
  locks: Readonly<Record<string, TableLock>>
  /** null: it was not measured. */
  seconds: number | null
}

type Report = {
  database: string
  /** The number of the last migration; null: the database is new. */
  schema: number | null
  migrations: readonly Step[]
  neighboursMayGoOn: boolean
  backup: { needed: boolean; bytes: number; free: number } | null
  settings: { gone: readonly string[]; unknown: readonly string[] }
  problems: readonly string[]
}

export const upgrade: Command = async (config, _given, { check, json }) => {
  if (check === undefined) {
    throw new UsageError('Write paddock upgrade --check. To upgrade, start the new version, or run "paddock migrate".')
  }
  const report = await reportOf(config)
  const text = json === undefined ? linesOf(report).join('\n') : JSON.stringify(report, null, 2)
  return { text, exitCode: report.problems.length > 0 ? PROBLEMS_FOUND : 0 }
}

async function reportOf(config: Config): Promise<Report> {
  const settings = settingsProblems()
  const database = config.databaseUrl === null ? sqliteFile(config) : 'PostgreSQL'
  const problems = settings.gone.map((line) => `${line}: remove it`)
  const none = { database, schema: null, migrations: [], neighboursMayGoOn: true, backup: null, settings, problems }
  if (config.databaseUrl === null && !existsSync(sqliteFile(config))) return none
  return whileOpen(openDatabase(config), async (opened) => {
    const counts = await countRows(opened)
    if (counts.migration === undefined) return none
    const applied = await opened.query(appliedMigrations, {})
    const wanted = readMigrations(opened.engine)
    const pending = await pendingOf(opened, applied, wanted).catch((error: Error) => {
      problems.push(error.message)
      return []
    })
    const backup = await backupOf(config, opened, pending, problems)
    return {
      ...none,
      schema: applied.at(-1)?.number ?? null,
      migrations: pending.map((one) => stepOf(opened.engine, one, counts)),
      neighboursMayGoOn: pending.every(isBesideNeighbours),
      backup,
      problems,
    }
  })
}

function stepOf(engine: Database['engine'], { name }: Migration, counts: Readonly<Record<string, number>>): Step {
  const { data, neighbours, locks } = listed({ name })
  return { name, changesData: data, neighbours, locks, seconds: estimatedSeconds(engine, name, counts) }
}

async function backupOf(config: Config, database: Database, pending: readonly Migration[], problems: string[]) {
  const needed = config.backupBeforeUpgrade && pending.some(changesData)
  const bytes = (await database.one(databaseBytes[database.engine], {}))?.bytes ?? 0
  const folder = statfsSync(existsSync(config.dataFolder) ? config.dataFolder : '.')
  const free = folder.bavail * folder.bsize
  if (needed && bytes > free) {
    problems.push(
      `The backup before it may need ${megabytes(bytes)}, and DATA_DIR has ${megabytes(free)} free: make room`,
    )
  }
  if (needed && database.engine === 'postgres') {
    await programsFor(database).catch((error: Error) => {
      problems.push(`${error.message}, or set BACKUP_BEFORE_UPGRADE=off and make a backup by other means`)
    })
  }
  return { needed, bytes, free }
}

/** The environment has names of many programs: only those that were settings count. */
function settingsProblems(): Report['settings'] {
  const gone = Object.entries(goneSettings).filter(([name]) => process.env[name])
  const unknown = existsSync('.env') ? checkEnvFile(readFileSync('.env', 'utf8')).unknown : []
  return {
    gone: gone.map(([name, instead]) => `${name} is no longer read (${instead})`),
    unknown: unknown.filter((line) => !gone.some(([name]) => line.includes(` ${name}`))),
  }
}

// ---- In words

function linesOf({ database, schema, migrations, neighboursMayGoOn, backup, settings, problems }: Report): string[] {
  if (schema === null && problems.length === 0) return [`${database} is new: there is nothing to upgrade.`]
  const head =
    migrations.length === 0
      ? `${database} has schema ${schema}: there is nothing to migrate.`
      : `${database} has schema ${schema}, and a start of this version runs ${migrations.length} migrations, in one transaction:`
  return [
    head,
    ...migrations.map((step) => `- ${stepLine(step, database === 'PostgreSQL')}`),
    ...(migrations.length === 0 ? [] : summary(migrations, neighboursMayGoOn, backup)),
    ...settings.unknown,
    ...problems.map((problem) => `Problem: ${problem}.`),
  ]
}

const WHAT: Readonly<Record<TableLock, string>> = {
  all: 'neither read nor written',
  writes: 'not written',
  rows: 'written in some rows',
  read: '',
}

function stepLine({ name, changesData, locks, seconds }: Step, hasTableLocks: boolean): string {
  const locked = (['all', 'writes', 'rows'] as const).flatMap((lock) => {
    const tables = Object.keys(locks).filter((table) => locks[table] === lock)
    return tables.length === 0 || !hasTableLocks ? [] : [`${tables.join(', ')} ${WHAT[lock]} until the end`]
  })
  const time = seconds === null ? 'time not measured' : `about ${seconds} s`
  return [name, time, ...(changesData ? ['changes data'] : []), ...locked].join('; ')
}

function summary(steps: readonly Step[], neighboursMayGoOn: boolean, backup: Report['backup']): string[] {
  const times = measuredTimes()
  const seconds = steps.reduce((sum, step) => sum + (step.seconds ?? 0), 0)
  const measured =
    times === null ? '' : ` (from ${times.tips} tips on ${times.machine}; a disk that is slower takes longer)`
  return [
    `Together about ${Math.ceil(seconds)} s with the rows of this database${measured}.`,
    neighboursMayGoOn
      ? 'Processes of the version before may go on meanwhile; their requests wait for locks.'
      : 'Stop all processes of the version before first: it may not run on what these migrations leave.',
    backup?.needed
      ? `A backup comes first, to DATA_DIR/backups: up to ${megabytes(backup.bytes)}, with ${megabytes(backup.free)} free.`
      : 'No backup is made before it: none of them changes data, or BACKUP_BEFORE_UPGRADE is off.',
  ]
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}
