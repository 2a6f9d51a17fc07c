// The supervisor passes on who wrote, with replicas. A write is answered when all workers that might serve its writer
// from a replica know of it. One that does not answer (it stands still, or is about to end) holds writes up until
// IN_TOUCH_MS are over, once: then it is out of touch and told nothing, and reads only the primary until it has asked the
// supervisor again and taken all that was written meanwhile for written by everybody. So nothing needs to be killed.
//
// The supervisor itself serves no customers, and so has nothing to remember.

import type { Worker } from 'node:cluster'
import type { Log } from '../observability/log.ts'
import { type FromWorker, IN_TOUCH_MS, type ToWorker, type Wrote, type WroteForAll } from './messages.ts'

const WATCHED_EVERY_MS = 100

type News = Wrote | WroteForAll

type Touch = {
  heardAt: number
  /** What it has not answered, by number. */
  readonly owed: Map<number, () => void>
  readonly watch: NodeJS.Timeout
}

export function writeNoticeRelay(log: Log) {
  /** Those in touch. */
  const workers = new Map<Worker, Touch>()
  let last = 0

  async function passOn(from: Worker, { number, wrote }: Wrote): Promise<void> {
    touchOf(from).heardAt = performance.now()
    if (wrote.length > 0) await tell(wrote, from)
    from.send({ known: number } satisfies ToWorker, () => {})
  }

  function touchOf(worker: Worker): Touch {
    const known = workers.get(worker)
    if (known !== undefined) return known
    const watch = setInterval(() => leaveOutIfSilent(worker, touch), WATCHED_EVERY_MS).unref()
    const touch: Touch = { heardAt: performance.now(), owed: new Map(), watch }
    workers.set(worker, touch)
    return touch
  }

  /** Returns when all but the one from whom it comes have answered or are out of touch. */
  async function tell(wrote: News['wrote'], from?: Worker): Promise<void> {
    const number = ++last
    const others = [...workers].filter(([worker]) => worker !== from)
    const told = others.map(([worker, { owed }]) => {
      const answered = new Promise<void>((resolve) => owed.set(number, resolve))
      worker.send({ number, wrote }, () => {})
      return answered
    })
    await Promise.all(told)
  }

  function leaveOutIfSilent(worker: Worker, { heardAt }: Touch): void {
    if (performance.now() - heardAt <= IN_TOUCH_MS) return
    forget(worker)
    log.warn({ worker: worker.id }, `a worker is silent for ${IN_TOUCH_MS} ms; writes do not wait for it any more`)
  }

  function forget(worker: Worker): void {
    const touch = workers.get(worker)
    if (touch === undefined) return
    clearInterval(touch.watch)
    workers.delete(worker)
    for (const resolve of touch.owed.values()) resolve()
  }

  return {
    forget,
    hear(worker: Worker, message: FromWorker): void {
      if (worker.isDead()) return
      if ('wrote' in message) return void passOn(worker, message)
      if (!('known' in message)) return
      const owed = workers.get(worker)?.owed
      owed?.get(message.known)?.()
      owed?.delete(message.known)
    },
    shownToAll: () => tell('for all'),
  }
}
