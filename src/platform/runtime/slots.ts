// Limits what runs or is held at once: a *budget* refuses what is beyond it, *turns* let it wait. One holder or key (an application, a
// customer, an address) gets a few, so that it cannot take what all need.

import type { MaybePromise } from './maybe-promise.ts'

/** Called where it is refused: because nothing is left, or because the holder has all that one gets. */
type Refusal = (reason: 'all' | 'holder') => Error

/** Requests served at once, bytes of bodies. One holder gets at most `mostForOne`. */
export function budget<Holder = string>(most: number, mostForOne: number, refusal: Refusal) {
  let used = 0
  const usedBy = new Map<Holder, number>()
  const assign = (holder: Holder, amount: number): void => {
    const after = (usedBy.get(holder) ?? 0) + amount
    if (after > mostForOne) throw refusal('holder')
    usedBy.set(holder, after)
  }
  return {
    /** `holder` is null while it is not known. */
    take(holder: Holder | null, amount: number): void {
      if (used + amount > most) throw refusal('all')
      if (holder !== null) assign(holder, amount)
      used += amount
    },
    /** Counts what was taken without a holder as this holder's. */
    assign,
    release(holder: Holder | null, amount: number): void {
      used -= amount
      if (holder === null) return
      const after = (usedBy.get(holder) ?? 0) - amount
      if (after > 0) usedBy.set(holder, after)
      else usedBy.delete(holder)
    },
    used: (): number => used,
    usedBy: (holder: Holder): number => usedBy.get(holder) ?? 0,
  }
}

export type Budget<Holder = string> = ReturnType<typeof budget<Holder>>

/** A part of `all`: what is taken of it is taken of `all` too. */
export function partOf(all: Budget, part: Budget) {
  return {
    take(holder: string, amount: number): void {
      all.take(null, amount)
      try {
        part.take(holder, amount)
      } catch (error) {
        all.release(null, amount)
        throw error
      }
    },
    release(holder: string, amount: number): void {
      part.release(holder, amount)
      all.release(null, amount)
    },
  }
}

export type Part = ReturnType<typeof partOf>

type TurnRule = { readonly atOnce: number; readonly longestWaitMs?: number; readonly mostWaiting?: number }

type Waiting = { readonly amount: number; readonly grant: () => void }

/** `waiting`, in the order in which they came. */
type Queue = { used: number; readonly waiting: Set<Waiting> }

const unlimited = (): Error => new Error('a wait without a limit has ended')

export type Turns<Key> = ReturnType<typeof turns<Key>>

export function turns<Key>({ atOnce, longestWaitMs, mostWaiting = Number.POSITIVE_INFINITY }: TurnRule) {
  const queues = new Map<Key, Queue>()

  /** true: it may run, and has to call `end`. Without a promise if it need not wait. false: it has waited too long, or too many wait. */
  function begin(key: Key, amount = 1): MaybePromise<boolean> {
    const queue = queues.get(key)
    if (queue === undefined) queues.set(key, { used: amount, waiting: new Set() })
    else if (queue.waiting.size === 0 && queue.used + amount <= atOnce) queue.used += amount
    else return queue.waiting.size < mostWaiting && wait(queue, amount)
    return true
  }

  function wait(queue: Queue, amount: number): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (isGranted: boolean): void => {
        clearTimeout(timer)
        queue.waiting.delete(waiting)
        resolve(isGranted)
      }
      const giveUp = (): void => {
        leave(false)
        grantNext(queue)
      }
      const timer = longestWaitMs === undefined ? undefined : setTimeout(giveUp, longestWaitMs)
      const waiting = { amount, grant: () => leave(true) }
      queue.waiting.add(waiting)
    })
  }

  /** In the order of arrival, so that small ones do not overtake a large one for ever. */
  function grantNext(queue: Queue): void {
    for (const { amount, grant } of queue.waiting) {
      if (queue.used + amount > atOnce) return
      queue.used += amount
      grant()
    }
  }

  function end(key: Key, amount = 1): void {
    const queue = queues.get(key) as Queue
    queue.used -= amount
    if (queue.waiting.size > 0) grantNext(queue)
    else if (queue.used === 0) queues.delete(key)
  }

  return {
    begin,
    end,
    /** Throws `refused()` where `begin` would answer false: needed where the wait is limited. */
    async run<T>(key: Key, work: () => MaybePromise<T>, refused = unlimited, amount = 1): Promise<T> {
      const begun = begin(key, amount)
      if (begun !== true && !(await begun)) throw refused()
      try {
        return await work()
      } finally {
        end(key, amount)
      }
    },
  }
}
