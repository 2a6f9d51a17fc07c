// Days and times in queries, in UTC.

import { stringOf } from '../../http/representation/json-schema.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { notValid } from './problem.ts'

/** A day means its beginning. 30 February is refused: it would otherwise be 2 March. */
export function timeOfQuery(name: string, text: string): number {
  const time = Date.parse(text)
  if (!Number.isNaN(time) && isoTime(time).startsWith(text.slice(0, 10))) return time
  throw notValid([{ pointer: `query/${name}`, detail: 'must be a day or time that exists, such as 2026-03-14' }])
}

/** A day by its form alone: that it exists is checked where it is read. */
export const dayOfForm = (description: string, example: string) =>
  stringOf({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }, example, description)

export const dayField = (description: string) => stringOf({ format: 'date' }, undefined, description)

export const TO_DAY = dayField('Only what happened on this day (UTC) or before.')

/** 0: no day was sent. */
export function beginOfDay(name: string, day: string | undefined): number {
  return day === undefined ? 0 : timeOfQuery(name, day)
}

/** The highest number: no day was sent. */
export function endOfDay(name: string, day: string | undefined): number {
  return day === undefined ? Number.MAX_SAFE_INTEGER : timeOfQuery(name, day) + DAY_MS
}

export function dateOf(time: number): string {
  return isoTime(time).slice(0, 10)
}
