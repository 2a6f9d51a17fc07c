// Reads the embedded database of a service that may be running, without changing its files.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type AppliedMigration, appliedMigrations } from '../migration-store.ts'

/** null: it has no schema yet. Throws if the file is damaged, or no database. */
export function migrationsIn(file: string): AppliedMigration[] | null {
  const connection = new DatabaseSync(readOnlyAddress(file), { readOnly: true, timeout: 1_000 })
  try {
    const table = connection.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'migration'`).get()
    return table === undefined ? null : (connection.prepare(appliedMigrations.sql).all() as AppliedMigration[])
  } finally {
    connection.close()
  }
}

/** Without a log beside it nobody has it open, and reading must not create one. */
function readOnlyAddress(file: string): URL {
  const address = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) address.search = 'immutable=1'
  return address
}

const QUICK_CHECK = `const { DatabaseSync } = require('node:sqlite')
const connection = new DatabaseSync(new URL(process.argv[1]), { readOnly: true, timeout: 1000 })
for (const row of connection.prepare('pragma quick_check(3)').all()) console.log(Object.values(row)[0])`

/**
 * Whether its pages are in order, by a process of its own, which can be ended at any time. Returns what is wrong;
 * null: it was not finished in time.
 */
export async function quickCheck(file: string, timeoutMs: number): Promise<string[] | null> {
  const given = ['--no-warnings', '-e', QUICK_CHECK, readOnlyAddress(file).href]
  try {
    const ended = await promisify(execFile)(process.execPath, given, { timeout: timeoutMs, killSignal: 'SIGKILL' })
    const lines = ended.stdout.trim().split('\n')
    return lines.join() === 'ok' ? [] : lines
  } catch (error) {
    const { killed, stderr } = error as { killed?: boolean; stderr?: string }
    if (killed === true) return null
    return [/Error: (.*)/.exec(stderr ?? '')?.[1] ?? 'it could not be read']
  }
}
