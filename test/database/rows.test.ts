// The row types of the statements are written by hand. Each is compared with the columns that the engine reports for it: by the
// compiler, in a file that is written here with one line for each statement.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toSqlite } from '../../src/platform/database/sqlite/connection.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'
import { allStatements, type FoundStatement } from './statements.ts'

const root = new URL('../..', import.meta.url).pathname
const folder = join(root, 'test-output', `rows-${engine}`)

/** `origin`: the column of a table that it is, as `table.column`. */
type Column = { name: string; type: string; origin?: string }
type Engine = { columnsOf(sql: string): Promise<Column[]>; close(): Promise<void> }

/** Nullable columns that are not null in the rows of a statement, with the reason. */
const NEVER_NULL: Record<string, string> = {
  'depositsInReview.review_at': 'set with the state',
  'expiredFormers.former': 'by its condition',
  'formerContentBatch.former': 'by its condition',
  'formerPicturesOf.former': 'by its condition',
  'lockNamesWithoutLook.name': 'by its condition',
  'loggedTextsOf.salt': 'by its condition',
  'newestCheckpoint.key_id': 'written together with the origin, which is not null by its condition',
  'newestCheckpoint.origin': 'by its condition',
  'newestCheckpoint.root': 'written together with the origin',
  'newestCheckpoint.signature': 'written together with the origin',
  'newestCheckpoint.time': 'written together with the origin',
  'newestWaiting.at': 'set with the state of a deposit in review',
  'recordTipsOf.result': 'only tips with a result are graded',
  'resultsOfOutcomes.result': 'by its condition',
  'signingKey.private_key': 'erased when the key is retired',
  'statementsBatch.clause': 'written together with the ground',
  'statementsBatch.ground': 'by its condition',
  'unreadLiked.subject_id': 'compared with a list',
}
/** Computed from columns that are not null. */
const GENERATED = ['reporter.weight']

/** They have few values, which only the code knows. */
const WITHOUT_CHECK = [
  'console_session.role',
  'decision.action',
  'decision.kind',
  'deposit.fault',
  'event_log.subject_type',
  'notification.action',
  'review.kind',
  'webhook_delivery.subject_type',
]

/** The comparison must find what these return instead of an id and a status. */
const WRONG = [
  'select biography as id, picture as status, 1 as more from profile',
  'select state as status from comment',
]

let testDatabase: TestDatabase
let opened: Engine

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  opened = engine === 'sqlite' ? openSqliteFile() : await openPostgresDatabase()
})

afterAll(async () => {
  await opened.close()
  await testDatabase.remove()
})

test('the row type of each statement has the columns that the engine reports', async () => {
  const statements = await allStatements()
  expect(statements.length).toBeGreaterThan(400)
  const lines: Line[] = []
  for (const one of statements) lines.push({ ...one, columns: await opened.columnsOf(one.statement.sql) })
  const pair = statements.find(({ path }) => path[0] === 'lockPair') as FoundStatement
  for (const sql of WRONG) lines.push({ ...pair, columns: await opened.columnsOf(sql) })
  expect(differencesOf(lines)).toEqual([
    'profiles/store.ts lockPair: id has another type | more is not in the row type | status may be null',
    'profiles/store.ts lockPair: id is not a column | status has other values than its check',
  ])
})

// ---- What the schema says: the snapshot of PostgreSQL, which both engines share

const schema = readFileSync(join(root, 'migrations/schema.postgres.txt'), 'utf8')
const nullable = [...schema.matchAll(/^(\w+\.\w+) (?!.* not null)/gm)].map(([, column]) => column as string)
const nullables = new Set(nullable.filter((column) => !GENERATED.includes(column)))
/** `column in ('a', 'b')`, as a union. */
const CHECK = /^(\w+) \w+ CHECK \(\((\w+) = ANY \(ARRAY\[('.*'::text)\]\)\)\)$/gm
const checked = [...schema.matchAll(CHECK)].map(([, table, column, list = '']) => {
  return [`${table}.${column}`, list.replaceAll('::text', '').replaceAll(', ', ' | ')] as const
})
const valuesOf = new Map([...WITHOUT_CHECK.map((column) => [column, 'string'] as const), ...checked])

// ---- What the engines report

const SQLITE_TYPES: Record<string, string> = { bigint: 'number', integer: 'number', text: 'string' }

function openSqliteFile(): Engine {
  const database = new DatabaseSync(join(testDatabase.settings.DATA_DIR as string, 'paddock.db'))
  return {
    async columnsOf(sql) {
      return database
        .prepare(toSqlite(sql))
        .columns()
        .map(({ name, table, column, type }) => ({
          name,
          // SQLite does not know the type of an expression.
          type: SQLITE_TYPES[type?.toLowerCase() ?? ''] ?? 'number | string',
          ...(table === null ? {} : { origin: `${table}.${column}` }),
        }))
    },
    close: async () => database.close(),
  }
}

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number }

/** As platform/database/postgres/pipeline/prepared-query.ts has it. */
const { INT2, INT4, INT8, NUMERIC, FLOAT8, BOOL } = pg.types.builtins
const POSTGRES_TYPES = new Map<number, string>([
  ...[INT2, INT4, INT8, NUMERIC, FLOAT8].map((type) => [type, 'number'] as const),
  [BOOL, 'boolean'],
])

async function openPostgresDatabase(): Promise<Engine> {
  const client = new pg.Client({ connectionString: testDatabase.settings.DATABASE_URL ?? '' })
  await client.connect()
  const { rows } =
    await client.query(`select attrelid || '.' || attnum as key, attrelid::regclass || '.' || attname as origin
    from pg_attribute where attnum > 0`)
  const origins = new Map<string, string>(rows.map(({ key, origin }) => [key, origin]))
  return {
    async columnsOf(sql) {
      return (await fieldsOf(client, sql)).map(({ name, dataTypeID, tableID, columnID }) => {
        const origin = origins.get(`${tableID}.${columnID}`)
        return { name, type: POSTGRES_TYPES.get(dataTypeID) ?? 'string', ...(origin === undefined ? {} : { origin }) }
      })
    },
    close: () => client.end(),
  }
}

type Wire = { parse(message: object): void; describe(message: object): void; sync(): void }

/** Describes without running. */
function fieldsOf(client: pg.Client, sql: string): Promise<Field[]> {
  return new Promise((resolve, reject) => {
    let found: Field[] = []
    const describing = {
      submit(connection: Wire) {
        connection.parse({ name: '', text: sql })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: Field[] }) {
        found = fields
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(found),
    }
    client.query(describing as unknown as pg.Submittable)
  })
}

// ---- The comparison

type Line = FoundStatement & { columns: readonly Column[] }

/** One run of the compiler for all lines. */
function differencesOf(lines: readonly Line[]): string[] {
  const files = [...new Set(lines.map(({ file }) => file))]
  const head = [
    `import type { Compared } from '../../test/database/row-types.ts'`,
    ...files.map((file, index) => `import type * as m${index} from '../../src/${file}'`),
  ]
  const assertions = lines.map(({ file, path, columns }, index) => {
    const statement = `(typeof m${files.indexOf(file)})${path.map((key) => `['${key}']`).join('')}`
    const fields = columns.map((column) => fieldOf(path[0] as string, column))
    return `export const s${index}: Compared<${statement}, { ${fields.join('; ')} }> = 'same'`
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'rows.ts'), [...head, ...assertions].join('\n'))
  const settings = {
    extends: '../../tsconfig.json',
    include: ['rows.ts'],
    compilerOptions: { noErrorTruncation: true },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const command = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: folder, maxBuffer: 2 ** 26 })
  return stdout.split('\n').flatMap((text) => {
    const [, number = '', found = ''] = /^rows\.ts\((\d+),.* to type '(.*)'\.$/.exec(text) ?? []
    const line = lines[Number(number) - 1 - head.length]
    if (line === undefined) return text === '' ? [] : [text]
    const differences = found.replaceAll('"', '').split(' | ').sort()
    return `${line.file} ${line.path.join('.')}: ${differences.join(' | ')}`
  })
}

function fieldOf(statement: string, { name, type, origin = '' }: Column): string {
  const isNullable = nullables.has(origin) && !(`${statement}.${name}` in NEVER_NULL)
  const values = valuesOf.get(origin)
  return `${name}: { type: ${type}${isNullable ? '; nullable: true' : ''}${values === undefined ? '' : `; values: ${values}`} }`
}
