import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { deleteNotificationsBefore } from './store.ts'

/** In batches, between which others write. */
export async function deleteOldNotifications(database: Database, before: number): Promise<void> {
  while ((await database.run(deleteNotificationsBefore, { before })) > 0) await yieldToRequests()
}
