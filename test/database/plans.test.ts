// Every statement is explained as on a medium service: 100,000 profiles, 2 million follows, 2 million tips. A scan of a
// table that grows fails.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { customersOfCountry } from '../../src/operator/customers/list-store.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase } from '../../src/platform/configured-database.ts'
import {
  type Database,
  type NoParameters,
  reading,
  type SqlParameters,
  type Statement,
  writing,
} from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { toSqlite } from '../../src/platform/database/sqlite/connection.ts'
import { boardEntries, recordOf, recordRanking, recordTipsOf } from '../../src/record/store.ts'
import { noteStatements } from '../harness/run-statements.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'
import { filledTables, fillTables } from './fill.ts'
import { openPatiently, pretendMedium } from './medium.ts'
import { allStatements } from './statements.ts'

/** Tables that stay small, and statements whose whole point is to read many rows, with the reason. */
const SMALL_TABLES = [
  'migration',
  'neighbour',
  'turnstile',
  'audit_head',
  'application',
  'operator_token',
  'money_proposal',
  'saved_view',
  'sport',
  'comment_work',
  'reporter_work',
  'comment_search_position',
  'heartbeat',
  'presence',
  'event_sequence',
  'notification_cursor',
  'record_board_progress',
  'new_event',
  'tip_log',
  'tip_log_key',
  'word_lists',
  'moderation_texts',
  'moderation_settings',
  'ranking_window',
  'webhook_endpoint',
  'sandbox_match_day',
]
const MAY_READ_MANY: Record<string, string> = {
  pendingWork: 'counts deposits in flight, jobs and what waits for persons, which stay few',
  countUnapplied: 'counts what waits for persons, by the index of these',
  brokenReferences: 'checks all references of an embedded database, once after migrations',
  olderConnections: 'reads the connections of the server, once before migrations',
  // The doctor looks at the database itself.
  otherConnections: 'reads the connections of the server',
  tablesOfSchema: 'reads the names of tables',
  tablesOfFile: 'reads the names of tables',
  bytesOfFile: 'reads how many pages the file has',
  waitingWebhookDeliveries: 'counts what waits, every 15 s, by the index of waiting deliveries',
  checkedAccounts: 'adds up the transfers of each debt, by its index: the check of the whole ledger',
  // The generic plan takes a window of unknown length for a third of all follows.
  ...(engine === 'postgres'
    ? { mostFollowedSince: 'reads the follows of the window; ranking.ts bounds how often' }
    : {}),
}

/** Scans that the test must find. */
const SCANS = [
  { table: 'comment', sql: 'select id from comment where text = :text' },
  { table: 'comment', sql: 'select id from comment order by text limit 20' },
  { table: 'profile', sql: 'select id from profile where biography = :text limit 1' },
  { table: 'profile', sql: 'update profile set biography = :text where picture = :picture' },
  { table: 'deposit', sql: 'select number from deposit where idempotency_key = :reference' },
  { table: 'follow', sql: 'select count(*) as follows from follow' },
  { table: 'follow', sql: 'select p.id from profile p join follow f on f.created_at = p.created_at where p.id < :id' },
]

const STATISTICS = ['medium', ...(engine === 'sqlite' ? (['none'] as const) : [])] as const
type Statistics = (typeof STATISTICS)[number]

const statements = [...new Set((await allStatements()).map(({ statement }) => statement))]
if (engine === 'postgres') {
  const names = statements.map(({ name }) => name)
  noteStatements(inject('postgresStatements'), 'all', names)
}
const opened: { testDatabase: TestDatabase; database: Database }[] = []
const databases: { [S in Statistics]?: Database } = {}
/** GENERIC_PLAN takes $1 without a value, which only the simple protocol allows. */
let client: pg.Client

beforeAll(async () => {
  for (const statistics of STATISTICS) databases[statistics] = await openWith(statistics)
  client = new pg.Client({ connectionString: opened[0]?.testDatabase.settings.DATABASE_URL ?? '' })
  if (engine === 'postgres') await client.connect()
})

afterAll(async () => {
  if (engine === 'postgres') await client.end()
  for (const { testDatabase, database } of opened) {
    await database.close()
    await testDatabase.remove()
  }
})

/** SQLite has statistics only if an operator runs ANALYZE; its plans must be good with and without. */
async function openWith(statistics: Statistics): Promise<Database> {
  const testDatabase = await newTestDatabase()
  const config = readConfig({ SANDBOX_SEED: 'off', ...testDatabase.settings })
  const filling = openPatiently(config)
  await migrate(filling, 1)
  if (statistics === 'medium') {
    await fillTables(filling)
    await pretendMedium(filling, config.databaseUrl)
  }
  await filling.close()
  const database = openDatabase(config)
  opened.push({ testDatabase, database })
  return database
}

test.runIf(engine === 'postgres')('the tested plans are the ones that run', async () => {
  const mode = reading<NoParameters, { mode: string }>('planMode', "select current_setting('plan_cache_mode') as mode")
  const { database } = opened[0] as { database: Database }
  expect(await database.one(mode, {})).toEqual({ mode: 'force_generic_plan' })
  expect(await database.transaction((transaction) => transaction.one(mode, {}))).toEqual({
    mode: 'force_generic_plan',
  })
})

/**
 * A hashed subplan reads all that its condition leaves of a table, such as everything that a viewer ever liked. The feed
 * reads all followings on purpose, where they are few beside the comments of its window.
 */
test.runIf(engine === 'postgres')(
  'no plan has a hashed subplan, but those of the feed that read all followings',
  async () => {
    const gathering: string[] = []
    for (const { name, sql } of statements) {
      const { rows } = await client.query(`explain (generic_plan, verbose) ${sql}`)
      const isOnPurpose = name.startsWith('feedByWindowAndSet')
      if (rows.some((row) => /hashed SubPlan/.test(row['QUERY PLAN'])) !== isOnPurpose) gathering.push(name)
    }
    expect(gathering).toEqual([])
  },
)

test.runIf(engine === 'postgres')('each statement reads, locks or writes rows as declared', async () => {
  const wrong: string[] = []
  for (const { name, sql, access } of statements) {
    const { rows } = await client.query(`explain (generic_plan) ${sql}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const found = /^\s*(-> {2})?(Insert|Update|Delete) on/m.test(plan)
      ? 'writes'
      : /LockRows/.test(plan)
        ? 'locks'
        : 'reads'
    if (found !== access) wrong.push(`${name} ${found}, not ${access}`)
  }
  expect(wrong).toEqual([])
})

/**
 * A board has any number of profiles: whoever sorts it reads all of them for the first twenty. Most boards have few, and a planner
 * that expects few sorts, so the statistics are those of 1,500 entries on 60 boards.
 */
test.runIf(engine === 'postgres').each([recordRanking, boardEntries])('$name sorts no board', async ({ sql }) => {
  await client.query('begin')
  await client.query(`select pg_restore_relation_stats('schemaname', 'public', 'relname', 'record_board',
    'reltuples', 1500::real, 'relpages', (pg_relation_size('record_board') / 8192)::int)`)
  const { rows } = await client.query(`explain (generic_plan) ${sql}`)
  await client.query('rollback')
  const plan = rows.map((row) => row['QUERY PLAN'])
  const limit = plan.findIndex((line) => /-> {2}Limit/.test(line))
  expect(plan.slice(limit).join('\n')).toContain('Index Scan using record_board_ranking on record_board')
  expect(plan.slice(limit + 1).filter((line) => line.includes('Sort'))).toEqual([])
})

/** Whoever sorts a record reads all of it for the first block. */
test.runIf(engine === 'postgres')(
  'the tips of a record are read in the order of settlement, and not sorted',
  async () => {
    const { rows } = await client.query(`explain (generic_plan) ${recordTipsOf.sql}`)
    const plan = rows.map((row) => row['QUERY PLAN'])
    const block = plan.slice(plan.findLastIndex((line) => line.includes('Limit'))).join('\n')
    expect(block).toContain('Index Scan Backward using tip_grade_settled on tip_grade')
    expect(block).not.toContain('Sort')
  },
)

test.runIf(engine === 'sqlite').each(STATISTICS)(
  'the tips of a record are read in the order of settlement, its figures in that of the table, statistics: %s',
  async (statistics) => {
    const tips = await sqlitePlan(recordTipsOf, statistics)
    const block = tips.find(({ detail }) => detail === 'CO-ROUTINE block') as SqliteStep
    const steps = tips.filter(({ parent }) => parent === block.id).map(({ detail }) => detail)
    expect(steps[0]).toContain('INDEX tip_grade_settled (profile_id=? AND in_play=?)')
    expect(steps.join()).not.toContain('TEMP B-TREE')
    const figures = (await sqlitePlan(recordOf, statistics)).map(({ detail }) => detail)
    expect(figures).toContain('SEARCH g USING PRIMARY KEY (profile_id=?) LEFT-JOIN')
  },
)

/** Without the index SQLite searches the cards of all customers below an id, which is no scan, and reads as much. */
test.runIf(engine === 'sqlite').each(STATISTICS)(
  'the list of customers by country reads the cards of the country alone, statistics: %s',
  async (statistics) => {
    const plan = (await sqlitePlan(customersOfCountry, statistics)).map(({ detail }) => detail)
    expect(plan.join()).toContain('INDEX payment_method_country (country=? AND customer_id<?)')
  },
)

test('statements are found in src/', () => {
  expect(statements.length).toBeGreaterThan(50)
  expect(new Set(statements.map((one) => one.name)).size).toBe(statements.length)
})

describe.each(STATISTICS)('statistics: %s', (statistics) => {
  test.each(statements.map((one) => [one.name, one] as const))('%s reads by index', async (name, one) => {
    const growing = await growingScans(one, statistics)
    if (name in MAY_READ_MANY) return
    expect(growing).toEqual([])
  })

  test.each(SCANS)('the scan of $table is found in: $sql', async ({ table, sql }) => {
    expect(await growingScans(writing<never, unknown>(`scan: ${sql}`, sql), statistics)).toContain(table)
  })
})

test('every growing table has rows', async () => {
  const tables = reading<NoParameters, { name: string }>(
    'tables',
    engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
         and name not in (select name from pragma_table_list where type in ('virtual', 'shadow'))`
      : `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const growing = ((await databases.medium?.query(tables, {})) ?? []).map(({ name }) => name)
  expect(growing.filter((name) => !SMALL_TABLES.includes(name)).sort()).toEqual([...filledTables].sort())
})

test.each([
  { table: 'profile', rows: 100_000 },
  { table: 'follow', rows: 2_000_000 },
  { table: 'comment', rows: 2_000_000 },
])('the planner assumes $rows rows in $table', async ({ table, rows }) => {
  expect(await rowsAsPlanned(table)).toBe(rows)
})

async function growingScans(one: Statement<never, unknown>, statistics: Statistics): Promise<string[]> {
  const scanned = engine === 'sqlite' ? await sqliteScans(one, statistics) : await postgresScans(one)
  return scanned.filter((table) => !SMALL_TABLES.includes(table))
}

/** How many rows the planner believes the table to have. */
async function rowsAsPlanned(table: string): Promise<number> {
  if (engine === 'postgres') return (await explained(`select * from ${table}`))[0]?.Plan['Plan Rows'] ?? 0
  const stat = reading<{ table: string }, { stat: string }>('stat', 'select stat from sqlite_stat1 where tbl = :table')
  const rows = (await databases.medium?.query(stat, { table })) ?? []
  return Math.max(...rows.map((one) => Number.parseInt(one.stat, 10)))
}

/**
 * Indexes over everybody's comments. A search in them is bounded by nothing but a limit, so that only the statements
 * made for it may use them: a planner that takes one for another list would read all comments.
 */
const OF_ALL = /_of_all\b/

function mayReadOfAll({ name }: Statement<never, unknown>): boolean {
  return name.startsWith('feedByWindow') || ['likedTips', 'likedTipsOfSport', 'newestTipsOfSport'].includes(name)
}

type SqliteStep = { id: number; parent: number; detail: string }

function sqlitePlan(one: Statement<never, unknown>, statistics: Statistics): Promise<SqliteStep[]> {
  const explain = {
    ...one,
    name: `explain ${one.name}`,
    sql: `explain query plan ${toSqlite(one.sql)}`,
    access: 'reads',
  } as Statement<SqlParameters, SqliteStep>
  const parameters = Object.fromEntries(one.parameterNames.map((name) => [name, 1]))
  return (databases[statistics] as Database).query(explain, parameters)
}

async function sqliteScans(one: Statement<never, unknown>, statistics: Statistics): Promise<string[]> {
  const steps = await sqlitePlan(one, statistics)
  const aliases = tableAliases(one.sql)
  if (!mayReadOfAll(one) && steps.some((step) => OF_ALL.test(step.detail))) return ['comments of all']
  return steps.flatMap((step) => {
    const table = aliases.get(/^SCAN (\w+)/.exec(step.detail)?.[1] ?? '')
    return table === undefined || endsByLimit(one.sql, table, step, steps) ? [] : [table]
  })
}

/** Walking an index or the primary key in its order is fine where a limit ends the walk; a sort needs all of it. */
function endsByLimit(sql: string, table: string, { detail, parent }: SqliteStep, steps: SqliteStep[]): boolean {
  const sorted = steps.some((one) => one.parent === parent && /TEMP B-TREE FOR (ORDER|GROUP) BY/.test(one.detail))
  if (sorted || !/\blimit\b/i.test(sql)) return false
  const byPrimaryKey = new RegExp(`\\bfrom ${table}( where (?:(?! order by ).)+)? order by id( desc)? limit`)
  return / USING (COVERING )?INDEX/.test(detail) || byPrimaryKey.test(sql)
}

/** SQLite's plan names tables by their alias; names of subqueries and constants are not tables. */
function tableAliases(sql: string): Map<string, string> {
  const aliases = new Map<string, string>()
  const named = [...sql.matchAll(/\b(\w+)(?: \([\w, ]+\))? as (?:materialized )?\(/gi)].map((match) => match[1])
  for (const match of sql.matchAll(/\b(?:from|join|update|into)\s+([a-z_]+)(?:\s+(?:as\s+)?([a-z]\w*))?/gi)) {
    const [, table = '', alias = table] = match
    if (named.includes(table)) continue
    aliases.set(table, table)
    if (!KEYWORDS.test(alias)) aliases.set(alias, table)
  }
  return aliases
}

const KEYWORDS = /^(where|set|on|join|order|group|limit|values|using|for|left|inner|cross|returning|union)$/i

type Plan = {
  'Node Type': string
  'Plan Rows': number
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** The generic plan: the one that a prepared statement settles on, whatever its parameters. */
async function postgresScans(one: Statement<never, unknown>): Promise<string[]> {
  const scans: string[] = []
  const walk = (plan: Plan, limited: boolean): void => {
    const whole =
      plan['Node Type'] === 'Seq Scan' || (/^Index/.test(plan['Node Type']) && !plan['Index Cond'] && !limited)
    if (whole && plan['Relation Name']) scans.push(plan['Relation Name'])
    if (OF_ALL.test(plan['Index Name'] ?? '') && !mayReadOfAll(one)) scans.push('comments of all')
    // Walking an index in its order is fine where a limit ends the walk; a sort between the two needs all of it.
    const below = plan['Node Type'] === 'Limit' || (limited && !/Sort|Aggregate|Hash/.test(plan['Node Type']))
    for (const inner of plan.Plans ?? []) walk(inner, below)
  }
  for (const { Plan } of await explained(one.sql)) walk(Plan, false)
  return scans
}

async function explained(sql: string): Promise<{ Plan: Plan }[]> {
  return (await client.query(`explain (generic_plan, format json) ${sql}`)).rows[0]['QUERY PLAN']
}
