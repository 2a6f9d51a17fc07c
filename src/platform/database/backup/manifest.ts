// A backup is a folder: manifest.json and the files that it names. The folder has its name only once all of them are written.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncPath } from '../sqlite/backup.ts'

export type BackedUpFile = { readonly name: string; readonly bytes: number; readonly sha256: string }

export type Manifest = {
  readonly format: 1
  /** The version of the program that wrote it. */
  readonly version: string
  readonly engine: 'sqlite' | 'postgres'
  /** The number of the last migration. */
  readonly schema: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** `elsewhere`: in a bucket, which is backed up where it is. */
  readonly pictures: 'included' | 'elsewhere'
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>
  readonly files: readonly BackedUpFile[]
}

/** `done` of `total`, where it is known. */
export type Progress = (step: string, done?: number, total?: number) => void

const EVERY = 10

/** A line for each step, and within long ones for every tenth report. */
export function stepsOf(show: (step: string) => void): Progress {
  let [last, reports] = ['', 0]
  return (step) => {
    const stage = step.replace(/:.*/, '')
    reports = stage === last ? reports + 1 : 0
    if (reports === 0 || (stage !== step && reports % EVERY === 0)) show(step)
    last = stage
  }
}

export const DATABASE_FILE = { sqlite: 'paddock.db', postgres: 'paddock.dump' } as const
const MANIFEST = 'manifest.json'
const OWNER_FOLDER = 0o700
const OWNER_FILE = 0o600

export function isBackupFolder(path: string): boolean {
  return existsSync(join(path, MANIFEST))
}

/** Nothing that looks like a backup is left if `fill` fails, or if the process is killed. */
export async function writeFolder<T>(folder: string, fill: (unfinished: string) => Promise<T>): Promise<T> {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  try {
    mkdirSync(unfinished, { mode: OWNER_FOLDER })
    const result = await fill(unfinished)
    syncPath(unfinished)
    renameSync(unfinished, folder)
    syncPath(dirname(folder))
    return result
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

export function writeManifest(folder: string, manifest: Manifest): void {
  const file = join(folder, MANIFEST)
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { mode: OWNER_FILE })
  syncPath(file)
}

/** The checksum of the manifest, which has those of all files. */
export function checksumOfBackup(folder: string): Promise<string> {
  return sha256Of(join(folder, MANIFEST))
}

/** Throws in words unless it is a manifest that this version knows. */
export function readManifest(folder: string): Manifest {
  if (!isBackupFolder(folder)) throw new Error(`it has no ${MANIFEST}: it is no backup, or one that was never finished`)
  const manifest = parsed(readFileSync(join(folder, MANIFEST), 'utf8'))
  if (manifest.format !== 1)
    throw new Error('a newer version of Paddock wrote it: restore it with that version or a later one')
  return manifest
}

function parsed(text: string): Manifest {
  try {
    return JSON.parse(text) as Manifest
  } catch (error) {
    throw new Error(`its ${MANIFEST} is damaged`, { cause: error })
  }
}

/** Reads every file again, from the disk. */
export async function filesIn(folder: string, names: readonly string[], progress: Progress): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for (const name of names) {
    const path = join(folder, name)
    files.push({ name, bytes: statSync(path).size, sha256: await sha256Of(path) })
    progress('computing checksums', files.length, names.length)
  }
  return files
}

/** Throws in words unless every file of the manifest is there, as it was written. */
export async function checkFiles(folder: string, { files }: Manifest, progress: Progress): Promise<void> {
  for (const [index, { name, bytes, sha256 }] of files.entries()) {
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) throw new Error(`its file ${name} is missing`)
    if (found.size !== bytes || (await sha256Of(path)) !== sha256) {
      throw new Error(`its file ${name} is not as it was written: copy the backup again, or use another`)
    }
    progress('checking files', index + 1, files.length)
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}
