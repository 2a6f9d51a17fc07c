// `paddock backup [FOLDER]`, also while the service runs. `paddock restore` is in restore.ts.

import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import type { Config } from '../platform/config/config.ts'
import { installationOf, sqliteFile } from '../platform/configured-database.ts'
import { checksumOfBackup, DATABASE_FILE, isBackupFolder, type Manifest } from '../platform/database/backup/manifest.ts'
import { backupsFolder, timeInName } from '../platform/database/backup/names.ts'
import { writeBackup } from '../platform/database/backup/write.ts'
import { whileOpen } from '../platform/database/database.ts'
import { refuseOtherSchema } from '../platform/database/migrate.ts'
import { DamagedDatabase } from '../platform/database/sqlite/backup.ts'
import { openSqlite } from '../platform/database/sqlite/sqlite.ts'
import { checkContent, checkSchema, type Finding, withoutOption } from './backup-checks.ts'
import { type Command, CommandError, type CommandResult } from './command.ts'
import { endProgress, showProgress } from './progress.ts'

const PROBLEMS_FOUND = 1

export const backUp: Command = async (config, [name]) => {
  const folder = newFolder(config, name)
  if (config.databaseUrl === null && !existsSync(sqliteFile(config)))
    throw new CommandError(
      `There is no database ${sqliteFile(config)}. Set DATA_DIR to the data folder of the service.`,
    )
  const options = {
    version: packageFile.version,
    now: Date.now(),
    pictures: 'copied',
    progress: showProgress(),
  } as const
  let findings: readonly Finding[] | 'not checked' = 'not checked'
  try {
    const manifest = await writeBackup(installationOf(config), folder, options, async (unfinished) => {
      if (config.databaseUrl === null) findings = await checkCopy(join(unfinished, DATABASE_FILE.sqlite))
    })
    endProgress()
    return report(folder, manifest, await checksumOfBackup(folder), findings)
  } catch (error) {
    endProgress()
    throw failure(error, 'The database cannot be backed up', 'No backup was written.')
  }
}

/** A folder that is there gets the backup in a folder of its own, as a scheduler needs it. */
function newFolder(config: Config, name?: string): string {
  if (name === undefined) return join(backupsFolder(config.dataFolder), `paddock-${timeInName(Date.now())}`)
  const given = resolve(name)
  if (!existsSync(given)) return given
  if (!statSync(given).isDirectory() || isBackupFolder(given))
    throw new CommandError(`${given} exists already: name a new folder, or one that holds backups.`)
  return join(given, `paddock-${timeInName(Date.now())}`)
}

/** `work` of a restore, before anything is changed. */
export async function orUnchanged<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failure(error, `${path} cannot be restored`, 'Nothing was changed.')
  }
}

export function failure(error: unknown, what: string, then: string): CommandError {
  const why = error instanceof DamagedDatabase ? 'it is damaged or not a Paddock database: ' : ''
  return new CommandError(`${what}: ${why}${(error as Error).message}. ${then}`, { cause: error })
}

/** Only with the schema of this version: another one may lack what the checks read. */
function checkCopy(file: string): Promise<Finding[] | 'not checked'> {
  return whileOpen(openSqlite(file), async (database) => {
    const isOurs = await refuseOtherSchema(database).then(
      () => true,
      () => false,
    )
    return isOurs ? [...checkSchema(file), ...(await checkContent(database, new Set()))] : 'not checked'
  })
}

function report(
  folder: string,
  { engine, counts, files, pictures }: Manifest,
  checksum: string,
  findings: readonly Finding[] | 'not checked',
): string | CommandResult {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const copied = files.filter((file) => file.name.startsWith('pictures')).length
  const done = [
    `The database (${rows} rows) and ${pictures === 'included' ? `${copied} pictures are` : 'what else is needed, without the pictures in the bucket, are'} backed up in ${folder}.`,
    `The SHA-256 of its manifest.json, which has those of all files, is ${checksum}.`,
  ].join(' ')
  if (engine === 'postgres') return `${done} The dump was read again and has every row; a restore checks the content.`
  if (findings === 'not checked')
    return `${done} Its content was not checked, because another version of Paddock wrote it.`
  if (findings.length === 0) return `${done} Schema, audit trail, log of tips and ledger are right.`
  const lines = findings.map(({ why }) => `- ${why}`)
  const text = [`${done} Restoring it needs ${withoutOption(findings)}:`, ...lines].join('\n')
  return { text, exitCode: PROBLEMS_FOUND }
}
