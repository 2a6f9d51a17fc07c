// An installation of the first release, and one of the version before this one, each with rows of every kind, are upgraded while another
// process reads them.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { FIRST_RELEASE, fillFirstRelease } from '../../../bench/data/first-release.ts'
import { checkAudit } from '../../../src/audit/chain.ts'
import { countRows } from '../../../src/platform/database/backup/counts-store.ts'
import { verifyStoredLog } from '../../../src/tip-log/verify-stored.ts'
import { brokenInvariants, wronglyCountedProfiles } from '../../harness/community-invariants.ts'
import { applyUpTo, openTestDatabase } from '../../harness/old-schema.ts'
import {
  engine,
  newTestDatabase,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../../harness/service.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../../harness/sportsbook.ts'
import { logged } from '../../harness/tip-log.ts'
import { deposit, newDepositor } from '../../harness/wallets.ts'

const TIPS = 600
/** Migrations after 0146. Older processes may run beside all of them but one. */
const NEWER = engine === 'sqlite' ? 2 : 3
/** The client programs of the tests' PostgreSQL may not be there: test/process/backup-postgres.test.ts has the backup. */
const SETTINGS: Record<string, string> = engine === 'sqlite' ? {} : { BACKUP_BEFORE_UPGRADE: 'off' }
let home: TestDatabase | undefined
let service: TestService | undefined

afterEach(async () => {
  await service?.close()
  await home?.remove()
  service = undefined
  home = undefined
})

async function inDatabase<T>(work: (database: ReturnType<typeof openTestDatabase>) => Promise<T>): Promise<T> {
  const database = openTestDatabase(home as TestDatabase)
  return work(database).finally(() => database.close())
}

async function upgradeUnderReads(): Promise<TestService> {
  const { DATA_DIR = '', DATABASE_URL } = (home as TestDatabase).settings
  const program = new URL('reader.js', import.meta.url).pathname
  const reader = spawn(process.execPath, [program, DATABASE_URL ?? join(DATA_DIR, 'paddock.db')])
  let output = ''
  reader.stdout.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise((resolve) => reader.once('close', resolve))
  await expect.poll(() => output, { timeout: 30_000 }).toContain('reading')
  const upgraded = await startTestService(SETTINGS, home)
  reader.stdin.end()
  await ended
  const seen = JSON.parse(output.split('\n')[1] as string)
  expect(seen.failed).toEqual([])
  expect(seen.reads).toBeGreaterThan(8)
  return upgraded
}

/** Ledger, counts, audit trail and log of tips. */
async function expectRight({ context, operator }: TestService): Promise<void> {
  expect((await operator('GET', '/operator/v1/ledger/check')).body).toMatchObject({ balanced: true, problems: [] })
  const broken = await brokenInvariants(context.database)
  expect(Object.fromEntries(Object.entries(broken).filter(([, ids]) => ids.length > 0))).toEqual({})
  expect(await wronglyCountedProfiles(context.database)).toEqual([])
  expect((await checkAudit(context.database)).problems).toEqual([])
  expect(await verifyStoredLog(context.database)).toEqual([])
}

/** What the first release did not have: tips in the log, with records. Returns the author's id of a profile. */
async function goOn(running: TestService): Promise<number> {
  const [author, payer] = [await running.member(), await newDepositor(running)]
  await deposit(running, { ...payer, amount: '5.00' })
  for (const result of ['win', 'lose'] as const) {
    const [outcome] = (await newMatch(running)) as [TestOutcome]
    await newTip(running, author, outcome.id, { more: '&priceNum=5&priceDen=2' })
    await settle(running, outcome, result)
  }
  await logged(running.context.database)
  return author.profileId
}

async function recordOf({ call }: TestService, id: number): Promise<unknown> {
  return (await call('GET', `/v1/profiles/${id}/record`, { accept: 'application/json' })).json()
}

test('the first release, and then the version before this one, are upgraded under reads', async () => {
  home = await newTestDatabase('empty')
  const before = await inDatabase(async (database) => {
    await applyUpTo(FIRST_RELEASE, database)
    await fillFirstRelease(database, TIPS)
    return countRows(database)
  })
  service = await upgradeUnderReads()
  expect(backups()).toEqual(engine === 'sqlite' ? [expect.stringMatching(/^before-\d{4}-/)] : [])
  expect(await countRows(service.context.database)).toMatchObject(kept(before))
  await expectRight(service)
  const author = await goOn(service)
  await expectRight(service)
  const record = await recordOf(service, author)
  await service.close()

  // What came after migration 0146 is undone.
  const today = await inDatabase(async (database) => {
    await database.script(`alter table comment rename column start_order to sooner;
      drop table neighbour; delete from migration where number > 146`)
    return countRows(database)
  })
  service = await upgradeUnderReads()
  const counts = await countRows(service.context.database)
  expect(counts).toMatchObject({ ...kept(today), neighbour: NEWER - 1, migration: (today.migration as number) + NEWER })
  await expectRight(service)
  expect(await recordOf(service, author)).toEqual(record)
  await goOn(service)
  await expectRight(service)
})

const KEPT = [
  'customer',
  'profile',
  'comment',
  'comment_like',
  'follow',
  'bet',
  'outcome',
  'deposit',
  'flag',
  'decision',
]

/** Rows that no background task writes. */
function kept(counts: Record<string, number>): Record<string, number | undefined> {
  return Object.fromEntries(KEPT.map((table) => [table, counts[table]]))
}

function backups(): string[] {
  const folder = join((home as TestDatabase).settings.DATA_DIR as string, 'backups')
  return existsSync(folder) ? readdirSync(folder) : []
}
