// Figures of records as text. The API sends them with two decimals.

import type { RecordBoard } from '../../../src/operator/api-types.ts'
import { dayText } from '../parts/dates.ts'

export type Figures = RecordBoard['items'][number]['record']

/** "+7.52", "−13.44", "0.00". */
export function signed(figure: string): string {
  if (figure.startsWith('-')) return `−${figure.slice(1)}`
  return Number(figure) === 0 ? figure : `+${figure}`
}

export function signedNumber(value: number): string {
  return signed(String(Number(value.toFixed(2))))
}

export function perCent(figure: string): string {
  return `${signed(figure)}%`
}

export function tipCount(count: number): string {
  return count === 1 ? '1 tip' : `${count} tips`
}

export function daysText({ from, to }: Pick<Figures, 'from' | 'to'>): string {
  if (from === undefined || to === undefined) return 'none'
  return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`
}

const MANY_WITHDRAWN = 5
const LARGE_SHARE = 0.1

export function hasManyWithdrawn({ numWithdrawn, numSettled }: Figures): boolean {
  return numWithdrawn >= MANY_WITHDRAWN && numWithdrawn >= LARGE_SHARE * numSettled
}
