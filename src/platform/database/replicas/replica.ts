import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import type { Database, StatementObserver } from '../database.ts'
import { openSeverablePostgres, type SeverablePostgres } from '../postgres/severable-postgres.ts'
import { openPositionProbe, type PositionProbe, type PrimaryPositions, type ServerPosition } from './position-probe.ts'

/** Beyond this a read on the replica is slower than one on the primary. */
const READ_TIMEOUT_MS = 2_000

type ReplicaSettings = {
  positions: PrimaryPositions
  /** A replica further behind is not read. */
  maxLagMs: number
  log: Logger
  metrics: Metrics
  observe: StatementObserver
}

export function openReplica(url: string, number: string, settings: ReplicaSettings): Replica {
  return new Replica(url, number, settings)
}

/** One replica: its connections, how fresh it is, and whether it is in use. */
export class Replica {
  readonly number: string
  readonly name: string
  readonly #label: `replica="${string}"`
  readonly #settings: ReplicaSettings
  readonly #reads: SeverablePostgres
  readonly #probe: PositionProbe
  #freshness = Number.NEGATIVE_INFINITY
  #lastKnown = performance.now()
  #problem: string | null = 'its position was not queried yet'
  #checking: Promise<void> | undefined
  #closing = false

  constructor(url: string, number: string, settings: ReplicaSettings) {
    this.number = number
    this.name = `replica ${number} (${new URL(url).host})`
    this.#label = `replica="${number}"`
    this.#settings = settings
    const { observe } = settings
    this.#reads = openSeverablePostgres({ url, connectTimeoutMs: 500, statementTimeoutMs: READ_TIMEOUT_MS, observe })
    this.#probe = openPositionProbe(url)
  }

  get database(): Database {
    return this.#reads.database
  }

  /** It shows everything committed before this time (performance.now()); -Infinity: it must not be read. */
  freshness(): number {
    return this.#freshness
  }

  /** Why it is not read; null while it is. */
  problem(): string | null {
    return this.#problem
  }

  /** The lag by the position that the last probe confirmed. */
  behindMs(): number {
    return performance.now() - this.#lastKnown
  }

  /** Queries its position, and takes it out of use or back. Concurrent calls share one query. */
  check(): Promise<void> {
    this.#checking ??= this.#queryPosition().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** A read failed: it is not read until its position was queried again. */
  suspect(): void {
    this.#freshness = Number.NEGATIVE_INFINITY
    void this.check()
  }

  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([this.#reads.close(), this.#probe.close()])
    await this.#checking
  }

  async #queryPosition(): Promise<void> {
    const { positions, maxLagMs, metrics } = this.#settings
    try {
      const found = await this.#probe.query()
      const contained = positions.containedIn(found.position)
      const now = performance.now()
      const lag = { maxLagMs, lagMs: now - contained, isInUse: this.#problem === null }
      const problem = problemOf(found, positions, lag)
      if (problem === null) this.#use(contained)
      else this.#leaveOut(problem)
      this.#lastKnown = Math.max(this.#lastKnown, contained)
      metrics.gauge('paddock_replica_behind_seconds', this.#label, (now - this.#lastKnown) / 1000)
    } catch (error) {
      if (this.#closing) return
      this.#leaveOut(
        isUnknownTable(error) ? 'it has no heartbeat of the database in DATABASE_URL' : (error as Error).message,
      )
      // Reads that wait there are repeated on the primary.
      this.#reads.sever()
    }
  }

  #leaveOut(why: string): void {
    const { log, metrics } = this.#settings
    this.#freshness = Number.NEGATIVE_INFINITY
    if (this.#problem !== why) {
      log.warn({ replica: this.number }, `${this.name} is not used: ${why}; its reads go to the primary`)
    }
    this.#problem = why
    metrics.gauge('paddock_replica_left_out', this.#label, 1)
  }

  #use(freshness: number): void {
    const { log, metrics } = this.#settings
    this.#freshness = freshness
    if (this.#problem !== null) log.info({ replica: this.number }, `${this.name} is in use`)
    this.#problem = null
    metrics.gauge('paddock_replica_left_out', this.#label, 0)
  }
}

/** A server of another database, or one that has not replayed the schema yet. */
function isUnknownTable(error: unknown): boolean {
  return (error as { code?: string }).code === '42P01'
}

type Lag = { maxLagMs: number; lagMs: number; isInUse: boolean }

function problemOf(found: ServerPosition, positions: PrimaryPositions, lag: Lag): string | null {
  const { maxLagMs, lagMs, isInUse } = lag
  if (!found.standby) return 'it is not a replica: it takes writes itself'
  const expected = positions.identity() ?? found.identity
  if (found.identity !== expected) return 'it is not a replica of the database in DATABASE_URL'
  // The positions of different timelines cannot be compared: a former primary may be ahead with writes that were lost.
  const timeline = positions.timeline() ?? found.timeline
  if (found.timeline > timeline)
    return `it follows a newer primary, of timeline ${found.timeline}: this process knows ${timeline}`
  if (found.timeline < timeline) {
    return `it has not followed the primary to its timeline ${timeline}: its own is ${found.timeline}. If it does not follow soon, rebuild it with pg_rewind`
  }
  // Half of the limit before it is used again, so that a replica at the limit does not flap.
  if (lagMs <= (isInUse ? maxLagMs : maxLagMs / 2)) return null
  const primaryProblem = positions.problem()
  if (primaryProblem === null) return `it is more than ${maxLagMs} ms behind`
  return `its lag is unknown, because the primary does not answer: ${primaryProblem}`
}
