// Spans that wait for the collector: sent in batches, one request at a time. Nobody waits for it: a span that finds the queue full is
// dropped and counted. What the collector may take later (no answer, 429, 502, 503, 504) stays in the queue and is repeated after the
// time that it names, or after growing pauses; what it refuses is dropped.

import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE_MS } from '../runtime/durations.ts'
import { type Collector, type CollectorSettings, collectorAt } from './collector.ts'
import { runInSpan, type Span } from './span.ts'

/** Some 4 MB. */
const MOST_WAITING = 4_096
/** Writing it as JSON takes a millisecond of the event loop. */
const BATCH = 256
const EVERY_MS = 1_000
/** How long a stop of the service waits for the collector. */
const CLOSE_WITHIN_MS = 3_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const PAUSE_WHILE_CLOSING_MS = 100

export type SpanOutcome = 'sent' | 'dropped' | 'refused'

export type ExporterReports = {
  readonly count: (outcome: SpanOutcome, spans: number) => void
  readonly warn: (message: string) => void
}

export class Exporter {
  readonly #collector: Collector
  readonly #count: ExporterReports['count']
  readonly #warn: ExporterReports['warn']
  readonly #closing = new AbortController()
  readonly #tooLate = new AbortController()
  readonly #waiting: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(settings: CollectorSettings, { count, warn }: ExporterReports) {
    this.#collector = collectorAt(settings)
    this.#count = (outcome, spans) => {
      if (spans > 0) count(outcome, spans)
    }
    this.#warn = warn
  }

  /** Then nothing is traced, which costs less than spans that are dropped. */
  isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING
  }

  add(span: Span): void {
    if (this.isFull() || this.#tooLate.signal.aborted) {
      this.dropped()
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= BATCH) this.#wake()
    else this.#timer ??= setTimeout(() => this.#wake(), EVERY_MS).unref()
  }

  dropped(): void {
    this.#count('dropped', 1)
  }

  /** Sends what waits, for a limited time. */
  async close(): Promise<void> {
    this.#closing.abort()
    const late = setTimeout(() => this.#tooLate.abort(), CLOSE_WITHIN_MS)
    while (this.#waiting.length > 0 && !this.#tooLate.signal.aborted) await this.#wake()
    clearTimeout(late)
    clearTimeout(this.#timer)
    this.#tooLate.abort()
    this.#count('dropped', this.#waiting.length)
    this.#waiting.length = 0
    await this.#collector.close()
  }

  #wake(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Outside of the request whose span came last.
    this.#sending ??= runInSpan(undefined, () => this.#send()).finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  /** Until less than a batch is left, which waits for more: else each request would carry one or two spans. */
  async #send(): Promise<void> {
    let failures = 0
    do {
      const batch = this.#waiting.slice(0, BATCH)
      const reply = await this.#collector.send(batch, this.#tooLate.signal)
      if (reply.problem !== null) this.#warnOfProblem(reply.problem)
      if ('accepted' in reply) {
        failures = 0
        this.#waiting.splice(0, batch.length)
        this.#count('sent', reply.accepted)
        this.#count('refused', batch.length - reply.accepted)
      } else {
        failures++
        // A time that is over, or 0, would let us ask without a pause.
        await this.#pause(Math.max(reply.again ?? growingPause(failures), FIRST_PAUSE_MS))
      }
    } while (!this.#tooLate.signal.aborted && (failures > 0 || this.#waiting.length >= BATCH))
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#wake(), EVERY_MS).unref()
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#closing
    await pause(milliseconds, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) await pause(PAUSE_WHILE_CLOSING_MS)
  }

  /** Once a minute at most. */
  #warnOfProblem(problem: string): void {
    if (performance.now() - this.#warnedAt < MINUTE_MS) return
    this.#warnedAt = performance.now()
    this.#warn(`spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT: ${problem}`)
  }
}

/** Longer by up to a fifth, so that many processes do not come back together. */
function growingPause(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS) * (1 + Math.random() / 5)
}
