import { lastDates, readDaysBefore, readLastDays, type StatisticsContext } from './days.ts'
import * as sql from './store.ts'

/** In the order that the console shows them. A series needs an index on its time. */
const SERIES: readonly { name: string; title: string; statement: sql.DayStatement<{ count: number }> }[] = [
  { name: 'follows', title: 'Active follows', statement: sql.followsOnDay },
  { name: 'profiles', title: 'New profiles', statement: sql.newProfilesOnDay },
  { name: 'tips', title: 'New tips', statement: sql.tipsOnDay },
  { name: 'likes', title: 'Active likes', statement: sql.likesOnDay },
  { name: 'flags', title: 'Flags', statement: sql.flagsOnDay },
  { name: 'decisions', title: 'Moderators’ decisions', statement: sql.decisionsOnDay },
]

const countsOf = (days: readonly { count: number }[][]) => days.map(([row]) => row?.count ?? 0)

/** What customers and moderators did on each of the last days, and in the period before. */
export async function readActivity(context: StatisticsContext, days: number) {
  const series = []
  for (const { name, title, statement } of SERIES) {
    const counts = countsOf(await readLastDays(context, statement, days))
    const countsBefore = countsOf(await readDaysBefore(context, statement, days))
    const before = countsBefore.reduce((total, count) => total + count, 0)
    series.push({ name, title, counts, before, countsBefore })
  }
  return { days: lastDates(context, days), series }
}
