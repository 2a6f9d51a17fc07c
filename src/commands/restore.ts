// `paddock restore FOLDER`, while no service runs on the database. Also a single file of the embedded database, as earlier versions wrote.

import { existsSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../platform/config/config.ts'
import { sqliteFile } from '../platform/configured-database.ts'
import {
  checkFiles,
  DATABASE_FILE,
  isBackupFolder,
  type Manifest,
  readManifest,
} from '../platform/database/backup/manifest.ts'
import { timeInName } from '../platform/database/backup/names.ts'
import { restoreFiles } from '../platform/database/backup/restored-files.ts'
import { whileOpen } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { schemaNumber } from '../platform/database/migration-list.ts'
import {
  checkDatabase,
  copyBackup,
  DatabaseInUse,
  lockDatabase,
  moveDatabase,
} from '../platform/database/sqlite/backup.ts'
import { openSqlite } from '../platform/database/sqlite/sqlite.ts'
import { giveToOwner, openDataFolder } from '../platform/runtime/data-folder.ts'
import { orUnchanged } from './backup.ts'
import {
  CHECKS,
  type Check,
  checkContent,
  checkSchema,
  readChecksum,
  readWithout,
  refuseFindings,
  refuseOtherChecksum,
} from './backup-checks.ts'
import { type Command, CommandError } from './command.ts'
import { endProgress, showProgress } from './progress.ts'
import { restorePostgres } from './restore-postgres.ts'
import { lockDataFolder } from './serve-lock.ts'

/** What is restored: `manifest` is null for a single file. */
type Given = { path: string; manifest: Manifest | null; without: ReadonlySet<Check>; replace: boolean }

export const restore: Command = async (config, [name = ''], options) => {
  const path = resolve(name)
  const without = readWithout(options.without)
  const manifest = await manifestOf(path, config)
  const given: Given = { path, manifest, without, replace: options.replace !== undefined }
  openDataFolder(config.dataFolder)
  const lock = orRunning(config.dataFolder, CommandError, () => lockDataFolder(config))
  const aside = timeInName(Date.now())
  try {
    if (manifest !== null && !without.has('checksum'))
      await orUnchanged(path, () => checkFiles(path, manifest, showProgress()))
    const replaced =
      config.databaseUrl === null
        ? await restoreSqlite(config, given, aside)
        : await restorePostgres(config.databaseUrl, path, { ...given, manifest: manifest as Manifest, aside })
    const files = manifest === null ? [] : restoreFiles(path, config.dataFolder, manifest, aside)
    return report(path, [...replaced, ...files], without)
  } finally {
    endProgress()
    lock.release()
  }
}

/** `refusal`: what `lock` throws while a service runs. */
function orRunning<T>(what: string, refusal: typeof CommandError | typeof DatabaseInUse, lock: () => T): T {
  try {
    return lock()
  } catch (error) {
    if (!(error instanceof refusal)) throw error
    throw new CommandError(`A service is running on ${what}: stop it first. Nothing was changed.`)
  }
}

async function manifestOf(path: string, { databaseUrl }: Config): Promise<Manifest | null> {
  if (!existsSync(path)) throw new CommandError(`There is no ${path}. Name a folder that "paddock backup" wrote.`)
  const found = statSync(path)
  if (found.isFile() && databaseUrl === null) return null
  if (!found.isDirectory()) throw new CommandError(`${path} is no folder. Name a folder that "paddock backup" wrote.`)
  const engine = databaseUrl === null ? 'sqlite' : 'postgres'
  const manifest = await orUnchanged(path, () => readManifest(path))
  if (manifest.engine !== engine) {
    const words = { sqlite: 'of the embedded database', postgres: 'of a PostgreSQL' }
    throw new CommandError(
      `${path} is a backup ${words[manifest.engine]}, and the settings are those ${words[engine]}: correct DATABASE_URL. Nothing was changed.`,
    )
  }
  if (manifest.schema > schemaNumber()) {
    throw new CommandError(
      `${path} cannot be restored: a newer version of Paddock (${manifest.version}, migration ${manifest.schema}) wrote it: restore it with that version or a later one. Nothing was changed.`,
    )
  }
  return manifest
}

// ---- The embedded database

async function restoreSqlite(config: Config, given: Given, aside: string): Promise<string[]> {
  const file = given.manifest === null ? given.path : join(given.path, DATABASE_FILE.sqlite)
  const checksum = given.manifest !== null || given.without.has('checksum') ? null : readChecksum(file)
  const database = sqliteFile(config)
  const replaced = existsSync(database)
  if (replaced && !given.replace) {
    throw new CommandError(
      `There is a database ${database}: to replace it, which keeps it under another name, add --replace. Nothing was changed.`,
    )
  }
  const held = orRunning(database, DatabaseInUse, () => lockDatabase(database))
  try {
    const incoming = `${database}.incoming`
    await orUnchanged(file, () => copyCheckAndMigrate(file, incoming, checksum, given.without))
    const replacedFile = `${database}.replaced-${aside}`
    giveToOwner(config.dataFolder, incoming)
    held.setAside(replacedFile)
    moveDatabase(incoming, database)
    return replaced ? [replacedFile] : []
  } finally {
    held.release()
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
    await whileOpen(openSqlite(incoming), async (database) => {
      await migrate(database, Date.now())
      refuseFindings(await checkContent(database, without))
    })
  } catch (error) {
    rmSync(incoming, { force: true })
    throw error
  }
}

function report(path: string, replaced: readonly string[], without: ReadonlySet<Check>): string {
  const named = (checks: readonly Check[]) => checks.join(', ')
  const kind = isBackupFolder(path) ? 'installation' : 'database'
  return [
    `The ${kind} is restored from ${path}. Checked: ${named(CHECKS.filter((check) => !without.has(check))) || 'pages'}.`,
    ...(without.size === 0 ? [] : [`Not checked: ${named([...without])}.`]),
    ...(replaced.length === 0
      ? []
      : [`What was replaced is now ${replaced.join(', ')}: remove it when you no longer need it.`]),
  ].join(' ')
}
