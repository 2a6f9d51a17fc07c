import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Database,
  DatabaseUnavailable,
  locking,
  type NoParameters,
  reading,
  UniqueViolation,
  writing,
} from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'

const insert = writing<{ id: number; note: string }>('testInsert', 'insert into thing (id, note) values (:id, :note)')
const all = reading<NoParameters, { id: number; note: string }>('testAll', 'select id, note from thing order by id')
const rename = writing<{ id: number; note: string }>('testRename', 'update thing set note = :note where id = :id')
const locked = locking<{ id: number }, { note: string }>(
  'testLocked',
  'select note from thing where id = :id for update',
)
const repeated = reading<{ one: number; two: number }, { sum: number; big: number; none: null }>(
  'testRepeated',
  'select cast(:one as bigint) + cast(:two as bigint) + cast(:one as bigint) as sum, sum(9007199254740991) as big, null as none',
)

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  database =
    engine === 'sqlite'
      ? openSqlite(`${testDatabase.settings.DATA_DIR}/test.db`)
      : openPostgres({ url: testDatabase.settings.DATABASE_URL as string, transactionConnections: 5 })
  await database.script('create table thing (id bigint primary key, note text not null)')
})

afterAll(async () => {
  await database.close()
  await testDatabase.remove()
})

const notes = async () => (await database.query(all, {})).map((row) => row.note)
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('one statement', () => {
  test('returns numbers as numbers on both engines, and takes a parameter in two places', async () => {
    expect(await database.one(repeated, { one: 2, two: 3 })).toEqual({ sum: 7, big: 9_007_199_254_740_991, none: null })
  })

  test('throws a UniqueViolation for a duplicate key', async () => {
    await database.run(insert, { id: 1, note: 'first' })
    await expect(database.run(insert, { id: 1, note: 'again' })).rejects.toThrow(UniqueViolation)
    await expect(database.transaction((inner) => inner.run(insert, { id: 1, note: 'again' }))).rejects.toThrow(
      UniqueViolation,
    )
  })

  test('returns the number of changed rows', async () => {
    expect([
      await database.run(rename, { id: 1, note: 'first' }),
      await database.run(rename, { id: 99, note: 'x' }),
    ]).toEqual([1, 0])
  })
})

describe.runIf(engine === 'postgres')('a single statement that writes', () => {
  test('does not delay reads: they have connections of their own', async () => {
    const slow = writing<NoParameters, { id: number }>(
      'testSlow',
      `update thing set note = note from (select pg_sleep(1)) as slept where id = 1 returning id`,
    )
    let written = false
    const writes = Array.from({ length: 4 }, async () => {
      await database.one(slow, {})
      written = true
    })
    await pause(100)
    await Promise.all(Array.from({ length: 20 }, () => database.query(all, {})))
    expect(written).toBe(false)
    await Promise.all(writes)
  })

  test('is repeated after a deadlock', async () => {
    await database.run(insert, { id: 21, note: 'one' })
    await database.run(insert, { id: 22, note: 'other' })
    const crossed = (name: string, first: number, second: number) =>
      writing<NoParameters, { id: number }>(
        name,
        `with first as (update thing set note = 'crossed' where id = ${first} returning id),
           slept as (select id, pg_sleep(0.3) from first)
         update thing set note = 'crossed' from slept where thing.id = ${second} returning thing.id`,
      )
    const rows = await Promise.all([
      database.one(crossed('testCrossed', 21, 22), {}),
      database.one(crossed('testCrossedBack', 22, 21), {}),
    ])
    expect(rows).toEqual([{ id: 22 }, { id: 21 }])
    expect(await database.run(writing('testRemoveCrossed', 'delete from thing where id in (21, 22)'), {})).toBe(2)
  })
})

describe('concurrent statements', () => {
  test('each get their own result, also more than one turn of the event loop can send', async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index)
    const sums = await Promise.all(numbers.map((number) => database.one(repeated, { one: number, two: 1 })))
    expect(sums.map((row) => row?.sum)).toEqual(numbers.map((number) => 2 * number + 1))
  })

  test('do not fail because another one fails, whether or not that could be prepared', async () => {
    const nowhere = reading<NoParameters, { id: number }>('testNowhere', 'select id from nowhere')
    const failsFirst = writing<{ value1: number; value2: string }>(
      'testFailsFirst',
      'insert into thing (id, note) values (:value1, :value2)',
    )
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.allSettled([
        database.one(repeated, { one: 1, two: 1 }),
        database.query(nowhere, {}),
        database.run(failsFirst, { value1: 1, value2: 'taken' }),
        database.query(nowhere, {}),
        database.one(repeated, { one: 2, two: 2 }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ])
      expect((answers[1] as PromiseRejectedResult).reason.message).toMatch(/nowhere/)
    }
    expect(await database.run(failsFirst, { value1: 2, value2: 'free' })).toBe(1)
    expect(await database.run(writing('testRemove', 'delete from thing where id = 2'), {})).toBe(1)
  })
})

describe('a transaction', () => {
  test('whose first statement fails leaves no transaction open, also when nothing was prepared yet', async () => {
    for (let round = 0; round < 3; round++) {
      const first = writing<{ value1: number; value2: string }>(
        `testFirst${round}`,
        'insert into thing (id, note) values (:value1, :value2)',
      )
      await expect(database.transaction((inner) => inner.run(first, { value1: 1, value2: 'taken' }))).rejects.toThrow(
        UniqueViolation,
      )
    }
    const before = await notes()
    expect(await database.transaction(async (inner) => (await inner.query(all, {})).length)).toBe(before.length)
  })

  test('commits with its last statement, and rolls back when that fails', async () => {
    await database.transaction(async (inner) => {
      await inner.run(insert, { id: 20, note: 'kept' })
      expect(await inner.run(rename, { id: 20, note: 'kept by the last' }, 'last')).toBe(1)
    })
    expect(await notes()).toContain('kept by the last')
    expect(await database.transaction((inner) => inner.run(rename, { id: 20, note: 'first and last' }, 'last'))).toBe(1)
    expect(await notes()).toContain('first and last')
    expect(await database.transaction((inner) => inner.one(locked, { id: 20 }, 'last'))).toEqual({
      note: 'first and last',
    })
    const failing = database.transaction(async (inner) => {
      await inner.run(rename, { id: 20, note: 'taken back' })
      await inner.run(insert, { id: 20, note: 'taken' }, 'last')
    })
    await expect(failing).rejects.toThrow(UniqueViolation)
    expect(await notes()).toContain('first and last')
    expect(await database.run(writing('testRemoveLast', 'delete from thing where id = 20'), {})).toBe(1)
  })

  test('that may be lost commits with one statement or several', async () => {
    await database.transaction((inner) => inner.run(insert, { id: 23, note: 'relaxed' }, 'last'), 'may be lost')
    const renamed = await database.transaction(async (inner) => {
      await inner.run(rename, { id: 23, note: 'relaxed again' })
      return inner.one(locked, { id: 23 })
    }, 'may be lost')
    expect(renamed).toEqual({ note: 'relaxed again' })
    expect(await database.run(writing('testRemoveRelaxed', 'delete from thing where id = 23'), {})).toBe(1)
  })

  test('may have no statement', async () => {
    expect(await database.transaction(async () => 'nothing to do')).toBe('nothing to do')
  })

  test('is atomic', async () => {
    const before = await notes()
    const failing = database.transaction(async (inner) => {
      await inner.run(insert, { id: 10, note: 'half' })
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await notes()).toEqual(before)
  })

  test('never includes statements of others while it waits', async () => {
    const holding = database.transaction(async (inner) => {
      await inner.run(insert, { id: 20, note: 'inside' })
      await pause(50)
      throw new Error('rolled back')
    })
    await pause(10)
    // Written while the other transaction is open; must survive its rollback.
    const outside = database.run(insert, { id: 21, note: 'outside' })
    expect(await notes()).not.toContain('inside')
    await expect(holding).rejects.toThrow('rolled back')
    await outside
    expect(await notes()).toContain('outside')
    expect(await notes()).not.toContain('inside')
  })

  test('reads its own uncommitted writes, others do not', async () => {
    await database.transaction(async (inner) => {
      await inner.run(insert, { id: 30, note: 'mine' })
      expect((await inner.query(all, {})).map((row) => row.note)).toContain('mine')
    })
    expect(await notes()).toContain('mine')
  })

  test('cannot be nested, and the outer handle throws inside it', async () => {
    await database.transaction(async (inner) => {
      await expect(database.run(insert, { id: 40, note: 'x' })).rejects.toThrow('use the handle')
      await expect(database.query(all, {})).rejects.toThrow('use the handle')
      await expect(inner.transaction(async () => {})).rejects.toThrow('already open')
    })
  })

  test('waits for another one on the same row, even when both began by reading it', async () => {
    await database.run(insert, { id: 50, note: '0' })
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.transaction(async (inner) => {
          const row = await inner.one(locked, { id: 50 })
          await pause(Math.random() * 3)
          await inner.run(rename, { id: 50, note: `${Number(row?.note) + 1}` })
        }),
      ),
    )
    expect((await database.query(all, {})).find((row) => row.id === 50)?.note).toBe('20')
  })

  test('is retried after a deadlock', async () => {
    await database.run(insert, { id: 60, note: 'a' })
    await database.run(insert, { id: 61, note: 'b' })
    let runs = 0
    const cross = (first: number, second: number) =>
      database.transaction(async (inner) => {
        runs++
        await inner.run(rename, { id: first, note: 'x' })
        await pause(30)
        await inner.run(rename, { id: second, note: 'y' })
      })
    await Promise.all([cross(60, 61), cross(61, 60)])
    // SQLite has one writer at a time, so that deadlocks cannot occur.
    if (engine === 'postgres') expect(runs).toBeGreaterThan(2)
  })
})

describe('while another process writes', () => {
  test.runIf(engine === 'sqlite')(
    'writers wait without blocking: timers run and reads are answered meanwhile',
    async () => {
      const other = new DatabaseSync(`${testDatabase.settings.DATA_DIR}/test.db`)
      other.exec("begin immediate; insert into thing (id, note) values (700, 'theirs')")
      const order: string[] = []
      const writing = [
        database.run(insert, { id: 701, note: 'ours' }).then(() => order.push('statement')),
        database
          .transaction((inner) => inner.run(insert, { id: 702, note: 'ours too' }))
          .then(() => order.push('transaction')),
      ]
      await pause(10)
      order.push(`${(await notes()).includes('theirs')}`)
      other.exec('commit')
      other.close()
      await Promise.all(writing)
      expect(order).toEqual(['false', 'statement', 'transaction'])
      expect((await notes()).slice(-3)).toEqual(['theirs', 'ours', 'ours too'])
    },
  )
})

test.runIf(engine === 'sqlite')('a transaction that timed out while waiting affects no reader or writer', async () => {
  const before = await notes()
  const other = new DatabaseSync(`${testDatabase.settings.DATA_DIR}/test.db`)
  other.exec('begin immediate')
  const ended = database
    .transaction((transaction) => transaction.run(insert, { id: 900, note: 'never' }))
    .then(
      () => 'done',
      (error) => error,
    )
  let outcome: unknown
  ended.then((known) => {
    outcome = known
  })
  // In each turn a snapshot is taken on the connection that tries to write.
  while (outcome === undefined) {
    expect(await notes()).toEqual(before)
    await pause(1)
  }
  expect(outcome).toBeInstanceOf(DatabaseUnavailable)
  expect(await notes()).toEqual(before)
  other.exec('commit')
  other.close()
  await database.run(insert, { id: 901, note: 'after all' })
  expect(await notes()).toEqual([...before, 'after all'])
})

test.runIf(engine === 'sqlite')(
  'a write is visible to later reads of the same turn, and not to earlier ones',
  async () => {
    const seen: unknown[] = []
    const read = async () => seen.push((await notes()).filter((note) => note.startsWith('turn')))
    await Promise.all([
      read(),
      database.run(insert, { id: 910, note: 'turn 1' }),
      read(),
      database.transaction(async (transaction) => {
        await transaction.run(insert, { id: 911, note: 'turn 2' })
        await pause(5)
      }),
      read(),
    ])
    await read()
    expect(seen).toEqual([[], ['turn 1'], ['turn 1'], ['turn 1', 'turn 2']])
  },
)

test.runIf(engine === 'sqlite')(
  'a write is committed before it is acknowledged, also after a read of the same turn',
  async () => {
    const other = new DatabaseSync(`${testDatabase.settings.DATA_DIR}/test.db`)
    const seen = () => other.prepare("select count(*) as count from thing where note like 'kept %'").get()?.count
    const [, first] = await Promise.all([notes(), database.run(insert, { id: 920, note: 'kept 1' }).then(seen)])
    const inTransaction = () =>
      database.transaction((transaction) => transaction.run(insert, { id: 921, note: 'kept 2' }))
    const [, second] = await Promise.all([notes(), inTransaction().then(seen)])
    other.close()
    expect([first, second]).toEqual([1, 2])
  },
)

test.runIf(engine === 'sqlite')('SQLite returns rows and throws errors synchronously', async () => {
  const count = reading<NoParameters, { count: number }>('countThings', 'select count(*) as count from thing')
  expect(database.one(count, {})).toEqual({ count: expect.any(Number) })
  expect(() => database.one(reading<NoParameters, unknown>('noSuchTable', 'select 1 from no_such_thing'), {})).toThrow(
    'no such table',
  )
})

test('a finished transaction leaves no timer that would keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  for (let round = 0; round < 20; round++) await database.transaction((inner) => inner.query(all, {}))
  expect(timers()).toBeLessThan(before + 20)
})
