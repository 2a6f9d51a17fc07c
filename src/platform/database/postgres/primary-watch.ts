// Whether the primary is away, for services whose replicas answer reads meanwhile (STALE_READS_UP_TO_SECONDS).
//
// 1. It goes away when it has answered no probe for `silentMs`, when it is a standby, or when another server of the same database
//    shows a newer timeline: that one was promoted, and the primary that this process knows may answer with the past.
// 2. It is back when it has committed a heartbeat on the newest timeline seen. An answer alone proves nothing: a primary that was
//    cut off answers too.
//
// Times are of performance.now(), which setting the clock does not change.

import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import type { MaybePromise } from '../../runtime/maybe-promise.ts'
import { DatabaseNotReached } from '../database.ts'
import type { Heartbeat } from './heartbeat-store.ts'

/** A heartbeat that this process saw committed; everything answered before `at` was committed before it. */
type AcknowledgedBeat = Heartbeat & { readonly at: number }

type WatchSettings = {
  readonly silentMs: number
  /** For how long heartbeats are stored: no replica further behind is read. */
  readonly keptMs: number
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly metrics: Pick<Metrics, 'gauge'>
}

type Occasion = 'former' | 'away' | 'history lost'

export class PrimaryWatch {
  readonly silentMs: number
  readonly #settings: WatchSettings
  readonly #beats: AcknowledgedBeat[] = []
  readonly #observers = new Set<() => void>()
  readonly #listeners: Readonly<Record<Occasion, Set<() => void>>> = {
    former: new Set(),
    away: new Set(),
    'history lost': new Set(),
  }
  #problem: string | null = null
  #awaySince = Number.NEGATIVE_INFINITY
  #backSince = Number.NEGATIVE_INFINITY
  #answeredAt = performance.now()
  #timeline = 0
  #newestTimeline = 0
  #wasReplaced = false

  constructor(settings: WatchSettings) {
    this.#settings = settings
    this.silentMs = settings.silentMs
    settings.metrics.gauge('paddock_primary_away', '', 0)
  }

  isAway(): boolean {
    return this.#problem !== null
  }

  /** Why it is away; null: it is not. */
  problem(): string | null {
    return this.#problem
  }

  /** When the heartbeat was sent with which it was back last. */
  backSince(): number {
    return this.#backSince
  }

  /** When the last probe was sent that it has answered. */
  answeredAt(): number {
    return this.#answeredAt
  }

  /** That of the last heartbeat; 0: there was none yet. */
  timeline(): number {
    return this.#timeline
  }

  /** That any server of the database has shown. */
  newestTimeline(): number {
    return this.#newestTimeline
  }

  lastBeat(): AcknowledgedBeat | undefined {
    return this.#beats.at(-1)
  }

  /** The timeline that a new connection must be on at least; null: any. */
  readonly demandedTimeline = (): number | null => (this.#wasReplaced ? this.#newestTimeline : null)

  /** `former`: the primary that is known was replaced, and its connections are to be closed. */
  on(occasion: Occasion, act: () => void): void {
    this.#listeners[occasion].add(act)
  }

  /** A server of the same database is on this timeline. */
  see(timeline: number): void {
    if (timeline <= this.#newestTimeline) return
    this.#newestTimeline = timeline
    if (this.#timeline === 0 || timeline === this.#timeline) return
    this.#wasReplaced = true
    this.#leave(`a server is on timeline ${timeline}, the primary that this process knows on ${this.#timeline}`)
    this.#tell('former')
  }

  answered(found: { readonly standby: boolean; readonly timeline: number }, sentAt: number): void {
    const newest = this.#newestTimeline
    if (found.standby) this.#leave('it is a standby')
    else if (found.timeline < newest) this.#leave(`it is on timeline ${found.timeline}, another server on ${newest}`)
    else {
      this.#answeredAt = sentAt
      this.#newestTimeline = found.timeline
      this.#notify()
    }
  }

  silent(why: string): void {
    if (performance.now() - this.#answeredAt >= this.silentMs) this.#leave(why)
  }

  /** A heartbeat was committed. Returns why that shows no primary; null: it does. */
  beat(heartbeat: Heartbeat, at: number): string | null {
    const { timeline } = heartbeat
    if (timeline < this.#newestTimeline) {
      return `it is a former primary, of timeline ${timeline}: a server is on ${this.#newestTimeline}`
    }
    this.#newestTimeline = timeline
    this.#timeline = timeline
    this.#beats.push({ ...heartbeat, at })
    while ((this.#beats[0]?.at ?? at) < at - this.#settings.keptMs) this.#beats.shift()
    if (this.#problem !== null && at >= this.#awaySince) this.#return(at)
    return null
  }

  /** Writes that were answered are gone. */
  loseHistory(): void {
    this.#tell('history lost')
  }

  /** What a server with this heartbeat row contains: everything that was answered before this time. */
  containedIn(row: Heartbeat): number {
    return this.#beats.findLast((beat) => isContained(beat, row))?.at ?? Number.NEGATIVE_INFINITY
  }

  /** Resolves with true as soon as `isSo`, with false after `ms`. */
  until(isSo: () => boolean, ms: number): Promise<boolean> {
    if (isSo()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (found: boolean): void => {
        this.#observers.delete(look)
        clearTimeout(late)
        resolve(found)
      }
      const look = () => isSo() && end(true)
      const late = setTimeout(() => end(false), ms)
      this.#observers.add(look)
    })
  }

  /** Rejects as soon as the primary is away, however long `work` waits for it. */
  unlessAway<T>(work: () => MaybePromise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (this.#problem === null) return
        this.#observers.delete(look)
        reject(new DatabaseNotReached(`the primary is away: ${this.#problem}`))
      }
      this.#observers.add(look)
      look()
      if (this.#problem !== null) return
      new Promise<T>((begin) => begin(work())).then(resolve, reject).finally(() => this.#observers.delete(look))
    })
  }

  #leave(why: string): void {
    const isNew = this.#problem === null
    this.#problem = why
    if (isNew) {
      const { log, metrics } = this.#settings
      this.#awaySince = performance.now()
      metrics.gauge('paddock_primary_away', '', 1)
      log.warn({}, `the primary is away: ${why}. Reads that may be stale go to replicas, all others are answered 503`)
    }
    this.#notify()
    if (isNew) this.#tell('away')
  }

  #return(at: number): void {
    const { log, metrics } = this.#settings
    this.#problem = null
    this.#backSince = at
    metrics.gauge('paddock_primary_away', '', 0)
    log.info({}, `the primary is back, on timeline ${this.#timeline}`)
    this.#notify()
  }

  #notify(): void {
    for (const observe of [...this.#observers]) observe()
  }

  #tell(occasion: Occasion): void {
    for (const act of this.#listeners[occasion]) act()
  }
}

/**
 * The number grows on each timeline; a timeline goes on from the number that it began with. What two promotions have left is not
 * known.
 */
export function isContained(
  beat: Pick<Heartbeat, 'number' | 'timeline'>,
  { number, timeline, timeline_start }: Heartbeat,
): boolean {
  if (timeline === beat.timeline) return number >= beat.number
  return timeline === beat.timeline + 1 && timeline_start >= beat.number
}
