// The board follows from the sums alone, however often its writer is killed, and whatever batches it works in.

import { expect, test } from 'vitest'
import { catchUp } from '../../src/event-log/projection.ts'
import { openDatabase } from '../../src/platform/configured-database.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import { idListOf } from '../../src/platform/database/row-list-store.ts'
import { boardProjection } from '../../src/record/board.ts'
import { boardKeyText, rankedRows } from '../../src/record/board-rows.ts'
import { type BoardRow, sumsOfProfiles } from '../../src/record/board-store.ts'
import { dayOf } from '../../src/record/record-view.ts'
import { positioned } from '../harness/notifications.ts'
import { boardOf, boardUpToDate, DAY_MS, gradedTips, type SettledTip } from '../harness/records.ts'
import { engine, newTestDatabase, startTestService, type TestService } from '../harness/service.ts'

async function withService(work: (service: TestService) => Promise<void>): Promise<void> {
  const testDatabase = await newTestDatabase()
  // Without extensions nothing writes the board but the test.
  const service = await startTestService({ EXTENSIONS: 'off', LOG_LEVEL: 'silent' }, testDatabase)
  service.clock.hold()
  try {
    await work(service)
  } finally {
    await service.close()
    await testDatabase.remove()
  }
}

async function someRecords(service: TestService, members = 3): Promise<void> {
  for (let index = 0; index < members; index++) {
    const tips = Array.from(
      { length: 22 },
      (_, tip): SettledTip => ({
        grade: tip % 3 === 0 ? 'W' : 'L',
        daysAgo: (tip + index) % 7,
        sportId: 1 + (tip % 2),
      }),
    )
    await gradedTips(service, await service.member(), tips)
  }
  await positioned(service.context.database)
}

/** Fails before or after the statement of this number, in any transaction. */
function failing(database: Database, number: number, when: 'before' | 'after'): Database {
  let seen = 0
  const watch = async <T>(work: () => T | Promise<T>): Promise<T> => {
    seen++
    if (seen === number && when === 'before') throw new Error('killed')
    const result = await work()
    if (seen === number && when === 'after') throw new Error('killed')
    return result
  }
  const inside = (transaction: Database): Database => ({
    ...transaction,
    query: (statement, parameters, last) => watch(() => transaction.query(statement, parameters, last)),
    one: (statement, parameters, last) => watch(() => transaction.one(statement, parameters, last)),
    run: (statement, parameters, last) => watch(() => transaction.run(statement, parameters, last)),
  })
  return {
    ...database,
    transaction: (work, durability) => database.transaction((transaction) => work(inside(transaction)), durability),
  }
}

/** Until a run passes without reaching the statement of its number. Returns how many were killed. */
async function updateWithKills(database: Database, now: () => number, when: 'before' | 'after'): Promise<number> {
  for (let number = 1; ; number++) {
    try {
      await catchUp(failing(database, number, when), boardProjection(now))
      return number - 1
    } catch (error) {
      expect((error as Error).message).toBe('killed')
    }
  }
}

/** As it would be if all profiles were written today. */
async function writtenAnew({ context: { database, now } }: TestService) {
  const ids = (await database.query(profilesWithSums, {})).map(({ profile_id }) => profile_id)
  const rows = rankedRows(await database.query(sumsOfProfiles, { ids: idListOf(ids) }), dayOf(now()))
  return inOrder(rows)
}

function inOrder(rows: readonly BoardRow[]): BoardRow[] {
  return rows.toSorted((one, other) => boardKeyText(one).localeCompare(boardKeyText(other)))
}

const profilesWithSums = reading<NoParameters, { profile_id: number }>(
  'profilesWithSums',
  'select distinct profile_id from record_sum',
)

test.each(['before', 'after'] as const)('killed %s any statement, it goes on where it was', async (when) => {
  await withService(async (service) => {
    const { database, now } = service.context
    await someRecords(service)
    expect(await updateWithKills(database, now, when)).toBeGreaterThan(4)
    const board = await boardOf(database)
    expect(board.length).toBeGreaterThan(3)
    expect(await writtenAnew(service)).toEqual(inOrder(board))
    // The same when a day begins, and some tips leave their windows.
    service.clock.advance(DAY_MS)
    expect(await updateWithKills(database, now, when)).toBeGreaterThan(4)
    const next = await boardOf(database)
    expect(next).not.toEqual(board)
    expect(await writtenAnew(service)).toEqual(inOrder(next))
  })
})

test('a day that begins is written in batches of profiles, also after several days', async () => {
  await withService(async (service) => {
    const { database, now } = service.context
    await someRecords(service, engine === 'sqlite' ? 26 : 3)
    await boardUpToDate(service)
    for (const days of [1, 1, 3]) {
      service.clock.advance(days * DAY_MS)
      await catchUp(database, boardProjection(now))
      const board = await boardOf(database)
      expect(await writtenAnew(service)).toEqual(inOrder(board))
    }
  })
})

test('a clock that is set back changes nothing', async () => {
  await withService(async (service) => {
    const { database, now } = service.context
    await someRecords(service)
    await boardUpToDate(service)
    const board = await boardOf(database)
    await catchUp(
      database,
      boardProjection(() => now() - 5 * DAY_MS),
    )
    expect(await boardOf(database)).toEqual(board)
  })
})

test('several processes write one board', async () => {
  await withService(async (service) => {
    const { config, database, now } = service.context
    const others = engine === 'postgres' ? [1, 2].map(() => openDatabase(config)) : [database, database]
    try {
      for (let turn = 0; turn < 3; turn++) {
        await someRecords(service, 1)
        await Promise.all(others.map((other) => catchUp(other, boardProjection(now))))
      }
      await boardUpToDate(service)
      const board = await boardOf(database)
      expect(board.length).toBeGreaterThan(3)
      expect(await writtenAnew(service)).toEqual(inOrder(board))
    } finally {
      if (engine === 'postgres') for (const other of others) await other.close()
    }
  })
})
