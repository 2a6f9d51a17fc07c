// Items that wait at the same time are written together, on either engine, and each gets its own result.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type BatchedWrite,
  type Database,
  DatabaseUnavailable,
  type NoParameters,
  reading,
  UniqueViolation,
  writing,
} from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { openSqlite } from '../../src/platform/database/sqlite/sqlite.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'

const insert = writing<{ id: number }>('testInsertThing', 'insert into thing (id) values (:id)')
const all = reading<NoParameters, { id: number }>('testThings', 'select id from thing order by id')

let testDatabase: TestDatabase
let database: Database
let batches: (readonly number[])[] = []

/** All in one transaction, which a duplicate id undoes. */
const write: BatchedWrite<number, string> = async (port, ids) => {
  batches.push(ids)
  await port.transaction(async (transaction) => {
    for (const id of ids) await transaction.run(insert, { id })
  })
  return ids.map((id) => `wrote ${id}`)
}

const add = (...ids: number[]) => Promise.allSettled(ids.map((id) => database.inBatch(write, id)))
const things = async () => (await database.query(all, {})).map(({ id }) => id)
const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  database =
    engine === 'sqlite'
      ? openSqlite(`${testDatabase.settings.DATA_DIR}/test.db`)
      : openPostgres({ url: testDatabase.settings.DATABASE_URL as string })
  await database.script('create table thing (id bigint primary key)')
})

beforeEach(async () => {
  await database.script('delete from thing')
  batches = []
})

afterAll(async () => {
  await database.close()
  await testDatabase.remove()
})

test('what arrives in one turn of the event loop is one batch of at most 64; one alone is a batch too', async () => {
  const results = await add(...oneTo(150))
  expect(results).toEqual(oneTo(150).map((id) => ({ status: 'fulfilled', value: `wrote ${id}` })))
  expect(batches.map(({ length }) => length)).toEqual([64, 64, 22])
  await add(151)
  expect(batches.at(-1)).toEqual([151])
  expect(await things()).toEqual(oneTo(151))
})

/** Waits in the first batch until it is told to finish. */
function heldWrite() {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const held: BatchedWrite<number, number> = async (_, ids) => {
    batches.push(ids)
    begin()
    if (batches.length === 1) await finished
    return ids
  }
  return { held, begun, finish }
}

test('what arrives while a batch runs is the next one', async () => {
  const { held, begun, finish } = heldWrite()
  const first = database.inBatch(held, 1)
  await begun
  const others = [2, 3, 4].map((id) => database.inBatch(held, id))
  expect(batches).toEqual([[1]])
  finish()
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 3, 4])
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test('a small batch waits a moment for those whom the last one has answered, on PostgreSQL', async () => {
  const { held, begun, finish } = heldWrite()
  const first = database.inBatch(held, 1)
  await begun
  const second = database.inBatch(held, 2)
  // A third of the time of a batch is the longest wait.
  await pause(60)
  finish()
  await first
  await nextTurn()
  await nextTurn()
  await Promise.all([second, database.inBatch(held, 3)])
  expect(batches).toEqual(engine === 'postgres' ? [[1], [2, 3]] : [[1], [2], [3]])
})

test('neither writes of another kind nor, after a while, those of the same wait for a batch that takes long', async () => {
  const { held, begun, finish } = heldWrite()
  const first = database.inBatch(held, 1)
  await begun
  await add(9)
  expect(await Promise.all([2, 3].map((id) => database.inBatch(held, id)))).toEqual([2, 3])
  finish()
  expect(await first).toBe(1)
})

test('an item that fails does so alone; its neighbours are written', async () => {
  await add(3)
  const results = await add(1, 2, 3, 4)
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect((results[2] as PromiseRejectedResult).reason).toBeInstanceOf(UniqueViolation)
  expect(await things()).toEqual([1, 2, 3, 4])
})

test('a database that is unavailable fails those of the batch, once each, and not the next batch', async () => {
  let isAway = true
  const away: BatchedWrite<number, string> = async (port, ids) => {
    if (!isAway) return write(port, ids)
    batches.push(ids)
    throw new DatabaseUnavailable('away')
  }
  const results = await Promise.allSettled([1, 2].map((id) => database.inBatch(away, id)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toEqual([[1, 2]])
  isAway = false
  expect(await database.inBatch(away, 3)).toBe('wrote 3')
})

test('in a transaction an item is written at once, and undone with it', async () => {
  const writeIn: BatchedWrite<number, number> = async (port, ids) => {
    for (const id of ids) await port.run(insert, { id })
    return ids
  }
  const undone = database.transaction(async (transaction) => {
    expect(await transaction.inBatch(writeIn, 5)).toBe(5)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await database.transaction((transaction) => transaction.inBatch(writeIn, 6))
  expect(await things()).toEqual([6])
})
