import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import { awaitNotificationCursor } from './projection-store.ts'
import { deleteNotificationsBefore } from './store.ts'

/** Deletes in batches, between which others write. */
export async function deleteOldNotifications(database: Database, before: number): Promise<void> {
  while ((await database.transaction((transaction) => deleteBatch(transaction, before))) > 0) await yieldToRequests()
}

async function deleteBatch(transaction: Database, before: number): Promise<number> {
  await transaction.one(awaitNotificationCursor, {})
  return transaction.run(deleteNotificationsBefore, { before }, 'last')
}
