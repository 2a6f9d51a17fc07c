import { Fault } from '../../faults.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import { type WindowCounts, windowCounts } from '../../platform/runtime/window-counts.ts'
import type { RateLimit } from './rate-limit.ts'

/** Limits the uploads of each customer: `perMinute` (0 is no limit), and two at once, as each waits for a decoder. */
export function uploadLimits(now: () => number, perMinute: number) {
  const atOnce = budget(Number.POSITIVE_INFINITY, UPLOADS_AT_ONCE)
  const minute = windowCounts(MINUTE_MS, now)
  return {
    /** Called before the body is read, so that a refused upload costs nothing. */
    begin(customer: string): void {
      if (perMinute > 0) refuseWhenFull(minute, customer, perMinute)
      atOnce.take(customer, 1)
      minute.add(customer)
    },
    end: (customer: string): void => atOnce.release(customer, 1),
  }
}

export type UploadLimits = ReturnType<typeof uploadLimits>

const UPLOADS_AT_ONCE = 2

/**
 * A limited resource: requests served at once, bytes of bodies. One application, customer or address gets at most `mostForOne`, so that
 * it cannot use up what the others need.
 */
export function budget<Holder = string>(most: number, mostForOne: number) {
  let used = 0
  const usedBy = new Map<Holder, number>()
  /** Throws 429 when the holder would have more than `mostForOne`. */
  const assign = (holder: Holder, amount: number): void => {
    const after = (usedBy.get(holder) ?? 0) + amount
    if (after > mostForOne) throw new Fault('tooManyRequests', undefined, { retryAfter: 1 })
    usedBy.set(holder, after)
  }
  return {
    /**
     * Throws 503 when nothing is left: a quick refusal helps more than a slow answer. `holder` is null while it is not known.
     */
    take(holder: Holder | null, amount: number): void {
      if (used + amount > most) throw new Fault('unavailable', undefined, { retryAfter: 1 })
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
  }
}

export type Budget<Holder = string> = ReturnType<typeof budget<Holder>>

/** A part of `all`: what is taken of it is taken of `all` too. */
export function partOf(all: Budget, most: number, mostForOne: number) {
  const part = budget(most, mostForOne)
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

/**
 * Limits the requests of each address, which have no application whose limit they would count towards. An address gets a
 * share of `limit` (0 is none), so that one cannot stop the others. Counted by this process, in whole seconds and minutes.
 */
export function addressLimits(now: () => number, { perSecond, perMinute }: RateLimit) {
  const windows = [
    { counts: windowCounts(MINUTE_MS, now), most: shareOfAddress(perMinute) },
    { counts: windowCounts(1_000, now), most: shareOfAddress(perSecond) },
  ]
  return {
    /** Throws 429 when the address has used up its second or its minute; what is refused does not count. */
    take(address: string): void {
      for (const { counts, most } of windows) refuseWhenFull(counts, address, most)
      for (const { counts } of windows) counts.add(address)
    },
    /** Counts what a request that was taken costs beyond one. It may exceed the limit: the next one waits. */
    charge(address: string, more: number): void {
      for (const { counts } of windows) counts.add(address, more)
    },
  }
}

export type AddressLimits = ReturnType<typeof addressLimits>

const ADDRESSES = 5

function shareOfAddress(limit: number): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : Math.ceil(limit / ADDRESSES)
}

function refuseWhenFull(counts: WindowCounts, key: string, most: number): void {
  if (counts.of(key) < most) return
  throw new Fault('tooManyRequests', undefined, { retryAfter: counts.secondsLeft() })
}

/** For the rules of a body (body.ts): its bytes count as this holder's. */
export function memoryOf(memory: Part, holder: string) {
  return {
    reserve: (bytes: number): void => memory.take(holder, bytes),
    release: (bytes: number): void => memory.release(holder, bytes),
  }
}
