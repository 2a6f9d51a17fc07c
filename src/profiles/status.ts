// A moderator deactivates a profile or reactivates it. Its follows are hidden and shown with it, so that lists and counts
// always agree.

import type { Database } from '../platform/database/database.ts'
import * as sql from './status-store.ts'
import type { ProfileStatus } from './store.ts'

/** false: it has this status already, or there is no such profile. The caller counts its tips (countTipsOfProfile). */
export async function setProfileStatus(transaction: Database, id: number, status: ProfileStatus): Promise<boolean> {
  await transaction.one(sql.lockStatusChanges, {})
  // Waits for follows of this profile that are being written (insertFollows, deleteFollows), and lets later ones see the new status.
  if ((await transaction.run(sql.setStatus, { id, status })) === 0) return false
  await transaction.query(sql.lockFollowCounts, { id })
  const steps =
    status === 'I'
      ? [sql.uncountFollowees, sql.uncountFollowers, sql.uncountOwn, sql.hideFollowings, sql.hideFollowers]
      : [sql.showFollowings, sql.showFollowers, sql.countFollowees, sql.countFollowers, sql.countOwn]
  for (const step of steps) await transaction.run(step, { id })
  return true
}
