import { Fault } from '../faults.ts'

/** Uploads of each customer: so many in a minute, 0 is no limit, and few at once, as each waits for a decoder. */
export function uploadLimits(now: () => number, perMinute: number) {
  const atOnce = budget(Number.POSITIVE_INFINITY, UPLOADS_AT_ONCE)
  let minute = 0
  let counts = new Map<string, number>()
  return {
    /** Before the body is read: one that is refused here costs nothing. */
    begin(customer: string): void {
      atOnce.take(customer, 1)
      try {
        count(customer)
      } catch (error) {
        atOnce.giveBack(customer, 1)
        throw error
      }
    },
    end: (customer: string): void => atOnce.giveBack(customer, 1),
  }

  function count(customer: string): void {
    const time = now()
    if (Math.floor(time / 60_000) !== minute) {
      minute = Math.floor(time / 60_000)
      counts = new Map()
    }
    const before = counts.get(customer) ?? 0
    if (perMinute > 0 && before >= perMinute) {
      throw new Fault('tooManyRequests', undefined, { retryAfter: 60 - (Math.floor(time / 1000) % 60) })
    }
    counts.set(customer, before + 1)
  }
}

export type UploadLimits = ReturnType<typeof uploadLimits>

const UPLOADS_AT_ONCE = 2

/**
 * Something of which there is only so much: requests served at once, bytes of bodies. One application, or one address, gets only
 * a part of it, so that it cannot take what the others need.
 */
export function budget(most: number, mostForOne: number) {
  let used = 0
  const usedBy = new Map<string, number>()
  /** Throws 429 when it would be more than one holder's part. */
  const assign = (holder: string, amount: number): void => {
    const after = (usedBy.get(holder) ?? 0) + amount
    if (after > mostForOne) throw new Fault('tooManyRequests', undefined, { retryAfter: 1 })
    usedBy.set(holder, after)
  }
  return {
    /**
     * Refuses what would only wait: beyond this a quick 503 helps more than a slow answer. `holder` is null where it is not known
     * yet.
     */
    take(holder: string | null, amount: number): void {
      if (used + amount > most) throw new Fault('unavailable', undefined, { retryAfter: 1 })
      if (holder !== null) assign(holder, amount)
      used += amount
    },
    /** What was taken for nobody is this holder's. */
    assign,
    giveBack(holder: string | null, amount: number): void {
      used -= amount
      if (holder === null) return
      const after = (usedBy.get(holder) ?? 0) - amount
      if (after > 0) usedBy.set(holder, after)
      else usedBy.delete(holder)
    },
  }
}

export type Budget = ReturnType<typeof budget>

/** For the rules of a body (body.ts): its bytes count as this holder's. */
export function memoryOf(memory: Budget, holder: string) {
  return {
    keep: (bytes: number): void => memory.take(holder, bytes),
    drop: (bytes: number): void => memory.giveBack(holder, bytes),
  }
}
