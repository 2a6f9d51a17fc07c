// Who updates the tips of a settled outcome: the request itself a few, the thread many.

import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { tipStatusWork } from '../../src/communities/tip-status.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import { outcomeWithTips } from '../harness/outcome-with-tips.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'
import { sessionsWait } from '../harness/sessions-wait.ts'

const silent = pino({ level: 'silent' })

const moved = reading<NoParameters, { count: number }>(
  'movedTips',
  "select count(*) as count from comment where status = 'W'",
)

test.each([
  { tips: 1, byRequest: 1 },
  { tips: 500, byRequest: 500 },
  { tips: 501, byRequest: 0 },
])('of $tips tips the settlement request updates $byRequest', async ({ tips, byRequest }) => {
  const testDatabase = await newTestDatabase()
  try {
    const outcome = await outcomeWithTips(testDatabase, tips)
    const database = open(testDatabase)
    try {
      let drains = 0
      // Instead of the thread: a function that does nothing yet.
      const idle = {
        async run() {
          drains++
        },
        stop() {},
      }
      const work = tipStatusWork({ database, now: Date.now, log: silent }, idle)
      await database.script(`update outcome set result = 'win' where id = ${outcome.id};
        insert into comment_work (outcome_id, position, count_position) values (${outcome.id}, 0, 0)`)
      await work.begin()
      await work.close()
      expect(await database.one(moved, {})).toEqual({ count: byRequest })
      if (byRequest < tips) expect(drains).toBeGreaterThan(0)
    } finally {
      await database.close()
    }
  } finally {
    await testDatabase.remove()
  }
})

// SQLite has one writer at a time; only PostgreSQL skips locked work.
test.runIf(engine === 'postgres')('a request waits for tips that another process is updating', async () => {
  const testDatabase = await newTestDatabase()
  const outcome = await outcomeWithTips(testDatabase, 3)
  const database = open(testDatabase)
  const other = new pg.Client({ connectionString: testDatabase.settings.DATABASE_URL as string })
  const work = tipStatusWork({ database, now: Date.now, log: silent })
  try {
    await other.connect()
    await database.script(`update outcome set result = 'win' where id = ${outcome.id};
      insert into comment_work (outcome_id, position, count_position) values (${outcome.id}, 0, 0)`)
    await other.query('begin')
    await other.query('select outcome_id from comment_work for no key update')
    const answered = work.begin().then(() => 'answered')
    expect(await Promise.race([answered, sessionsWait(testDatabase, 1).then(() => 'waiting')])).toBe('waiting')
    await other.query('commit')
    await answered
    expect(await database.one(moved, {})).toEqual({ count: 3 })
  } finally {
    await other.end()
    await work.close()
    await database.close()
    await testDatabase.remove()
  }
})

function open({ settings }: TestDatabase): Database {
  return engine === 'postgres'
    ? openPostgres({ url: settings.DATABASE_URL as string })
    : openSqlite(`${settings.DATA_DIR}/paddock.db`)
}
