// The last requests of applications in the database, so that a developer still has them after a restart, and those of all
// processes: in the sandbox only. They are stored each second, and when somebody looks. A service under load stores every ten seconds
// the last 200 of each application: to show and store a request takes as long as to serve it.

import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import {
  isWanted,
  type RecentFilter,
  type RecentRequests,
  SHOWN_MS,
} from '../../platform/observability/recent-requests.ts'
import { REQUESTS_KEPT, type RecentRequest } from '../../platform/observability/request-rings.ts'
import { startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import { inSlices } from '../../platform/runtime/slices.ts'
import * as sql from './saved-requests-store.ts'

const SAVE_EVERY_MS = 1_000
/** More than these in a second, and they are stored less often. */
const FEW = 20
const SAVE_MANY_EVERY_MS = 10_000

export type SavedRequests = {
  /** The newest first. */
  read(application: string, filter: RecentFilter): Promise<RecentRequest[]>
  close(): Promise<void>
}

type Parts = { readonly database: Database; readonly log: Logger; readonly now: () => number }

export function savedRequests({ database, log, now }: Parts, recent: RecentRequests): SavedRequests {
  let saving: Promise<void> = Promise.resolve()
  let savedAt = performance.now()

  /** One after the other, so that none is missing when a read follows. */
  function save(): Promise<void> {
    savedAt = performance.now()
    saving = saving.catch(() => {}).then(() => saveUnsaved(database, recent, now()))
    return saving
  }

  async function saveWhenDue(): Promise<void> {
    if (recent.unsaved() <= FEW || performance.now() - savedAt >= SAVE_MANY_EVERY_MS) await save()
  }

  const task = startPeriodicTask(saveWhenDue, {
    everyMs: SAVE_EVERY_MS,
    onFailure: (error) =>
      log.warn({ err: error }, 'storing the last requests of applications failed; they are left out'),
  })
  return {
    async read(application, filter) {
      await save()
      const since = now() - SHOWN_MS
      const rows = await database.query(sql.savedRequests, { application, since, limit: REQUESTS_KEPT })
      const requests = rows.map(({ data }) => JSON.parse(data) as RecentRequest)
      return requests.filter((one) => isWanted(one, filter)).slice(0, filter.limit)
    },
    async close() {
      await task.close()
      await save().catch(() => {})
    },
  }
}

async function saveUnsaved(database: Database, recent: RecentRequests, now: number): Promise<void> {
  const rows: { application: string; at: number; data: string }[] = []
  await inSlices(recent.takeUnsaved(), ({ application, request }) => {
    rows.push({ application, at: request.at, data: JSON.stringify(request) })
  })
  if (rows.length === 0) return
  await database.run(sql.insertRecentRequests, { rows: sql.savedRequestList.of(rows) })
  for (const application of new Set(rows.map((row) => row.application)))
    await database.run(sql.deleteRecentRequestsBeyond, { application, kept: REQUESTS_KEPT })
  await database.run(sql.deleteRecentRequestsBefore, { before: now - SHOWN_MS })
}
