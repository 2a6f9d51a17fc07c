import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import { DAY_MS, MINUTE_MS } from '../platform/runtime/durations.ts'
import { deletePricePointsBefore } from './store.ts'

/** Longer than an event is offered, but for those that are offered for a season. */
const PRICE_DAYS = 90

/** Deletes in batches, between which others write. */
export async function deleteOldPrices(database: Database, now: number): Promise<void> {
  const minute = Math.floor((now - PRICE_DAYS * DAY_MS) / MINUTE_MS)
  while ((await database.run(deletePricePointsBefore, { minute })) > 0) await yieldToRequests()
}
