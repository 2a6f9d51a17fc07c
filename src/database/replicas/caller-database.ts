import type { Metrics } from '../../observability/metrics.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'
import type { Database, SqlParameters, Statement } from '../database.ts'
import type { RecentWrites, Who } from './recent-writes.ts'
import type { Replica } from './replica.ts'

export type CallerSettings = {
  primary: Database
  /** The one that shows what this caller wrote; null: none does. */
  replicaFor(who: Who): Replica | null
  writes: RecentWrites
  metrics: Metrics
}

/** The database as one caller may see it, for one request; `onlyReads`: its reads may go to a replica. */
export function callerDatabase(settings: CallerSettings, who: Who, onlyReads: boolean): Database {
  const { primary, replicaFor, writes, metrics } = settings
  // One place for all reads of a request; null is the primary.
  let place: Replica | null | undefined = onlyReads ? undefined : null

  async function read<T>(ask: (database: Database) => MaybePromise<T>): Promise<T> {
    if (place === undefined) place = replicaFor(who)
    const replica = place
    if (replica !== null) {
      try {
        const answer = await ask(replica.database)
        metrics.count('paddock_reads_total', `place="replica ${replica.number}"`)
        return answer
      } catch {
        // Lost, in conflict with what it replays, too slow: whatever it is, the primary knows better.
        place = null
        replica.doubt()
      }
    }
    metrics.count('paddock_reads_total', 'place="primary"')
    return ask(primary)
  }

  async function write<T>(work: () => MaybePromise<T>): Promise<T> {
    place = null
    try {
      return await work()
    } finally {
      // Also when it failed: a commit whose answer was lost may have happened.
      await writes.note(who)
    }
  }

  const readOrWrite = <T>(one: Statement<never, unknown>, ask: (database: Database) => MaybePromise<T>): Promise<T> =>
    one.access === 'reads' ? read(ask) : write(() => ask(primary))

  return {
    engine: primary.engine,
    query: <P extends SqlParameters, R>(one: Statement<P, R>, parameters: P) =>
      readOrWrite(one as never, (database) => database.query(one, parameters)),
    one: <P extends SqlParameters, R>(one: Statement<P, R>, parameters: P) =>
      readOrWrite(one as never, (database) => database.one(one, parameters)),
    run: (one, parameters, last) => write(() => primary.run(one, parameters, last)),
    script: (sql) => write(() => primary.script(sql)),
    transaction: (work) => write(() => primary.transaction(work)),
    close: () => Promise.reject(new Error('a request does not close the database')),
  }
}
