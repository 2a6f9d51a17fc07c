import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import type { Database, StatementObserver } from '../database.ts'
import type { CommitPosition } from '../postgres/heartbeat-store.ts'
import { isContained, type PrimaryWatch } from '../postgres/primary-watch.ts'
import { openSeverablePostgres, type SeverablePostgres } from '../postgres/severable-postgres.ts'
import { openPositionProbe, type PositionProbe, type PrimaryPositions, type ServerPosition } from './position-probe.ts'
import { beatOf } from './position-store.ts'

/** How often positions are queried; together with the timeout, a lost server is left out within a second. */
export const QUERIED_EVERY_MS = 100

const OTHER_DATABASE = 'it is not a replica of the database in DATABASE_URL'

/** Beyond this a read on the replica is slower than one on the primary. */
const READ_TIMEOUT_MS = 2_000

type ReplicaSettings = {
  positions: PrimaryPositions
  /** A replica further behind is not read. */
  maxLagMs: number
  log: Logger
  metrics: Metrics
  observe: StatementObserver
  /** null: it is not read while the primary is away. */
  stale: { readonly watch: PrimaryWatch; readonly upToMs: number } | null
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
  #found: ServerPosition | null = null
  /** What it had when the primary was last known; null: it was not in use. */
  #atLoss: { readonly found: ServerPosition; readonly contained: number } | null = null
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

  /** Whether it shows a write of the timeline that the primary was last known on. */
  shows({ timeline, position, beat }: CommitPosition): boolean {
    const known = this.#settings.stale?.watch.isAway() ? this.#atLoss?.found : this.#found
    const found = this.#found
    if (found === null || known === null || known === undefined) return false
    const hadPosition = known.started === found.started && known.timeline === timeline && known.position >= position
    return hadPosition || isContained({ timeline, number: beat + 1 }, beatOf(found))
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
    const { positions, maxLagMs, metrics, stale } = this.#settings
    try {
      const found = await this.#probe.query()
      if (stale !== null && found.identity === positions.identity()) stale.watch.see(found.timeline)
      const isAway = stale?.watch.isAway() ?? false
      const contained = isAway ? this.#containedWhileAway(found) : positions.containedIn(found.position)
      // A primary that is silent, and may be away soon, makes no replica late.
      const lastAnswer = stale === null ? Number.POSITIVE_INFINITY : stale.watch.answeredAt() + QUERIED_EVERY_MS
      const lagMs = Math.min(performance.now(), lastAnswer) - contained
      const lag = { maxLagMs, lagMs, isInUse: this.#problem === null }
      const problem = isAway ? this.#problemWhileAway(found, contained) : problemOf(found, positions, lag)
      if (!isAway) this.#atLoss = problem === null ? { found, contained } : null
      this.#found = found
      if (problem === null) this.#use(contained)
      else this.#leaveOut(problem)
      this.#lastKnown = Math.max(this.#lastKnown, contained)
      metrics.gauge('paddock_replica_behind_seconds', this.#label, (performance.now() - this.#lastKnown) / 1000)
    } catch (error) {
      if (this.#closing) return
      if (!stale?.watch.isAway()) this.#atLoss = null
      this.#leaveOut(
        isUnknownTable(error) ? 'it has no heartbeat of the database in DATABASE_URL' : (error as Error).message,
      )
      // Reads that wait there are repeated on the primary.
      this.#reads.sever()
    }
  }

  /**
   * Positions are not compared any more: the server may follow another one by now, whose positions are those of another history. A
   * server that was not restarted has what it had, and its heartbeat row shows what came after.
   */
  #containedWhileAway(found: ServerPosition): number {
    const atLoss = this.#atLoss
    const had = atLoss?.found.started === found.started ? atLoss.contained : Number.NEGATIVE_INFINITY
    return Math.max(had, this.#settings.stale?.watch.containedIn(beatOf(found)) ?? Number.NEGATIVE_INFINITY)
  }

  #problemWhileAway(found: ServerPosition, contained: number): string | null {
    const { positions, stale } = this.#settings
    if (stale === null || this.#atLoss === null) return 'it was not in use when the primary was lost'
    const { watch, upToMs } = stale
    if (found.identity !== positions.identity()) return OTHER_DATABASE
    const last = watch.lastBeat()
    if (last === undefined) return 'this process has seen no heartbeat of the primary'
    if (Math.max(found.timeline, found.beat_timeline) > last.timeline && !isContained(last, beatOf(found))) {
      return `it is on timeline ${found.timeline}, whose history does not show the last heartbeat that was answered`
    }
    if (performance.now() - contained <= upToMs) return null
    return `it shows nothing later than ${upToMs / 1000} s ago: the primary is away, ${watch.problem()}`
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
  if (found.identity !== expected) return OTHER_DATABASE
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
