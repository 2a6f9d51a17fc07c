// The periods of the limits that customers set: days, weeks from Monday and calendar months, all in UTC. A day is counted
// from 1970.

import { DAY_MS } from '../platform/runtime/durations.ts'

export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** From the first day to the one after the last. */
export type Days = { readonly from: number; readonly until: number }

/** Days since 1970, in UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS)
}

/** The period of each kind in which the time is. */
export function periodsAt(time: number): Record<Period, Days> {
  const day = dayOf(time)
  // 1970-01-01 was a Thursday.
  const monday = day - ((day + 3) % 7)
  const date = new Date(time)
  const month = (more: number) => dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more, 1))
  return {
    day: { from: day, until: day + 1 },
    week: { from: monday, until: monday + 7 },
    month: { from: month(0), until: month(1) },
  }
}
