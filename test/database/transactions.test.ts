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
} from '../../src/database/database.ts'
import { openPostgres } from '../../src/database/postgres/postgres.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite.ts'
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
  test('answers numbers as numbers, whatever the engine, and takes a parameter in two places', async () => {
    expect(await database.one(repeated, { one: 2, two: 3 })).toEqual({ sum: 7, big: 9_007_199_254_740_991, none: null })
  })

  test('a key that is already there is a UniqueViolation', async () => {
    await database.run(insert, { id: 1, note: 'first' })
    await expect(database.run(insert, { id: 1, note: 'again' })).rejects.toThrow(UniqueViolation)
    await expect(database.transaction((inner) => inner.run(insert, { id: 1, note: 'again' }))).rejects.toThrow(
      UniqueViolation,
    )
  })

  test('the number of rows changed is answered', async () => {
    expect([
      await database.run(rename, { id: 1, note: 'first' }),
      await database.run(rename, { id: 99, note: 'x' }),
    ]).toEqual([1, 0])
  })
})

describe('many statements at once', () => {
  test('each gets its own answer, more than one turn can send together', async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index)
    const sums = await Promise.all(numbers.map((number) => database.one(repeated, { one: number, two: 1 })))
    expect(sums.map((row) => row?.sum)).toEqual(numbers.map((number) => 2 * number + 1))
  })

  test('one that fails harms none of the others, whether or not it could be prepared', async () => {
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
  test('whose first statement fails leaves nothing open, also where nothing was prepared yet', async () => {
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

  test('commits with its last statement, and takes all back when that fails', async () => {
    await database.transaction(async (inner) => {
      await inner.run(insert, { id: 20, note: 'kept' })
      expect(await inner.run(rename, { id: 20, note: 'kept by the last' }, 'last')).toBe(1)
    })
    expect(await notes()).toContain('kept by the last')
    expect(await database.transaction((inner) => inner.run(rename, { id: 20, note: 'first and last' }, 'last'))).toBe(1)
    expect(await notes()).toContain('first and last')
    const failing = database.transaction(async (inner) => {
      await inner.run(rename, { id: 20, note: 'taken back' })
      await inner.run(insert, { id: 20, note: 'taken' }, 'last')
    })
    await expect(failing).rejects.toThrow(UniqueViolation)
    expect(await notes()).toContain('first and last')
    expect(await database.run(writing('testRemoveLast', 'delete from thing where id = 20'), {})).toBe(1)
  })

  test('without a statement does no harm', async () => {
    expect(await database.transaction(async () => 'nothing to do')).toBe('nothing to do')
  })

  test('is all or nothing', async () => {
    const before = await notes()
    const failing = database.transaction(async (inner) => {
      await inner.run(insert, { id: 10, note: 'half' })
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await notes()).toEqual(before)
  })

  test('never takes in the statements of others while it waits', async () => {
    const holding = database.transaction(async (inner) => {
      await inner.run(insert, { id: 20, note: 'inside' })
      await pause(50)
      throw new Error('rolled back')
    })
    await pause(10)
    // Written while the other is open and rolled back later: it must stay.
    const outside = database.run(insert, { id: 21, note: 'outside' })
    expect(await notes()).not.toContain('inside')
    await expect(holding).rejects.toThrow('rolled back')
    await outside
    expect(await notes()).toContain('outside')
    expect(await notes()).not.toContain('inside')
  })

  test('reads its own writes, others do not', async () => {
    await database.transaction(async (inner) => {
      await inner.run(insert, { id: 30, note: 'mine' })
      expect((await inner.query(all, {})).map((row) => row.note)).toContain('mine')
    })
    expect(await notes()).toContain('mine')
  })

  test('the outer handle throws inside it, and transactions do not nest', async () => {
    await database.transaction(async (inner) => {
      await expect(database.run(insert, { id: 40, note: 'x' })).rejects.toThrow('use the handle')
      await expect(database.query(all, {})).rejects.toThrow('use the handle')
      await expect(inner.transaction(async () => {})).rejects.toThrow('already open')
    })
  })

  test('what works on the same row takes turns, even where both began by reading it', async () => {
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

  test('a deadlock is tried again, in one place', async () => {
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
    // SQLite has one writer at a time and so never gets into one.
    if (engine === 'postgres') expect(runs).toBeGreaterThan(2)
  })
})

describe('while another process writes', () => {
  test.runIf(engine === 'sqlite')('writers wait awake: timers run and reads are answered meanwhile', async () => {
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
  })
})

test.runIf(engine === 'sqlite')(
  'a transaction that waited in vain leaves readers and writers as they were',
  async () => {
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
  },
)

test.runIf(engine === 'sqlite')(
  'what is written in a turn shows to the reads after it, and to none before',
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
  'what was written is committed when it is answered, also after a read of the same turn',
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

test.runIf(engine === 'sqlite')('a row is there at once, and so is what went wrong', async () => {
  const count = reading<NoParameters, { count: number }>('countThings', 'select count(*) as count from thing')
  expect(database.one(count, {})).toEqual({ count: expect.any(Number) })
  expect(() => database.one(reading<NoParameters, unknown>('noSuchTable', 'select 1 from no_such_thing'), {})).toThrow(
    'no such table',
  )
})

test('leaves no timer behind that would keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  for (let round = 0; round < 20; round++) await database.transaction((inner) => inner.query(all, {}))
  expect(timers()).toBeLessThan(before + 20)
})
