// Sends events to the endpoints. Every service runs a dispatcher; what each does is claimed in the database.

import { limitTransactions } from '../audit/limit-transactions.ts'
import type { PeriodicTask, StartTask } from '../platform/runtime/periodic-task.ts'
import type { WebhooksContext } from './context.ts'
import { addDeliveries } from './deliveries.ts'
import { endpointWork, waitingDeliveries } from './delivery-store.ts'
import { createLane, type Lane } from './lane.ts'

/** How long an event waits to be sent, at most. */
export const DISPATCH_EVERY_MS = 200
const MEASURE_EVERY_MS = 15_000

export function startDispatcher(unlimited: WebhooksContext, everyMs: number, startTask: StartTask): PeriodicTask {
  // Few of the connections for transactions, however many endpoints there are: requests need them too.
  const context = { ...unlimited, database: limitTransactions(unlimited.database) }
  const { log } = context
  const lanes = new Map<number, Lane>()
  let measuredAt = Number.NEGATIVE_INFINITY

  const work = async (closing: AbortSignal) => {
    while (await addAndWake(context, lanes)) if (closing.aborted) return
    const elapsed = performance.now() - measuredAt
    if (elapsed < MEASURE_EVERY_MS) return
    measuredAt = performance.now()
    await measure(context)
  }
  const task = startTask(work, {
    everyMs,
    afterFailureMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, 'sending webhooks failed; it will be retried'),
  })
  return {
    async close() {
      await task.close()
      await Promise.all([...lanes.values()].map((lane) => lane.close()))
    },
  }
}

/** One batch of events for each endpoint, so that none waits for another that has many to catch up with. true: there are more. */
async function addAndWake(context: WebhooksContext, lanes: Map<number, Lane>): Promise<boolean> {
  const { database, now } = context
  const endpoints = await database.query(endpointWork, { now: now() })
  let hasMore = false
  for (const { id, is_behind, has_due } of endpoints) {
    if (is_behind === 1 && (await addDeliveries(context, id))) hasMore = true
    if (is_behind === 0 && has_due === 0) continue
    const lane = lanes.get(id) ?? createLane(context, id)
    lanes.set(id, lane)
    lane.wake()
  }
  const enabled = new Set(endpoints.map(({ id }) => id))
  for (const [id, lane] of lanes) {
    if (lane.hasToRecord()) lane.wake()
    else if (lane.isIdle() && !enabled.has(id)) {
      lanes.delete(id)
      await lane.close()
    }
  }
  return hasMore
}

async function measure({ database, metrics, now }: WebhooksContext): Promise<void> {
  const { waiting = 0, oldest = null } = (await database.one(waitingDeliveries, {})) ?? {}
  metrics.gauge('paddock_webhook_waiting', '', waiting)
  metrics.gauge('paddock_webhook_waiting_oldest_seconds', '', oldest === null ? 0 : Math.max(0, now() - oldest) / 1000)
}
