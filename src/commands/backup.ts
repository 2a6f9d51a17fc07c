// For the embedded database: `paddock backup FILE`, also while the service runs, and `paddock restore FILE`, while it does not.

import { existsSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../platform/config/config.ts'
import { sqliteFile } from '../platform/configured-database.ts'
import { migrate, refuseOtherSchema } from '../platform/database/migrate.ts'
import {
  checkDatabase,
  copyBackup,
  copyDatabase,
  DamagedDatabase,
  DatabaseInUse,
  type LockedDatabase,
  lockDatabase,
  moveDatabase,
} from '../platform/database/sqlite/backup.ts'
import { openSqlite } from '../platform/database/sqlite/sqlite.ts'
import { openDataFolder } from '../platform/runtime/data-folder.ts'
import {
  CHECKS,
  type Check,
  checkContent,
  checkSchema,
  checksumFile,
  type Finding,
  readChecksum,
  readWithout,
  refuseOtherChecksum,
  writeChecksum,
} from './backup-checks.ts'
import { type Command, CommandError, type CommandResult } from './command.ts'

const PROBLEMS_FOUND = 1

export const backUp: Command = async (config, [name = '']) => {
  const file = backupFile(config, 'backup', name)
  const database = sqliteFile(config)
  if (!existsSync(database))
    throw new CommandError(`There is no database ${database}. Set DATA_DIR to the data folder of the service.`)
  for (const one of [file, checksumFile(file)]) {
    if (existsSync(one)) throw new CommandError(`${one} exists already: name a new file.`)
  }
  const unfinished = `${file}.unfinished`
  try {
    copyDatabase(database, unfinished)
    checkDatabase(unfinished)
    const findings = await checkCopy(unfinished)
    // Before the backup has its name: no backup is without its checksum.
    await writeChecksum(file, unfinished)
    moveDatabase(unfinished, file)
    return reportBackup(file, findings)
  } catch (error) {
    for (const one of [unfinished, checksumFile(file)]) rmSync(one, { force: true })
    throw failure(error, `${database} cannot be backed up`, 'No file was written.')
  }
}

export const restore: Command = async (config, [name = ''], options) => {
  const file = backupFile(config, 'restore', name)
  const without = readWithout(options.without)
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}. Name a file that "paddock backup" wrote.`)
  if (!statSync(file).isFile()) throw new CommandError(`${file} is no file. Name a file that "paddock backup" wrote.`)
  const checksum = without.has('checksum') ? null : readChecksum(file)
  openDataFolder(config.dataFolder)
  const database = sqliteFile(config)
  const held = hold(database)
  try {
    const incoming = `${database}.incoming`
    await copyCheckAndMigrate(file, incoming, checksum, without)
    const replacedFile = `${database}.replaced-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`
    const replaced = existsSync(database)
    held.setAside(replacedFile)
    moveDatabase(incoming, database)
    return reportRestore(file, replaced ? replacedFile : null, without)
  } finally {
    held.release()
  }
}

function backupFile(config: Config, command: string, name: string): string {
  if (config.databaseUrl !== null) {
    throw new CommandError(
      `paddock ${command} is for the embedded database, and DATABASE_URL names a PostgreSQL: use pg_dump and pg_restore.`,
    )
  }
  return resolve(name)
}

function hold(database: string): LockedDatabase {
  try {
    return lockDatabase(database)
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    throw new CommandError(`A service is running on ${database}: stop it first. Nothing was changed.`)
  }
}

/** Copies the backup next to the database, checks and migrates it there. A failure leaves nothing behind. */
async function copyCheckAndMigrate(
  file: string,
  incoming: string,
  checksum: string | null,
  without: ReadonlySet<Check>,
): Promise<void> {
  try {
    copyBackup(file, incoming)
    if (checksum !== null) await refuseOtherChecksum(incoming, checksum)
    checkDatabase(incoming)
    const differences = checkSchema(incoming)
    if (!without.has('schema')) refuseFindings(differences)
    const database = openSqlite(incoming)
    try {
      await migrate(database, Date.now())
      refuseFindings(await checkContent(database, without))
    } finally {
      await database.close()
    }
  } catch (error) {
    rmSync(incoming, { force: true })
    throw failure(error, `${file} cannot be restored`, 'Nothing was changed.')
  }
}

function refuseFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  const why = findings.map((one) => one.why).join('; ')
  throw new Error(`${why}. Use another backup, or restore it all the same: ${withoutOption(findings)}`)
}

function withoutOption(findings: readonly Finding[]): string {
  return `--without ${findings.map(({ check }) => check).join(',')}`
}

function failure(error: unknown, what: string, then: string): CommandError {
  const why = error instanceof DamagedDatabase ? 'it is damaged or not a Paddock database: ' : ''
  return new CommandError(`${what}: ${why}${(error as Error).message}. ${then}`, { cause: error })
}

/** Only with the schema of this version: another one may lack what the checks read. */
async function checkCopy(file: string): Promise<Finding[] | 'other version'> {
  const database = openSqlite(file)
  try {
    const isOurs = await refuseOtherSchema(database).then(
      () => true,
      () => false,
    )
    return isOurs ? [...checkSchema(file), ...(await checkContent(database, new Set()))] : 'other version'
  } finally {
    await database.close()
  }
}

function reportBackup(file: string, findings: readonly Finding[] | 'other version'): string | CommandResult {
  const done = `The database is backed up in ${file}, its SHA-256 in ${checksumFile(file)}.`
  if (findings === 'other version')
    return `${done} Its content was not checked, because another version of Paddock wrote it.`
  if (findings.length === 0) return `${done} Schema, audit trail, log of tips and ledger are right.`
  const lines = findings.map(({ why }) => `- ${why}`)
  const text = [`${done} Restoring it needs ${withoutOption(findings)}:`, ...lines].join('\n')
  return { text, exitCode: PROBLEMS_FOUND }
}

function reportRestore(file: string, replacedFile: string | null, without: ReadonlySet<Check>): string {
  const named = (checks: readonly Check[]) => checks.join(', ')
  return [
    `The database is restored from ${file}. Checked: ${named(CHECKS.filter((check) => !without.has(check))) || 'pages'}.`,
    ...(without.size === 0 ? [] : [`Not checked: ${named([...without])}.`]),
    ...(replacedFile === null
      ? []
      : [`The replaced database is ${replacedFile}: remove it when you no longer need it.`]),
  ].join(' ')
}
