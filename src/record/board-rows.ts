// The rows of the board that follow from the sums of profiles: for each window, all sports and each one, all price bands
// and each one, where the sample is large enough.

import type { BoardKey, BoardRow, SumRow } from './board-store.ts'
import { addUp, estimateYield, isRanked, RANKING_DAYS } from './summary.ts'

export function boardKeyText({ profile_id, days, sport_id, band }: BoardKey): string {
  return `${profile_id} ${days} ${sport_id} ${band}`
}

/** `sums` are in the order of days. */
export function rankedRows(sums: readonly SumRow[], today: number): BoardRow[] {
  const byProfile = Map.groupBy(sums, ({ profile_id }) => profile_id)
  return [...byProfile].flatMap(([profileId, rows]) => rowsOfProfile(profileId, rows, today))
}

type Cell = { readonly sport_id: number; readonly band: number; readonly total: ReturnType<typeof addUp> }

/** From the newest day back, so that each row is added once: a longer window contains the shorter ones. */
function rowsOfProfile(profile_id: number, sums: readonly SumRow[], today: number): BoardRow[] {
  const cells = new Map<number, Cell>()
  let left = sums.length
  return RANKING_DAYS.flatMap((days) => {
    for (; left > 0; left--) {
      const row = sums[left - 1] as SumRow
      if (days !== 0 && row.day <= today - days) break
      for (const cell of cellsOf(cells, row)) cell.total.add(row.day, row)
    }
    return [...cells.values()].flatMap(({ sport_id, band, total }) =>
      toRow({ profile_id, days, sport_id, band }, total),
    )
  })
}

/** All, and the row's own sport and band; 0 stands for all. */
function cellsOf(cells: Map<number, Cell>, { sport_id: sport, band: own }: SumRow): Cell[] {
  const sports = sport === 0 ? [0] : [0, sport]
  return sports.flatMap((sport_id) => [0, own].map((band) => cellOf(cells, sport_id, band)))
}

function cellOf(cells: Map<number, Cell>, sport_id: number, band: number): Cell {
  const key = 8 * sport_id + band
  const found = cells.get(key)
  if (found !== undefined) return found
  const cell = { sport_id, band, total: addUp() }
  cells.set(key, cell)
  return cell
}

function toRow(key: BoardKey, total: Cell['total']): BoardRow[] {
  const sums = total.sums()
  const estimate = estimateYield(sums)
  if (estimate === undefined || !isRanked(sums, key.days)) return []
  const num_settled = sums.num_won + sums.num_lost + sums.num_void
  return [{ ...key, ...sums, low: Math.round(estimate.low * 1e6), num_settled }]
}
