// How times, prices, counts and cards are written.

import type { PaymentMethod } from './answers.ts'

const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto', style: 'short' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const DAY_AND_TIME = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** "3 min. ago", "in 2 hr", or the day when it is longer than a week away. */
export function fromNow(time: Date, now = Date.now()): string {
  const difference = time.getTime() - now
  const size = Math.abs(difference)
  if (size < MINUTE_MS) return 'just now'
  if (size < HOUR_MS) return RELATIVE.format(Math.round(difference / MINUTE_MS), 'minute')
  if (size < DAY_MS) return RELATIVE.format(Math.round(difference / HOUR_MS), 'hour')
  if (size < 7 * DAY_MS) return RELATIVE.format(Math.round(difference / DAY_MS), 'day')
  return dayText(time, now)
}

/** With the year, unless it is this one. */
export function dayText(time: Date, now = Date.now()): string {
  return (time.getFullYear() === new Date(now).getFullYear() ? DAY : DAY_AND_YEAR).format(time)
}

const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

export const exactTime = (time: Date): string => EXACT.format(time)

/** "in 4:05" within the hour, "in 3 hr" within the day, then the day and time. undefined: it is over. */
export function timeUntil(time: Date, now: number): string | undefined {
  const left = time.getTime() - now
  if (left <= 0) return undefined
  if (left >= DAY_MS) return DAY_AND_TIME.format(time)
  if (left >= HOUR_MS) return RELATIVE.format(Math.floor(left / HOUR_MS), 'hour')
  const seconds = Math.ceil(left / 1_000)
  return `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export const secondsUntil = (time: number, now: number): number => Math.max(0, Math.ceil((time - now) / 1_000))

const CLOCK = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

export const clockText = (time: Date): string => CLOCK.format(time)
export const startText = (time: Date): string => DAY_AND_TIME.format(time)

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
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

export function cardText(cards: readonly PaymentMethod[] | undefined, id: number): string {
  const found = cards?.find((one) => one.id === id)
  return found === undefined
    ? 'A card you no longer have'
    : `${found.card.scheme} ending in ${found.card.number.slice(-4)}`
}

export const SPORTS: Readonly<Record<number, string>> = { 10: 'Football', 21: 'Horse racing', 30: 'Tennis' }
