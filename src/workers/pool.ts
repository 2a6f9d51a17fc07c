// The supervisor's side. It does the work that must not be done twice (migrations, the sweeper, settlements, the operator
// listener) and keeps the wanted number of *workers* running: processes that only serve the public listener. They share
// one port through node:cluster: the supervisor accepts connections and passes them to the workers in turn.

import cluster, { type Worker } from 'node:cluster'
import type { Notice, OtherProcesses } from '../platform/database/replicas/recent-writes.ts'
import type { Log } from '../platform/observability/log.ts'
import type { MetricSnapshot } from '../platform/observability/metric-snapshot.ts'
import type { RecentFilter } from '../platform/observability/recent-requests.ts'
import type { RecentRequest } from '../platform/observability/request-rings.ts'
import { turnTime } from '../platform/runtime/clock.ts'
import { closeLostConnection } from './close-lost-connection.ts'
import type { Failure, FromWorker, ToWorker } from './messages.ts'
import { requestAnswer } from './request-answer.ts'
import { sharedLimits } from './shares.ts'
import { requestMetrics, workerMetrics } from './worker-metrics.ts'
import { writeNoticeRelay } from './write-notice-relay.ts'

export type Workers = OtherProcesses & {
  readonly wanted: number
  /** How many are serving. */
  up(): number
  read(): Promise<MetricSnapshot[]>
  /** Changes nothing that `read` returns. */
  inspect(): Promise<Inspection>
  /** The last requests of an application, of each worker; undefined: it does not answer. */
  recentRequests(application: string, filter: RecentFilter): Promise<(readonly RecentRequest[] | undefined)[]>
  /** With replicas: resolves when every worker shows everybody all that was committed before the call. */
  shownToAll(isAnswered: boolean): Promise<void>
}

/** `metrics` undefined: it does not answer, or does not serve yet. */
export type InspectedWorker = {
  readonly number: number
  readonly pid: number
  readonly state: 'starting' | 'serving'
  readonly startedAt: number
  readonly metrics: MetricSnapshot | undefined
}

export type Inspection = {
  readonly workers: readonly InspectedWorker[]
  /** How many ended, what the last one ended with, and the counters they leave. */
  readonly ends: number
  readonly lastEnd: { readonly at: number; readonly why: string } | null
  readonly ended: MetricSnapshot
}

export type WorkerPool = Workers & {
  /** Resolves with the port when all workers serve; rejects when one cannot start. */
  listen(): Promise<number>
  close(): Promise<void>
}

/** A worker that served for this long is replaced at once; any other after a pause that doubles each time. */
const SERVED_LONG_MS = 10_000
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 30_000
/** Longer than a worker waits for its own requests to finish (service.ts). */
const STOP_WITHIN_MS = 20_000

export function workerPool(settings: PoolSettings): WorkerPool {
  return new Pool(settings)
}

type PoolSettings = { wanted: number; port: number; log: Log }

class Pool implements WorkerPool {
  readonly wanted: number
  readonly #log: Log
  /** Workers with the time of their start. */
  readonly #alive = new Map<Worker, number>()
  readonly #serving = new Set<Worker>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  readonly #metrics: ReturnType<typeof workerMetrics>
  readonly #writeNotices: ReturnType<typeof writeNoticeRelay>
  readonly #limits = sharedLimits()
  readonly #failures = new Map<Worker, Failure>()
  #phase: 'starting' | 'serving' | 'closing' = 'starting'
  /** The port that the first worker was given, with PORT=0. */
  #sharedPort = 0
  #requestedPort: number
  #requests = 0
  #lastEnd: Inspection['lastEnd'] = null
  #started: (failure: Error | undefined) => void = () => {}

  constructor({ wanted, port, log }: PoolSettings) {
    this.wanted = wanted
    this.#requestedPort = port
    this.#log = log
    this.#metrics = workerMetrics(wanted)
    this.#writeNotices = writeNoticeRelay(log)
  }

  up(): number {
    return this.#serving.size
  }

  read(): Promise<MetricSnapshot[]> {
    return this.#metrics.read(this.#serving)
  }

  async inspect(): Promise<Inspection> {
    const workers = [...this.#alive].map(async ([worker, startedAt]) => {
      const serves = this.#serving.has(worker)
      return {
        number: worker.id,
        pid: worker.process.pid ?? 0,
        state: serves ? ('serving' as const) : ('starting' as const),
        startedAt,
        metrics: serves ? await requestMetrics(worker, 'peek at metrics') : undefined,
      }
    })
    return {
      workers: await Promise.all(workers),
      ends: this.#metrics.ends(),
      lastEnd: this.#lastEnd,
      ended: this.#metrics.ended(),
    }
  }

  recentRequests(application: string, filter: RecentFilter): Promise<(readonly RecentRequest[] | undefined)[]> {
    const answers = [...this.#serving].map((worker) => {
      const number = ++this.#requests
      return requestAnswer(worker, { number, recentOf: application, filter }, (message) =>
        'recent' in message && message.number === number ? message.recent : undefined,
      )
    })
    return Promise.all(answers)
  }

  shownToAll(isAnswered: boolean): Promise<void> {
    return this.#writeNotices.shownToAll(isAnswered)
  }

  notify(notice: Notice): Promise<void> {
    return this.#writeNotices.notify(notice)
  }

  /** The supervisor gets every notice: it relays them. */
  inTouch(): boolean {
    return true
  }

  async listen(): Promise<number> {
    const failure = await new Promise<Error | undefined>((resolve) => {
      this.#started = resolve
      for (let number = 0; number < this.wanted; number++) this.#fork(0)
    })
    if (failure !== undefined) throw failure
    this.#phase = 'serving'
    return this.#sharedPort
  }

  async close(): Promise<void> {
    this.#phase = 'closing'
    for (const pause of this.#pauses) clearTimeout(pause)
    await Promise.all([...this.#alive.keys()].map(stop))
  }

  /** `shortLives`: how many workers before this one, in a row, ended soon after their start. */
  #fork(shortLives: number): void {
    const worker = cluster.fork({ PORT: `${this.#requestedPort}` })
    let servesSince = Number.POSITIVE_INFINITY
    this.#alive.set(worker, turnTime())
    closeLostConnection(worker)
    worker.on('message', (message: FromWorker) => {
      if ('failure' in message) this.#failures.set(worker, message.failure)
      this.#writeNotices.receive(worker, message)
      this.#limits.receive(worker, message)
    })
    worker.once('listening', (address) => {
      servesSince = performance.now()
      this.#addServing(worker, address.port)
    })
    worker.once('exit', (code, signal) => {
      const ended = `${signal ?? code}`
      const servedLong = performance.now() - servesSince >= SERVED_LONG_MS
      this.#remove(worker, ended)
      if (this.#phase === 'serving') this.#replace(worker, { ended, shortLives: servedLong ? 0 : shortLives + 1 })
    })
  }

  #addServing(worker: Worker, port: number): void {
    // Forked with PORT=0 before the last serving worker ended, it was given another port.
    if (this.#sharedPort !== 0 && port !== this.#sharedPort) return void worker.process.kill()
    this.#sharedPort = port
    this.#serving.add(worker)
    this.#log.info({ worker: worker.id, pid: worker.process.pid }, 'a worker is serving')
    if (this.#serving.size === this.wanted) this.#started(undefined)
  }

  #remove(worker: Worker, ended: string): void {
    this.#alive.delete(worker)
    this.#metrics.forget(worker)
    this.#writeNotices.forget(worker)
    this.#started(this.#failureOf(worker, ended))
    // The port is free when nobody serves it: with PORT=0 it must be requested by its number from now on.
    if (this.#serving.delete(worker) && this.#serving.size === 0) this.#requestedPort = this.#sharedPort
  }

  #failureOf(worker: Worker, ended: string): Error {
    const { message, ...more } = this.#failures.get(worker) ?? { message: `a worker ended (${ended}) before it served` }
    return Object.assign(new Error(message), more)
  }

  #replace(worker: Worker, { ended, shortLives }: { ended: string; shortLives: number }): void {
    const pauseMs = shortLives === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (shortLives - 1), MAX_PAUSE_MS)
    const reason = this.#failures.get(worker)?.message
    this.#failures.delete(worker)
    this.#lastEnd = { at: turnTime(), why: reason ?? ended }
    this.#log.error({ worker: worker.id, ended, reason }, `a worker ended; it is replaced in ${pauseMs} ms`)
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#fork(shortLives)
    }, pauseMs)
    this.#pauses.add(pause)
  }
}

function stop(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => worker.process.kill('SIGKILL'), STOP_WITHIN_MS)
    worker.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    // A worker whose channel is closed is about to end.
    worker.send('stop' satisfies ToWorker, () => {})
  })
}
