// A *projection* is kept up to date from the log of events: notifications, the board of records, the log of tips. Every service
// runs all of them, and one process at a time is at work on each. A batch and the position up to which it has read are one
// transaction, so that each event counts exactly once.

import type { Logger } from 'pino'
import type { Database, NoParameters, Statement } from '../platform/database/database.ts'
import { inBatches } from '../platform/runtime/batches.ts'
import type { PeriodicTask, StartTask } from '../platform/runtime/periodic-task.ts'

type Position = { position: number }

/** `Locked`: what the lock reads besides the progress. */
export type Projection<Progress extends Position, Locked extends Progress = Progress> = {
  /** What fails, for the log. */
  readonly work: string
  /** How long an event waits, at most, while few are written. */
  readonly everyMs: number
  readonly progress: Statement<NoParameters, Progress & { newest: number }>
  /** No row: another process is at work. */
  readonly lock: Statement<NoParameters, Locked>
  readonly advance: Statement<Progress, never>
  /** Whether there is something to do besides new events. */
  isDue?(progress: Progress): boolean
  /** Reads the events after the position and applies them. Returns the progress to store. */
  apply(transaction: Database, progress: Locked): Promise<Progress>
}

/**
 * How much longer than a batch the pause after it is. Without it the projection of notifications made likes and follows
 * 20 % slower in the embedded engine; under such a load projections come later.
 */
const PAUSES: Record<Database['engine'], number> = { sqlite: 9, postgres: 0 }

export function startProjection<Progress extends Position, Locked extends Progress>(
  database: Database,
  projection: Projection<Progress, Locked>,
  { log, startTask }: { log: Logger; startTask: StartTask },
): PeriodicTask {
  return startTask((closing) => catchUp(database, projection, closing), {
    everyMs: projection.everyMs,
    afterFailureMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, `${projection.work} failed; it will be retried`),
  })
}

/** Runs until nothing is left, or another process is at work. With `closing` it runs in the background, and pauses. */
export function catchUp<Progress extends Position, Locked extends Progress>(
  database: Database,
  projection: Projection<Progress, Locked>,
  closing?: AbortSignal,
): Promise<void> {
  const { progress, lock, advance, isDue, apply } = projection
  const batch = async (): Promise<boolean> => {
    const found = await database.one(progress, {})
    if (found === undefined || (found.position === found.newest && isDue?.(found) !== true)) return false
    return database.transaction(async (transaction) => {
      const locked = await transaction.one(lock, {})
      if (locked === undefined) return false
      await transaction.run(advance, await apply(transaction, locked), 'last')
      return true
    })
  }
  return inBatches(batch, PAUSES[database.engine], closing)
}
