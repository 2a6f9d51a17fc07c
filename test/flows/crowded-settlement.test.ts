// Who moves the tips of a settled outcome: its own request a few, the worker many.

import { pino } from 'pino'
import { expect, test } from 'vitest'
import { standingWork } from '../../src/communities/standing.ts'
import { type Database, statement } from '../../src/database/database.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { outcomeWithTips } from '../harness/many-tips.ts'
import { engine, newPlace, type Place } from '../harness/service.ts'

const moved = statement<[], { count: number }>('movedTips', "select count(*) as count from comment where status = 'W'")

test.each([
  { tips: 1, byRequest: 1, leftToWorker: 0 },
  { tips: 500, byRequest: 500, leftToWorker: 0 },
  { tips: 501, byRequest: 0, leftToWorker: 1 },
])('of $tips tips the request moves $byRequest', async ({ tips, byRequest, leftToWorker }) => {
  const place = await newPlace()
  try {
    const outcome = await outcomeWithTips(place, tips)
    const database = open(place)
    try {
      let drains = 0
      // In place of the worker: one that is asked and does nothing yet.
      const idle = {
        async run() {
          drains++
        },
        stop() {},
      }
      const work = standingWork(database, pino({ level: 'silent' }), idle)
      await database.script(`update outcome set result = 'win' where id = ${outcome.id};
        insert into comment_work (outcome_id, position) values (${outcome.id}, 0)`)
      await work.begin()
      await work.close()
      expect(await database.one(moved, [])).toEqual({ count: byRequest })
      expect(drains).toBe(leftToWorker)
    } finally {
      await database.close()
    }
  } finally {
    await place.remove()
  }
})

function open({ settings }: Place): Database {
  return engine === 'postgres'
    ? openPostgres({ url: settings.DATABASE_URL as string })
    : openSqlite(`${settings.DATA_DIR}/paddock.db`)
}
