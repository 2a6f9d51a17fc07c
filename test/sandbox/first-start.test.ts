// The first start fills the database once: also when it is killed meanwhile, and never one that an earlier release has filled.

import { rmSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { newDataFolder } from '../harness/data-folder.ts'
import { engine, newTestDatabase, startTestService, type TestDatabase, type TestService } from '../harness/service.ts'

/** Each start takes half a minute of a processor, on a busy machine some minutes. */
const BUSY_MS = 3_600_000

const databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove()
})

async function newDatabase(): Promise<TestDatabase> {
  const database = await newTestDatabase()
  databases.push(database)
  return database
}

/** What the database has, without times and keys. */
const SUMMARY = [
  ...['profile', 'event', 'outcome', 'bet', 'follow', 'comment_like', 'flag', 'payment_method', 'decision'].map(
    (table) => `select '${table}' as what, count(*) as number from ${table}`,
  ),
  `select 'tips ' || state || status as what, count(*) as number from comment group by state, status`,
  `select 'grades ' || grade as what, count(*) as number from tip_grade group by grade`,
  `select 'portraits' as what, count(picture) as number from profile`,
  `select 'movements ' || kind as what, count(*) as number from movement group by kind`,
  `select 'withdrawals ' || state as what, count(*) as number from withdrawal group by state`,
  `select 'refunds ' || state as what, count(*) as number from refund group by state`,
  `select 'disputes ' || state as what, count(*) as number from dispute group by state`,
  `select 'balance of ' || customer_id as what, cast(balance as bigint) as number from account where kind = 'customer'`,
].join(' union all ')

const summaryOf = async ({ context: { database, tipStatus } }: TestService) => {
  await tipStatus.finish()
  const rows = await database.query(reading<NoParameters, { what: string; number: number }>('summary', SUMMARY), {})
  return Object.fromEntries(rows.map(({ what, number }) => [what, Number(number)]))
}

/** The same database, whose writes fail from the `last` on, as if the process were killed. */
function dying(last: number): { wrap: (port: Database) => Database; writes: () => number } {
  let writes = 0
  const count = () => {
    if (++writes > last) throw new Error('killed')
  }
  const wrap = (port: Database): Database => ({
    ...port,
    async transaction(work, durability) {
      count()
      return port.transaction(work, durability)
    },
    async inBatch(write, item) {
      count()
      return port.inBatch(write, item)
    },
  })
  return { wrap, writes: () => writes }
}

test('a start that was killed is completed by the next', { timeout: BUSY_MS }, async () => {
  const observed = dying(Number.MAX_SAFE_INTEGER)
  const whole = await startTestService({ SANDBOX_SEED: 'on' }, await newDatabase(), { database: observed.wrap })
  const total = observed.writes()
  const expected = await summaryOf(whole)
  await whole.close()
  expect(expected).toMatchObject({ portraits: 22, 'withdrawals REQUESTED': 1 })
  for (const part of [0.55, 0.95]) {
    const database = await newDatabase()
    const { wrap } = dying(Math.floor(total * part))
    await expect(startTestService({ SANDBOX_SEED: 'on' }, database, { database: wrap })).rejects.toThrow('killed')
    const next = await startTestService({ SANDBOX_SEED: 'on' }, database)
    expect([part, await summaryOf(next)]).toEqual([part, expected])
    expect(await brokenInvariants(next.context.database)).toEqual({})
    expect(await checkLedger(next.context.database)).toMatchObject({ balanced: true, problems: [] })
    await next.close()
  }
})

test('a database that was filled before stays as it is', async () => {
  const database = await newDatabase()
  // The steps of releases without the history.
  const earlier = await startTestService({ SANDBOX_SEED: 'people' }, database)
  const before = await summaryOf(earlier)
  await earlier.close()
  expect(before).toMatchObject({ portraits: 0, profile: 24 })
  const later = await startTestService({ SANDBOX_SEED: 'on' }, database)
  expect(await summaryOf(later)).toEqual(before)
  await later.close()
})

/** Everything that visitors see of the 90 days, without the times, which depend on the start. */
const LIVED = {
  people: 'select id as n, name as what, biography as more from profile order by id',
  events: `select id as n, name as what, coalesce(score, '') || coalesce(clock, '') as more from event order by id`,
  outcomes: `select id as n, name || ' ' || coalesce(result, '') as what, coalesce(price_num, 0) || '/' || coalesce(price_den, 0)
    || ' ' || coalesce(sp_num, 0) || '/' || coalesce(sp_den, 0) || ' ' || rule4 as more from outcome order by id`,
  prices: `select outcome_id as n, price_num || '/' || price_den as what, '' as more from price_point
    order by outcome_id, minute`,
  tips: `select id as n, author_id || ' ' || outcome_id || ' ' || state || status as what, text as more from comment
    order by id`,
  grades: `select comment_id as n, grade as what, stake || ' ' || profit as more from tip_grade order by comment_id`,
  likes: 'select comment_id as n, profile_id as what, 0 as more from comment_like order by comment_id, profile_id',
}

const livedIn = async ({ context: { database, tipStatus } }: TestService) => {
  await tipStatus.finish()
  const rows = Object.entries(LIVED).map(async ([name, sql]) => {
    const found = await database.query(reading<NoParameters, { n: number; what: string; more: string }>(name, sql), {})
    return [name, found.map(({ n, what, more }) => `${n}: ${what} ${more}`)]
  })
  return Object.fromEntries(await Promise.all(rows)) as { [name in keyof typeof LIVED]: string[] }
}

test.runIf(engine === 'postgres')('the 90 days are the same on both engines', { timeout: BUSY_MS }, async () => {
  const folder = newDataFolder()
  const sqlite = {
    settings: { DATA_DIR: folder },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
  databases.push(sqlite)
  const both = []
  for (const database of [sqlite, await newDatabase()]) {
    const service = await startTestService({ SANDBOX_SEED: 'on' }, database)
    both.push({ lived: await livedIn(service), summary: await summaryOf(service) })
    await service.close()
  }
  const [one, other] = both as [(typeof both)[0], (typeof both)[0]]
  expect(one.lived.tips.length).toBeGreaterThan(2_000)
  for (const name of Object.keys(LIVED) as (keyof typeof LIVED)[]) expect(one.lived[name]).toEqual(other.lived[name])
  expect(one.summary).toEqual(other.summary)
})
