// Reads the log for all streams of this process. It looks at the database only while a stream is open.

import type { Logger } from 'pino'
import { readEvents } from '../../event-log/event.ts'
import { newestPosition } from '../../event-log/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { type PeriodicTask, startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import { type ReadEvent, readKinds } from './kinds.ts'
import type { PrimaryAway } from './primary-away.ts'

/** On PostgreSQL a logged event first waits up to 100 ms for its position. */
const EVERY_MS = 150
const AT_ONCE = 1_000

type Settings = {
  readonly database: Database
  readonly log: Logger
  readonly isNeeded: () => boolean
  /** Called again with the same events after it has failed. */
  readonly deliver: (events: ReadEvent[]) => Promise<void>
  /** The database has lost events that were delivered. */
  readonly onLoss: () => void
  /** While it is away nothing is read. */
  readonly primary: Pick<PrimaryAway, 'isAway'>
}

/**
 * `read`: live streams are about to get everything up to here; one that becomes live now must have all of it already.
 * `delivered`: live streams have got everything up to here.
 */
type Progress = { read: number; delivered: number }

export type Reader = ReturnType<typeof logReader>

export function logReader({ database, log, isNeeded, deliver, onLoss, primary }: Settings) {
  let progress: Progress | null = null
  let task: PeriodicTask | null = null

  async function readOn(closing: AbortSignal): Promise<void> {
    if (!isNeeded()) progress = null
    while (progress !== null && !closing.aborted && !primary.isAway()) {
      const { delivered }: Progress = progress
      const { events, next } = await readEvents(database, { after: delivered, limit: AT_ONCE, kinds: readKinds })
      if (next === delivered || primary.isAway()) return
      if (next < delivered) {
        progress = null
        return onLoss()
      }
      progress.read = Math.max(progress.read, next)
      await deliver(events)
      progress.delivered = next
    }
  }

  return {
    /** Starts to read where there is no stream yet. */
    async begin(): Promise<Progress> {
      if (progress === null) {
        const newest = (await database.one(newestPosition, {}))?.position ?? 0
        progress ??= { read: newest, delivered: newest }
      }
      task ??= startPeriodicTask(readOn, {
        everyMs: EVERY_MS,
        afterFailureMs: 1_000,
        onFailure: (error) => log.warn({ err: error }, 'reading events for streams failed; it will be retried'),
      })
      return progress
    },
    /** Goes on after the newest event, whatever was read before. */
    async restart(): Promise<Progress> {
      const newest = (await database.one(newestPosition, {}))?.position ?? 0
      progress = { read: newest, delivered: newest }
      return progress
    },
    /** null: it does not read. */
    progress: (): Readonly<Progress> | null => progress,
    async close(): Promise<void> {
      await task?.close()
    },
  }
}
