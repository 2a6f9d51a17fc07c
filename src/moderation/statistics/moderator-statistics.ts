import type { Database } from '../../platform/database/database.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import * as sql from './moderator-statistics-store.ts'
import type { Period } from './transparency-store.ts'

/** Who decided most comes first. */
export async function readModeratorStatistics(database: Database, period: Period) {
  const rows = await database.query(sql.decisionsByModerator, period)
  const medians = await database.query(sql.medianTimeByModerator, period)
  const middleOf = new Map(medians.map(({ actor, middle }) => [actor, Number(middle)]))
  return rows.map(({ actor, ...counts }) => ({
    name: actor,
    ...counts,
    medianMinutes: minutes(middleOf.get(actor)),
  }))
}

/** With one decimal. */
function minutes(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round((ms / MINUTE_MS) * 10) / 10
}
