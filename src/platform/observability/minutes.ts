// Request outcomes per minute, for the last hour, over all applications. A ring of plain numbers: counting a request
// allocates nothing.

import { MINUTE_MS } from '../runtime/durations.ts'

/** `refused`: answered with a fault, and a status below 500 (of wallets, 200); `failed`: with 500 and above. */
export type MinuteCounts = { readonly requests: number; readonly refused: number; readonly failed: number }
/** Minutes since 1970 → counts. Minutes without requests are absent. */
export type Minutes = Readonly<Record<string, MinuteCounts>>

export const MINUTES_KEPT = 60

export function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS)
}

export function minuteRing(now: () => number) {
  const slots = Array.from({ length: MINUTES_KEPT }, () => ({ minute: -1, requests: 0, refused: 0, failed: 0 }))
  return {
    count(status: number, fault: string): void {
      const minute = minuteOf(now())
      const slot = slots[minute % MINUTES_KEPT] as (typeof slots)[number]
      if (slot.minute !== minute) Object.assign(slot, { minute, requests: 0, refused: 0, failed: 0 })
      slot.requests++
      if (status >= 500) slot.failed++
      else if (fault !== '') slot.refused++
    },
    read(): Minutes {
      const after = minuteOf(now()) - MINUTES_KEPT
      const recent = slots.filter(({ minute }) => minute > after)
      return Object.fromEntries(recent.map(({ minute, ...counts }) => [minute, counts]))
    },
  }
}

/** Adds up several processes. Only the newest hour stays, so that the sum over processes that ended does not grow. */
export function sumMinutes(all: readonly Minutes[]): Minutes {
  const sum: Record<string, MinuteCounts> = {}
  for (const minutes of all) {
    for (const [minute, { requests, refused, failed }] of Object.entries(minutes)) {
      const before = sum[minute] ?? { requests: 0, refused: 0, failed: 0 }
      sum[minute] = {
        requests: before.requests + requests,
        refused: before.refused + refused,
        failed: before.failed + failed,
      }
    }
  }
  const after = Math.max(...Object.keys(sum).map(Number)) - MINUTES_KEPT
  return Object.fromEntries(Object.entries(sum).filter(([minute]) => Number(minute) > after))
}
