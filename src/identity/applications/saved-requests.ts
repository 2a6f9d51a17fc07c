// The last requests of applications in the database, so that a developer still has them after a restart, and those of all
// processes: in the sandbox only. A service under load writes 200 a second for each application, whatever it serves.

import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import {
  newestFirst,
  REQUESTS_KEPT,
  type RecentFilter,
  type RecentRequest,
  type RecentRequests,
  SHOWN_MS,
} from '../../platform/observability/recent-requests.ts'
import { startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import * as sql from './saved-requests-store.ts'

const SAVE_EVERY_MS = 1_000

export type SavedRequests = {
  /** The newest first. */
  read(application: string, filter: RecentFilter): Promise<RecentRequest[]>
  close(): Promise<void>
}

type Parts = { readonly database: Database; readonly log: Logger; readonly now: () => number }

export function savedRequests({ database, log, now }: Parts, recent: RecentRequests): SavedRequests {
  let saving: Promise<void> = Promise.resolve()

  /** One after the other, so that none is missing when a read follows. */
  function save(): Promise<void> {
    saving = saving.catch(() => {}).then(() => saveUnsaved(database, recent, now()))
    return saving
  }

  const task = startPeriodicTask(save, {
    everyMs: SAVE_EVERY_MS,
    onFailure: (error) =>
      log.warn({ err: error }, 'storing the last requests of applications failed; they are left out'),
  })
  return {
    async read(application, filter) {
      await save()
      const since = now() - SHOWN_MS
      const rows = await database.query(sql.savedRequests, { application, since, limit: REQUESTS_KEPT })
      return newestFirst(
        rows.map(({ data }) => JSON.parse(data) as RecentRequest),
        filter,
      )
    },
    async close() {
      await task.close()
      await save().catch(() => {})
    },
  }
}

async function saveUnsaved(database: Database, recent: RecentRequests, now: number): Promise<void> {
  const unsaved = recent.takeUnsaved()
  if (unsaved.length === 0) return
  const rows = unsaved.map(({ application, request }) => ({
    application,
    at: request.at,
    data: JSON.stringify(request),
  }))
  await database.run(sql.insertRecentRequests, { rows: sql.savedRequestList.of(rows) })
  for (const application of new Set(rows.map((row) => row.application)))
    await database.run(sql.deleteRecentRequestsBeyond, { application, kept: REQUESTS_KEPT })
  await database.run(sql.deleteRecentRequestsBefore, { before: now - SHOWN_MS })
}
