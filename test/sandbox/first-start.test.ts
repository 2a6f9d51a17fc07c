// The first start fills the database once: also when it is killed meanwhile, and never one that an earlier release has filled.

import { afterEach, expect, test } from 'vitest'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { checkLedger } from '../../src/wallets/ledger-check.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { newTestDatabase, startTestService, type TestDatabase, type TestService } from '../harness/service.ts'

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

test('a start that was killed is completed by the next', { timeout: 600_000 }, async () => {
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
