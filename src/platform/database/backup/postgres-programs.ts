// pg_dump, pg_restore and psql of the server's own major version: an older pg_dump refuses the server, and a newer one writes what an
// older server does not read.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Debian and Ubuntu, then Red Hat: folders beside each other for several versions. */
const PLACES: readonly (readonly [folder: string, bin: RegExp])[] = [
  ['/usr/lib/postgresql', /^\d+$/],
  ['/usr', /^pgsql-\d+$/],
]

/** Words that say what to install. */
export class ProgramsMissing extends Error {}

export type PostgresPrograms = {
  /** `url`: of the database that it connects to. */
  start(program: 'pg_dump' | 'pg_restore' | 'psql', given: readonly string[], url?: string): ChildProcess
}

export async function findPrograms(major: number): Promise<PostgresPrograms> {
  const found: string[] = []
  // The first is whatever is on the PATH.
  for (const folder of ['', ...installedFolders()]) {
    const version = await versionIn(folder)
    if (version === major) return { start: (program, given, url) => startIn(folder, program, given, url) }
    if (version !== undefined) found.push(`${folder}pg_dump is of version ${version}`)
  }
  const instead = found.length === 0 ? 'there is no pg_dump on the PATH or in /usr/lib/postgresql' : found.join(', ')
  throw new ProgramsMissing(
    `PostgreSQL ${major} needs pg_dump, pg_restore and psql of version ${major}, and ${instead}: install postgresql-client-${major} (Debian, Ubuntu) or postgresql${major} (Red Hat)`,
  )
}

function installedFolders(): string[] {
  return PLACES.flatMap(([place, name]) =>
    (existsSync(place) ? readdirSync(place) : [])
      .filter((one) => name.test(one))
      .map((one) => `${join(place, one, 'bin')}/`),
  )
}

/** undefined: it is not there, or not whole. */
async function versionIn(folder: string): Promise<number | undefined> {
  try {
    const versions = await Promise.all(
      ['pg_dump', 'pg_restore', 'psql'].map(async (program) => {
        const { stdout } = await run(folder + program, ['--version'])
        return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
      }),
    )
    return versions.every((one) => one === versions[0]) ? versions[0] : undefined
  } catch {
    return undefined
  }
}

function startIn(folder: string, program: string, given: readonly string[], url?: string): ChildProcess {
  if (url === undefined) return spawn(folder + program, given)
  const { address, password } = withoutPassword(url)
  const env = password === undefined ? process.env : { ...process.env, PGPASSWORD: password }
  return spawn(folder + program, [...given, `--dbname=${address}`], { env })
}

/**
 * Every account sees what a program is called with, and only our own one its environment. A file for the password would stay where
 * this process is killed.
 */
function withoutPassword(url: string): { address: string; password?: string } {
  const [, before = '', password, after = ''] = /^(\w+:\/\/[^:@/]*):(.*)(@[^@]*)$/.exec(url) ?? []
  return password === undefined ? { address: url } : { address: before + after, password: decodeURIComponent(password) }
}

/** Resolves when the program has ended well; else throws what it wrote. */
export async function ended(program: ChildProcess, name: string): Promise<void> {
  let written = ''
  program.stderr?.on('data', (chunk) => {
    written = (written + chunk).slice(-2_000)
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    program.once('error', reject)
    program.once('close', (...how) => resolve(how))
  })
  if (code !== 0) throw new Error(`${name} ended with ${signal ?? code}: ${linesOf(written).join('; ')}`)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
