// Terminology. A *flag* is one customer's wish that a moderator look at a profile or a comment (the *subject*). A
// subject with flags that no moderator has decided on is in the *queue*.

import type { Database } from '../database/database.ts'
import { decideFlags, insertDecision, insertFlag, type Kind, leaveQueue, lockReview, queueForReview } from './store.ts'

export type NewFlag = { kind: Kind; subjectId: number; flaggerId: number; now: number }

/** A second flag by the same profile counts nothing. */
export async function addFlag(transaction: Database, { kind, subjectId, flaggerId, now }: NewFlag): Promise<void> {
  const made = await transaction.run(insertFlag, [kind, subjectId, flaggerId, now])
  if (made === 1) await transaction.run(queueForReview, [kind, subjectId, now])
}

export type Decision = { kind: Kind; subjectId: number; action: string; note: string; actor: string; now: number }

/** Writes the decision down; the subject leaves the queue until new flags come. */
export async function recordDecision(transaction: Database, decision: Decision): Promise<void> {
  const { kind, subjectId, action, note, actor, now } = decision
  await transaction.one(lockReview, [kind, subjectId])
  await transaction.run(decideFlags, [kind, subjectId])
  await transaction.run(leaveQueue, [kind, subjectId])
  await transaction.run(insertDecision, [kind, subjectId, action, note, actor, now])
}
