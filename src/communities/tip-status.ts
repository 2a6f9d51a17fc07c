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
  anyWork,
  awaitWork,
  closeOutcomeCount,
  commentsToFollow,
  finishWork,
  lockBatch,
  lockProfileCounts,
  moveComments,
  moveListed,
  moveProfileCounts,
  nextWork,
  queueOutcome,
  queueOutcomesOfEvent,
  statusOfOutcome,
} from './tip-status-store.ts'

/** In the transaction that gives the outcome its result, after that was written. */
export async function settleTipsOfOutcome(transaction: Database, outcomeId: number): Promise<void> {
  const tipped = await transaction.run(closeOutcomeCount, { outcomeId })
  if (tipped > 0) await transaction.run(queueOutcome, { outcomeId })
}

/** In the transaction that moves the event, after that was written. */
export async function refreshTipsOfEvent(transaction: Database, eventId: number): Promise<void> {
  await transaction.run(queueOutcomesOfEvent, { eventId })
}

/** In the transaction that takes a profile out of sight (-1) or back (1): what its live tips add to their outcomes. */
export async function countTipsOfProfile(transaction: Database, profileId: number, times: 1 | -1): Promise<void> {
  await transaction.run(addProfileToOutcomeCounts, { profileId, times })
}

/**
 * Rows of one transaction: some milliseconds, which is the longest that another writer waits behind a settlement. In
 * PostgreSQL only those wait who write to the same comments, so that more of them save round trips.
 */
const BATCH = { sqlite: 100, postgres: 500 }
/**
 * Up to this many comments, a settlement's own request waits for them and finds the counts exact when it is answered. In
 * the embedded engine all others wait for each of its batches too, so that those of a larger one are left to the worker.
 */
const ROWS_AT_ONCE = 500
const SMALL_BATCH = 50
const TICK_MS = 1_000

export type TipStatusWork = {
  /** Does a little now, or wakes the worker for much. From the first call on it also looks by itself. */
  begin(): Promise<void>
  close(): Promise<void>
}

/** Works until nothing is left, here or elsewhere; `stop` makes it end early. */
export type Drain = { run(): Promise<void>; stop(): void }

export function tipStatusWork(database: Database, log: Logger, drain: Drain = drainHere(database)): TipStatusWork {
  let running: Promise<void> | undefined

  /** One drain at a time in a process; a tick finds what other processes left behind. */
  function wake(): Promise<void> {
    running ??= drainIfNeeded()
      .catch((error) => log.warn({ err: error }, 'comments could not follow the catalogue; it is tried again'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  async function drainIfNeeded(): Promise<void> {
    if ((await database.one(anyWork, {})) !== undefined) await drain.run()
  }

  /** Whether all is done: more may come meanwhile than one request should do. */
  async function finishNow(): Promise<boolean> {
    for (let done = 0; done <= ROWS_AT_ONCE; ) {
      const rows = await moveBatch(database, SMALL_BATCH)
      if (rows === null && (await database.one(anyWork, {})) === undefined) return true
      // The worker, or another process, has the rest under way: the counts are exact only when it has committed.
      if (rows === null) await database.transaction((transaction) => transaction.one(awaitWork, {}))
      done += rows ?? SMALL_BATCH
      await pause()
    }
    return false
  }

  let ticking: NodeJS.Timeout | undefined
  return {
    async begin() {
      ticking ??= setInterval(wake, TICK_MS).unref()
      const waiting = await database.one(commentsToFollow, { most: ROWS_AT_ONCE + 1 })
      const isLittle = (waiting?.comments ?? 0) <= ROWS_AT_ONCE
      if (!isLittle || !(await finishNow())) void wake()
    },
    async close() {
      drain.stop()
      clearInterval(ticking)
      await running
    },
  }
}

export function drainHere(database: Database): Drain {
  let stopped = false
  return {
    async run() {
      for (;;) {
        const start = performance.now()
        if (stopped || (await moveBatch(database, BATCH[database.engine])) === null) return
        await rest(performance.now() - start)
      }
    },
    stop() {
      stopped = true
    },
  }
}

/** As long as the batch took, so that requests have half of the processor, the disk and SQLite's one place to write. */
function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Lets requests that wait go between two batches. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const STATUS_OF: Record<string, string> = { win: 'W', lose: 'L', void: 'V' }

/** The rows that it worked on; null: there is nothing left that another process is not working on. */
async function moveBatch(database: Database, size: number): Promise<number | null> {
  return database.transaction(async (transaction) => {
    const work = await transaction.one(nextWork, {})
    if (work === undefined) return null
    const { outcome_id: outcome, position } = work
    const standing = await transaction.one(statusOfOutcome, { outcomeId: outcome })
    const status = STATUS_OF[standing?.result ?? ''] ?? 'A'
    const batch = await transaction.query(lockBatch, { outcomeId: outcome, after: position, limit: size })
    const last = batch.at(-1)?.id
    if (last !== undefined) {
      const range = { outcomeId: outcome, after: position, last, status }
      await transaction.query(lockProfileCounts, range)
      await transaction.run(moveProfileCounts, range)
      await transaction.run(moveListed, range)
      await transaction.run(moveComments, { ...range, sooner: -(standing?.start_time ?? 0) })
    }
    if (batch.length < size || last === undefined) await transaction.run(finishWork, { outcomeId: outcome }, 'last')
    else await transaction.run(advanceWork, { outcomeId: outcome, position: last }, 'last')
    return batch.length
  })
}
