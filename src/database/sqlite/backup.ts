// Copies of the embedded database: one made while the service writes to it, and one put in its place while nobody does.

import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keepDatabasePrivate } from '../../runtime/data-folder.ts'
import { isBusy } from './connection.ts'

const PATIENCE_MS = 5_000

/** Another process has the database open. */
export class DatabaseInUse extends Error {}

/** The file is damaged or no database at all. */
export class DamagedDatabase extends Error {}

/**
 * Writes the state of one moment to a new file. Writers go on meanwhile; the write-ahead log grows until it is done.
 * `vacuum into` and not a copy of the pages, so that no deleted data is in the file.
 */
export function copyDatabase(from: string, to: string): void {
  rmSync(to, { force: true })
  // SQLite takes an empty file as it is, with its rights.
  keepDatabasePrivate(to)
  const connection = new DatabaseSync(from, { timeout: PATIENCE_MS })
  try {
    connection.prepare('vacuum into ?').run(to)
  } finally {
    connection.close()
  }
  syncPath(to)
}

/** Throws DamagedDatabase unless every page, index and reference is right. */
export function checkDatabase(file: string): void {
  const connection = new DatabaseSync(file, { timeout: PATIENCE_MS })
  try {
    const problems = connection
      .prepare('pragma integrity_check(10)')
      .all()
      .map((row) => `${Object.values(row)[0]}`)
    if (problems.join() !== 'ok') throw new DamagedDatabase(problems.join('; '))
    const broken = connection.prepare('pragma foreign_key_check').all()
    if (broken.length > 0) throw new DamagedDatabase(`${broken.length} rows refer to rows that are not there`)
  } catch (error) {
    throw isDamage(error) ? new DamagedDatabase((error as Error).message) : error
  } finally {
    connection.close()
  }
}

/** Copies a backup to where it can be checked, before it takes a database's place. */
export function copyBackup(from: string, to: string): void {
  rmSync(to, { force: true })
  keepDatabasePrivate(to)
  copyFileSync(from, to)
  keepDatabasePrivate(to)
  syncPath(to)
}

export type HeldDatabase = { setAside(as: string): void; release(): void }

/**
 * Keeps every other process out of a database until it is released. DatabaseInUse when one has it open: a connection
 * holds a lock for as long as it lives, so leaving the write-ahead log fails while there is any other.
 */
export function holdDatabase(file: string): HeldDatabase {
  const connection = existsSync(file) ? lockedConnection(file) : null
  return {
    setAside(as) {
      for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, as + end)
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
    // A damaged database is what one restores for.
    if (isDamage(error)) return connection
    connection.close()
    throw isBusy(error) ? new DatabaseInUse() : error
  }
  return connection
}

/** The new name is only kept over a power failure once the folder is written. */
export function moveDatabase(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}

function syncPath(path: string): void {
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
