// Statistics are read day by day. Days are those of UTC, as whole days since 1970.

import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import type { Cache } from '../../platform/runtime/cache.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import type { DayStatement } from './store.ts'

export type StatisticsContext = Context & {
  /** Statistics of the days before today. */
  readonly pastDays: Cache<string, readonly object[]>
}

/** The last days, today included, as dates such as 2026-03-01. */
export function lastDates({ now }: Context, days: number): string[] {
  return daysUntil(todayOf(now()), days).map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
}

const todayOf = (now: number) => Math.floor(now / DAY_MS)
const daysUntil = (last: number, days: number) => Array.from({ length: days }, (_, index) => last - days + 1 + index)

/** The rows of each of the last days. */
export async function readLastDays<Row extends object>(
  context: StatisticsContext,
  statement: DayStatement<Row>,
  days: number,
): Promise<Row[][]> {
  return readDays(context, statement, { last: todayOf(context.now()), days, until: Number.POSITIVE_INFINITY })
}

/**
 * The rows of each of as many days before. They end at the time of day that it is now: today is not over either, and both
 * periods must have the same length.
 */
export async function readDaysBefore<Row extends object>(
  context: StatisticsContext,
  statement: DayStatement<Row>,
  days: number,
): Promise<Row[][]> {
  const until = context.now() - days * DAY_MS
  return readDays(context, statement, { last: todayOf(until), days, until })
}

type Period = { last: number; days: number; until: number }

/** Whole days before today hardly change, so they are cached for a while. */
async function readDays<Row extends object>(
  { database, pastDays, now }: StatisticsContext,
  statement: DayStatement<Row>,
  { last, days, until }: Period,
): Promise<Row[][]> {
  const today = todayOf(now())
  const read: Row[][] = []
  for (const day of daysUntil(last, days)) {
    const end = Math.min((day + 1) * DAY_MS, until)
    const isPast = day !== today && end === (day + 1) * DAY_MS
    const key = `${statement.name} ${day}`
    let rows = isPast ? (pastDays.get(key) as Row[] | undefined) : undefined
    if (rows === undefined) {
      // Lets other requests run in between.
      await setImmediate()
      rows = await database.query(statement, { from: day * DAY_MS, until: end })
      if (isPast) pastDays.set(key, rows)
    }
    read.push(rows)
  }
  return read
}
