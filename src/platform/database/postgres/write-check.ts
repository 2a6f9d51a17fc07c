// Whether the primary takes writes. Each process updates a small row, the heartbeat, on a connection of its own. While
// that fails (the server is away, read-only or out of disk) or waits (for a synchronous standby), the service reports that
// it is not ready. While it waits, other writes fail at once with 503 instead of holding connections that wait too. Reads
// go on.
//
// The heartbeat also shows when history was lost: an asynchronous failover may promote a server that lacks writes which
// were answered. Then the number of the heartbeat is behind what this process has seen. It brings the server's clock along.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import { machineTime } from '../../runtime/clock.ts'
import { DAY_MS } from '../../runtime/durations.ts'
import { type PeriodicTask, startPeriodicTask } from '../../runtime/periodic-task.ts'
import { DatabaseUnavailable } from '../database.ts'
import { beat, type Heartbeat, serverRole } from './heartbeat-store.ts'
import type { PrimaryWatch } from './primary-watch.ts'
import { openSeverablePostgres, type SeverablePostgres } from './severable-postgres.ts'

/** The pause between heartbeats while the service writes, and while it does not. */
const BUSY_MS = 200
const IDLE_MS = 1_000
/** A commit on a busy disk is faster than this. */
const MAX_BEAT_MS = 3_000
/** A server that answers reads is waited for, because each connection that is given up stays open on the server. */
const MAX_WAIT_MS = DAY_MS
const MAX_READ_MS = 1_000

type WriteCheckSettings = {
  readonly url: string
  readonly log: Logger
  readonly metrics: Metrics
  /** Called when the server has become a standby: other connections to it would read what may be out of date. */
  onDemoted(): void
  /** null: nobody needs to know when the primary is away. */
  readonly watch: PrimaryWatch | null
  readonly connectTimeoutMs?: number
  readonly maxBeatMs?: number
}

export class WriteCheck {
  readonly #settings: WriteCheckSettings
  readonly #server: SeverablePostgres
  readonly #maxBeatMs: number
  readonly #history: ReturnType<typeof historyCheck>
  #problem: string | null = null
  #isWaiting = false
  #isStandby = false
  #wroteSince = false
  #lastBeat = Number.NEGATIVE_INFINITY
  #task: PeriodicTask | undefined

  constructor(settings: WriteCheckSettings) {
    this.#settings = settings
    const { url, log, metrics, watch, connectTimeoutMs, maxBeatMs = MAX_BEAT_MS } = settings
    this.#maxBeatMs = maxBeatMs
    this.#server = openSeverablePostgres({
      url,
      sharedConnections: 1,
      statementTimeoutMs: MAX_WAIT_MS,
      ...(watch === null ? {} : { demandedTimeline: watch.demandedTimeline }),
      ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    })
    this.#history = historyCheck(log, metrics)
    watch?.on('former', () => this.#server.sever())
  }

  /** Why nothing can be written now; null: it can, or it is not known yet. */
  problem(): string | null {
    return this.#problem
  }

  /** Throws DatabaseUnavailable if a write would wait. */
  beforeWrite(): void {
    this.#wroteSince = true
    if (this.#isWaiting) throw new DatabaseUnavailable(`PostgreSQL takes no writes: ${this.#problem}`)
  }

  /** Resolves after the first heartbeat. */
  async start(): Promise<void> {
    await this.#check()
    this.#task = startPeriodicTask(() => this.#check(), { everyMs: BUSY_MS, onFailure: () => {} })
  }

  async close(): Promise<void> {
    this.#server.sever()
    await this.#task?.close()
    await this.#server.close()
  }

  async #check(): Promise<void> {
    const { watch } = this.#settings
    const isWanted = this.#wroteSince || this.#problem !== null || watch?.isAway()
    if (!isWanted && performance.now() - this.#lastBeat < IDLE_MS) return
    this.#wroteSince = false
    const late = setTimeout(() => void this.#waitWhileServerAnswers(), this.#maxBeatMs)
    try {
      const [sentAt, startedAt] = [machineTime(), performance.now()]
      const { at, ...seen } = (await this.#server.database.one(beat, {})) as Heartbeat & { at: number }
      const difference = clockDifference(at, [sentAt, machineTime()])
      const refused = watch?.beat(seen, startedAt) ?? null
      if (refused !== null) {
        this.#server.sever()
        throw new DatabaseUnavailable(refused)
      }
      if (this.#history.see(seen)) watch?.loseHistory()
      this.#settings.metrics.gauge('paddock_clock_difference_seconds', '', difference)
      this.#succeed()
    } catch (error) {
      this.#fail((error as Error).message)
      await this.#reportDemotion()
    } finally {
      clearTimeout(late)
      this.#isWaiting = false
      this.#lastBeat = performance.now()
    }
  }

  async #waitWhileServerAnswers(): Promise<void> {
    this.#isWaiting = true
    this.#fail(`no commit within ${this.#maxBeatMs} ms; a synchronous standby may be away`)
    while (this.#isWaiting) {
      if (!(await this.#answersReads())) return this.#server.sever()
      await pause(MAX_READ_MS, undefined, { ref: false })
    }
  }

  async #answersReads(): Promise<boolean> {
    return (await this.#role()) !== undefined
  }

  async #reportDemotion(): Promise<void> {
    const role = await this.#role()
    if (role === undefined) return
    if (role.standby && !this.#isStandby) this.#settings.onDemoted()
    this.#isStandby = role.standby
  }

  /** undefined: the server does not answer. */
  async #role(): Promise<{ standby: boolean } | undefined> {
    const role = async () => this.#server.database.one(serverRole, {})
    return Promise.race([role().catch(() => undefined), pause(MAX_READ_MS, undefined, { ref: false })])
  }

  #succeed(): void {
    const { log, metrics } = this.#settings
    if (this.#problem !== null) log.info({}, 'PostgreSQL takes writes again')
    this.#problem = null
    this.#isStandby = false
    metrics.gauge('paddock_database_unwritable', '', 0)
  }

  #fail(why: string): void {
    const { log, metrics } = this.#settings
    if (this.#problem === null) log.warn({}, `PostgreSQL takes no writes: ${why}. They are answered 503 meanwhile`)
    this.#problem = why
    metrics.gauge('paddock_database_unwritable', '', 1)
  }
}

/** In seconds, at least: the server has read its clock at some time between sending and the answer. */
export function clockDifference(server: number, [sentAt, answeredAt]: readonly [number, number]): number {
  return Math.max(0, sentAt - server, server - answeredAt) / 1000
}

/** Remembers the last heartbeat that was acknowledged, and reports one that is behind it. */
export function historyCheck(log: Pick<Logger, 'error'>, metrics: Pick<Metrics, 'gauge'>) {
  let last: Heartbeat = { number: 0, timeline: 0, timeline_start: 0 }
  metrics.gauge('paddock_history_lost', '', 0)
  return {
    /** Whether history was lost. */
    see(seen: Heartbeat): boolean {
      // Other processes may have added to the number since: then only the start of the timeline shows it.
      const wentBack =
        seen.number <= last.number || (seen.timeline !== last.timeline && seen.timeline_start < last.number)
      if (wentBack) {
        metrics.gauge('paddock_history_lost', '', 1)
        log.error(
          { before: last, now: seen },
          'PostgreSQL has lost writes that were answered: its history is behind what this process has seen. Keep the old ' +
            'primary, and find payments without a deposit with paddock reconcile (docs/capacity.md)',
        )
      }
      last = seen
      return wentBack
    },
  }
}
