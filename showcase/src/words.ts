// How times, prices, counts and cards are written.

import { DAY_MS, day, dayAndYear, HOUR_MS, hours, relative, twoDigits } from '../../web/relative-time.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** "5 Mar 2026, 14:05:09" */
export const exactTime = (time: Date): string => `${dayAndYear(time)}, ${hours(time)}:${twoDigits(time.getSeconds())}`
/** "5 Mar, 14:05" */
export const clockText = (time: Date): string => `${day(time)}, ${hours(time)}`
/** "Thu 14:05" */
export const startText = (time: Date): string => `${DAYS[time.getDay()]} ${hours(time)}`

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
