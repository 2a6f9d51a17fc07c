// A record as the console's charts need it: the profit as it grew day by day, and its parts by sport and by price band.

import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { Refused } from '../platform/runtime/refused.ts'
import { NO_PROFILE } from '../profiles/profile.ts'
import { BAND_NAMES } from './figures.ts'
import { type RecordFilter, selectionOf, toRecord } from './record.ts'
import { dateOf, hundredthsOf, points, toFigures } from './record-view.ts'
import { type BoardSelection, boardEntries, recordOf, sportNames, sumsOfRecord } from './store.ts'
import { addUp, estimateYield, type TipSums } from './summary.ts'

type DaySums = TipSums & { day: number; sport_id: number; band: number }

/** The profile may have any status. */
export async function readRecordCharts(database: Database, id: number, filter: RecordFilter, now: number) {
  const selection = { id, ...selectionOf(filter, now) }
  const row = await database.one(recordOf, { ...selection, viewer: NO_PROFILE })
  if (row === undefined) throw new Refused('unknown', 'There is no such profile.')
  const sums = await database.query(sumsOfRecord, selection)
  const names = await namesOf(database, sums)
  return {
    profileId: String(id),
    record: toRecord(row, filter),
    days: daysOf(sums),
    sports: partsOf(sums, ({ sport_id }) => sport_id).map(([sportId, figures]) => ({
      sportId: String(sportId),
      name: names.get(sportId) ?? '',
      figures,
    })),
    bands: partsOf(sums, ({ band }) => band).map(([band, figures]) => ({
      band: BAND_NAMES[band - 1] as string,
      figures,
    })),
  }
}

async function namesOf(database: Database, sums: readonly DaySums[]): Promise<Map<number, string>> {
  const ids = idListOf(new Set(sums.map(({ sport_id }) => sport_id)))
  return new Map((await database.query(sportNames, { ids })).map(({ id, name }) => [id, name]))
}

/** After each day: the profit so far, and its interval, profit ± 1.645·s·√n, which is the yield's times what was staked. */
function daysOf(sums: readonly DaySums[]) {
  const total = addUp()
  return [...Map.groupBy(sums, ({ day }) => day)].map(([day, ofDay]) => {
    for (const one of ofDay) total.add(day, one)
    const until = total.sums()
    const estimate = estimateYield(until)
    return {
      date: dateOf(day),
      num: until.num_won + until.num_lost,
      profit: points(until.profit),
      low: hundredthsOf((estimate?.low ?? 0) * until.staked),
      high: hundredthsOf((estimate?.high ?? 0) * until.staked),
    }
  })
}

function partsOf(sums: readonly DaySums[], keyOf: (row: DaySums) => number) {
  return [...Map.groupBy(sums, keyOf)]
    .sort(([one], [other]) => one - other)
    .map(([key, rows]) => {
      const total = addUp()
      for (const row of rows) total.add(row.day, row)
      return [key, toFigures(total.sums())] as const
    })
}

export async function readBoard(database: Database, board: BoardSelection, now: number) {
  const rows = await database.query(boardEntries, { ...board, now })
  return rows.map((row, index) => ({
    rank: index + 1,
    profileId: String(row.profile_id),
    name: row.name,
    isShown: row.shown === 1,
    record: toFigures(row),
  }))
}
