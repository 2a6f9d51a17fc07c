import type { Metrics } from '../../observability/metrics.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'
import {
  type Database,
  DatabaseNotReached,
  DatabaseUnavailable,
  type SqlParameters,
  type Statement,
} from '../database.ts'
import type { RecentWrites, Writer } from './recent-writes.ts'
import type { Replica } from './replica.ts'
import type { ChosenReplica, StaleReads } from './stale-reads.ts'
import type { PositionDemand, WritePositions } from './write-positions.ts'

/** The request for which a database handle is. */
export type CallerRequest = {
  readonly who: Writer
  /** Its reads may go to a replica. */
  readonly onlyReads: boolean
  /** They may go to a replica while the primary is away. */
  readonly mayBeStale: boolean
  /** null: the answer has no header of ours. */
  readonly response: ResponseHeaders | null
  /** What the caller sent as x-write-position. */
  readonly position: string | undefined
}

export type ResponseHeaders = {
  setHeader(name: string, value: string): unknown
  removeHeader(name: string): unknown
}

export type CallerSettings = {
  readonly primary: Database
  /** A replica that shows what this caller wrote; null: there is none. */
  replicaFor(who: Writer, isFit: (replica: Replica) => boolean): Replica | null
  readonly writes: RecentWrites
  readonly metrics: Metrics
  /** null: while the primary is away, reads wait for it. */
  readonly stale: StaleReads | null
  /** null: callers neither send nor get positions. */
  readonly positions: WritePositions | null
}

type Run<T> = (database: Database) => MaybePromise<T>

const AGE = 'x-read-age'

/** The database handle for one request of a caller. */
export function callerDatabase(settings: CallerSettings, request: CallerRequest): Database {
  const { primary } = settings
  const caller = new Caller(settings, request)
  const readOrWrite = <T>(statement: Statement<never, unknown>, run: Run<T>): Promise<T> =>
    statement.access === 'reads' ? caller.read(run) : caller.write(() => run(primary))
  return {
    engine: primary.engine,
    query: <P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P) =>
      readOrWrite(statement as never, (database) => database.query(statement, parameters)),
    one: <P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P) =>
      readOrWrite(statement as never, (database) => database.one(statement, parameters)),
    run: (statement, parameters, last) => caller.write(() => primary.run(statement, parameters, last)),
    inBatch: (batched, item) => caller.write(() => primary.inBatch(batched, item)),
    script: (sql) => caller.write(() => primary.script(sql)),
    transaction: (work, durability) => caller.write(() => primary.transaction(work, durability)),
    close: () =>
      Promise.reject(new Error('the database handle of a request cannot be closed: close the database itself')),
  }
}

class Caller {
  readonly #settings: CallerSettings
  readonly #request: CallerRequest
  readonly #demand: PositionDemand | null
  /** All reads of a request go to the same server; null is the primary. */
  #server: Replica | null | undefined
  /** The server while the primary is away. */
  #chosen: ChosenReplica | null = null
  readonly #failed = new Set<Replica>()

  constructor(settings: CallerSettings, request: CallerRequest) {
    this.#settings = settings
    this.#request = request
    this.#server = request.onlyReads ? undefined : null
    this.#demand = (request.onlyReads && settings.positions?.demandOf(request.position)) || null
    // Before the first read: an answer from a cache is of such reads too.
    if (settings.stale?.watch.isAway()) this.#chooseWhileAway(settings.stale)
  }

  async read<T>(run: Run<T>): Promise<T> {
    const { stale, replicaFor, metrics } = this.#settings
    const { who, response } = this.#request
    if (this.#demand !== null) await this.#demand.known(response)
    if (stale?.watch.isAway()) return this.#readWhileAway(stale, run)
    if (this.#server === undefined) this.#server = replicaFor(who, this.#isFit)
    const replica = this.#server
    if (replica !== null) {
      const freshness = replica.freshness()
      try {
        const answer = await run(replica.database)
        stale?.noteShown(freshness)
        metrics.count('paddock_reads_total', `place="replica ${replica.number}"`)
        return answer
      } catch {
        // Lost, in conflict with what it replays, or too slow: the primary answers instead.
        this.#server = null
        this.#failed.add(replica)
        replica.suspect()
      }
    }
    metrics.count('paddock_reads_total', 'place="primary"')
    return stale === null ? run(this.#settings.primary) : this.#readOnPrimary(stale, run)
  }

  async write<T>(work: () => MaybePromise<T>): Promise<T> {
    const { stale, writes, positions } = this.#settings
    const { who, onlyReads, response } = this.#request
    if (onlyReads && stale?.watch.isAway()) {
      throw new DatabaseNotReached(`the primary is away: ${stale.watch.problem()}`)
    }
    this.#server = null
    try {
      const result = await work()
      positions?.show(response)
      await writes.note(who)
      return result
    } catch (error) {
      await this.#noteFailed(error)
      throw error
    }
  }

  /** A commit whose answer was lost may have happened. */
  async #noteFailed(error: unknown): Promise<void> {
    const { writes } = this.#settings
    if (error instanceof DatabaseNotReached) return
    await (error instanceof DatabaseUnavailable ? writes.noteUnknown : writes.note)(this.#request.who)
  }

  async #readOnPrimary<T>(stale: StaleReads, run: Run<T>): Promise<T> {
    const { primary, writes } = this.#settings
    writes.notePrimaryRead(this.#request.who)
    if (!this.#request.onlyReads) return run(primary)
    try {
      return await stale.watch.unlessAway(() => run(primary))
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      // A connection that was cut: by a primary that goes on, or that is away.
      return (await stale.isAwayAfterAll()) ? this.#readWhileAway(stale, run) : run(primary)
    }
  }

  async #readWhileAway<T>(stale: StaleReads, run: Run<T>): Promise<T> {
    const { primary, writes, metrics } = this.#settings
    const { who, response } = this.#request
    for (let chosen = this.#chooseWhileAway(stale); chosen !== null; chosen = this.#chooseWhileAway(stale)) {
      const { replica, freshness } = chosen
      try {
        const answer = await run(replica.database)
        stale.noteShown(freshness)
        this.#showAge(chosen)
        metrics.count('paddock_reads_total', `place="replica ${replica.number}"`)
        return answer
      } catch {
        this.#failed.add(replica)
        this.#chosen = null
        replica.suspect()
      }
    }
    response?.removeHeader(AGE)
    await stale.untilBack()
    this.#server = null
    writes.notePrimaryRead(who)
    metrics.count('paddock_reads_total', 'place="primary"')
    return run(primary)
  }

  #chooseWhileAway(stale: StaleReads): ChosenReplica | null {
    const { who, mayBeStale } = this.#request
    if (!mayBeStale) return null
    this.#chosen ??= stale.choose(who, this.#isFit)
    if (this.#chosen !== null) this.#showAge(this.#chosen)
    return this.#chosen
  }

  #showAge({ freshness }: ChosenReplica): void {
    this.#request.response?.setHeader(AGE, `${Math.ceil((performance.now() - freshness) / 1000)}`)
  }

  readonly #isFit = (replica: Replica): boolean =>
    !this.#failed.has(replica) && (this.#demand === null || this.#demand.isShownBy(replica))
}
