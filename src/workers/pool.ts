// The supervisor's side. It does what is done once (migrations, the sweeper, settlements, the operator's listener) and
// keeps the wanted number of *workers*, processes that only serve the public listener. node:cluster gives them one port:
// the supervisor accepts connections and hands them out in turn.

import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../observability/log.ts'
import type { MetricSnapshot } from '../observability/metric-snapshot.ts'
import { closeLostConnection } from './close-lost-connection.ts'
import type { Failure, FromWorker, ToWorker } from './messages.ts'
import { sharedLimits } from './shares.ts'
import { workerMetrics } from './worker-metrics.ts'
import { writeNoticeRelay } from './write-notice-relay.ts'

export type Workers = {
  readonly wanted: number
  /** How many serve. */
  up(): number
  /** What they have counted. */
  read(): Promise<MetricSnapshot[]>
  /** When it returns, each shows everybody all that was committed before it was called; with replicas. */
  shownToAll(): Promise<void>
}

export type WorkerPool = Workers & {
  /** Answers the port when all serve; throws when one cannot start. */
  listen(): Promise<number>
  close(): Promise<void>
}

/** One that served for this long is replaced at once. One that did not, after a pause that doubles each time. */
const SERVED_LONG_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** More than a worker gives its requests to finish (service.ts). */
const STOP_WITHIN_MS = 20_000

export function workerPool({ wanted, port, log }: { wanted: number; port: number; log: Log }): WorkerPool {
  const living = new Set<Worker>()
  const serving = new Set<Worker>()
  const pauses = new Set<NodeJS.Timeout>()
  const readings = workerMetrics(wanted)
  const writes = writeNoticeRelay(log)
  const limits = sharedLimits()
  const failures = new Map<Worker, Failure>()
  let phase: 'starting' | 'serving' | 'closing' = 'starting'
  /** With PORT=0, the port that the first worker was given. */
  let sharedPort = 0
  let askedPort = port
  let started: (outcome: Error | undefined) => void = () => {}

  function fork(hasty: number): void {
    const worker = cluster.fork({ PORT: `${askedPort}` })
    let servesSince = Number.POSITIVE_INFINITY
    living.add(worker)
    closeLostConnection(worker)
    worker.on('message', (message: FromWorker) => {
      if ('failure' in message) failures.set(worker, message.failure)
      writes.hear(worker, message)
      limits.hear(worker, message)
    })
    worker.once('listening', (address) => {
      servesSince = performance.now()
      serve(worker, address.port)
    })
    worker.once('exit', (code, signal) => {
      const ended = `${signal ?? code}`
      const servedLong = performance.now() - servesSince >= SERVED_LONG_MS
      end(worker, ended)
      if (phase === 'serving') replace(worker, { ended, hasty: servedLong ? 0 : hasty + 1 })
    })
  }

  function serve(worker: Worker, itsPort: number): void {
    // It began to start while the last one that served was alive, and was then given a port of its own.
    if (sharedPort !== 0 && itsPort !== sharedPort) return void worker.process.kill()
    sharedPort = itsPort
    serving.add(worker)
    log.info({ worker: worker.id, pid: worker.process.pid }, 'a worker serves')
    if (serving.size === wanted) started(undefined)
  }

  function end(worker: Worker, ended: string): void {
    living.delete(worker)
    readings.forget(worker)
    writes.forget(worker)
    started(failureOf(worker, ended))
    // The port is free again when nobody serves it: with PORT=0 it must be asked for by its number from now on.
    if (serving.delete(worker) && serving.size === 0) askedPort = sharedPort
  }

  function failureOf(worker: Worker, ended: string): Error {
    const { message, ...more } = failures.get(worker) ?? { message: `a worker ended (${ended}) before it served` }
    return Object.assign(new Error(message), more)
  }

  function replace(worker: Worker, { ended, hasty }: { ended: string; hasty: number }): void {
    const pauseMs = hasty === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (hasty - 1), LONGEST_PAUSE_MS)
    const reason = failures.get(worker)?.message
    failures.delete(worker)
    log.error({ worker: worker.id, ended, reason }, `a worker ended; another takes its place in ${pauseMs} ms`)
    const pause = setTimeout(() => {
      pauses.delete(pause)
      fork(hasty)
    }, pauseMs)
    pauses.add(pause)
  }

  return {
    wanted,
    up: () => serving.size,
    read: () => readings.read(serving),
    shownToAll: writes.shownToAll,
    async listen() {
      const outcome = await new Promise<Error | undefined>((resolve) => {
        started = resolve
        for (let number = 0; number < wanted; number++) fork(0)
      })
      if (outcome !== undefined) throw outcome
      phase = 'serving'
      return sharedPort
    },
    async close() {
      phase = 'closing'
      for (const pause of pauses) clearTimeout(pause)
      await Promise.all([...living].map(stop))
    },
  }
}

function stop(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => worker.process.kill('SIGKILL'), STOP_WITHIN_MS)
    worker.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    // One whose channel is closed already is about to end.
    worker.send('stop' satisfies ToWorker, () => {})
  })
}
