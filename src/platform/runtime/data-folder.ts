// The data folder and the embedded database contain customers' data and password hashes: only our own account may read them.

import { chmodSync, closeSync, lchownSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const OWNER_FOLDER = 0o700
const OWNER_FILE = 0o600
const OTHERS = 0o077
/** Marks a folder that everybody writes to, such as /tmp. */
const STICKY = 0o1000

export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER })
  restrictToOwner(folder, OWNER_FOLDER)
}

/** SQLite creates -wal and -shm with the rights of the file; those of an earlier version are restricted too. */
export function restrictDatabaseToOwner(file: string): void {
  closeSync(openSync(file, 'a', OWNER_FILE))
  for (const one of [file, `${file}-wal`, `${file}-shm`]) restrictToOwner(one, OWNER_FILE)
}

function restrictToOwner(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || (found.mode & OTHERS) === 0 || (found.mode & STICKY) !== 0) return
  try {
    chmodSync(path, mode)
  } catch (error) {
    // A mounted folder may belong to another account, which then decides who reads it.
    if ((error as { code?: string }).code !== 'EPERM') throw error
  }
}

/** What root writes into a data folder of the service's account must be of use to that account. With all that is in it. */
export function giveToOwner(dataFolder: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataFolder)
  if (uid === 0) return
  const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  for (const one of [path, ...names.map((name) => join(path, name))]) lchownSync(one, uid, gid)
}
