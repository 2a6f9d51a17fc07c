// A tip's status (from the outcome's result) and its event's start time are copied into the tip, for the indexes of lists
// and the counts of profiles. A settlement takes effect at once: answers join the catalogue, and lists read the comments
// of pending outcomes from it (comment-lists.ts). The copies are updated afterwards in batches:
//
// 1. The transaction of the settlement writes a row of comment_work for each outcome.
// 2. Counting: batches of comments move in the counts of their authors, and counted_status records it. Tips are graded for the
//    records of their authors (record/grading.ts), and events report them.
// 3. Listing: batches of comments get their status, which moves them in the twelve indexes of lists.
// 4. The row is deleted with the last batch.
//
// Each batch is a transaction that also moves the row's position forward: a killed process loses nothing, and any number
// of processes share the work. Counting comes first because a count that is behind is wrong, while lists are right anyway,
// and because it is quick: on SQLite it writes 2 KB for each tip, listing 72, a page in nearly every index.

import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { gradeTips, type SettledOutcome } from '../record/grading.ts'
import { statusOfResult } from '../record/result-status.ts'
import { outcomeResultOf } from '../record/terms.ts'
import * as sql from './tip-status-store.ts'

/** Called in the transaction of a settlement, after the results are written. Returns how many outcomes have tips. */
export async function settleTipsOfOutcomes(transaction: Database, outcomeIds: readonly number[]): Promise<number> {
  const ids = { outcomeIds: idListOf(outcomeIds) }
  const tipped = await transaction.run(sql.queueOutcomes, ids)
  if (tipped > 0) await transaction.run(sql.closeOutcomeCounts, ids)
  return tipped
}

/** Called in the transaction that changes the start times of events, after the change. Returns how many outcomes have tips. */
export async function refreshTipsOfEvents(transaction: Database, eventIds: readonly number[]): Promise<number> {
  return transaction.run(sql.queueOutcomesOfEvents, { eventIds: idListOf(eventIds) })
}

/** Called in the transaction that deactivates a profile (-1) or reactivates it (1): counts its live tips in their outcomes. */
export async function countTipsOfProfile(transaction: Database, profileId: number, times: 1 | -1): Promise<void> {
  await transaction.run(sql.addProfileToOutcomeCounts, { profileId, times })
}

/** Comments per transaction. */
type BatchSizes = { readonly counting: number; readonly listing: number }

/**
 * Some tens of milliseconds, which is the longest that another writer waits for a settlement. In PostgreSQL only writers
 * of the same comments wait, so that larger batches save round trips.
 */
const BATCH: Record<Database['engine'], BatchSizes> = {
  sqlite: { counting: 1_000, listing: 100 },
  postgres: { counting: 2_000, listing: 500 },
}
/**
 * After a batch, a pause as long as it took gives requests half of the processor, the disk and SQLite's writer. In PostgreSQL
 * counting does not pause: it keeps only one connection busy, and pauses doubled the time until the counts are exact.
 */
const PAUSES: Record<Database['engine'], Record<keyof BatchSizes, boolean>> = {
  sqlite: { counting: true, listing: true },
  postgres: { counting: false, listing: true },
}
/**
 * Up to this many comments are updated before the settlement's own request is answered, so that its counts are exact. A
 * larger settlement is left to the worker: in the embedded engine every other request waits for each batch.
 */
const ROWS_AT_ONCE = 500
const SMALL_BATCH: BatchSizes = { counting: 500, listing: 50 }

export type TipStatusWork = {
  /** Does a small amount of work now and leaves more to the worker. */
  begin(): Promise<void>
  /** Does what is left, also by other processes. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** Works until nothing is left; `stop` ends it early. */
export type Drain = { run(): Promise<void>; stop(): void }

export function tipStatusWork(
  { database, log, now }: { database: Database; log: Logger; now: () => number },
  drain: Drain = drainInProcess(database, now),
): TipStatusWork {
  let running: Promise<void> | undefined

  /** One drain at a time in a process. */
  function wake(): Promise<void> {
    running ??= drainIfNeeded()
      .catch((error) => log.warn({ err: error }, 'updating the status of tips failed; it will be retried'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  async function drainIfNeeded(): Promise<void> {
    if ((await database.one(sql.anyWork, {})) !== undefined) await drain.run()
  }

  /** false: more work arrived meanwhile than one request should do. */
  async function finishNow(): Promise<boolean> {
    // Each comment is counted and listed.
    for (let done = 0; done <= 2 * ROWS_AT_ONCE; ) {
      const batch = await updateBatch(database, SMALL_BATCH, now())
      if (batch === null && (await database.one(sql.anyWork, {})) === undefined) return true
      // The worker or another process has the rest in progress: the counts are exact once it has committed.
      if (batch === null) await database.transaction((transaction) => transaction.one(sql.awaitWork, {}))
      done += batch?.rows ?? SMALL_BATCH.listing
      await yieldToRequests()
    }
    return false
  }

  return {
    finish: wake,
    async begin() {
      const waiting = await database.one(sql.pendingComments, { most: ROWS_AT_ONCE + 1 })
      const isSmall = (waiting?.comments ?? 0) <= ROWS_AT_ONCE
      if (!isSmall || !(await finishNow())) void wake()
    },
    async close() {
      drain.stop()
      await running
    },
  }
}

/** `isServing` false: no request waits meanwhile, so that it does not pause. */
export function drainInProcess(database: Database, now: () => number, isServing = true): Drain {
  let stopped = false
  return {
    async run() {
      for (;;) {
        if (stopped) return
        const start = performance.now()
        const batch = await updateBatch(database, BATCH[database.engine], now())
        if (batch === null) return
        if (isServing && PAUSES[database.engine][batch.step]) await pauseFor(performance.now() - start)
      }
    },
    stop() {
      stopped = true
    },
  }
}

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function yieldToRequests(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

type Batch = { readonly step: keyof BatchSizes; readonly rows: number }

/** null: nothing is left but what other processes are working on. */
async function updateBatch(database: Database, sizes: BatchSizes, now: number): Promise<Batch | null> {
  return database.transaction(async (transaction) => {
    const work = await transaction.one(sql.nextWork, {})
    if (work === undefined) return null
    const { outcome_id: outcomeId, position, count_position: countPosition } = work
    const outcome = await readOutcome(transaction, outcomeId)
    if (countPosition === null) {
      return { step: 'listing', rows: await listBatch(transaction, outcome, position, sizes.listing) }
    }
    const batch = { after: countPosition, limit: sizes.counting, regrade: work.regrade, now }
    return { step: 'counting', rows: await countBatch(transaction, outcome, batch) }
  })
}

/** `settled` undefined: only the event's start time has changed. */
type OutcomeOfWork = { outcomeId: number; status: string; startTime: number; settled: SettledOutcome | undefined }

async function readOutcome(transaction: Database, outcomeId: number): Promise<OutcomeOfWork> {
  const row = await transaction.one(sql.resultOfOutcome, { outcomeId })
  const startTime = row?.start_time ?? 0
  const result = row === undefined ? null : outcomeResultOf(row)
  const settled = result === null ? undefined : { ...result, settledAt: row?.settled_at ?? 0, startTime }
  return { outcomeId, status: statusOfResult(result?.result ?? null), startTime, settled }
}

type CountBatch = { after: number; limit: number; regrade: number; now: number }

async function countBatch(transaction: Database, outcome: OutcomeOfWork, batch: CountBatch): Promise<number> {
  const { outcomeId, status, settled } = outcome
  const { after, limit, regrade, now } = batch
  const comments = await transaction.query(sql.lockForCounting, { outcomeId, after, limit })
  const last = comments.at(-1)?.id
  if (last !== undefined) {
    const range = { outcomeId, after, last }
    // SQLite has one writer.
    if (transaction.engine === 'postgres') await transaction.query(sql.lockProfileCounts, range)
    await transaction.run(sql.updateProfileCounts, { ...range, status })
    if (settled !== undefined) {
      await gradeTips(transaction, range, settled, regrade === 1)
      const { result } = settled
      await transaction.run(sql.reportSettledTips, { ...range, status, result, regrade, now })
    }
    await transaction.run(sql.setCountedStatus, { ...range, status })
  }
  if (comments.length < limit || last === undefined) await transaction.run(sql.finishCounting, { outcomeId }, 'last')
  else await transaction.run(sql.advanceCounting, { outcomeId, position: last }, 'last')
  return comments.length
}

async function listBatch(
  transaction: Database,
  { outcomeId, status, startTime }: OutcomeOfWork,
  after: number,
  limit: number,
): Promise<number> {
  const comments = await transaction.query(sql.lockForListing, { outcomeId, after, limit })
  const last = comments.at(-1)?.id
  if (last !== undefined) {
    const range = { outcomeId, after, last, status }
    await transaction.run(sql.updateListed, range)
    await transaction.run(sql.updateComments, { ...range, start_order: -startTime })
    await transaction.run(sql.deleteCountedStatus, { outcomeId, after, last })
  }
  if (comments.length < limit || last === undefined) await transaction.run(sql.finishWork, { outcomeId }, 'last')
  else await transaction.run(sql.advanceListing, { outcomeId, position: last }, 'last')
  return comments.length
}
