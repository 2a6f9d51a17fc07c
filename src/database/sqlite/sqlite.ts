import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { keepDatabasePrivate } from '../../runtime/data-folder.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'
import type { Database, SqlParameters, Statement, StatementObserver } from '../database.ts'
import { type Connection, connect, isBusy, translated } from './connection.ts'
import { DatabaseBusy, turnstile, untilFree } from './turns.ts'

/**
 * Room for the inner pages of the indexes of some millions of rows, and for the rows that are asked for most: with 24 MB a
 * list of tips cost a tenth more. Mapping the file costs less still, but an error of the disk then ends the process, and all
 * that was ever read counts as the process's memory.
 */
const CACHE_KB = 64_000
const BESIDE_CACHE_KB = 8_000

/**
 * The embedded engine. One connection does everything, so that what it wrote does not make it forget what it had read: the
 * commit of another connection drops the whole cache. A transaction may await between its statements, so writers take
 * turns, the statements of other requests never fall into somebody's open transaction, and meanwhile readers see the last
 * commit, on a connection beside it. `severalProcesses`: others write to the same file all the time.
 */
export function openSqlite(
  file: string,
  observe: StatementObserver = () => {},
  { severalProcesses = false } = {},
): Database {
  mkdirSync(dirname(file), { recursive: true })
  keepDatabasePrivate(file)
  const writer = connect(file, CACHE_KB)
  writer.waitAtMost(0)
  const own = sharedSnapshots(writer)
  const beside = sharedSnapshots(connect(file, BESIDE_CACHE_KB))
  let writing = false
  const turns = turnstile(severalProcesses)
  const inside = new AsyncLocalStorage<boolean>()

  /** Runs one statement on a connection, timed, with the engine's errors turned into the port's. */
  function timed<T>(
    statement: Statement<never, unknown>,
    work: (s: never, p: never) => T,
    parameters: SqlParameters,
  ): T {
    const start = performance.now()
    let ran = true
    try {
      return work(statement as never, parameters as never)
    } catch (error) {
      const said = translated(error)
      ran = !(said instanceof DatabaseBusy)
      throw said
    } finally {
      if (ran) observe(statement.name, (performance.now() - start) / 1000)
    }
  }

  function read(kind: 'all' | 'first', statement: Statement<never, unknown>, parameters: SqlParameters): unknown {
    if (writing) return beside[kind](statement, parameters)
    try {
      return own[kind](statement, parameters)
    } catch (error) {
      // A process was killed and another mends what it left: the connection beside waits for that, the writer never does.
      if (!isBusy(error)) throw error
      own.renew()
      return beside[kind](statement, parameters)
    }
  }
  const all = (statement: never, parameters: never) => read('all', statement, parameters)
  const first = (statement: never, parameters: never) => read('first', statement, parameters)

  /** One statement that writes, in its turn. Whoever reads next sees what was written. */
  function write<T>(work: () => T): T | Promise<T> {
    const once = () => {
      own.renew()
      try {
        return work()
      } finally {
        beside.renew()
      }
    }
    return turns.run(() => untilFree(once))
  }

  async function inTransaction<T>(work: () => MaybePromise<T>): Promise<T> {
    const begun = untilFree(() => {
      own.renew()
      writer.beginWriting()
      writing = true
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
      writing = false
      beside.renew()
    }
  }

  const outer: Database = {
    engine: 'sqlite',
    async query(statement, parameters) {
      refuseInside(inside)
      if (statement.access === 'reads') return timed(statement as never, all, parameters) as never
      return write(() => timed(statement as never, writer.all, parameters)) as never
    },
    one(statement, parameters) {
      refuseInside(inside)
      if (statement.access === 'reads') return timed(statement as never, first, parameters) as never
      return write(() => timed(statement as never, writer.first, parameters)) as never
    },
    async run(statement, parameters) {
      refuseInside(inside)
      return write(() => timed(statement as never, writer.change, parameters))
    },
    async script(sql) {
      refuseInside(inside)
      return write(() => writer.patientScript(sql))
    },
    async transaction(work) {
      refuseInside(inside)
      return turns.run(() => inTransaction(() => inside.run(true, () => work(handle))))
    },
    async close() {
      await turns.run(() => {
        beside.close()
        own.close()
      })
    },
  }
  const handle: Database = {
    engine: 'sqlite',
    query: async (statement, parameters) => timed(statement as never, writer.all, parameters) as never,
    one: (statement, parameters) => timed(statement as never, writer.first, parameters) as never,
    run: async (statement, parameters) => timed(statement as never, writer.change, parameters),
    script: async (sql) => writer.script(sql),
    transaction: () => Promise.reject(new Error('a transaction is already open')),
    close: () => Promise.reject(new Error('a transaction does not close the database')),
  }
  return outer
}

function refuseInside(inside: AsyncLocalStorage<boolean>): void {
  if (inside.getStore()) throw new Error('inside a transaction, use the handle it was given')
}

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
