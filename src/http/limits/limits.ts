import { Fault } from '../../faults.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import { budget, type Part } from '../../platform/runtime/slots.ts'
import { type WindowCounts, windowCounts } from '../../platform/runtime/window-counts.ts'
import type { RateLimit } from './rate-limit.ts'

/** Limits the uploads of each customer: `perMinute` (0 is no limit), and two at once, as each waits for a decoder. */
export function uploadLimits(now: () => number, perMinute: number) {
  const atOnce = budget(Number.POSITIVE_INFINITY, UPLOADS_AT_ONCE, busy)
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

/** A quick refusal helps more than a slow answer. */
export const busy = (reason: 'all' | 'holder'): Fault =>
  new Fault(reason === 'all' ? 'unavailable' : 'tooManyRequests', undefined, { retryAfter: 1 })

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
