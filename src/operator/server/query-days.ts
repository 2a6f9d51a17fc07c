// Days and times in queries, in UTC.

import { isoTime } from '../../platform/runtime/iso-time.ts'
import { notValid } from './problem.ts'

/** A day means its beginning. 30 February is refused: it would otherwise be 2 March. */
export function timeOfQuery(name: string, text: string): number {
  const time = Date.parse(text)
  if (!Number.isNaN(time) && isoTime(time).startsWith(text.slice(0, 10))) return time
  throw notValid([{ pointer: `query/${name}`, detail: 'must be a day or time that exists, such as 2026-03-14' }])
}

export function dateOf(time: number): string {
  return isoTime(time).slice(0, 10)
}
