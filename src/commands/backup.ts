// For the embedded database: `paddock backup FILE`, also while the service runs, and `paddock restore FILE`, while it does not.

import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { migrate, refuseOtherSchema } from '../database/migrate.ts'
import {
  checkDatabase,
  copyBackup,
  copyDatabase,
  DamagedDatabase,
  DatabaseInUse,
  type LockedDatabase,
  lockDatabase,
  moveDatabase,
} from '../database/sqlite/backup.ts'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import { openDataFolder } from '../runtime/data-folder.ts'
import { sqliteFile } from '../service.ts'
import { checkLedger } from '../wallets/ledger.ts'
import { type Command, CommandError, type CommandResult } from './command.ts'

const LEDGER_PROBLEMS = 1

export const backUp: Command = async (config, [name = '']) => {
  const file = backupFile(config, 'backup', name)
  const database = sqliteFile(config)
  if (!existsSync(database))
    throw new CommandError(`There is no database ${database}. Set DATA_DIR to the data folder of the service.`)
  if (existsSync(file)) throw new CommandError(`${file} exists already: name a new file.`)
  const unfinished = `${file}.unfinished`
  try {
    copyDatabase(database, unfinished)
    checkDatabase(unfinished)
    const ledger = await checkedLedger(unfinished)
    moveDatabase(unfinished, file)
    return report(`The database is backed up in ${file}.`, ledger)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw failure(error, `${database} cannot be backed up`, 'No file was written.')
  }
}

export const restore: Command = async (config, [name = '']) => {
  const file = backupFile(config, 'restore', name)
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}. Name a file that "paddock backup" wrote.`)
  openDataFolder(config.dataFolder)
  const database = sqliteFile(config)
  const held = hold(database)
  try {
    const incoming = `${database}.incoming`
    await copyAndMigrate(file, incoming)
    const replacedFile = `${database}.replaced-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`
    const replaced = existsSync(database)
    held.setAside(replacedFile)
    moveDatabase(incoming, database)
    const advice = replaced ? ` The replaced database is ${replacedFile}: remove it when you no longer need it.` : ''
    return report(`The database is restored from ${file}.${advice}`, await checkedLedger(database))
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

/** Copies the backup next to the database, checks and migrates it. A failure leaves nothing behind. */
async function copyAndMigrate(file: string, incoming: string): Promise<void> {
  try {
    copyBackup(file, incoming)
    checkDatabase(incoming)
    const database = openSqlite(incoming)
    try {
      await migrate(database, Date.now())
    } finally {
      await database.close()
    }
  } catch (error) {
    rmSync(incoming, { force: true })
    throw failure(error, `${file} cannot be restored`, 'Nothing was changed.')
  }
}

function failure(error: unknown, what: string, then: string): CommandError {
  const why = error instanceof DamagedDatabase ? 'it is damaged or not a Paddock database: ' : ''
  return new CommandError(`${what}: ${why}${(error as Error).message}. ${then}`, { cause: error })
}

type CheckedLedger = Awaited<ReturnType<typeof checkLedger>> | 'other version'

/** Only with the schema of this version: an older one may lack what the check reads. */
async function checkedLedger(file: string): Promise<CheckedLedger> {
  const database = openSqlite(file)
  try {
    const isOurs = await refuseOtherSchema(database).then(
      () => true,
      () => false,
    )
    return isOurs ? await checkLedger(database) : 'other version'
  } finally {
    await database.close()
  }
}

function report(done: string, ledger: CheckedLedger): string | CommandResult {
  if (ledger === 'other version')
    return `${done} Its ledger was not checked, because another version of Paddock wrote it.`
  if (ledger.balanced) return `${done} The ledger is balanced: ${ledger.deposits} deposits.`
  const text = [`${done} The ledger has ${ledger.problems.length} problems:`, ...ledger.problems].join('\n')
  return { text, exitCode: LEDGER_PROBLEMS }
}
