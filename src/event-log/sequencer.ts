// Gives committed events of PostgreSQL their positions: dense, and in an order in which a reader who has read up to one
// position never misses an earlier one. Every service runs a sequencer, and one at a time is at work. No LISTEN/NOTIFY:
// it takes a lock over the whole server at each commit.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import type { PeriodicTask, StartTask } from '../platform/runtime/periodic-task.ts'
import { anyNewEvent, giveEventsPositions, lockSequence } from './sequencer-store.ts'

const EVERY_MS = 100
/**
 * After a run that moved so many, the next one waits longer. With 400 ms between them a like keeps 0.93 of its speed without
 * events, with 100 ms 0.83 (bench/README.md).
 */
const MANY_EVENTS = 50
const BUSY_PAUSE_MS = 300

export function startSequencer(database: Database, log: Logger, startTask: StartTask): PeriodicTask {
  const sequence = async (closing: AbortSignal) => {
    const moved = await sequenceEvents(database)
    if (moved >= MANY_EVENTS) await pause(BUSY_PAUSE_MS, undefined, { signal: closing })
  }
  return startTask(sequence, {
    everyMs: EVERY_MS,
    afterFailureMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, 'giving events their positions failed; it will be retried'),
  })
}

/** Returns how many events it gave positions; none while another process is at work. */
export async function sequenceEvents(database: Database): Promise<number> {
  if ((await database.one(anyNewEvent, {})) === undefined) return 0
  return database.transaction(async (transaction) => {
    if ((await transaction.one(lockSequence, {})) === undefined) return 0
    return (await transaction.one(giveEventsPositions, {}, 'last'))?.moved ?? 0
  })
}
