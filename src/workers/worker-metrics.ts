// What the workers have counted. A worker that ends takes its counts with it, so those that were last heard stay in the
// sum: a counter that falls would be taken for a restart.

import type { Worker } from 'node:cluster'
import { countersOf, type MetricSnapshot, sumSnapshots } from '../observability/metric-snapshot.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** A worker whose event loop stands still for this long is left out of a reading. */
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
    /** Also of those that did not answer, what they had counted before. */
    async read(workers: Iterable<Worker>): Promise<MetricSnapshot[]> {
      let answered = 0
      const ofEach = [...workers].map(async (worker) => {
        const heard = await ask(worker)
        if (heard === undefined) return countersOf(last.get(worker.id) ?? NOTHING)
        answered++
        if (!worker.isDead()) last.set(worker.id, heard)
        return heard
      })
      const readings = await Promise.all(ofEach)
      const extras = {
        paddock_workers: { 'state="wanted"': wanted, 'state="answered"': answered },
        paddock_worker_ends_total: { '': ends },
      }
      return [...readings, ended, { ...NOTHING, extras }]
    },
  }
}

function ask(worker: Worker): Promise<MetricSnapshot | undefined> {
  return new Promise((resolve) => {
    const settle = (readings?: MetricSnapshot): void => {
      clearTimeout(timer)
      worker.off('message', hear)
      worker.off('exit', give)
      resolve(readings)
    }
    const give = () => settle()
    const hear = (message: FromWorker): void => {
      if ('readings' in message) settle(message.readings)
    }
    const timer = setTimeout(give, ANSWER_WITHIN_MS)
    worker.on('message', hear)
    worker.on('exit', give)
    worker.send('read' satisfies ToWorker, (error) => {
      if (error) give()
    })
  })
}
