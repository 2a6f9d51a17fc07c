import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import { deleteDeliveriesOfEndpoint, deleteFinishedDeliveries } from './delivery-store.ts'
import { deleteEndpoint, forgetPreviousSecrets, removedEndpoints } from './endpoint-store.ts'

/** In batches, between which others write. `before`: when a delivery must have ended to be deleted. */
export async function deleteOldDeliveries(database: Database, before: number, now: number): Promise<void> {
  await database.run(forgetPreviousSecrets, { now })
  while ((await database.run(deleteFinishedDeliveries, { before })) > 0) await yieldToRequests()
  for (const { id } of await database.query(removedEndpoints, {})) {
    while ((await database.run(deleteDeliveriesOfEndpoint, { endpointId: id })) > 0) await yieldToRequests()
    await database.run(deleteEndpoint, { id })
  }
}
