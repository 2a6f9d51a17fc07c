// How times, prices, counts and cards are written.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// Written here, in English as everything else: the first use of Intl takes 40 ms, on a phone four times as long, and the first
// tip would wait for it.
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

const twoDigits = (number: number) => String(number).padStart(2, '0')
const hours = (time: Date) => `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
const day = (time: Date) => `${time.getDate()} ${MONTHS[time.getMonth()]}`
const dayAndYear = (time: Date) => `${day(time)} ${time.getFullYear()}`

/** "5 Mar 2026, 14:05:09" */
export const exactTime = (time: Date): string => `${dayAndYear(time)}, ${hours(time)}:${twoDigits(time.getSeconds())}`
/** "5 Mar, 14:05" */
export const clockText = (time: Date): string => `${day(time)}, ${hours(time)}`
/** "Thu 14:05" */
export const startText = (time: Date): string => `${DAYS[time.getDay()]} ${hours(time)}`

/** "3 min ago", "in 2 hr" */
function relative(count: number, unit: string): string {
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

/** With the year, unless it is this one. */
export function dayText(time: Date, now = Date.now()): string {
  return time.getFullYear() === new Date(now).getFullYear() ? day(time) : dayAndYear(time)
}

/** "in 4:05" within the hour, "in 3 hr" within the day, "Thu 14:05" within the week, then the date. undefined: it is over. */
export function timeUntil(time: Date, now: number): string | undefined {
  const left = time.getTime() - now
  if (left <= 0) return undefined
  if (left >= 6 * DAY_MS) return clockText(time)
  if (left >= DAY_MS) return startText(time)
  if (left >= HOUR_MS) return relative(Math.floor(left / HOUR_MS), 'hr')
  const seconds = Math.ceil(left / 1_000)
  return `in ${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`
}

export const secondsUntil = (time: number, now: number): number => Math.max(0, Math.ceil((time - now) / 1_000))

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count < 1_000 ? count : count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
}

/** +3.25 or −1.50, with a true minus sign. */
export function signed(value: string | number, decimals = 2): string {
  const number = Number(value)
  const digits = Math.abs(number).toFixed(decimals)
  if (Number(digits) === 0) return digits
  return `${number < 0 ? '−' : '+'}${digits}`
}

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase()
}

type Card = { readonly id: number; readonly card: { readonly scheme: string; readonly number: string } }

export function cardText(cards: readonly Card[] | undefined, id: number): string {
  const found = cards?.find((one) => one.id === id)
  return found === undefined
    ? 'A card you no longer have'
    : `${found.card.scheme} ending in ${found.card.number.slice(-4)}`
}

export const SPORTS: Readonly<Record<number, string>> = { 10: 'Football', 21: 'Horse racing', 30: 'Tennis' }
