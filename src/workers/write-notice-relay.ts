// With replicas, the supervisor relays who wrote. A write is answered when all workers that might serve its writer from a
// replica know of it. A worker that does not answer (blocked, or about to end) delays writes once, for IN_TOUCH_MS. Then
// it is out of touch: it gets no notices and reads only the primary. When it reports again, it treats everything written
// meanwhile as written by everybody. So no worker needs to be killed.
//
// The supervisor itself serves no customers, and so has nothing to record.

import type { Worker } from 'node:cluster'
import type { Notice } from '../platform/database/replicas/recent-writes.ts'
import type { Log } from '../platform/observability/log.ts'
import { type FromWorker, IN_TOUCH_MS, type ToWorker, type WriteForAllNotice, type WriteNotice } from './messages.ts'

const CHECK_EVERY_MS = 100

type Relayed = (WriteNotice | WriteForAllNotice)['wrote']

type Contact = {
  lastMessageAt: number
  /** Notices that it has not acknowledged, by number. */
  readonly unacknowledged: Map<number, () => void>
  readonly watch: NodeJS.Timeout
}

export function writeNoticeRelay(log: Log) {
  /** The workers in touch. */
  const workers = new Map<Worker, Contact>()
  let last = 0

  async function relay(from: Worker, { number, wrote }: WriteNotice): Promise<void> {
    contactOf(from).lastMessageAt = performance.now()
    if (wrote.length > 0) await notify(wrote, from)
    from.send({ acknowledged: number } satisfies ToWorker, () => {})
  }

  function contactOf(worker: Worker): Contact {
    const known = workers.get(worker)
    if (known !== undefined) return known
    const watch = setInterval(() => leaveOutIfSilent(worker, contact), CHECK_EVERY_MS).unref()
    const contact: Contact = { lastMessageAt: performance.now(), unacknowledged: new Map(), watch }
    workers.set(worker, contact)
    return contact
  }

  /** Resolves when all workers but the sender have acknowledged or are out of touch. */
  async function notify(wrote: Relayed, from?: Worker): Promise<void> {
    const number = ++last
    const others = [...workers].filter(([worker]) => worker !== from)
    const acknowledgements = others.map(([worker, { unacknowledged }]) => {
      worker.send({ number, wrote }, () => {})
      return new Promise<void>((resolve) => unacknowledged.set(number, resolve))
    })
    await Promise.all(acknowledgements)
  }

  function leaveOutIfSilent(worker: Worker, { lastMessageAt }: Contact): void {
    if (performance.now() - lastMessageAt <= IN_TOUCH_MS) return
    forget(worker)
    log.warn({ worker: worker.id }, `a worker has been silent for ${IN_TOUCH_MS} ms; writes no longer wait for it`)
  }

  function forget(worker: Worker): void {
    const contact = workers.get(worker)
    if (contact === undefined) return
    clearInterval(contact.watch)
    workers.delete(worker)
    for (const resolve of contact.unacknowledged.values()) resolve()
  }

  return {
    forget,
    receive(worker: Worker, message: FromWorker): void {
      if (worker.isDead()) return
      if ('wrote' in message) return void relay(worker, message)
      if (!('acknowledged' in message)) return
      const unacknowledged = workers.get(worker)?.unacknowledged
      unacknowledged?.get(message.acknowledged)?.()
      unacknowledged?.delete(message.acknowledged)
    },
    /** Of the supervisor itself, such as what an operator ended. */
    notify: (notice: Notice) => notify([notice]),
    shownToAll: (isAnswered: boolean) => notify(isAnswered ? 'for all' : 'for all, failed'),
  }
}
