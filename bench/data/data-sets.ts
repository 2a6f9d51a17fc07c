// Data sets are built once and kept for the next run, for as long as the schema and what fills it stay the same. What
// writes works on a copy (*scratch*), so that every run begins with the same data.

import { createHash } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readMigrations } from '../../src/database/migrate.ts'
import { openToAll, startPostgres } from '../../test/harness/postgres.ts'
import { endWithUs } from '../processes.ts'
import { progressBar } from '../progress.ts'
import { build, openHand, type Target } from './build.ts'
import type { Size } from './sizes.ts'

export type EngineName = 'sqlite' | 'postgres'

/** What the questions need to know of a set beside its size. */
export type DataSet = { readonly size: Size; readonly samples: Samples }
/** Ids of tips that are shown, and open for tipping and liking. */
type Samples = { readonly tips: readonly number[] }

export type Place = {
  readonly target: Target
  /** Settings that make the service use it. */
  readonly settings: Record<string, string>
}

export type Engine = {
  readonly name: EngineName
  /** The processes of the database server, none for SQLite. */
  readonly pid: number | null
  dataSet(size: Size): Promise<{ set: DataSet; place: Place }>
  /** A new copy of the set, to write on; the one before it is given up, and all at the end. */
  scratch(size: Size): Promise<Place>
  close(): Promise<void>
}

/** Nothing is added to the set, and nobody reaches the limit of a day. */
const OURS = { SANDBOX_SEED: 'off', DAILY_DEPOSIT_LIMIT: '99999999999.00' }

/** A set's time ends when it is built: older than this, the rankings of the last days would be empty. */
const FRESH_MS = 20 * 86_400_000

type Note = { schema: string; builtAt: number; samples: Samples }

/** Of the schema and of what fills it: another one makes a set stale. */
function schemaOf(engine: EngineName): string {
  const hash = createHash('sha256')
  for (const { checksum } of readMigrations(engine)) hash.update(checksum)
  for (const file of ['fill-sql.ts', 'sizes.ts']) hash.update(readFileSync(new URL(file, import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}

async function kept(folder: string, target: Target, size: Size, makeRoom: () => Promise<void>): Promise<DataSet> {
  const file = join(folder, `${target.engine}-${size.name}.json`)
  const schema = schemaOf(target.engine)
  const note = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Note) : null
  if (note !== null && note.schema === schema && Date.now() - note.builtAt < FRESH_MS) {
    return { size, samples: note.samples }
  }
  rmSync(file, { force: true })
  await makeRoom()
  const builtAt = Date.now()
  await build(target, size, builtAt, progressBar(`building ${size.name} on ${target.engine}`))
  const hand = await openHand(target)
  const rows = await hand.rows<{ id: number }>(
    `select c.id from comment c join profile p on p.id = c.author_id
     where c.listed = 'A' and p.status = 'A' and c.id % ${Math.max(1, Math.floor(size.tips / 5_000))} = 0`,
  )
  await hand.close()
  const samples = { tips: rows.map(({ id }) => Number(id)) }
  writeFileSync(file, JSON.stringify({ schema, builtAt, samples } satisfies Note))
  return { size, samples }
}

export function sqliteEngine(folder: string): Engine {
  const homeOf = (name: string) => join(folder, `sqlite-${name}`)
  const placeOf = (home: string): Place => ({
    target: { engine: 'sqlite', file: join(home, 'paddock.db') },
    settings: { ...OURS, DATA_DIR: home },
  })
  const scratches = new Set<string>()
  const forget = () => {
    for (const home of scratches) rmSync(home, { recursive: true, force: true })
  }
  endWithUs(forget)
  const empty = (home: string) => {
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home, { recursive: true })
  }
  return {
    name: 'sqlite',
    pid: null,
    async dataSet(size) {
      const home = homeOf(size.name)
      const place = placeOf(home)
      return { set: await kept(folder, place.target, size, async () => empty(home)), place }
    },
    async scratch(size) {
      const [from, to] = [homeOf(size.name), homeOf(`scratch-${size.name}`)]
      scratches.add(to)
      empty(to)
      // Whoever closed it last left nothing in the log beside the file.
      copyFileSync(join(from, 'paddock.db'), join(to, 'paddock.db'), constants.COPYFILE_FICLONE)
      return placeOf(to)
    },
    close: async () => forget(),
  }
}

/** Durable, as in production; large enough to hold the medium set's hot part. */
const MEASURING = [
  'fsync=on',
  'full_page_writes=on',
  'shared_buffers=1GB',
  'max_wal_size=8GB',
  'autovacuum_naptime=1h',
  'log_min_messages=log',
]

export async function postgresEngine(folder: string): Promise<Engine> {
  const home = homeOfPostgres(folder)
  const server = await startPostgres(MEASURING, home)
  let stopped = false
  endWithUs(() => stopped || process.kill(server.pid(), 'SIGINT'))
  const addressOf = (database: string) => `postgres://paddock@127.0.0.1:${server.port}/${database}`
  const placeOf = (database: string): Place => ({
    target: { engine: 'postgres', url: addressOf(database) },
    settings: { ...OURS, DATABASE_URL: addressOf(database), DATA_DIR: join(folder, 'postgres-files') },
  })
  const scratches = new Set<string>()
  async function onServer(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: addressOf('postgres') })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  const remake = (database: string, more = '') =>
    onServer(`drop database if exists ${database} with (force)`, `create database ${database} ${more}`, 'checkpoint')
  return {
    name: 'postgres',
    pid: server.pid(),
    async dataSet(size) {
      const place = placeOf(`bench_${size.name}`)
      return { set: await kept(home, place.target, size, () => remake(`bench_${size.name}`)), place }
    },
    async scratch(size) {
      const name = `bench_scratch_${size.name}`
      scratches.add(name)
      await remake(name, `template bench_${size.name} strategy file_copy`)
      return placeOf(name)
    },
    async close() {
      for (const name of scratches) await onServer(`drop database if exists ${name} with (force)`)
      await server.stop()
      stopped = true
    },
  }
}

/** PostgreSQL runs as another user when we are root, and must reach its data: in /tmp where the clone is out of reach. */
function homeOfPostgres(folder: string): string {
  const home = join(folder, 'postgres')
  mkdirSync(home, { recursive: true })
  if (process.getuid?.() !== 0 || openToAll(folder)) return home
  const elsewhere = join(tmpdir(), `paddock-bench-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
  mkdirSync(elsewhere, { recursive: true })
  return elsewhere
}
