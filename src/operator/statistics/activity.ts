import type { StatisticsContext } from './days.ts'
import { lastDates, readDaysBefore, readLastDays } from './days.ts'
import {
  type DayStatement,
  decisionsOnDay,
  flagsOnDay,
  followsOnDay,
  likesOnDay,
  newProfilesOnDay,
  tipsOnDay,
} from './store.ts'

/** In the order that the console shows them. A series needs an index on its time. */
const SERIES: readonly { name: string; title: string; statement: DayStatement<{ count: number }> }[] = [
  { name: 'follows', title: 'Active follows', statement: followsOnDay },
  { name: 'profiles', title: 'New profiles', statement: newProfilesOnDay },
  { name: 'tips', title: 'New tips', statement: tipsOnDay },
  { name: 'likes', title: 'Active likes', statement: likesOnDay },
  { name: 'flags', title: 'Flags', statement: flagsOnDay },
  { name: 'decisions', title: 'Moderators’ decisions', statement: decisionsOnDay },
]

const totalOf = (rows: readonly { count: number }[]) => rows.reduce((total, { count }) => total + count, 0)

/** What customers and moderators did on each of the last days, and in the period before. */
export async function readActivity(context: StatisticsContext, days: number) {
  const series = []
  for (const { name, title, statement } of SERIES) {
    const rows = await readLastDays(context, statement, days)
    const before = await readDaysBefore(context, statement, days)
    series.push({ name, title, counts: rows.map(([row]) => row?.count ?? 0), before: totalOf(before) })
  }
  return { days: lastDates(context, days), series }
}
