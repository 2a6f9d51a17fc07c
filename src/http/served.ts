// What the log line and the metrics say of a request, on both listeners.

import { performance } from 'node:perf_hooks'
import { turnBegin } from '../clock.ts'
import type { Context } from '../context.ts'

export type Listener = 'public' | 'operator'

export type Served = {
  readonly id: string
  operation: string
  application: string
  fault: string
  error?: unknown
  readonly since: number
  finished: boolean
}

export type Recorder = ReturnType<typeof recorder>

export function recorder({ log, metrics }: Pick<Context, 'log' | 'metrics'>, listener: Listener) {
  const prefix = `${Math.random().toString(36).slice(2, 8)}-`
  let requests = 0
  return {
    begin(): Served {
      const id = prefix + ++requests
      return { id, operation: 'none', application: '', fault: '', since: turnBegin(), finished: false }
    },
    /** Writes the log line and the metrics, once. */
    finish(served: Served, status: number): void {
      if (served.finished) return
      served.finished = true
      const { id, operation, application, fault, error, since } = served
      const milliseconds = performance.now() - since
      metrics.request(operation, status, fault, milliseconds / 1000)
      log.request({ id, listener, operation, application, status, fault, ms: milliseconds }, error)
    },
  }
}
