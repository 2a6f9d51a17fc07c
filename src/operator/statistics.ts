// What happened day by day, for the charts of the console. Days are those of UTC.

import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { reading, type Statement } from '../database/database.ts'
import { type FaultKind, faultTable } from '../faults.ts'
import { formatMoney } from '../wallets/money.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'

const DAY_MS = 86_400_000

type OfADay<Row> = Statement<{ from: number; until: number }, Row>

/**
 * A day at a time: 2 million rows take 500 ms to count, and the embedded database would serve nobody meanwhile.
 * Both ends are given, so that PostgreSQL expects a part of the table and reads it by the index on its time.
 */
function inADay(name: string, table: string, time: string, condition = 'true'): OfADay<{ count: number }> {
  return reading(
    name,
    `select count(*) as count from ${table} where ${time} >= :from and ${time} < :until and ${condition}`,
  )
}

export const followsInADay = inADay('followsInADay', 'follow', 'created_at', 'shown = 1')
export const newProfilesInADay = inADay('newProfilesInADay', 'profile', 'created_at')
export const tipsInADay = inADay('tipsInADay', 'comment', 'created_at')
export const likesInADay = inADay('likesInADay', 'comment_like', 'created_at')
export const flagsInADay = inADay('flagsInADay', 'flag', 'created_at')
export const decisionsInADay = inADay('decisionsInADay', 'decision', 'at')

/** What came of deposits that were decided: the fault of a refusal, else `approved`, or `voided` by a person. */
export const depositsInADay = reading<{ from: number; until: number }, DepositsRow>(
  'depositsInADay',
  `select currency, case when fault is not null then fault when state = 'VOIDED' then 'voided' else 'approved' end
     as outcome, count(*) as count, cast(sum(amount) as text) as amount
   from deposit where created_at >= :from and created_at < :until and state <> 'AUTHORISING' group by 1, 2`,
)

const DAYS = { days: { type: 'integer', minimum: 1, maximum: 90, default: 30 } }

/** In the order that the console shows them. A series needs an index on its time. */
const SERIES: readonly { name: string; title: string; counted: OfADay<{ count: number }> }[] = [
  { name: 'follows', title: 'Active follows', counted: followsInADay },
  { name: 'profiles', title: 'New profiles', counted: newProfilesInADay },
  { name: 'tips', title: 'New tips', counted: tipsInADay },
  { name: 'likes', title: 'Active likes', counted: likesInADay },
  { name: 'flags', title: 'Flags', counted: flagsInADay },
  { name: 'decisions', title: 'Moderators’ decisions', counted: decisionsInADay },
]

export const statisticsOperations: OperatorOperation[] = [
  operatorOperation<undefined, { days: number }>({
    name: 'readStatistics',
    summary: 'What happened on each of the last days (UTC), today included',
    method: 'GET',
    path: '/statistics',
    role: 'moderator',
    query: DAYS,
    async handle(context, { query: { days } }) {
      const series = []
      for (const { name, title, counted } of SERIES) {
        const counts = (await dayByDay(context, counted, days)).map(([row]) => row?.count ?? 0)
        series.push({ name, title, counts })
      }
      return { status: 200, body: { days: lastDays(context, days).map(toDate), series } }
    },
  }),
  operatorOperation<undefined, { days: number }>({
    name: 'readMoneyStatistics',
    summary:
      'Deposits on each of the last days (UTC): amounts by currency, how many were approved, and refusals by reason',
    method: 'GET',
    path: '/statistics/money',
    role: 'admin',
    query: DAYS,
    async handle(context, { query: { days } }) {
      const rows = await dayByDay(context, depositsInADay, days)
      return { status: 200, body: { days: lastDays(context, days).map(toDate), ...moneyOf(rows) } }
    },
  }),
]

type DepositsRow = { currency: string; outcome: string; count: number; amount: string }

/** A deposit that was approved and later voided by a person is in neither: no money came in, and nobody refused it. */
function moneyOf(days: readonly DepositsRow[][]) {
  const currencies = [
    ...new Set(
      days
        .flat()
        .filter(isApproved)
        .map(({ currency }) => currency),
    ),
  ].sort()
  const reasons = [
    ...new Set(
      days
        .flat()
        .filter(isRefused)
        .map(({ outcome }) => outcome as FaultKind),
    ),
  ]
  const approved = days.map((rows) => sumOf(rows.filter(isApproved)))
  const refused = days.map((rows) => sumOf(rows.filter(isRefused)))
  return {
    amounts: currencies.map((currency) => ({
      currency,
      amounts: days.map((rows) =>
        formatMoney(BigInt(rows.find((row) => isApproved(row) && row.currency === currency)?.amount ?? 0)),
      ),
    })),
    approved,
    refused,
    approvalRate: approved.map((count, day) => rateOf(count, count + (refused[day] ?? 0))),
    refusals: reasons.sort(byCode).map((reason) => ({
      code: faultTable[reason].code,
      title: faultTable[reason].text,
      counts: days.map((rows) => sumOf(rows.filter(({ outcome }) => outcome === reason))),
    })),
  }
}

const byCode = (one: FaultKind, other: FaultKind) => faultTable[one].code.localeCompare(faultTable[other].code)
const isApproved = ({ outcome }: DepositsRow) => outcome === 'approved'
const isRefused = ({ outcome }: DepositsRow) => outcome !== 'approved' && outcome !== 'voided'
const sumOf = (rows: readonly DepositsRow[]) => rows.reduce((sum, { count }) => sum + count, 0)

/** Between 0 and 1; null: there was nothing to decide. */
function rateOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}

/** Days since 1970, the last one today. */
function lastDays({ now }: Context, days: number): number[] {
  const today = Math.floor(now() / DAY_MS)
  return Array.from({ length: days }, (_, index) => today - days + 1 + index)
}

/** The rows of each day. Days that are over hardly change, and are cached for a while. */
async function dayByDay<Row extends object>(context: Context, wanted: OfADay<Row>, days: number): Promise<Row[][]> {
  const { database, daysOver } = context
  const read: Row[][] = []
  const all = lastDays(context, days)
  for (const day of all) {
    const key = `${wanted.name} ${day}`
    const isOver = day !== all.at(-1)
    let rows = isOver ? (daysOver.get(key) as Row[] | undefined) : undefined
    if (rows === undefined) {
      // Lets other requests in between.
      await setImmediate()
      rows = await database.query(wanted, { from: day * DAY_MS, until: (day + 1) * DAY_MS })
      if (isOver) daysOver.set(key, rows)
    }
    read.push(rows)
  }
  return read
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
