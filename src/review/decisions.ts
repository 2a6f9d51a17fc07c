import { type Database, idParameters } from '../database/database.ts'
import { leaveQueue, lockReview, type SubjectKind } from '../moderation/store.ts'
import { isoTime } from '../runtime/iso-time.ts'
import {
  type DecisionRow,
  decideFlags,
  decisionsOfSubject,
  decisionsOfSubjects,
  decisionsOnCommentsOf,
  insertDecision,
  MOST_SUBJECTS,
} from './store.ts'

/** `version`: what the moderator saw; undefined: decide on what the subject is now. */
export type NewDecision<Action extends string = string> = {
  action: Action
  note: string
  version?: string
  actor: string
  now: number
}

export type Decision = { action: string; note: string; actor: string; at: string }

/** The subject leaves the queue until new flags arrive. */
export async function recordDecision(
  transaction: Database,
  subject: { kind: SubjectKind; subjectId: number },
  { action, note, actor, now }: NewDecision,
): Promise<void> {
  await transaction.one(lockReview, subject)
  await transaction.run(decideFlags, subject)
  await transaction.run(leaveQueue, subject)
  await transaction.run(insertDecision, { ...subject, action, note, actor, now })
}

export async function readDecisions(database: Database, kind: SubjectKind, subjectId: number): Promise<Decision[]> {
  return (await database.query(decisionsOfSubject, { kind, subjectId })).map(toDecision)
}

/** The decisions on at most MOST_SUBJECTS subjects, by the id of the subject. */
export async function readDecisionsBySubject(
  database: Database,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<Map<number, Decision[]>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query(decisionsOfSubjects, { kind, ...idParameters(MOST_SUBJECTS, ids) })
  const bySubject = Map.groupBy(rows, (row) => row.subject_id)
  return new Map([...bySubject].map(([id, decisions]) => [id, decisions.map(toDecision)]))
}

/** The decisions on the comments of a profile. */
export async function readDecisionsOnComments(database: Database, profileId: number) {
  const rows = await database.query(decisionsOnCommentsOf, { profileId })
  return rows.map((row) => ({ commentId: String(row.subject_id), ...toDecision(row) }))
}

function toDecision({ action, note, actor, at }: DecisionRow): Decision {
  return { action, note, actor, at: isoTime(at) }
}
