import { DAY_MS } from './durations.ts'

/** The same day so many months later, or the last of that month. */
export function monthsLater(time: number, months: number): number {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + (time % DAY_MS)
}
