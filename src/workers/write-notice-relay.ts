// With replicas, the supervisor relays who wrote. A write is answered when all workers that might serve its writer from a
// replica know of it. A worker that does not answer (blocked, or about to end) delays writes for IN_TOUCH_MS, once: then
// it is out of touch, gets no notices and reads only the primary, until it has reported again and counts everything
// written meanwhile as written by everybody. So nothing needs to be killed.
//
// The supervisor itself serves no customers, and so has nothing to record.

import type { Worker } from 'node:cluster'
import type { Log } from '../observability/log.ts'
import { type FromWorker, IN_TOUCH_MS, type ToWorker, type Wrote, type WroteForAll } from './messages.ts'

const CHECK_EVERY_MS = 100

type Notice = Wrote | WroteForAll

type Touch = {
  heardAt: number
  /** Notices that it has not acknowledged, by number. */
  readonly unacknowledged: Map<number, () => void>
  readonly watch: NodeJS.Timeout
}

export function writeNoticeRelay(log: Log) {
  /** The workers in touch. */
  const workers = new Map<Worker, Touch>()
  let last = 0

  async function relay(from: Worker, { number, wrote }: Wrote): Promise<void> {
    touchOf(from).heardAt = performance.now()
    if (wrote.length > 0) await notify(wrote, from)
    from.send({ known: number } satisfies ToWorker, () => {})
  }

  function touchOf(worker: Worker): Touch {
    const known = workers.get(worker)
    if (known !== undefined) return known
    const watch = setInterval(() => leaveOutIfSilent(worker, touch), CHECK_EVERY_MS).unref()
    const touch: Touch = { heardAt: performance.now(), unacknowledged: new Map(), watch }
    workers.set(worker, touch)
    return touch
  }

  /** Resolves when all workers but the sender have acknowledged or are out of touch. */
  async function notify(wrote: Notice['wrote'], from?: Worker): Promise<void> {
    const number = ++last
    const others = [...workers].filter(([worker]) => worker !== from)
    const acknowledged = others.map(([worker, { unacknowledged }]) => {
      const acknowledgement = new Promise<void>((resolve) => unacknowledged.set(number, resolve))
      worker.send({ number, wrote }, () => {})
      return acknowledgement
    })
    await Promise.all(acknowledged)
  }

  function leaveOutIfSilent(worker: Worker, { heardAt }: Touch): void {
    if (performance.now() - heardAt <= IN_TOUCH_MS) return
    forget(worker)
    log.warn({ worker: worker.id }, `a worker has been silent for ${IN_TOUCH_MS} ms; writes no longer wait for it`)
  }

  function forget(worker: Worker): void {
    const touch = workers.get(worker)
    if (touch === undefined) return
    clearInterval(touch.watch)
    workers.delete(worker)
    for (const resolve of touch.unacknowledged.values()) resolve()
  }

  return {
    forget,
    receive(worker: Worker, message: FromWorker): void {
      if (worker.isDead()) return
      if ('wrote' in message) return void relay(worker, message)
      if (!('known' in message)) return
      const unacknowledged = workers.get(worker)?.unacknowledged
      unacknowledged?.get(message.known)?.()
      unacknowledged?.delete(message.known)
    },
    shownToAll: () => notify('for all'),
  }
}
