// What happened day by day, for the charts of the console. Days are those of UTC.

import type { Database, Statement } from '../database/database.ts'
import { statement } from '../database/database.ts'
import { type OperatorOperation, operatorOperation } from './operation.ts'

const DAY_MS = 86_400_000

type PerDay = Statement<[from: number, until: number], { day: number; count: number }>

/** Both ends are given, so that PostgreSQL expects a part of the table and reads it by the index on its time. */
function perDay(name: string, table: string, time: string, condition = 'true'): PerDay {
  return statement(
    name,
    `select ${time} / ${DAY_MS} as day, count(*) as count from ${table}
     where ${time} >= $1 and ${time} < $2 and ${condition} group by ${time} / ${DAY_MS}`,
  )
}

export const followsPerDay = perDay('followsPerDay', 'follow', 'created_at', 'shown = 1')
export const newProfilesPerDay = perDay('newProfilesPerDay', 'profile', 'created_at')
export const flagsPerDay = perDay('flagsPerDay', 'flag', 'created_at')
export const decisionsPerDay = perDay('decisionsPerDay', 'decision', 'at')

/** In the order that the console shows them. A series needs an index on its time. */
const SERIES: readonly { name: string; title: string; counted: PerDay }[] = [
  { name: 'follows', title: 'Follows that still stand', counted: followsPerDay },
  { name: 'profiles', title: 'New profiles', counted: newProfilesPerDay },
  { name: 'flags', title: 'Flags', counted: flagsPerDay },
  { name: 'decisions', title: 'Decisions of moderators', counted: decisionsPerDay },
]

export const statisticsOperations: OperatorOperation[] = [
  operatorOperation<undefined, { days: number }>({
    name: 'readStatistics',
    summary: 'What happened on each of the last days (UTC), today included',
    method: 'GET',
    path: '/statistics',
    role: 'moderator',
    query: { days: { type: 'integer', minimum: 1, maximum: 90, default: 30 } },
    async handle({ database, now }, { query: { days } }) {
      const today = Math.floor(now() / DAY_MS)
      const wanted = Array.from({ length: days }, (_, index) => today - days + 1 + index)
      const series = await Promise.all(
        SERIES.map(async ({ name, title, counted }) => ({
          name,
          title,
          counts: await count(database, counted, wanted),
        })),
      )
      return { status: 200, body: { days: wanted.map(toDate), series } }
    },
  }),
]

async function count(database: Database, counted: PerDay, days: readonly number[]): Promise<number[]> {
  const [first = 0, last = first] = [days[0], days.at(-1)]
  const rows = await database.query(counted, [first * DAY_MS, (last + 1) * DAY_MS])
  const counts = new Map(rows.map((row) => [row.day, row.count]))
  return days.map((day) => counts.get(day) ?? 0)
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
