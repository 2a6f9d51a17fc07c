// The projection that writes the board of ranked profiles: for the profiles of events whose tips were settled, corrected,
// withdrawn or restored, and when a day begins, for all on it, whose tips leave windows.

import { readEvents } from '../event-log/event.ts'
import { pick } from '../event-log/kind.ts'
import type { Projection } from '../event-log/projection.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { boardKeyText, rankedRows } from './board-rows.ts'
import type { BoardProgress, BoardRow } from './board-store.ts'
import * as sql from './board-store.ts'
import { tipKinds } from './event-kinds.ts'
import { dayOf } from './record-view.ts'

const KINDS = pick(tipKinds, 'tip.settled', 'tip.corrected', 'tip.deactivated', 'tip.removed', 'tip.restored')

/** Events, or profiles when a day begins. In the embedded engine every other writer waits for a batch. */
const BATCH: Record<Database['engine'], number> = { sqlite: 25, postgres: 200 }

export function boardProjection(now: () => number): Projection<BoardProgress> {
  const today = () => dayOf(now())
  return {
    work: 'writing the ranking of records',
    everyMs: 1_000,
    progress: sql.boardProgress,
    lock: sql.lockBoard,
    advance: sql.advanceBoard,
    isDue: (progress) => hasDayToBegin(progress, today()),
    apply: (transaction, progress) => updateBatch(transaction, progress, today()),
  }
}

/** A clock that was set back changes nothing. */
function hasDayToBegin({ day, next_day }: BoardProgress, today: number): boolean {
  return next_day !== 0 || day < today
}

function updateBatch(transaction: Database, progress: BoardProgress, today: number): Promise<BoardProgress> {
  return (hasDayToBegin(progress, today) ? beginDay : followEvents)(transaction, progress, today)
}

async function followEvents(transaction: Database, progress: BoardProgress, today: number): Promise<BoardProgress> {
  const limit = BATCH[transaction.engine]
  const { events, next } = await readEvents(transaction, { after: progress.position, limit, kinds: KINDS })
  const profiles = new Set(events.map(({ profile_id }) => profile_id as number))
  if (profiles.size > 0) await rewrite(transaction, profiles, today)
  return { ...progress, position: next }
}

/**
 * One batch of the profiles on the board, in the order of their ids. The day that was begun is finished even if another one
 * has begun meanwhile.
 */
async function beginDay(transaction: Database, progress: BoardProgress, today: number): Promise<BoardProgress> {
  const next_day = progress.next_day === 0 ? today : progress.next_day
  const limit = BATCH[transaction.engine]
  const found = await transaction.query(sql.profilesOnBoard, { after: progress.next_profile, limit })
  const ids = found.map(({ profile_id }) => profile_id)
  if (ids.length > 0) await rewrite(transaction, new Set(ids), today)
  if (ids.length < limit) return { ...progress, day: next_day, next_day: 0, next_profile: 0 }
  return { ...progress, next_day, next_profile: ids.at(-1) as number }
}

/** Writes only the rows that differ: most settlements change a few windows of a profile. */
async function rewrite(transaction: Database, profiles: ReadonlySet<number>, today: number): Promise<void> {
  const ids = idListOf(profiles)
  const before = new Map((await transaction.query(sql.boardRowsOf, { ids })).map((row) => [boardKeyText(row), row]))
  const after = rankedRows(await transaction.query(sql.sumsOfProfiles, { ids }), today)
  const changed = after.filter((row) => !isSame(row, before.get(boardKeyText(row))))
  for (const row of after) before.delete(boardKeyText(row))
  if (before.size > 0) await transaction.run(sql.deleteBoardRows, { rows: sql.boardKeyList.of([...before.values()]) })
  if (changed.length > 0) await transaction.run(sql.writeBoardRows, { rows: sql.boardRowList.of(changed) })
}

function isSame(one: BoardRow, other: BoardRow | undefined): boolean {
  return (
    other !== undefined && (Object.keys(one) as (keyof BoardRow)[]).every((column) => one[column] === other[column])
  )
}
