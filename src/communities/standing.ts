// The *standing* of a comment is what the catalogue makes of it: its status (from the outcome's result) and its place
// in the order of event times. The catalogue's word counts at once: answers are read from it by join, and lists take
// the comments of an outcome that is still being worked on from the catalogue (lists.ts). The columns that the indexes
// of lists and the counts of profiles need follow in batches, as durable work: a row of comment_work, written in the
// transaction of the change and deleted when all comments have followed. A killed process loses nothing; any number of
// processes share the work.

import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import {
  addProfileToOutcomeCounts,
  advanceWork,
  closeOutcomeCount,
  finishWork,
  lockBatch,
  lockProfileCounts,
  moveComments,
  moveListed,
  moveProfileCounts,
  nextWork,
  queueOutcome,
  queueOutcomesOfEvent,
  standingOfOutcome,
} from './standing-store.ts'

/** In the transaction that gives the outcome its result, after that was written. */
export async function settleTipsOfOutcome(transaction: Database, outcomeId: number): Promise<void> {
  const tipped = await transaction.run(closeOutcomeCount, [outcomeId])
  if (tipped > 0) await transaction.run(queueOutcome, [outcomeId])
}

/** In the transaction that moves the event, after that was written. */
export async function refreshTipsOfEvent(transaction: Database, eventId: number): Promise<void> {
  await transaction.run(queueOutcomesOfEvent, [eventId])
}

/** In the transaction that takes a profile out of sight (-1) or back (1): what its live tips add to their outcomes. */
export async function countTipsOfProfile(transaction: Database, profileId: number, times: 1 | -1): Promise<void> {
  await transaction.run(addProfileToOutcomeCounts, [profileId, times])
}

/** Rows of one transaction: a few milliseconds, which is the longest that another writer waits behind a settlement. */
const BATCH = 500
/** What a settlement's own request does before it answers: up to this, it finds the counts exact when it returns. */
const BATCHES_AT_ONCE = 4
const TICK_MS = 1_000

export type StandingWork = {
  /** Does a little now and wakes the worker for the rest. From the first call on it also looks by itself. */
  begin(): Promise<void>
  close(): Promise<void>
}

export function standingWork(database: Database, log: Logger): StandingWork {
  let closing = false
  let running: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (!closing && (await workOnBatch(database))) await pause()
  }

  /** One drain at a time in a process; a tick finds what other processes left behind. */
  function wake(): Promise<void> {
    running ??= drain()
      .catch((error) => log.warn({ err: error }, 'comments could not follow the catalogue; it is tried again'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  let ticking: NodeJS.Timeout | undefined
  return {
    async begin() {
      ticking ??= setInterval(wake, TICK_MS).unref()
      let left = true
      for (let batch = 0; left && batch < BATCHES_AT_ONCE; batch++) left = await workOnBatch(database)
      if (left) void wake()
    },
    async close() {
      closing = true
      clearInterval(ticking)
      await running
    },
  }
}

/** Lets requests that wait for the one writer of SQLite go between two batches. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const STATUS_OF: Record<string, string> = { win: 'W', lose: 'L', void: 'V' }

/** false: there is nothing left that another process is not working on. */
async function workOnBatch(database: Database): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const work = await transaction.one(nextWork, [])
    if (work === undefined) return false
    const { outcome_id: outcome, position } = work
    const standing = await transaction.one(standingOfOutcome, [outcome])
    const status = STATUS_OF[standing?.result ?? ''] ?? 'A'
    const batch = await transaction.query(lockBatch, [outcome, position, BATCH])
    const last = batch.at(-1)?.id
    if (last !== undefined) {
      const range: [number, number, number, string] = [outcome, position, last, status]
      await transaction.query(lockProfileCounts, range)
      await transaction.run(moveProfileCounts, range)
      await transaction.run(moveListed, range)
      await transaction.run(moveComments, [...range, -(standing?.start_time ?? 0)])
    }
    if (batch.length < BATCH || last === undefined) await transaction.run(finishWork, [outcome])
    else await transaction.run(advanceWork, [outcome, last])
    return true
  })
}
