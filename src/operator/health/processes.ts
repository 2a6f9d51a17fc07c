// The processes that serve the public API: the workers, or this one.

import { countersOf, type MetricSnapshot, sumSnapshots } from '../../platform/observability/metric-snapshot.ts'
import { minuteOf } from '../../platform/observability/minutes.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import type { InspectedWorker, Inspection } from '../../workers/pool.ts'
import type { HealthContext } from './context.ts'
import { GOOD, type Judgement } from './judgement.ts'

export type ServingProcess = Judgement & {
  /** The worker's number; 0: the service has one process. */
  readonly number: number
  readonly pid: number
  readonly doing: 'starting' | 'serving' | 'not answering'
  readonly startedAt: number
  /** null: not known. */
  readonly memoryBytes: number | null
  readonly requestsPerSecond: number | null
}

export type Processes = {
  readonly items: readonly ServingProcess[]
  /** The metrics of all processes together, ended ones included. */
  readonly total: MetricSnapshot
  /** Workers that ended and were replaced. */
  readonly ends: number
  readonly lastEnd: Inspection['lastEnd']
}

export async function readProcesses(context: Pick<HealthContext, 'metrics' | 'now' | 'workers'>): Promise<Processes> {
  const { metrics, workers } = context
  const own = metrics.peek()
  const now = context.now()
  if (workers === null) {
    const startedAt = now - process.uptime() * 1000
    const alone = { number: 0, pid: process.pid, state: 'serving', startedAt, metrics: own } as const
    return { items: [processOf(alone, now)], total: own, ends: 0, lastEnd: null }
  }
  const { workers: inspected, ends, lastEnd, ended } = await workers.inspect()
  const answered = inspected.flatMap((one) => (one.metrics === undefined ? [] : [one.metrics]))
  return {
    items: inspected.map((one) => processOf(one, now)),
    total: sumSnapshots([own, ...answered, countersOf(ended)]),
    ends,
    lastEnd,
  }
}

function processOf({ number, pid, state, startedAt, metrics }: InspectedWorker, now: number): ServingProcess {
  const doing = state === 'serving' && metrics === undefined ? 'not answering' : state
  return {
    number,
    pid,
    doing,
    startedAt,
    memoryBytes: metrics?.memoryBytes ?? null,
    requestsPerSecond: metrics === undefined ? null : rateOf(metrics, startedAt, now),
    ...judgementOf(doing),
  }
}

function judgementOf(doing: ServingProcess['doing']): Judgement {
  if (doing === 'serving') return GOOD
  if (doing === 'starting') return { state: 'warning', advice: 'It starts. Reload in a few seconds.' }
  return {
    state: 'critical',
    advice:
      'It has not answered for a second: its event loop is blocked. If that lasts, end the process; it is replaced.',
  }
}

/** Over the minute before and the current one, or since the start. */
function rateOf({ minutes }: MetricSnapshot, startedAt: number, now: number): number {
  const current = minuteOf(now)
  const requests = [current - 1, current].reduce((sum, minute) => sum + (minutes[minute]?.requests ?? 0), 0)
  const seconds = Math.min(now - (current - 1) * MINUTE_MS, now - startedAt) / 1000
  return Math.round((requests / Math.max(1, seconds)) * 10) / 10
}
