// The workers' metrics, summed. The last counters of a worker that ended stay in the sum: a counter that falls would be
// taken for a restart.

import type { Worker } from 'node:cluster'
import { countersOf, type MetricSnapshot, sumSnapshots } from '../observability/metric-snapshot.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** A worker whose event loop is blocked for this long is left out of a snapshot. */
const ANSWER_WITHIN_MS = 1_000
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
        const snapshot = await request(worker)
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
  }
}

function request(worker: Worker): Promise<MetricSnapshot | undefined> {
  return new Promise((resolve) => {
    const settle = (metrics?: MetricSnapshot): void => {
      clearTimeout(timer)
      worker.off('message', receive)
      worker.off('exit', giveUp)
      resolve(metrics)
    }
    const giveUp = () => settle()
    const receive = (message: FromWorker): void => {
      if ('metrics' in message) settle(message.metrics)
    }
    const timer = setTimeout(giveUp, ANSWER_WITHIN_MS)
    worker.on('message', receive)
    worker.on('exit', giveUp)
    worker.send('read metrics' satisfies ToWorker, (error) => {
      if (error) giveUp()
    })
  })
}
