import { lastDates, readDaysBefore, readLastDays, type StatisticsContext } from './days.ts'
import * as store from './store.ts'

/** In the order that the console shows them. A series needs an index on its time. */
const SERIES: readonly { name: string; title: string; statement: store.DayStatement<{ count: number }> }[] = [
  { name: 'follows', title: 'Active follows', statement: store.followsOnDay },
  { name: 'profiles', title: 'New profiles', statement: store.newProfilesOnDay },
  { name: 'tips', title: 'New tips', statement: store.tipsOnDay },
  { name: 'likes', title: 'Active likes', statement: store.likesOnDay },
  { name: 'flags', title: 'Flags', statement: store.flagsOnDay },
  { name: 'decisions', title: 'Moderators’ decisions', statement: store.decisionsOnDay },
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
