// Statistics are read day by day. Days are those of UTC, as whole days since 1970.

import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { DayStatement } from './store.ts'

const DAY_MS = 86_400_000

/** The last days, today included, as dates such as 2026-03-01. */
export function lastDates({ now }: Context, days: number): string[] {
  return lastDays(now(), days).map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
}

function lastDays(now: number, days: number): number[] {
  const today = Math.floor(now / DAY_MS)
  return Array.from({ length: days }, (_, index) => today - days + 1 + index)
}

/** The rows of each of the last days. Days before today hardly change, so they are cached for a while. */
export async function readLastDays<Row extends object>(
  { database, pastDays, now }: Context,
  statement: DayStatement<Row>,
  days: number,
): Promise<Row[][]> {
  const wanted = lastDays(now(), days)
  const today = wanted.at(-1)
  const read: Row[][] = []
  for (const day of wanted) {
    const key = `${statement.name} ${day}`
    let rows = day === today ? undefined : (pastDays.get(key) as Row[] | undefined)
    if (rows === undefined) {
      // Lets other requests run in between.
      await setImmediate()
      rows = await database.query(statement, { from: day * DAY_MS, until: (day + 1) * DAY_MS })
      if (day !== today) pastDays.set(key, rows)
    }
    read.push(rows)
  }
  return read
}
