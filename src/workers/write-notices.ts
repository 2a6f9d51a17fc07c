// A worker's side of the write notices: it reports who wrote here, and is notified of who wrote in other workers. The
// supervisor relays them (write-notice-relay.ts).

import type { Notice, OtherProcesses } from '../platform/database/replicas/recent-writes.ts'
import type { Replicas } from '../platform/database/replicas/replicas.ts'
import { onMessage, send } from './member.ts'
import { IN_TOUCH_MS, type ToWorker } from './messages.ts'

/** Often enough that the worker stays in touch when some of the reports are late. */
const REPORT_EVERY_MS = IN_TOUCH_MS / 4

export type WriteNotices = OtherProcesses & {
  /** Until this call the worker reads no replica. */
  listen(replicas: Replicas): void
}

export function writeNotices(): WriteNotices {
  const channel = supervisorChannel()
  const batch: Notice[] = []
  let sending: Promise<void> | undefined

  /** A busy worker has many writes in one turn of the event loop; they go in one message. */
  function sendBatch(): Promise<void> {
    sending = undefined
    return channel.report(batch.splice(0))
  }

  async function stayInTouch(): Promise<void> {
    await channel.report([])
    setTimeout(stayInTouch, REPORT_EVERY_MS).unref()
  }

  return {
    inTouch: channel.inTouch,
    notify(notice) {
      batch.push(notice)
      sending ??= new Promise<void>((resolve) => setImmediate(resolve)).then(sendBatch)
      return sending
    },
    listen(replicas) {
      channel.onReconnect(() => replicas.writes.noteForAll())
      onMessage((message) => {
        if (typeof message !== 'object') return
        if ('acknowledged' in message) channel.acknowledged(message.acknowledged)
        else if ('wrote' in message) receive(message, replicas)
      })
      void stayInTouch()
    },
  }
}

function supervisorChannel() {
  const waiting = new Map<number, () => void>()
  let lastNumber = 0
  let inTouchUntil = Number.NEGATIVE_INFINITY
  let reconnected = (): void => {}

  const inTouch = (): boolean => performance.now() < inTouchUntil

  return {
    inTouch,
    /**
     * Resolves when all workers know. There is no timeout: a supervisor that does not answer accepts no connections
     * either, and when it ends, so does this process.
     */
    async report(wrote: readonly Notice[]): Promise<void> {
      const sentAt = performance.now()
      const number = ++lastNumber
      await new Promise<void>((resolve) => {
        waiting.set(number, resolve)
        void send({ number, wrote })
      })
      // Writes that were not reported to this worker meanwhile were committed before now.
      if (!inTouch()) reconnected()
      inTouchUntil = Math.max(inTouchUntil, sentAt + IN_TOUCH_MS)
    },
    acknowledged(number: number): void {
      waiting.get(number)?.()
      waiting.delete(number)
    },
    onReconnect(act: () => void): void {
      reconnected = act
    },
  }
}

type Received = Extract<ToWorker, { wrote: unknown }>

function receive({ number, wrote }: Received, replicas: Replicas): void {
  const acknowledge = () => void send({ acknowledged: number })
  // Each worker waits for its own view of the replicas.
  if (typeof wrote === 'string') return void replicas.shownToAll(wrote === 'for all').finally(acknowledge)
  for (const notice of wrote) replicas.receive(notice)
  acknowledge()
}
