import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import { deleteEventsBefore, newestPosition } from './store.ts'

/** Deletes in batches, between which others write. */
export async function deleteOldEvents(database: Database, before: number): Promise<void> {
  const newest = (await database.one(newestPosition, {}))?.position ?? 0
  while ((await database.run(deleteEventsBefore, { before, newest })) > 0) await yieldToRequests()
}
