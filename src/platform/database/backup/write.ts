import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { giveToOwner } from '../../runtime/data-folder.ts'
import { whileOpen } from '../database.ts'
import { checkDatabase, copyDatabase } from '../sqlite/backup.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { countRows, newestMigration } from './counts-store.ts'
import { copyOthers, copyPictures, PICTURES, type PictureCopies } from './files.ts'
import { DATABASE_FILE, filesIn, type Manifest, type Progress, writeFolder, writeManifest } from './manifest.ts'
import { dumpPostgres } from './postgres-dump.ts'

export type Installation = {
  /** The address of PostgreSQL; null: the embedded database. */
  readonly url: string | null
  /** The file of the embedded database. */
  readonly file: string
  readonly dataFolder: string
  readonly picturesOnDisk: boolean
}

export type BackupOptions = {
  readonly version: string
  readonly now: number
  readonly pictures: PictureCopies
  readonly progress: Progress
}

/** The folder must not exist. Checks what it writes; `inspect` may look at it before it has its name. */
export function writeBackup(
  installation: Installation,
  folder: string,
  options: BackupOptions,
  inspect: (unfinished: string) => Promise<void> = async () => {},
): Promise<Manifest> {
  const { version, now, progress } = options
  const engine = installation.url === null ? 'sqlite' : 'postgres'
  return writeFolder(folder, async (unfinished) => {
    const copyPicturesAgain = () => {
      if (!installation.picturesOnDisk) return
      copyPictures(installation.dataFolder, unfinished, options.pictures, progress)
    }
    copyPicturesAgain()
    const { counts, schema } = await backUpDatabase(installation, unfinished, progress)
    copyPicturesAgain()
    copyOthers(installation.dataFolder, unfinished)
    await inspect(unfinished)
    const manifest: Manifest = {
      format: 1,
      version,
      engine,
      schema,
      at: now,
      pictures: installation.picturesOnDisk ? 'included' : 'elsewhere',
      counts,
      files: await filesIn(unfinished, restrictedFiles(unfinished), progress),
    }
    writeManifest(unfinished, manifest)
    if (isWithin(installation.dataFolder, folder)) giveToOwner(installation.dataFolder, unfinished)
    return manifest
  })
}

async function backUpDatabase({ url, file }: Installation, folder: string, progress: Progress) {
  if (url !== null) return dumpPostgres(url, folder, progress)
  const copy = join(folder, DATABASE_FILE.sqlite)
  progress(`copying the database: ${Math.round(statSync(file).size / 1e6)} MB`)
  copyDatabase(file, copy)
  progress('checking the copy')
  checkDatabase(copy)
  return whileOpen(openSqlite(copy), async (database) => {
    const { number: schema = 0 } = (await database.one(newestMigration, {})) ?? {}
    return { counts: await countRows(database), schema }
  })
}

/** The names of the files of a new backup, which only our own account may read from now on. Linked pictures are files of the service. */
function restrictedFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  for (const name of files) if (!name.startsWith(PICTURES)) chmodSync(join(folder, name), 0o600)
  return files
}

function isWithin(folder: string, path: string): boolean {
  return resolve(path).startsWith(resolve(folder) + sep)
}
