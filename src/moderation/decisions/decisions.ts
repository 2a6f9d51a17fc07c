import type { SubjectKind } from '../../flags/store.ts'
import { decideOpenFlags, lockOpenFlags, type Verdict } from '../../flags/weights.ts'
import { type Database, idParameters } from '../../platform/database/database.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { endAssignment } from '../assignments/assignment-store.ts'
import type { CommentAction, DecisionAction, Ground, ProfileAction } from './actions.ts'
import * as sql from './decision-store.ts'
import { type GivenReasons, type Reasons, reasonsFor } from './reasons.ts'
import { MAX_SUBJECTS } from './store.ts'

/** `version`: what the moderator saw; undefined: decide on what the subject is now. `overturns`: the decision that it replaces. */
export type NewDecision<Action extends DecisionAction = DecisionAction> = GivenReasons & {
  action: Action
  note: string
  version?: string
  actor: string
  now: number
  overturns?: number
}

export type Decision = {
  id: string
  action: DecisionAction
  note: string
  actor: string
  at: string
  ground?: Ground
  clause?: string
  statement?: string
  automated?: boolean
  overturned?: boolean
}

/** How a decision judges the flags of its subject. Undoing an earlier decision does not judge new flags. */
const VERDICTS: Record<ProfileAction | CommentAction, Verdict> = {
  deactivate: 'upheld',
  'reset-name': 'upheld',
  'reset-biography': 'upheld',
  'reset-picture': 'upheld',
  remove: 'upheld',
  keep: 'rejected',
  feature: 'rejected',
  unfeature: 'neither',
  publish: 'neither',
  reactivate: 'neither',
  restore: 'neither',
}

type SubjectKey = { kind: SubjectKind; subjectId: number }
/** Whether the decision changed the subject, and the value that it replaced. */
export type Effect = { changed: boolean; former?: string | null }

const NO_REASONS = { ground: null, clause: null, statement: '' }

/** The subject leaves the queue until new flags arrive, and is assigned to nobody. The caller has locked the subject. */
export async function recordDecision(
  transaction: Database,
  subject: SubjectKey,
  decision: NewDecision<ProfileAction | CommentAction>,
  effect: Effect,
): Promise<void> {
  const reasons = await reasonsFor(transaction, decision.action, decision)
  const isFlagged = await lockOpenFlags(transaction, subject)
  const decisionId = await writeDecision(transaction, subject, decision, { ...effect, reasons })
  if (isFlagged) await decideOpenFlags(transaction, subject, { decisionId, verdict: VERDICTS[decision.action] })
  await transaction.run(endAssignment, subject)
}

type Recorded = Effect & {
  reasons: Reasons | { ground: null; clause: null; statement: string } | null
  automated?: boolean
}

/** Only the row: flags and queue stay as they are. Returns its id. */
export async function writeDecision(
  transaction: Database,
  subject: SubjectKey,
  { action, note, actor, now, overturns }: NewDecision,
  { reasons, changed, former = null, automated = false }: Recorded,
): Promise<number> {
  const inserted = await transaction.one(sql.insertDecision, {
    ...{ ...subject, action, note, actor, now, former, overturns: overturns ?? null },
    ...(reasons ?? NO_REASONS),
    automated: automated ? 1 : 0,
    changed: changed ? 1 : 0,
  })
  return (inserted as { id: number }).id
}

export async function readDecisions(database: Database, kind: SubjectKind, subjectId: number): Promise<Decision[]> {
  return (await database.query(sql.decisionsOfSubject, { kind, subjectId })).map(toDecision)
}

/** The decisions on at most MAX_SUBJECTS subjects, by the id of the subject. */
export async function readDecisionsBySubject(
  database: Database,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<Map<number, Decision[]>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query(sql.decisionsOfSubjects, { kind, ...idParameters(MAX_SUBJECTS, ids) })
  const bySubject = Map.groupBy(rows, (row) => row.subject_id)
  return new Map([...bySubject].map(([id, decisions]) => [id, decisions.map(toDecision)]))
}

/** The decisions on the comments of a profile. */
export async function readDecisionsOnComments(database: Database, profileId: number) {
  const rows = await database.query(sql.decisionsOnCommentsOf, { profileId })
  return rows.map((row) => ({ commentId: String(row.subject_id), ...toDecision(row) }))
}

/** Reasons only where it restricts. */
export function toDecision(row: sql.DecisionRow): Decision {
  const { id, action, note, actor, at, ground, clause, statement, automated, overturned_by } = row
  return {
    id: String(id),
    action,
    note,
    actor,
    at: isoTime(at),
    ...(ground === null ? {} : { ground, clause: clause ?? '', statement }),
    ...(ground === null && automated === 0 ? {} : { automated: automated === 1 }),
    ...(overturned_by === null ? {} : { overturned: true }),
  }
}
