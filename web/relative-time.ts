// How long ago, and days, in words.

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

// Written here, in English as everything else: the first use of Intl takes 40 ms, on a phone four times as long, and the first
// tip would wait for it.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

export const twoDigits = (number: number) => String(number).padStart(2, '0')
export const hours = (time: Date) => `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
export const day = (time: Date) => `${time.getDate()} ${MONTHS[time.getMonth()]}`
export const dayAndYear = (time: Date) => `${day(time)} ${time.getFullYear()}`

/** "3 min ago", "in 2 hr" */
export function relative(count: number, unit: string): string {
  return count < 0 ? `${-count} ${unit} ago` : `in ${count} ${unit}`
}

function relativeDays(count: number): string {
  if (Math.abs(count) > 1) return relative(count, 'days')
  return count < 0 ? 'yesterday' : 'tomorrow'
}

/** "3 min ago", "in 2 hr", or the day when it is longer than a week away. */
export function fromNow(time: Date, now = Date.now()): string {
  const difference = time.getTime() - now
  const size = Math.abs(difference)
  if (size < MINUTE_MS) return 'just now'
  if (size < HOUR_MS) return relative(Math.round(difference / MINUTE_MS), 'min')
  if (size < DAY_MS) return relative(Math.round(difference / HOUR_MS), 'hr')
  if (size < 7 * DAY_MS) return relativeDays(Math.round(difference / DAY_MS))
  return dayText(time, now)
}

/** A day without a time, such as that of a settlement, which the service cuts in UTC: the same for every reader. */
export function utcDayText(day: Date, now = Date.now()): string {
  return dayText(new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()), now)
}

/** With the year, unless it is this one. */
export function dayText(time: Date, now = Date.now()): string {
  return time.getFullYear() === new Date(now).getFullYear() ? day(time) : dayAndYear(time)
}
