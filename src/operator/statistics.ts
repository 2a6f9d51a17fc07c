// What happened day by day, for the charts of the console. Days are those of UTC.

import type { Database, Statement } from '../database/database.ts'
import { statement } from '../database/database.ts'
import { type FaultKind, faultTable } from '../faults.ts'
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
export const tipsPerDay = perDay('tipsPerDay', 'comment', 'created_at')
export const likesPerDay = perDay('likesPerDay', 'comment_like', 'created_at')
export const depositsPerDay = perDay('depositsPerDay', 'deposit', 'created_at', 'fault is null')
export const flagsPerDay = perDay('flagsPerDay', 'flag', 'created_at')
export const decisionsPerDay = perDay('decisionsPerDay', 'decision', 'at')

/** Refused deposits have a series for each fault. */
export const refusalsPerDay = statement<[from: number, until: number], { day: number; fault: string; count: number }>(
  'refusalsPerDay',
  `select created_at / ${DAY_MS} as day, fault, count(*) as count from deposit
   where created_at >= $1 and created_at < $2 and fault is not null group by created_at / ${DAY_MS}, fault`,
)

/** In the order that the console shows them. A series needs an index on its time. */
const SERIES: readonly { name: string; title: string; counted: PerDay }[] = [
  { name: 'follows', title: 'Follows that still stand', counted: followsPerDay },
  { name: 'profiles', title: 'New profiles', counted: newProfilesPerDay },
  { name: 'tips', title: 'New tips', counted: tipsPerDay },
  { name: 'likes', title: 'Likes that still stand', counted: likesPerDay },
  { name: 'flags', title: 'Flags', counted: flagsPerDay },
  { name: 'decisions', title: 'Decisions of moderators', counted: decisionsPerDay },
  { name: 'deposits', title: 'Deposits', counted: depositsPerDay },
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
      const refused = await refusals(database, wanted)
      return { status: 200, body: { days: wanted.map(toDate), series: [...series, ...refused] } }
    },
  }),
]

async function refusals(database: Database, days: readonly number[]) {
  const rows = await database.query(refusalsPerDay, bounds(days))
  return [...new Set(rows.map((row) => row.fault))].sort().map((fault) => {
    const ofFault = new Map(rows.filter((row) => row.fault === fault).map((row) => [row.day, row.count]))
    const { code, text } = faultTable[fault as FaultKind]
    const counts = days.map((day) => ofFault.get(day) ?? 0)
    return { name: `refused-${code}`, title: `Refused: ${text} (${code})`, counts }
  })
}

async function count(database: Database, counted: PerDay, days: readonly number[]): Promise<number[]> {
  const rows = await database.query(counted, bounds(days))
  const counts = new Map(rows.map((row) => [row.day, row.count]))
  return days.map((day) => counts.get(day) ?? 0)
}

function bounds(days: readonly number[]): [from: number, until: number] {
  const [first = 0, last = first] = [days[0], days.at(-1)]
  return [first * DAY_MS, (last + 1) * DAY_MS]
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
