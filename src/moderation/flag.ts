// A *flag* is one customer's request that a moderator look at a profile or a comment (the *subject*). Flags that no
// moderator has decided on put the subject into the *queue* (review/queue.ts).

import type { Database } from '../database/database.ts'
import {
  deleteFlag,
  insertFlag,
  leaveQueue,
  lockReview,
  queueForReview,
  type SubjectKind,
  uncountFlag,
} from './store.ts'

type NewFlag = { kind: SubjectKind; subjectId: number; flaggerId: number; now: number }

/** A second flag by the same profile is ignored. */
export async function addFlag(transaction: Database, { kind, subjectId, flaggerId, now }: NewFlag): Promise<void> {
  const inserted = await transaction.run(insertFlag, { kind, subjectId, profileId: flaggerId, now })
  if (inserted === 1) await transaction.run(queueForReview, { kind, subjectId, now })
}

/** The queue no longer counts a flag that a moderator has decided on. */
export async function removeFlag(
  transaction: Database,
  { kind, subjectId, flaggerId }: Omit<NewFlag, 'now'>,
): Promise<void> {
  const locked = await transaction.one(lockReview, { kind, subjectId })
  const removed = await transaction.one(deleteFlag, { kind, subjectId, profileId: flaggerId })
  if (removed?.decided !== 0) return
  // The flag was committed between the two statements: only now is there a row to lock.
  if (locked === undefined) await transaction.one(lockReview, { kind, subjectId })
  const left = await transaction.run(uncountFlag, { kind, subjectId })
  if (left === 0) await transaction.run(leaveQueue, { kind, subjectId })
}
