import { DAY_MS } from '../../platform/runtime/durations.ts'

const CACHED_DAYS = 10_000
const days = new Map<number, string>()
const two = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, '0'))
const three = Array.from({ length: 1000 }, (_, number) => `${number}`.padStart(3, '0'))

/**
 * `2026-11-15T09:30:00.000+00:00`: an offset, never `Z`. Every profile and comment has one, and most share their day: caching the
 * day's text makes this several times faster than Date alone.
 */
export function zonedDateTime(milliseconds: number): string {
  const day = Math.floor(milliseconds / DAY_MS)
  const rest = milliseconds - day * DAY_MS
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const time = `${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}`
  return `${days.get(day) ?? textOfDay(day)}T${time}.${three[rest % 1000]}+00:00`
}

function textOfDay(day: number): string {
  if (days.size >= CACHED_DAYS) days.clear()
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10)
  days.set(day, text)
  return text
}
