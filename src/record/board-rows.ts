// The rows of the board that follow from the sums of profiles: for each window, all sports and each one, all price bands
// and each one, where the sample is large enough.

import type { BoardKey, BoardRow, SumRow } from './board-store.ts'
import { addUp, estimateYield, isRanked, RANKING_DAYS } from './summary.ts'

type Cell = BoardKey & { readonly total: ReturnType<typeof addUp> }

/** `sums` are in the order of days. */
export function rankedRows(sums: readonly SumRow[], today: number): BoardRow[] {
  const cells = new Map<string, Cell>()
  for (const row of sums) {
    for (const key of keysOf(row, today)) {
      const name = boardKeyText(key)
      const cell = cells.get(name) ?? { ...key, total: addUp() }
      cells.set(name, cell)
      cell.total.add(row.day, row)
    }
  }
  return [...cells.values()].flatMap(toRow)
}

export function boardKeyText({ profile_id, days, sport_id, band }: BoardKey): string {
  return `${profile_id} ${days} ${sport_id} ${band}`
}

/** 0 stands for all. */
function keysOf({ profile_id, day, sport_id, band }: SumRow, today: number): BoardKey[] {
  const windows = RANKING_DAYS.filter((days) => days === 0 || day > today - days)
  const sports = new Set([0, sport_id])
  return windows.flatMap((days) =>
    [...sports].flatMap((sport) => [0, band].map((one) => ({ profile_id, days, sport_id: sport, band: one }))),
  )
}

function toRow({ total, ...key }: Cell): BoardRow[] {
  const sums = total.sums()
  const estimate = estimateYield(sums)
  if (estimate === undefined || !isRanked(sums, key.days)) return []
  const num_settled = sums.num_won + sums.num_lost + sums.num_void
  return [{ ...key, ...sums, low: Math.round(estimate.low * 1e6), num_settled }]
}
