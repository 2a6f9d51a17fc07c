// A worker's side of what writes.ts passes on: it tells who wrote here, and hears who wrote in the other workers.

import type { Others, Who } from '../database/replicas/recent-writes.ts'
import type { Replicas } from '../database/replicas/replicas.ts'
import { hear, tell } from './member.ts'
import { IN_TOUCH_MS } from './messages.ts'

/** Some of these may be late, and the worker is in touch still. */
const ASKS_EVERY_MS = IN_TOUCH_MS / 4

export type WriteNotices = Others & {
  /** From now on; before, this worker reads no replica. */
  listen(replicas: Replicas): void
}

export function writeNotices(): WriteNotices {
  const waiting = new Map<number, () => void>()
  let last = 0
  let inTouchUntil = Number.NEGATIVE_INFINITY
  let backInTouch = (): void => {}
  const batch: Who[] = []
  let told: Promise<void> | undefined

  const inTouch = (): boolean => performance.now() < inTouchUntil

  /**
   * There is no longest time: a supervisor that does not answer accepts no connections either, and if it ends, so does
   * this process.
   */
  async function tellOthers(wrote: readonly Who[]): Promise<void> {
    const asked = performance.now()
    const number = ++last
    await new Promise<void>((resolve) => {
      waiting.set(number, resolve)
      void tell({ number, wrote })
    })
    // What was not told meanwhile was committed before now.
    if (!inTouch()) backInTouch()
    inTouchUntil = Math.max(inTouchUntil, asked + IN_TOUCH_MS)
  }

  /** A busy worker has many writes in one turn of the event loop; they go in one message. */
  function tellBatch(): Promise<void> {
    told = undefined
    return tellOthers(batch.splice(0))
  }

  async function stayInTouch(): Promise<void> {
    await tellOthers([])
    setTimeout(stayInTouch, ASKS_EVERY_MS).unref()
  }

  return {
    inTouch,
    wrote(who) {
      batch.push(who)
      told ??= new Promise<void>((resolve) => setImmediate(resolve)).then(tellBatch)
      return told
    },
    listen({ writes, shownToAll }) {
      backInTouch = () => writes.noteForAll()
      hear((message) => {
        if (typeof message !== 'object') return
        if ('known' in message) {
          waiting.get(message.known)?.()
          waiting.delete(message.known)
          return
        }
        if (!('wrote' in message)) return
        const { number, wrote } = message
        const known = () => void tell({ known: number })
        // Each worker waits for the replicas itself, as only then it goes on reading them.
        if (wrote === 'for all') return void shownToAll().finally(known)
        for (const who of wrote) writes.hear(who)
        known()
      })
      void stayInTouch()
    },
  }
}
