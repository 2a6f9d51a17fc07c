// A moderator deactivates a profile or reactivates it. Its follows are hidden and shown with it, so that lists and counts
// always agree.

import type { Database } from '../platform/database/database.ts'
import {
  countFollowees,
  countFollowers,
  countOwn,
  hideFollowers,
  hideFollowings,
  lockFollowCounts,
  lockStatusChanges,
  setStatus,
  showFollowers,
  showFollowings,
  uncountFollowees,
  uncountFollowers,
  uncountOwn,
} from './status-store.ts'
import type { ProfileStatus } from './store.ts'

/** false: it has this status already, or there is no such profile. The caller counts its tips (countTipsOfProfile). */
export async function setProfileStatus(transaction: Database, id: number, status: ProfileStatus): Promise<boolean> {
  await transaction.one(lockStatusChanges, {})
  // Waits for follows of this profile that are being written (insertFollow, deleteFollow), and lets later ones see the new status.
  if ((await transaction.run(setStatus, { id, status })) === 0) return false
  await transaction.query(lockFollowCounts, { id })
  const steps =
    status === 'I'
      ? [uncountFollowees, uncountFollowers, uncountOwn, hideFollowings, hideFollowers]
      : [showFollowings, showFollowers, countFollowees, countFollowers, countOwn]
  for (const step of steps) await transaction.run(step, { id })
  return true
}
