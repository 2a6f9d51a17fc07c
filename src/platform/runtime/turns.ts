// Of each key, such as a customer, a few run at once and the others wait, so that one key cannot take what all need.

import type { MaybePromise } from './maybe-promise.ts'

export type Turns<Key> = {
  /** true: it may run, and has to call `end`. Without a promise if it need not wait. false: it has waited too long. */
  begin(key: Key): MaybePromise<boolean>
  /** The one that has waited longest is next. */
  end(key: Key): void
}

/** `waiting`, in the order in which they came. */
type Queue = { running: number; readonly waiting: Set<() => void> }

export function turns<Key>(atOnce: number, longestWaitMs: number): Turns<Key> {
  const queues = new Map<Key, Queue>()

  function wait({ waiting }: Queue): Promise<boolean> {
    return new Promise((resolve) => {
      const grant = (): void => {
        clearTimeout(timer)
        waiting.delete(grant)
        resolve(true)
      }
      const timer = setTimeout(() => {
        waiting.delete(grant)
        resolve(false)
      }, longestWaitMs)
      waiting.add(grant)
    })
  }

  return {
    begin(key) {
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, { running: 1, waiting: new Set() })
      else if (queue.running < atOnce) queue.running++
      else return wait(queue)
      return true
    },
    end(key) {
      const queue = queues.get(key) as Queue
      const [next] = queue.waiting
      if (next !== undefined) next()
      else if (queue.running > 1) queue.running--
      else queues.delete(key)
    },
  }
}
