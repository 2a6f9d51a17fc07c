// Gives committed events of PostgreSQL their positions: dense, and in an order in which a reader who has read up to one
// position never misses an earlier one. Every service runs a sequencer, and one at a time is at work. No LISTEN/NOTIFY:
// it takes a lock over the whole server at each commit.

import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task.ts'
import { anyNewEvent, giveEventsPositions, lockSequence } from './sequencer-store.ts'

/** How long an event waits for its position, at most; a look costs 0.1 ms of the database. */
const EVERY_MS = 100

export function startSequencer(database: Database, log: Logger): PeriodicTask {
  return startPeriodicTask((closing) => sequenceEvents(database, closing), {
    everyMs: EVERY_MS,
    afterFailureMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, 'giving events their positions failed; it will be retried'),
  })
}

export async function sequenceEvents(database: Database, closing?: AbortSignal): Promise<void> {
  while (closing?.aborted !== true && (await database.one(anyNewEvent, {})) !== undefined) {
    if (!(await sequenceBatch(database))) return
  }
}

/** false: another process is at work. */
function sequenceBatch(database: Database): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if ((await transaction.one(lockSequence, {})) === undefined) return false
    await transaction.run(giveEventsPositions, {}, 'last')
    return true
  })
}
