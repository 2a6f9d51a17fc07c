import type { Metrics } from '../../observability/metrics.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'
import type { Database, SqlParameters, Statement } from '../database.ts'
import type { RecentWrites, Writer } from './recent-writes.ts'
import type { Replica } from './replica.ts'

type CallerSettings = {
  primary: Database
  /** A replica that shows what this caller wrote; null: there is none. */
  replicaFor(who: Writer): Replica | null
  writes: RecentWrites
  metrics: Metrics
}

/** The database handle for one request of a caller; `onlyReads`: its reads may go to a replica. */
export function callerDatabase(settings: CallerSettings, who: Writer, onlyReads: boolean): Database {
  const { primary, replicaFor, writes, metrics } = settings
  // All reads of a request go to the same server; null is the primary.
  let server: Replica | null | undefined = onlyReads ? undefined : null

  async function read<T>(run: (database: Database) => MaybePromise<T>): Promise<T> {
    if (server === undefined) server = replicaFor(who)
    const replica = server
    if (replica !== null) {
      try {
        const answer = await run(replica.database)
        metrics.count('paddock_reads_total', `place="replica ${replica.number}"`)
        return answer
      } catch {
        // Lost, in conflict with what it replays, or too slow: the primary answers instead.
        server = null
        replica.suspect()
      }
    }
    metrics.count('paddock_reads_total', 'place="primary"')
    return run(primary)
  }

  async function write<T>(work: () => MaybePromise<T>): Promise<T> {
    server = null
    try {
      return await work()
    } finally {
      // Also after a failure: a commit whose answer was lost may have happened.
      await writes.note(who)
    }
  }

  const readOrWrite = <T>(
    statement: Statement<never, unknown>,
    run: (database: Database) => MaybePromise<T>,
  ): Promise<T> => (statement.access === 'reads' ? read(run) : write(() => run(primary)))

  return {
    engine: primary.engine,
    query: <P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P) =>
      readOrWrite(statement as never, (database) => database.query(statement, parameters)),
    one: <P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P) =>
      readOrWrite(statement as never, (database) => database.one(statement, parameters)),
    run: (statement, parameters, last) => write(() => primary.run(statement, parameters, last)),
    inBatch: (batched, item) => write(() => primary.inBatch(batched, item)),
    script: (sql) => write(() => primary.script(sql)),
    transaction: (work, durability) => write(() => primary.transaction(work, durability)),
    close: () =>
      Promise.reject(new Error('the database handle of a request cannot be closed: close the database itself')),
  }
}
