// A worker's side. When the supervisor is gone, node:cluster ends the worker and its requests in progress, as if the one
// process of a service without workers were killed.

import cluster from 'node:cluster'
import type { MetricSnapshot } from '../platform/observability/metric-snapshot.ts'
import type { RecentRequests } from '../platform/observability/recent-requests.ts'
import type { Failure, FromWorker, ToWorker } from './messages.ts'

/** undefined: this process is not a worker. */
export function workerNumber(): number | undefined {
  return cluster.worker?.id
}

/** Resolves when the supervisor requests a stop. */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    onMessage((message) => {
      if (message === 'stop') resolve()
    })
  })
}

export function answerMetricRequests(metrics: { read(): MetricSnapshot; peek(): MetricSnapshot }): void {
  onMessage((message) => {
    if (message === 'read metrics') void send({ metrics: metrics.read() })
    if (message === 'peek at metrics') void send({ metrics: metrics.peek() })
  })
}

export function answerRecentRequests(recent: RecentRequests): void {
  onMessage((message) => {
    if (typeof message !== 'object' || !('recentOf' in message)) return
    const { number, recentOf, filter } = message
    void send({ number, recent: recent.read(recentOf, filter) })
  })
}

/** A worker that cannot start reports why and ends; the supervisor prints it once for all workers. */
export async function reportFailure(error: unknown): Promise<void> {
  const { message, code, port } = error as Failure
  await send({ failure: { message, ...(code === undefined ? {} : { code }), ...(port === undefined ? {} : { port }) } })
}

/** Closes the channel, which alone keeps the process alive once everything else is closed. */
export function leave(): void {
  cluster.worker?.disconnect()
}

export function onMessage(act: (message: ToWorker) => void): void {
  process.on('message', act)
}

export function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    cluster.worker?.send(message, () => resolve())
  })
}
