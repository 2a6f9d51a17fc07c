// After a settlement tips are counted first and listed afterwards. Whatever happens to a tip in between, the counts of its
// author stay exact.

import pg from 'pg'
import { expect, test } from 'vitest'
import { drainInProcess } from '../../src/communities/tip-status.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import { applyChange } from '../../src/sportsbook/change.ts'
import { settleMarket } from '../../src/sportsbook/settlement.ts'
import { brokenInvariants, wronglyCountedProfiles } from '../harness/community-invariants.ts'
import {
  engine,
  newTestDatabase,
  startTestService,
  type TestCustomer,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'
import { sessionsWait } from '../harness/sessions-wait.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

const RESULTS = ['win', 'lose', 'void'] as const
type SixTips = [number, number, number, number, number, number]
type Result = (typeof RESULTS)[number]

test.each(RESULTS.flatMap((first) => RESULTS.filter((other) => other !== first).map((second) => ({ first, second }))))(
  'tips that are withdrawn and restored between counting and listing, $first then $second',
  async (results) => {
    const testDatabase = await newTestDatabase()
    const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
    try {
      await changeTipsHalfway(service, testDatabase, results)
    } finally {
      await service.close()
      await testDatabase.remove()
    }
  },
)

async function changeTipsHalfway(
  service: TestService,
  testDatabase: TestDatabase,
  { first, second }: { first: Result; second: Result },
): Promise<void> {
  const { database, tipStatus } = service.context
  // Only this test updates tips.
  await tipStatus.close()
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const author = await service.member()
  const tips: number[] = []
  while (tips.length < 6) tips.push(await newTip(service, author, outcome.id))
  const [untouched, removed, restored, deactivated, later, twice] = tips as SixTips

  await moderate(service, restored, 'remove')
  await moderate(service, twice, 'remove')
  await settle(database, outcome, first)
  await drainUntil(testDatabase, 'finishCounting')
  expect(await countsOf(service, author)).toEqual({ live: 0, winning: first === 'win' ? 4 : 0 })
  expect(await wronglyCountedProfiles(database)).toEqual([])
  await moderate(service, removed, 'remove')
  await moderate(service, restored, 'restore')
  await moderate(service, twice, 'restore')
  await moderate(service, twice, 'remove')
  await deactivate(service, author, deactivated)
  expect(await countsOf(service, author)).toEqual({ live: 0, winning: first === 'win' ? 3 : 0 })
  expect(await wronglyCountedProfiles(database)).toEqual([])

  // Corrected while no tip is listed under the first result, and again counted only.
  await settle(database, outcome, second)
  await drainUntil(testDatabase, 'finishCounting')
  await deactivate(service, author, later)
  await moderate(service, removed, 'restore')
  expect(await countsOf(service, author)).toEqual({ live: 0, winning: second === 'win' ? 3 : 0 })
  expect(await wronglyCountedProfiles(database)).toEqual([])
  expect(await database.query(statusesOf, {})).toEqual(tips.map(() => ({ status: 'A' })))

  await drainUntil(testDatabase, 'finishWork')
  expect(await brokenInvariants(database)).toEqual({})
  expect(await countsOf(service, author)).toEqual({ live: 0, winning: second === 'win' ? 3 : 0 })
  await moderate(service, untouched, 'remove')
  await moderate(service, twice, 'restore')
  expect(await brokenInvariants(database)).toEqual({})
}

// SQLite has one writer at a time.
test.runIf(engine === 'postgres')('a tip that is withdrawn while it is being counted', async () => {
  const testDatabase = await newTestDatabase()
  const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  const other = new pg.Client({ connectionString: testDatabase.settings.DATABASE_URL as string })
  try {
    const { database, tipStatus } = service.context
    await tipStatus.close()
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const author = await service.member()
    const tip = await newTip(service, author, outcome.id)
    await settle(database, outcome, 'win')
    await other.connect()
    await other.query('begin')
    await other.query(`select 1 from profile_count where profile_id = ${author.profileId} for update`)
    // Has locked the tip, and waits for the counts of its author.
    const counting = drainUntil(testDatabase, 'finishCounting')
    await sessionsWait(testDatabase, 1)
    const withdrawing = deactivate(service, author, tip)
    await sessionsWait(testDatabase, 2)
    await other.query('commit')
    await Promise.all([counting, withdrawing])
    expect(await countsOf(service, author)).toEqual({ live: 0, winning: 0 })
    await drainUntil(testDatabase, 'finishWork')
    expect(await brokenInvariants(database)).toEqual({})
  } finally {
    await other.end()
    await service.close()
    await testDatabase.remove()
  }
})

const statusesOf = reading<NoParameters, { status: string }>('statusesOfAll', 'select status from comment')
const countsOfProfile = reading<{ id: number }, { live: number; winning: number }>(
  'countsOfProfile',
  'select num_live as live, num_winning as winning from profile_count where profile_id = :id',
)

async function countsOf({ context }: TestService, { profileId }: { profileId: number }) {
  return context.database.one(countsOfProfile, { id: profileId })
}

function settle(database: Database, { id, marketId }: TestOutcome, result: Result) {
  return database.transaction((transaction) =>
    applyChange(transaction, settleMarket(marketId, { [id]: result }), () => 1),
  )
}

function moderate(service: TestService, id: number, action: 'remove' | 'restore') {
  return operatorOk(service, 'POST', `/moderation/comments/${id}`, { action })
}

async function deactivate(service: TestService, { ticket }: TestCustomer, id: number): Promise<void> {
  expect((await service.call('PUT', `/v1/communities/comments/${id}`, { ticket })).status).toBe(204)
}

/** Works as the service does, and stops after the batch with this statement. */
async function drainUntil({ settings }: TestDatabase, statement: 'finishCounting' | 'finishWork'): Promise<void> {
  const stopAfter = (name: string) => void (name === statement && drain.stop())
  const database =
    engine === 'postgres'
      ? openPostgres({ url: settings.DATABASE_URL as string, observe: stopAfter })
      : openSqlite(`${settings.DATA_DIR}/paddock.db`, stopAfter)
  const drain = drainInProcess(database, Date.now)
  await drain.run()
  await database.close()
}
