import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBaselineDatabase } from '../../bench/baseline/database.ts'
import { baselineHandlers, type Handlers } from '../../bench/baseline/handlers.ts'
import { build, type DatabaseAddress, openRawConnection } from '../../bench/data/build.ts'
import { API_KEY, celebrity, crowdedMarket, readerOf, SECRET, sizes, ticketOf } from '../../bench/data/sizes.ts'
import type { Call } from '../../bench/operations/operation.ts'
import { feeds, reads } from '../../bench/operations/reads.ts'
import { writes } from '../../bench/operations/writes.ts'
import { type Database, type NoParameters, reading, writing } from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { idListOf } from '../../src/platform/database/row-list-store.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import { writeAlone } from '../../src/platform/database/write-queue.ts'
import { boardKeyText, rankedRows } from '../../src/record/board-rows.ts'
import { type BoardRow, boardProgress, boardRowsOf, sumsOfProfiles } from '../../src/record/board-store.ts'
import { dayOf } from '../../src/record/record-view.ts'
import { recountRecord } from '../../src/record/recount.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { newTestDatabase, startTestService, type TestDatabase } from '../harness/service.ts'
import { statementCounts } from '../harness/statement-counts.ts'
import { logged, verify } from '../harness/tip-log.ts'

const size = sizes.tiny
const now = Date.now()
const silent = { begin() {}, advance() {}, end() {} }

const wrongFollows = reading<NoParameters, { id: number }>(
  'wrongFollows',
  `select profile_id as id from profile_count p
   where num_followers <> (select count(*) from follow where followee_id = p.profile_id and shown = 1)
      or num_followings <> (select count(*) from follow where follower_id = p.profile_id and shown = 1)
   union all
   select f.id from follow f join profile a on a.id = f.follower_id join profile b on b.id = f.followee_id
   where f.shown <> case when a.status = 'A' and b.status = 'A' then 1 else 0 end`,
)

const countsOf = reading<{ id: number }, { num_followers: number; num_followings: number }>(
  'countsOf',
  'select num_followers, num_followings from profile_count where profile_id = :id',
)

let testDatabase: TestDatabase
let address: DatabaseAddress
let database: Database

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = testDatabase.settings
  address = url === undefined ? { engine: 'sqlite', file: join(folder, 'paddock.db') } : { engine: 'postgres', url }
  await build(address, size, now, silent)
  database = address.engine === 'sqlite' ? openSqlite(address.file) : openPostgres({ url: address.url })
})
afterAll(async () => {
  await database?.close()
  await testDatabase?.remove()
})

test('the data set of the bench satisfies the invariants of the service', async () => {
  expect(await brokenInvariants(database)).toEqual({})
  expect(await database.query(wrongFollows, {})).toEqual([])
})

test('foreign keys hold, although they were not checked during the insert', async () => {
  const connection = await openRawConnection(address)
  const missing =
    address.engine === 'sqlite'
      ? await connection.rows('pragma foreign_key_check')
      : await connection.rows(orphansInPostgres(await connection.rows<ForeignKey>(FOREIGN_KEYS)))
  await connection.close()
  expect(missing).toEqual([])
})

test('every index and trigger was created again', async () => {
  const connection = await openRawConnection(address)
  const names = await connection.rows<{ name: string }>(
    address.engine === 'sqlite'
      ? `select name from sqlite_master where type in ('index', 'trigger')`
      : 'select indexname as name from pg_indexes union all select tgname from pg_trigger',
  )
  await connection.close()
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['comment_newest', 'follow_by_followee', 'job_due', 'decision_made', 'deposit_moves']),
  )
})

test('readers and the celebrity have the documented followings and followers', async () => {
  for (const followings of size.followings) {
    const reader = readerOf(size, followings) as number
    expect(await database.one(countsOf, { id: reader })).toMatchObject({ num_followings: followings })
  }
  const counts = await database.one(countsOf, { id: celebrity(size) })
  expect(counts?.num_followers).toBeGreaterThanOrEqual((size.profiles * 4) / 5)
})

test('records are what a recount of the tips gives, over the last 400 days', async () => {
  const profiles = await database.query(profilesWithGrades, {})
  expect(profiles.length).toBeGreaterThan(size.profiles / 2)
  for (const { id, tips } of profiles.filter((_, index) => index % 5 === 0)) {
    expect(await recountRecord(database, id)).toEqual({ isEqual: true, numTips: tips, differences: [] })
  }
  const days = await database.one(daysOfGrades, {})
  expect(days?.first).toBeLessThan(dayOf(now) - 390)
  expect(days?.last).toBeGreaterThan(dayOf(now) - 10)
})

test('the board is as the service would have written it', async () => {
  const ids = idListOf((await database.query(profilesWithGrades, {})).map(({ id }) => id))
  const sorted = (rows: BoardRow[]) => rows.sort((one, other) => (boardKeyText(one) < boardKeyText(other) ? -1 : 1))
  const stored = sorted(await database.query(boardRowsOf, { ids }))
  expect(stored).toEqual(sorted(rankedRows(await database.query(sumsOfProfiles, { ids }), dayOf(now))))
  expect(new Set(stored.map(({ days }) => days))).toEqual(new Set([365, 0]))
  expect(await database.one(boardProgress, {})).toMatchObject({ day: dayOf(now), next_day: 0 })
})

test('the log of tips holds, with every tip in it', async () => {
  const service = await startTestService({}, testDatabase)
  const { problems, checkpoint } = await verify(service)
  await service.close()
  expect(problems).toEqual([])
  expect(checkpoint.size).toBeGreaterThan(size.tips)
})

const profilesWithGrades = reading<NoParameters, { id: number; tips: number }>(
  'profilesWithGrades',
  'select profile_id as id, count(*) as tips from tip_grade group by profile_id order by profile_id',
)

const daysOfGrades = reading<NoParameters, { first: number; last: number }>(
  'daysOfGrades',
  'select min(day) as first, max(day) as last from tip_grade',
)

/** The baseline checks no credentials. */
const CREDENTIALS = ['applicationByKey', 'sessionByHash', 'touchSessions', 'profileOfCustomer']

/** After the answer: the service's sweeper and the baseline capture at times of their own. */
const CAPTURE = ['captureDeposits', 'deleteCaptureJobs', 'insertCaptures', 'insertDepositEvents']

test('the baseline runs the same statements as the service, for every operation', async () => {
  const service = await startTestService({}, testDatabase)
  const statements: string[] = []
  const baseline = openBaselineDatabase(address)
  const handlers = baselineHandlers(recording(baseline, statements), service.context.gateways.current)
  const set = { size, samples: { tips: await someTips() } }
  const differences: Record<string, unknown> = {}
  try {
    for (const operation of [...reads, ...feeds, ...writes]) {
      const calls = operation.calls(set)
      if (calls === undefined) continue
      const once = Array.from({ length: operation.sequenceLength ?? 1 }, () => calls(0))
      for (const turn of ['first', 'warm']) {
        // A bet can have only one tip; all other calls can be repeated.
        const next = () => (operation.name === 'create-tip' ? [calls(0)] : once)
        const before = statementCounts(service.context.metrics.render())
        for (const call of next()) expect(await statusOf(service.publicUrl, call)).toBeLessThan(300)
        const inService = difference(before, statementCounts(service.context.metrics.render()))
        statements.length = 0
        for (const call of next()) await callBaseline(handlers, call)
        const inBaseline = statements.filter((name) => !CAPTURE.includes(name)).sort()
        if (turn === 'warm' && inService.join() !== inBaseline.join()) {
          differences[operation.name] = { service: inService, baseline: inBaseline }
        }
      }
    }
    // The baseline captures deposits after it has answered.
    await expect.poll(() => database.query(uncaptured, {})).toEqual([])
  } finally {
    await baseline.close()
    await service.close()
  }
  expect(differences).toEqual({})
})

test('the settlement of the crowded market grades one tip of each of its authors', async () => {
  const { market, outcome } = crowdedMarket(size)
  const service = await startTestService({}, testDatabase)
  const results = { [outcome]: 'win', [outcome + 1]: 'lose' }
  expect((await service.operator('POST', `/operator/v1/markets/${market}/settlement`, { results })).status).toBe(200)
  await logged(database)
  await service.close()
  const { authors, graded, author } = (await database.one(gradedOn, { outcome })) as Graded
  expect(authors).toBeGreaterThan(100)
  expect(graded).toBe(authors)
  expect(await recountRecord(database, author)).toMatchObject({ isEqual: true })
})

type Graded = { authors: number; graded: number; author: number }

const gradedOn = reading<{ outcome: number }, Graded>(
  'gradedOn',
  `select count(distinct c.author_id) as authors, count(g.comment_id) as graded, min(c.author_id) as author
   from comment c left join tip_grade g on g.profile_id = c.author_id and g.comment_id = c.id
   where c.outcome_id = :outcome`,
)

const uncaptured = reading<NoParameters, { id: string }>(
  'uncaptured',
  `select id from deposit where api_key = 'baseline' and state <> 'CAPTURED'`,
)

async function someTips(): Promise<number[]> {
  const rows = await database.query(writing<NoParameters, { id: number }>('someTips', SHOWN_TIPS), {})
  return rows.map(({ id }) => id)
}

const SHOWN_TIPS = `select c.id from comment c join profile p on p.id = c.author_id
  where c.listed = 'A' and p.status = 'A' order by c.id limit 50`

async function statusOf(url: string, { method = 'GET', path, customer }: Call): Promise<number> {
  const credentials = { 'who-apiKey': API_KEY, 'who-secret': SECRET, accept: 'application/json' }
  const ticket = customer === undefined ? {} : { 'who-ticket': ticketOf(customer) }
  const reply = await fetch(url + path, { method, headers: { ...credentials, ...ticket } })
  await reply.text()
  return reply.status
}

async function callBaseline(handlers: Handlers, { baselinePath }: Call): Promise<void> {
  const [, name = '', ...values] = baselinePath.split('/')
  await handlers[name]?.(...values.map(Number))
}

/** The name of each statement that ran meanwhile, once per run. */
function difference(before: Map<string, number>, after: Map<string, number>): string[] {
  return [...after]
    .filter(([name]) => !CREDENTIALS.includes(name))
    .flatMap(([name, count]) => new Array<string>(count - (before.get(name) ?? 0)).fill(name))
    .sort()
}

/** Records the name of each statement before it runs. */
function recording(port: Database, names: string[]): Database {
  const record = (statement: { name: string }) => void names.push(statement.name)
  const recorder: Database = {
    ...port,
    inBatch: (write, item) => writeAlone(recorder, write, item),
    query: (statement, parameters) => {
      record(statement)
      return port.query(statement, parameters)
    },
    one: (statement, parameters) => {
      record(statement)
      return port.one(statement, parameters)
    },
    run: (statement, parameters) => {
      record(statement)
      return port.run(statement, parameters)
    },
    transaction: (work) => port.transaction((inside) => work(recording(inside, names))),
  }
  return recorder
}

type ForeignKey = { child: string; columns: string; parent: string; keys: string }

const FOREIGN_KEYS = `select conrelid::regclass::text as child, confrelid::regclass::text as parent,
  (select string_agg(a.attname, ',' order by k.place) from unnest(conkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = conrelid and a.attnum = k.number) as columns,
  (select string_agg(a.attname, ',' order by k.place) from unnest(confkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = confrelid and a.attnum = k.number) as keys
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

function orphansInPostgres(keys: ForeignKey[]): string {
  return keys
    .map(
      ({ child, columns, parent, keys }) =>
        `select '${child}' as child from ${child} where (${columns}) is not null and (${columns}) not in (select ${keys} from ${parent})`,
    )
    .join(' union all ')
}
