// Data sets are built once and cached for the next runs, until the schema or the SQL that fills them changes. Writes go to
// a copy (*scratch*), so that every run begins with the same data.

import { createHash } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readMigrations } from '../../src/platform/database/migrate.ts'
import { hashOf } from '../../src/platform/runtime/secrets.ts'
import { isReachableByAll, startPostgres } from '../../test/harness/postgres.ts'
import { cleanUpAtExit } from '../processes.ts'
import { progressBar } from '../progress.ts'
import { build, type DatabaseAddress, openRawConnection } from './build.ts'
import { API_KEY, SECRET, type Size } from './sizes.ts'

export type EngineName = 'sqlite' | 'postgres'

export type DataSet = { readonly size: Size; readonly samples: Samples }
/** Ids of visible tips on open outcomes. */
type Samples = { readonly tips: readonly number[] }

export type DataLocation = {
  readonly address: DatabaseAddress
  /** Settings of a service that uses it. */
  readonly settings: Record<string, string>
}

export type Engine = {
  readonly name: EngineName
  /** Main process of the database server; null for SQLite. */
  readonly pid: number | null
  dataSet(size: Size): Promise<{ set: DataSet; location: DataLocation }>
  /** A new copy to write to; it replaces the copy before it with the same label, and is removed at the end. */
  scratch(size: Size, label?: string): Promise<DataLocation>
  close(): Promise<void>
}

/** In the sandbox nothing is added to the data, and nobody reaches the daily limit. */
const SERVICE_SETTINGS = { SANDBOX_SEED: 'off', DAILY_DEPOSIT_LIMIT: '99999999999.00' }

/** The latest rows are as old as the build, and the ranking of the last 30 days must not run empty. */
const MAX_AGE_MS = 20 * 86_400_000

type CacheRecord = { version: string; builtAt: number; samples: Samples }

/** The code that creates the tables and fills them: of this tree, or of another commit. */
export type FillCode = {
  /** The folder that holds fill-sql.ts and sizes.ts. */
  readonly folder: URL
  readonly build: typeof build
  readonly readMigrations: typeof readMigrations
}

const OWN_CODE: FillCode = { folder: new URL('.', import.meta.url), build, readMigrations }

/** Earlier commits have only some of them. */
const FILLING = ['fill-sql.ts', 'record-sql.ts', 'board.ts', 'tip-log.ts', 'sizes.ts']

/** Changes with the size, the schema and the SQL that fills it. */
function dataVersion(engine: EngineName, size: Size, code: FillCode): string {
  const hash = createHash('sha256').update(JSON.stringify(size))
  for (const { checksum } of code.readMigrations(engine)) hash.update(checksum)
  for (const file of FILLING) {
    const source = new URL(file, code.folder)
    if (existsSync(source)) hash.update(readFileSync(source))
  }
  return hash.digest('hex').slice(0, 16)
}

type CachedIn = { folder: string; address: DatabaseAddress; createEmpty: () => Promise<void> }

async function cachedDataSet({ folder, address, createEmpty }: CachedIn, size: Size, code: FillCode): Promise<DataSet> {
  const file = join(folder, `${address.engine}-${size.name}.json`)
  const version = dataVersion(address.engine, size, code)
  const record = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CacheRecord) : null
  if (record !== null && record.version === version && Date.now() - record.builtAt < MAX_AGE_MS) {
    return { size, samples: record.samples }
  }
  rmSync(file, { force: true })
  await createEmpty()
  const builtAt = Date.now()
  await code.build(address, size, builtAt, progressBar(`building ${size.name} on ${address.engine}`))
  const connection = await openRawConnection(address)
  const rows = await connection.rows<{ id: number }>(
    `select c.id from comment c join profile p on p.id = c.author_id
     where c.listed = 'A' and p.status = 'A' and c.id % ${Math.max(1, Math.floor(size.tips / 5_000))} = 0`,
  )
  // Earlier commits fill in the sandbox's, whose key production refuses.
  await connection.rows(
    `update application set api_key = '${API_KEY}', secret_hash = '${hashOf(SECRET)}' returning api_key`,
  )
  await connection.close()
  const samples = { tips: rows.map(({ id }) => Number(id)) }
  writeFileSync(file, JSON.stringify({ version, builtAt, samples } satisfies CacheRecord))
  return { size, samples }
}

export function sqliteEngine(folder: string, code = OWN_CODE): Engine {
  const folderOf = (name: string) => join(folder, `sqlite-${name}`)
  const locationOf = (home: string): DataLocation => ({
    address: { engine: 'sqlite', file: join(home, 'paddock.db') },
    settings: { ...SERVICE_SETTINGS, DATA_DIR: home },
  })
  const scratches = new Set<string>()
  const removeScratches = () => {
    for (const home of scratches) rmSync(home, { recursive: true, force: true })
  }
  cleanUpAtExit(removeScratches)
  const empty = (home: string) => {
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home, { recursive: true })
  }
  return {
    name: 'sqlite',
    pid: null,
    async dataSet(size) {
      const home = folderOf(size.name)
      const location = locationOf(home)
      const cachedIn = { folder, address: location.address, createEmpty: async () => empty(home) }
      return { set: await cachedDataSet(cachedIn, size, code), location }
    },
    async scratch(size, label = 'scratch') {
      const [from, to] = [folderOf(size.name), folderOf(`${label}-${size.name}`)]
      scratches.add(to)
      empty(to)
      // The last connection to close has moved the write-ahead log into the file.
      copyFileSync(join(from, 'paddock.db'), join(to, 'paddock.db'), constants.COPYFILE_FICLONE)
      return locationOf(to)
    },
    close: async () => removeScratches(),
  }
}

/** Durable, as in production; the buffers hold the part of the medium set that is read often. */
const POSTGRES_SETTINGS = [
  'fsync=on',
  'full_page_writes=on',
  'shared_buffers=1GB',
  'max_wal_size=8GB',
  'autovacuum_naptime=1h',
  'log_min_messages=log',
]

/**
 * The data set was analysed as a whole; autovacuum leaves empty tables alone. A plan for a table that was analysed while
 * empty scans all of it, and is cached while deposits fill it.
 */
const FORGET_EMPTY_TABLES = `update pg_class set reltuples = -1
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relpages = 0`

export async function postgresEngine(folder: string, code = OWN_CODE): Promise<Engine> {
  const home = postgresFolder(folder)
  const server = await startPostgres(POSTGRES_SETTINGS, home)
  let stopped = false
  cleanUpAtExit(() => stopped || process.kill(server.pid(), 'SIGINT'))
  const addressOf = (database: string) => `postgres://paddock@127.0.0.1:${server.port}/${database}`
  const locationOf = (database: string): DataLocation => ({
    address: { engine: 'postgres', url: addressOf(database) },
    settings: { ...SERVICE_SETTINGS, DATABASE_URL: addressOf(database), DATA_DIR: join(folder, 'postgres-files') },
  })
  const scratches = new Set<string>()
  async function onDatabase(database: string, ...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: addressOf(database) })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  const onServer = (...statements: string[]) => onDatabase('postgres', ...statements)
  const createDatabase = (database: string, more = '') =>
    onServer(`drop database if exists ${database} with (force)`, `create database ${database} ${more}`, 'checkpoint')
  return {
    name: 'postgres',
    pid: server.pid(),
    async dataSet(size) {
      const database = `bench_${size.name}`
      const location = locationOf(database)
      const cachedIn = { folder: home, address: location.address, createEmpty: () => createDatabase(database) }
      return { set: await cachedDataSet(cachedIn, size, code), location }
    },
    async scratch(size, label = 'scratch') {
      const name = `bench_${label}_${size.name}`
      scratches.add(name)
      await createDatabase(name, `template bench_${size.name} strategy file_copy`)
      await onDatabase(name, FORGET_EMPTY_TABLES)
      return locationOf(name)
    },
    async close() {
      for (const name of scratches) await onServer(`drop database if exists ${name} with (force)`)
      await server.stop()
      stopped = true
    },
  }
}

/** Run by root, PostgreSQL runs as another user: its data goes to /tmp when that user cannot reach the clone. */
function postgresFolder(folder: string): string {
  const home = join(folder, 'postgres')
  mkdirSync(home, { recursive: true })
  if (process.getuid?.() !== 0 || isReachableByAll(folder)) return home
  const elsewhere = join(tmpdir(), `paddock-bench-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
  mkdirSync(elsewhere, { recursive: true })
  return elsewhere
}
