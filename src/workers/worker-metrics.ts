// The workers' metrics, summed. The last counters of a worker that ended stay in the sum: a counter that falls would be
// taken for a restart.

import type { Worker } from 'node:cluster'
import { countersOf, type MetricSnapshot, sumSnapshots } from '../platform/observability/metric-snapshot.ts'
import { requestAnswer } from './request-answer.ts'

const NOTHING: MetricSnapshot = sumSnapshots([])

export function workerMetrics(wanted: number) {
  const last = new Map<number, MetricSnapshot>()
  let ended = NOTHING
  let ends = 0

  return {
    forget({ id }: Worker): void {
      const known = last.get(id)
      if (known !== undefined) ended = sumSnapshots([ended, countersOf(known)])
      last.delete(id)
      ends++
    },
    /** For a worker that does not answer, its last counters. */
    async read(workers: Iterable<Worker>): Promise<MetricSnapshot[]> {
      let answered = 0
      const ofEach = [...workers].map(async (worker) => {
        const snapshot = await requestMetrics(worker, 'read metrics')
        if (snapshot === undefined) return countersOf(last.get(worker.id) ?? NOTHING)
        answered++
        if (!worker.isDead()) last.set(worker.id, snapshot)
        return snapshot
      })
      const snapshots = await Promise.all(ofEach)
      const extras = {
        paddock_workers: { 'state="wanted"': wanted, 'state="answered"': answered },
        paddock_worker_ends_total: { '': ends },
      }
      return [...snapshots, ended, { ...NOTHING, extras }]
    },
    /** The counters of the workers that ended, as far as they are known. */
    ended: () => ended,
    ends: () => ends,
  }
}

/** undefined: the worker does not answer. */
export function requestMetrics(
  worker: Worker,
  how: 'read metrics' | 'peek at metrics',
): Promise<MetricSnapshot | undefined> {
  return requestAnswer(worker, how, (message) => ('metrics' in message ? message.metrics : undefined))
}
