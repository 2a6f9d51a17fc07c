// The embedded engine. One connection reads and writes, so that a write does not empty its cache: the commit of another
// connection drops all of it. A transaction may await between its statements, so writers take turns, and other requests
// never run a statement in somebody's open transaction; meanwhile they read the last commit on a second connection.

import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { restrictDatabaseToOwner } from '../../runtime/data-folder.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'
import type { Database, SqlParameters, Statement, StatementObserver } from '../database.ts'
import { writeAlone, writeQueues } from '../write-queue.ts'
import { type Connection, connect, translated } from './connection.ts'
import { DatabaseBusy, turnstile, untilFree } from './turns.ts'

/**
 * Room for the inner pages of the indexes of some millions of rows and for the most frequent rows: with 24 MB a list of
 * tips cost a tenth more. Mapping the file would cost less still, but a disk error then ends the process, and all pages
 * ever read count as its memory.
 */
const CACHE_KB = 64_000
const SECOND_CACHE_KB = 8_000

type Engine = {
  readonly writer: Connection
  readonly snapshots: Snapshots
  /** Reads while a transaction is open on the writer. */
  readonly secondSnapshots: Snapshots
  isTransactionOpen: boolean
  readonly turns: ReturnType<typeof turnstile>
  /** Set in what a transaction runs: there only its own handle may be used. */
  readonly insideTransaction: AsyncLocalStorage<boolean>
  readonly observe: StatementObserver
}

/** `severalProcesses`: other processes write to the same file all the time. */
export function openSqlite(
  file: string,
  observe: StatementObserver = () => {},
  { severalProcesses = false } = {},
): Database {
  mkdirSync(dirname(file), { recursive: true })
  restrictDatabaseToOwner(file)
  const writer = connect(file, CACHE_KB)
  writer.setBusyTimeout(0)
  return databaseOf({
    writer,
    snapshots: sharedSnapshots(writer),
    secondSnapshots: sharedSnapshots(connect(file, SECOND_CACHE_KB)),
    isTransactionOpen: false,
    turns: turnstile(severalProcesses),
    insideTransaction: new AsyncLocalStorage<boolean>(),
    observe,
  })
}

function databaseOf(engine: Engine): Database {
  const { writer, turns, insideTransaction } = engine
  const handle = transactionHandle(engine)
  const database: Database = {
    engine: 'sqlite',
    inBatch: (write, item) => batches.add(write, item),
    async query(statement, parameters) {
      refuseInside(engine)
      if (statement.access === 'reads') return read(engine, 'all', statement as never, parameters) as never
      return write(engine, () => timed(engine, statement as never, writer.all, parameters)) as never
    },
    one(statement, parameters) {
      refuseInside(engine)
      if (statement.access === 'reads') return read(engine, 'first', statement as never, parameters) as never
      return write(engine, () => timed(engine, statement as never, writer.first, parameters)) as never
    },
    async run(statement, parameters) {
      refuseInside(engine)
      return write(engine, () => timed(engine, statement as never, writer.change, parameters))
    },
    async script(sql) {
      refuseInside(engine)
      return write(engine, () => writer.scriptWithBusyTimeout(sql))
    },
    async transaction(work) {
      refuseInside(engine)
      return turns.run(() => inTransaction(engine, () => insideTransaction.run(true, () => work(handle))))
    },
    async close() {
      await turns.run(() => {
        engine.secondSnapshots.close()
        engine.snapshots.close()
      })
    },
  }
  const batches = writeQueues(database)
  return database
}

function transactionHandle(engine: Engine): Database {
  const { writer } = engine
  const handle: Database = {
    engine: 'sqlite',
    inBatch: (write, item) => writeAlone(handle, write, item),
    query: async (statement, parameters) => timed(engine, statement as never, writer.all, parameters) as never,
    one: (statement, parameters) => timed(engine, statement as never, writer.first, parameters) as never,
    run: async (statement, parameters) => timed(engine, statement as never, writer.change, parameters),
    script: async (sql) => writer.script(sql),
    transaction: () => Promise.reject(new Error('a transaction is already open')),
    close: () => Promise.reject(new Error('the handle of a transaction cannot be closed: close the database itself')),
  }
  return handle
}

/** Runs one statement, timed, and translates the engine's errors. */
function timed<T>(
  { observe }: Engine,
  statement: Statement<never, unknown>,
  work: (statement: never, parameters: never) => T,
  parameters: SqlParameters,
): T {
  const start = performance.now()
  let ran = true
  try {
    return work(statement as never, parameters as never)
  } catch (error) {
    const failure = translated(error)
    ran = !(failure instanceof DatabaseBusy)
    throw failure
  } finally {
    if (ran) observe(statement.name, (performance.now() - start) / 1000)
  }
}

type ReadKind = 'all' | 'first'

function read(
  engine: Engine,
  kind: ReadKind,
  statement: Statement<never, unknown>,
  parameters: SqlParameters,
): unknown {
  const { snapshots, secondSnapshots, isTransactionOpen } = engine
  const connection = isTransactionOpen ? secondSnapshots : snapshots
  try {
    return timed(engine, statement, connection[kind] as never, parameters)
  } catch (error) {
    // Another process recovers the log of one that was killed. The second connection waits for that, the writer never does.
    if (isTransactionOpen || !(error instanceof DatabaseBusy)) throw error
    snapshots.renew()
    return timed(engine, statement, secondSnapshots[kind] as never, parameters)
  }
}

/** One writing statement, in its turn. The next read sees it. */
function write<T>({ turns, snapshots, secondSnapshots }: Engine, work: () => T): T | Promise<T> {
  const once = () => {
    snapshots.renew()
    try {
      return work()
    } finally {
      secondSnapshots.renew()
    }
  }
  return turns.run(() => untilFree(once))
}

async function inTransaction<T>(engine: Engine, work: () => MaybePromise<T>): Promise<T> {
  const { writer, snapshots, secondSnapshots } = engine
  const begun = untilFree(() => {
    snapshots.renew()
    writer.beginWriting()
    engine.isTransactionOpen = true
  })
  if (begun instanceof Promise) await begun
  try {
    const result = await work()
    writer.commit()
    return result
  } catch (error) {
    writer.rollback()
    throw translated(error)
  } finally {
    engine.isTransactionOpen = false
    secondSnapshots.renew()
  }
}

function refuseInside({ insideTransaction }: Engine): void {
  if (insideTransaction.getStore()) throw new Error('inside a transaction, use the handle it was given')
}

type Snapshots = ReturnType<typeof sharedSnapshots>

/**
 * Reads of one turn of the event loop share a snapshot. A busy service answers many requests in a turn, and taking a
 * snapshot for each costs as much as a short read itself (3.0 against 1.6 µs, two system calls). A write of this
 * process ends it at once. What another process commits is seen from the next turn on: the requests of a turn have all
 * arrived before its first read, so none of them can know of it.
 */
function sharedSnapshots(connection: Connection) {
  let open = false
  const renew = (): void => {
    if (!open) return
    open = false
    connection.endReading()
  }
  const enter = (): void => {
    if (open) return
    connection.begin()
    open = true
    setImmediate(renew)
  }
  return {
    renew,
    all<R>(statement: Statement<never, R>, parameters: SqlParameters): R[] {
      enter()
      return connection.all(statement, parameters)
    },
    first<R>(statement: Statement<never, R>, parameters: SqlParameters): R | undefined {
      enter()
      return connection.first(statement, parameters)
    },
    close(): void {
      renew()
      connection.close()
    },
  }
}
