// Every statement is explained on a database with 100,000 rows in each table that grows. A scan of such a table fails.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type SqlValue, type Statement, statement } from '../../src/database/database.ts'
import { toSqlite } from '../../src/database/sqlite.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { fillTables } from './fill.ts'

/** Tables that stay small, and statements whose whole point is to read many rows, with the reason. */
const SMALL_TABLES = ['migration', 'turnstile', 'application', 'operator_token', 'sport', 'comment_work', 'word_lists']
const MAY_READ_MANY: Record<string, string> = {
  waitingWork: 'counts deposits in flight and jobs waiting, which stay few: each is gone within seconds',
  checkedAccounts: 'adds up every transfer of an account, by covering index: the check of the whole ledger',
  mostFollowedSince: 'reads the follows of the window by a covering index; ranking.ts bounds how often',
}

let service: TestService
const statements = await allStatements()

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' })
  await fillTables(service.context.database)
})

afterAll(() => service.close())

test('the statements were found', () => {
  expect(statements.length).toBeGreaterThan(50)
  expect(new Set(statements.map((one) => one.name)).size).toBe(statements.length)
})

test.each(statements.map((one) => [one.name, one] as const))('%s reads by index', async (name, one) => {
  const scanned = await scannedTables(service.context.database, one)
  const growing = scanned.filter((table) => !SMALL_TABLES.includes(table))
  if (name in MAY_READ_MANY) return
  expect(growing).toEqual([])
})

/** Whatever the stores and other modules of src export as statements. */
async function allStatements(): Promise<Statement<never, unknown>[]> {
  const root = new URL('../../src/', import.meta.url).pathname
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const found: Statement<never, unknown>[] = []
  for (const file of files.filter((one) => one !== 'main.ts')) {
    const module = (await import(/* @vite-ignore */ join(root, file))) as Record<string, unknown>
    for (const value of Object.values(module)) found.push(...statementsIn(value))
  }
  return [...new Set(found)]
}

/** A statement, or a table of them. */
function statementsIn(value: unknown): Statement<never, unknown>[] {
  if (isStatement(value)) return [value]
  const isTable = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isTable ? Object.values(value).flatMap(statementsIn) : []
}

function isStatement(value: unknown): value is Statement<never, unknown> {
  return typeof value === 'object' && value !== null && 'sql' in value && 'name' in value && 'reads' in value
}

/**
 * Indexes over everybody's comments. A search in them is bounded by nothing but a limit, so that only the statements
 * made for it may use them: a planner that takes one for another list would read all comments.
 */
const OF_ALL = /_of_all\b/

function mayReadOfAll({ name }: Statement<never, unknown>): boolean {
  return name.startsWith('feedByWindow')
}

async function scannedTables(database: Database, one: Statement<never, unknown>): Promise<string[]> {
  return database.engine === 'sqlite' ? sqliteScans(database, one) : postgresScans(database, one)
}

async function sqliteScans(database: Database, one: Statement<never, unknown>): Promise<string[]> {
  const count = Math.max(0, ...[...one.sql.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))
  const explain = statement<SqlValue[], { detail: string }>(
    `explain ${one.name}`,
    `explain query plan ${toSqlite(one.sql)}`,
  )
  const rows = await database.query({ ...explain, reads: true }, new Array(count).fill(1))
  const aliases = tableAliases(one.sql)
  if (!mayReadOfAll(one) && rows.some((row) => OF_ALL.test(row.detail))) return ['comments of all']
  return (
    rows
      // Walking an index in its order is fine where a limit ends the walk.
      .filter((row) => !(/ USING (COVERING )?INDEX/.test(row.detail) && /\blimit\b/i.test(one.sql)))
      .map((row) => /^SCAN (\w+)/.exec(row.detail)?.[1])
      .filter((name) => name !== undefined && aliases.has(name))
      .map((name) => aliases.get(name as string) as string)
  )
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
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** The generic plan: the one that a prepared statement settles on, whatever its parameters. */
async function postgresScans(database: Database, one: Statement<never, unknown>): Promise<string[]> {
  const explain = statement<[], { 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain ${one.name}`,
    `explain (generic_plan, format json) ${one.sql}`,
  )
  const [row] = await withoutParameters(database, explain)
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
  for (const { Plan } of row?.['QUERY PLAN'] ?? []) walk(Plan, false)
  return scans
}

/** GENERIC_PLAN takes $1 without a value, which only the simple protocol allows. */
async function withoutParameters<R>(_database: Database, explain: Statement<[], R>): Promise<R[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: service.context.config.databaseUrl as string })
  await client.connect()
  try {
    return (await client.query(explain.sql)).rows
  } finally {
    await client.end()
  }
}
