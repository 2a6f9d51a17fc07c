// Writes the board of ranked profiles: for the profiles of the log's events whose tips were settled, corrected, withdrawn or
// restored, and when a day begins, for all on it, whose tips leave windows. Every service runs it, and one at a time is at work.
// A batch and how far it has come are one transaction.

import { setTimeout as pause, setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Logger } from 'pino'
import { readEvents } from '../event-log/event.ts'
import type { EventKind } from '../event-log/kinds.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { type PeriodicTask, startPeriodicTask } from '../platform/runtime/periodic-task.ts'
import { boardKeyText, rankedRows } from './board-rows.ts'
import {
  advanceBoard,
  type BoardProgress,
  type BoardRow,
  boardKeyList,
  boardProgress,
  boardRowList,
  boardRowsOf,
  deleteBoardRows,
  lockBoard,
  profilesOnBoard,
  sumsOfProfiles,
  writeBoardRows,
} from './board-store.ts'
import { dayOf } from './record-view.ts'

const EVERY_MS = 1_000

const KINDS = [
  'tip.settled',
  'tip.corrected',
  'tip.deactivated',
  'tip.removed',
  'tip.restored',
] as const satisfies EventKind[]

/** Events, or profiles when a day begins. In the embedded engine every other writer waits for a batch. */
const BATCH: Record<Database['engine'], number> = { sqlite: 25, postgres: 200 }

/** How much longer than a batch the pause after it is, as for notifications. */
const PAUSES: Record<Database['engine'], number> = { sqlite: 9, postgres: 0 }

type Clock = () => number

export function startBoard(database: Database, now: Clock, log: Logger): PeriodicTask {
  return startPeriodicTask((closing) => updateBoard(database, now, closing), {
    everyMs: EVERY_MS,
    onFailure: (error) => log.warn({ err: error }, 'writing the ranking of records failed; it will be retried'),
  })
}

/** Until nothing is left, or another process is at work. `closing`: it runs in the background, and makes pauses. */
export async function updateBoard(database: Database, now: Clock, closing?: AbortSignal): Promise<void> {
  while (closing?.aborted !== true) {
    const begin = performance.now()
    const progress = await database.one(boardProgress, {})
    const today = dayOf(now())
    if (progress === undefined || (progress.position === progress.newest && !hasDayToBegin(progress, today))) return
    if (!(await database.transaction((transaction) => updateBatch(transaction, today)))) return
    if (closing === undefined) await yieldToRequests()
    else await pause(PAUSES[database.engine] * (performance.now() - begin), undefined, { signal: closing })
  }
}

/** A clock that was set back changes nothing. */
function hasDayToBegin({ day, next_day }: BoardProgress, today: number): boolean {
  return next_day !== 0 || day < today
}

/** false: another process is at work. */
async function updateBatch(transaction: Database, today: number): Promise<boolean> {
  const progress = await transaction.one(lockBoard, {})
  if (progress === undefined) return false
  const next = hasDayToBegin(progress, today)
    ? await beginDay(transaction, progress, today)
    : await followEvents(transaction, progress, today)
  await transaction.run(advanceBoard, next, 'last')
  return true
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
  const found = await transaction.query(profilesOnBoard, { after: progress.next_profile, limit })
  const ids = found.map(({ profile_id }) => profile_id)
  if (ids.length > 0) await rewrite(transaction, new Set(ids), today)
  if (ids.length < limit) return { ...progress, day: next_day, next_day: 0, next_profile: 0 }
  return { ...progress, next_day, next_profile: ids.at(-1) as number }
}

/** Writes only the rows that differ: most settlements change a few windows of a profile. */
async function rewrite(transaction: Database, profiles: ReadonlySet<number>, today: number): Promise<void> {
  const ids = idListOf(profiles)
  const before = new Map((await transaction.query(boardRowsOf, { ids })).map((row) => [boardKeyText(row), row]))
  const after = rankedRows(await transaction.query(sumsOfProfiles, { ids }), today)
  const changed = after.filter((row) => !isSame(row, before.get(boardKeyText(row))))
  for (const row of after) before.delete(boardKeyText(row))
  if (before.size > 0) await transaction.run(deleteBoardRows, { rows: boardKeyList.of([...before.values()]) })
  if (changed.length > 0) await transaction.run(writeBoardRows, { rows: boardRowList.of(changed) })
}

function isSame(one: BoardRow, other: BoardRow | undefined): boolean {
  return (
    other !== undefined && (Object.keys(one) as (keyof BoardRow)[]).every((column) => one[column] === other[column])
  )
}
