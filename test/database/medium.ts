// The statistics of a medium service over a hundredth of its rows (fill.ts): a planner looks at the statistics alone, so
// that its plans are those of 100,000 profiles, 2 million follows and 2 million tips, after seconds of filling. Compared
// once on PostgreSQL with a database that really held as much: 209 of 215 plans were the same, the others reached the
// same rows by another index.
//
// What grows with the service is a hundred times as much: rows, and different values of columns that have many. What
// does not, as the kinds of something, has few different values in the fill, and so many at medium too.

import { statSync, truncateSync } from 'node:fs'
import pg from 'pg'
import { inject } from 'vitest'
import type { Config } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/configured-database.ts'
import { type Database, locking, type NoParameters, writing } from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { filledTables } from './fill.ts'

const TIMES = 100
/** Columns of kinds, states, counts have at most so many different values; ids and times have more. */
const FEW_VALUES = 60

/** The database must be opened again to see it: SQLite reads its statistics once. */
export async function pretendMedium(database: Database, url: string | null): Promise<void> {
  return url === null ? pretendOnSqlite(database) : pretendOnPostgres(url)
}

type Stat = { tbl: string; idx: string | null; stat: string }

/** Not marked as reading: it must see what the writer has just analysed. */
const readStats = locking<NoParameters, Stat>('readStats', 'select tbl, idx, stat from sqlite_stat1')
const writeStat = writing<{ tbl: string; idx: string | null; stat: string }>(
  'writeStat',
  'update sqlite_stat1 set stat = :stat where tbl = :tbl and idx is :idx',
)

/** `stat`: the rows of an index, then how many of them share the first column, the first two, … on average. */
async function pretendOnSqlite(database: Database): Promise<void> {
  const stats = await database.query(readStats, {})
  for (const { tbl, idx, stat } of stats.filter((one) => filledTables.includes(one.tbl))) {
    const [rows = 0, ...shared] = stat.split(' ').map(Number)
    const scaled = shared.map((each) => (rows / each > FEW_VALUES ? each : each * TIMES))
    await database.run(writeStat, { tbl, idx, stat: [rows * TIMES, ...scaled].join(' ') })
  }
}

/**
 * The planner multiplies the rows in each page, from the statistics, with the pages of the file. So the files are made as
 * long as they would be, with holes: nothing reads them. Only those of a server of our own: on another one, the planner
 * knows how many rows there are and takes reading them for cheaper than it would be.
 */
async function pretendOnPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const times = inject('postgresIsOurs') ? TIMES : 1
    // As the server does by itself before long: until then it would not trust indexes alone.
    await client.query('vacuum (analyze)')
    for (const table of filledTables) {
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
      await client.query(SCALE_DISTINCT, [table])
      const { rows } = await client.query<{ file: string }>(SCALE_ROWS, [table, times])
      if (times > 1) for (const { file } of rows) truncateSync(file, statSync(file).size * times)
    }
  } finally {
    await client.end()
  }
}

/** Of the columns, and of what indexes compute. A negative number is a part of the rows and grows with them. */
const SCALE_DISTINCT = `
  select pg_restore_attribute_stats('schemaname', s.schemaname::text, 'relname', s.tablename::text,
    'attname', s.attname::text, 'inherited', false,
    'n_distinct', (case when n_distinct > ${FEW_VALUES} then -n_distinct / c.reltuples else n_distinct end)::real)
  from pg_stats s join pg_class c on c.oid = format('%I.%I', s.schemaname, s.tablename)::regclass
  where s.tablename = $1`

const SCALE_ROWS = `
  select current_setting('data_directory') || '/' || pg_relation_filepath(oid) as file,
    pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text,
      'relpages', relpages * $2::int, 'reltuples', (reltuples * ${TIMES})::real, 'relallvisible', relallvisible * $2::int)
  from pg_class
  where oid = $1::regclass or oid in (select indexrelid from pg_index where indrelid = $1::regclass)`

/** Filling takes longer on a busy machine than a service waits for a statement. */
export function openPatiently(config: Config): Database {
  return config.databaseUrl === null
    ? openDatabase(config)
    : openPostgres({ url: config.databaseUrl, statementTimeoutMs: 300_000 })
}
