// What happened day by day, for the charts of the console. Days are those of UTC.

import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../database/database.ts'
import { type FaultKind, faultTable } from '../faults.ts'
import { type OperatorOperation, operatorOperation } from './operation.ts'

const DAY_MS = 86_400_000

type InADay = Statement<[from: number, until: number], { count: number }>

/**
 * A day at a time: 2 million rows take 500 ms to count, and the embedded database would serve nobody meanwhile.
 * Both ends are given, so that PostgreSQL expects a part of the table and reads it by the index on its time.
 */
function inADay(name: string, table: string, time: string, condition = 'true'): InADay {
  return statement(name, `select count(*) as count from ${table} where ${time} >= $1 and ${time} < $2 and ${condition}`)
}

export const followsInADay = inADay('followsInADay', 'follow', 'created_at', 'shown = 1')
export const newProfilesInADay = inADay('newProfilesInADay', 'profile', 'created_at')
export const tipsInADay = inADay('tipsInADay', 'comment', 'created_at')
export const likesInADay = inADay('likesInADay', 'comment_like', 'created_at')
export const depositsInADay = inADay('depositsInADay', 'deposit', 'created_at', 'fault is null')
export const flagsInADay = inADay('flagsInADay', 'flag', 'created_at')
export const decisionsInADay = inADay('decisionsInADay', 'decision', 'at')

/** What a gateway can refuse a deposit with. */
const REFUSALS: readonly FaultKind[] = [
  'authorisationFailed',
  'insufficientFunds',
  'cardNumberInvalid',
  'cv2Invalid',
  'expiryInvalid',
  'methodInvalid',
]
export const refusalsInADay = REFUSALS.map((fault) =>
  inADay(`${fault}InADay`, 'deposit', 'created_at', `fault = '${fault}'`),
)

/** In the order that the console shows them. A series needs an index on its time. */
const SERIES: readonly { name: string; title: string; counted: InADay }[] = [
  { name: 'follows', title: 'Follows that still stand', counted: followsInADay },
  { name: 'profiles', title: 'New profiles', counted: newProfilesInADay },
  { name: 'tips', title: 'New tips', counted: tipsInADay },
  { name: 'likes', title: 'Likes that still stand', counted: likesInADay },
  { name: 'flags', title: 'Flags', counted: flagsInADay },
  { name: 'decisions', title: 'Decisions of moderators', counted: decisionsInADay },
  { name: 'deposits', title: 'Deposits', counted: depositsInADay },
  ...REFUSALS.map((fault, index) => ({
    name: `refused-${faultTable[fault].code}`,
    title: `Refused with ${faultTable[fault].code}: ${faultTable[fault].text}`,
    counted: refusalsInADay[index] as InADay,
  })),
]

export const statisticsOperations: OperatorOperation[] = [
  operatorOperation<undefined, { days: number }>({
    name: 'readStatistics',
    summary: 'What happened on each of the last days (UTC), today included',
    method: 'GET',
    path: '/statistics',
    role: 'moderator',
    query: { days: { type: 'integer', minimum: 1, maximum: 90, default: 30 } },
    async handle(context, { query: { days } }) {
      const today = Math.floor(context.now() / DAY_MS)
      const wanted = Array.from({ length: days }, (_, index) => today - days + 1 + index)
      const series = []
      for (const { name, title, counted } of SERIES) {
        const counts = []
        for (const day of wanted) counts.push(await countOf(context, counted, { day, isOver: day < today }))
        series.push({ name, title, counts })
      }
      return { status: 200, body: { days: wanted.map(toDate), series } }
    },
  }),
]

/** Days that are over hardly change, and are remembered for a while. */
async function countOf(
  { database, dailyCounts }: Context,
  counted: InADay,
  { day, isOver }: { day: number; isOver: boolean },
): Promise<number> {
  const key = `${counted.name} ${day}`
  const remembered = isOver ? dailyCounts.get(key) : undefined
  if (remembered !== undefined) return remembered
  // Lets other requests in between.
  await setImmediate()
  const count = (await database.one(counted, [day * DAY_MS, (day + 1) * DAY_MS]))?.count ?? 0
  if (isOver) dailyCounts.set(key, count)
  return count
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
