// A worker's side. When the supervisor is gone, node:cluster ends the worker; requests under way are then cut off, as
// they would be if the one process of a service without workers were killed.

import cluster from 'node:cluster'
import type { MetricSnapshot } from '../observability/metric-snapshot.ts'
import type { Failure, FromWorker, ToWorker } from './messages.ts'

/** Which worker this process is; undefined: it is none. */
export function workerNumber(): number | undefined {
  return cluster.worker?.id
}

/** Resolves when the supervisor asks to stop. */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    hear((message) => {
      if (message === 'stop') resolve()
    })
  })
}

export function answerReadings(read: () => MetricSnapshot): void {
  hear((message) => {
    if (message === 'read') void tell({ readings: read() })
  })
}

/** A worker that cannot start says why and ends; the supervisor tells it, once for all. */
export async function reportFailure(error: unknown): Promise<void> {
  const { message, code, port } = error as Failure
  await tell({ failure: { message, ...(code === undefined ? {} : { code }), ...(port === undefined ? {} : { port }) } })
}

/** With everything closed, the channel is what keeps the process alive. */
export function leave(): void {
  cluster.worker?.disconnect()
}

export function hear(act: (message: ToWorker) => void): void {
  process.on('message', act)
}

export function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    cluster.worker?.send(message, () => resolve())
  })
}
