// Reports on /metrics how many appeals wait and for how long, and deletes what no appeal can put back any more.

import { type PeriodicTask, startPeriodicTask } from '../platform/runtime/periodic-task.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { waitingAppeals } from './appeal-store.ts'
import { deleteExpiredFormers } from './former-values.ts'

const EVERY_MS = 15_000

export function startAppealWatch(context: ProfilesContext): PeriodicTask {
  return startPeriodicTask(() => watchAppeals(context), {
    everyMs: EVERY_MS,
    onFailure: (error) => context.log.warn({ err: error }, 'watching appeals failed; it will be retried'),
  })
}

export async function watchAppeals(context: ProfilesContext): Promise<void> {
  const { database, metrics, now } = context
  const { waiting, oldest } = (await database.one(waitingAppeals, {})) ?? { waiting: 0, oldest: null }
  metrics.gauge('paddock_appeals_waiting', '', waiting)
  metrics.gauge('paddock_appeals_waiting_oldest_seconds', '', oldest === null ? 0 : Math.max(0, now() - oldest) / 1000)
  await deleteExpiredFormers(context)
}
