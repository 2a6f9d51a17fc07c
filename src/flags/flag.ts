// A *flag* is one customer's request that a moderator look at a profile or a comment (the *subject*). Flags that no
// moderator has decided on put the subject into the *queue* (moderation/queue/queue.ts). Locks are taken in this order: subject,
// reporters by id, reviews by subject, flags.

import type { Database } from '../platform/database/database.ts'
import type { FlagReason } from './reasons.ts'
import * as sql from './store.ts'
import { countReport, uncountReport } from './weight-store.ts'

/** The customer's reason. */
export type FlagText = { readonly reason: FlagReason | null; readonly note: string }

export const NO_FLAG_TEXT: FlagText = { reason: null, note: '' }

type NewFlag = { kind: sql.SubjectKind; subjectId: number; flaggerId: number; now: number }

/** A second flag by the same profile is ignored. */
export async function addFlag(
  transaction: Database,
  { kind, subjectId, flaggerId: profileId, now }: NewFlag,
  { reason, note }: FlagText,
): Promise<void> {
  // Locks the reporter: a change of their weight waits, and then includes this flag.
  const reporter = await transaction.one(countReport, { profileId })
  const weight = { weight: reporter?.weight ?? 0, trusted: reporter?.trusted ?? 0 }
  const inserted = await transaction.run(sql.insertFlag, { kind, subjectId, profileId, now, reason, note, ...weight })
  if (inserted === 1) await transaction.run(sql.queueForReview, { kind, subjectId, now, ...weight })
  else await transaction.run(uncountReport, { profileId })
}

/** The queue no longer counts a flag that a moderator has decided on. */
export async function removeFlag(
  transaction: Database,
  { kind, subjectId, flaggerId }: Omit<NewFlag, 'now'>,
): Promise<void> {
  const locked = await transaction.one(sql.lockReview, { kind, subjectId })
  const removed = await transaction.one(sql.deleteFlag, { kind, subjectId, profileId: flaggerId })
  if (removed?.decided !== 0) return
  // The flag was committed between the two statements: only now is there a row to lock.
  if (locked === undefined) await transaction.one(sql.lockReview, { kind, subjectId })
  const { weight, trusted } = removed
  const left = await transaction.run(sql.uncountFlag, { kind, subjectId, weight, trusted })
  if (left === 0) await transaction.run(sql.leaveQueue, { kind, subjectId })
}
