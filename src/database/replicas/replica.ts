import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import type { Database, StatementObserver } from '../database.ts'
import { openSeverablePostgres } from '../postgres/severable-postgres.ts'
import { openPositionProbe, type PrimaryPositions, type ServerPosition } from './position-probe.ts'

/** A replica that answers a read later than this is slower than the primary would be. */
const READS_WITHIN_MS = 2_000

export type ReplicaSettings = {
  positions: PrimaryPositions
  /** Further behind, nobody reads it. */
  maxLagMs: number
  log: Logger
  metrics: Metrics
  observe: StatementObserver
}

export type Replica = {
  readonly number: string
  readonly database: Database
  /** What was committed before this time (performance.now()) shows here; -Infinity: not to be read. */
  upTo(): number
  /** Asks where it stands, and leaves it out or takes it back. */
  check(): Promise<void>
  /** A read failed: nobody reads it until it has been asked. */
  doubt(): void
  /** Why it is left out; null while it is read. */
  trouble(): string | null
  close(): Promise<void>
}

export function openReplica(url: string, number: string, settings: ReplicaSettings): Replica {
  const { positions, maxLagMs, log, metrics, observe } = settings
  const name = `replica ${number} (${new URL(url).host})`
  const reads = openSeverablePostgres({ url, connectTimeoutMs: 500, statementTimeoutMs: READS_WITHIN_MS, observe })
  const lookout = openPositionProbe(url)
  const label = `replica="${number}"`
  let upTo = Number.NEGATIVE_INFINITY
  let lastKnown = performance.now()
  let trouble: string | null = 'it was not asked yet'
  let checking: Promise<void> | undefined
  let closing = false

  async function ask(): Promise<void> {
    try {
      const stands = await lookout.ask()
      const contained = positions.containedIn(stands.position)
      const now = performance.now()
      const why = troubleWith(stands, positions, { maxLagMs, behindMs: now - contained, wasRead: trouble === null })
      if (why === null) take(contained)
      else leaveOut(why)
      lastKnown = Math.max(lastKnown, contained)
      metrics.gauge('paddock_replica_behind_seconds', label, (now - lastKnown) / 1000)
    } catch (error) {
      if (closing) return
      leaveOut((error as Error).message)
      // What waits for it there is asked of the primary instead.
      reads.sever()
    }
  }

  function leaveOut(why: string): void {
    upTo = Number.NEGATIVE_INFINITY
    if (trouble !== why) log.warn({ replica: number }, `${name} is left out: ${why}; the primary is read instead`)
    trouble = why
    metrics.gauge('paddock_replica_left_out', label, 1)
  }

  function take(contained: number): void {
    upTo = contained
    if (trouble !== null) log.info({ replica: number }, `${name} is read`)
    trouble = null
    metrics.gauge('paddock_replica_left_out', label, 0)
  }

  function check(): Promise<void> {
    checking ??= ask().finally(() => {
      checking = undefined
    })
    return checking
  }

  return {
    number,
    database: reads.database,
    upTo: () => upTo,
    check,
    doubt() {
      upTo = Number.NEGATIVE_INFINITY
      void check()
    },
    trouble: () => trouble,
    async close() {
      closing = true
      await Promise.all([reads.close(), lookout.close()])
      await checking
    },
  }
}

type Distance = { maxLagMs: number; behindMs: number; wasRead: boolean }

function troubleWith(stands: ServerPosition, positions: PrimaryPositions, distance: Distance): string | null {
  const { maxLagMs, behindMs, wasRead } = distance
  if (!stands.standby) return 'it is not a replica: it takes writes itself'
  const expected = positions.identity() ?? stands.identity
  if (stands.identity !== expected) return 'it is not a replica of the database in DATABASE_URL'
  // Half of it to be taken back, so that one at the border does not come and go.
  if (behindMs <= (wasRead ? maxLagMs : maxLagMs / 2)) return null
  const unknown = positions.trouble()
  if (unknown === null) return `it is more than ${maxLagMs} ms behind`
  return `nobody knows how far it is behind, the primary cannot be asked: ${unknown}`
}
