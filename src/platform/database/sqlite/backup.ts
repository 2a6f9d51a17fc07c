// Backup and restore of the embedded database. A backup runs while the service writes; a restore needs the service stopped.

import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { restrictDatabaseToOwner } from '../../runtime/data-folder.ts'
import { isBusy } from './connection.ts'

const BUSY_TIMEOUT_MS = 5_000

/** Another process has the database open. */
export class DatabaseInUse extends Error {}

/** The file is damaged, or is not a database. */
export class DamagedDatabase extends Error {}

/**
 * Writes the state of one moment to a new file. Writers go on meanwhile; the write-ahead log grows until it is done.
 * `vacuum into` instead of a copy of the pages, so that the file contains no deleted data.
 */
export function copyDatabase(from: string, to: string): void {
  rmSync(to, { force: true })
  // Created first, with the right mode: SQLite fills an existing empty file.
  restrictDatabaseToOwner(to)
  const connection = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS })
  try {
    connection.prepare('vacuum into ?').run(to)
  } finally {
    connection.close()
  }
  syncPath(to)
}

/** Throws DamagedDatabase unless every page, index and reference is right. */
export function checkDatabase(file: string): void {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    const problems = connection
      .prepare('pragma integrity_check(10)')
      .all()
      .map((row) => `${Object.values(row)[0]}`)
    if (problems.join() !== 'ok') throw new DamagedDatabase(problems.join('; '))
    const broken = connection.prepare('pragma foreign_key_check').all()
    if (broken.length > 0) throw new DamagedDatabase(`${broken.length} rows refer to rows that do not exist`)
  } catch (error) {
    throw isDamage(error) ? new DamagedDatabase((error as Error).message) : error
  } finally {
    connection.close()
  }
}

/** Copies a backup next to the database, to be checked there before it replaces it. */
export function copyBackup(from: string, to: string): void {
  rmSync(to, { force: true })
  restrictDatabaseToOwner(to)
  copyFileSync(from, to)
  restrictDatabaseToOwner(to)
  syncPath(to)
}

export type LockedDatabase = {
  /** It has another name too, until `moveDatabase` puts a file in its place: a start in between must not find none, and create one. */
  setAside(as: string): void
  release(): void
}

/**
 * Locks a database against every other process until it is released. Throws DatabaseInUse when another process has it
 * open: an open connection holds a lock, so switching off the write-ahead log fails while there is one.
 */
export function lockDatabase(file: string): LockedDatabase {
  const connection = existsSync(file) ? lockedConnection(file) : null
  return {
    setAside(as) {
      for (const end of ['-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, as + end)
      if (existsSync(file)) giveSecondName(file, as)
    },
    release: () => connection?.close(),
  }
}

function lockedConnection(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: 0 })
  try {
    const { journal_mode } = connection.prepare('pragma journal_mode = delete').get() as { journal_mode: string }
    if (journal_mode !== 'delete') throw new DatabaseInUse()
    connection.exec('begin exclusive')
  } catch (error) {
    // It cannot be locked, but it is what a restore replaces.
    if (isDamage(error)) return connection
    connection.close()
    throw isBusy(error) ? new DatabaseInUse() : error
  }
  return connection
}

function giveSecondName(file: string, name: string): void {
  try {
    linkSync(file, name)
  } catch {
    // Some file systems have no links.
    renameSync(file, name)
  }
}

/** The new name survives a power failure only once the folder is synced. */
export function moveDatabase(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}

export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

function isDamage(error: unknown): boolean {
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}
