// The *queue* of a kind holds its subjects with flags that no moderator has decided on, by the sum of the weights of these
// flags (flags/weights.ts). Its *lane* of trusted reporters holds only what one of them has flagged; the lane of what is
// assigned holds what waits for a person or a group, flagged or not, the one that waits longest first; that of what is held, the
// tips that a rule holds back (hold-rules.ts).

import type { SubjectKind } from '../../flags/store.ts'
import type { Database, Statement } from '../../platform/database/database.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { assignedLength, assignedSubjects } from '../assignments/assignment-store.ts'
import { readDecisionsBySubject } from '../decisions/decisions.ts'
import * as sql from '../decisions/store.ts'
import { readForReview, subjectOf } from '../decisions/subjects.ts'

const pages: Record<SubjectKind, Record<sql.Lane, Statement<sql.QueuePage, sql.SubjectRow>>> = {
  profile: { all: sql.profileQueue, trusted: sql.trustedProfileQueue },
  comment: { all: sql.commentQueue, trusted: sql.trustedCommentQueue },
}

export const LANES = ['all', 'trusted', 'held', 'assigned'] as const

/** `label`: only subjects that have it; null: all. `assignees`: of the lane of what is assigned. */
export type QueueName = {
  kind: SubjectKind
  lane: (typeof LANES)[number]
  label: string | null
  assignees: readonly string[]
}

type Position = readonly [number, number]

/** By lane: the position before the first subject, and that of a subject. */
const POSITIONS = {
  weight: {
    start: [Number.MAX_SAFE_INTEGER, 0],
    of: (row: sql.ReviewRow) => [row.weight, row.subject_id],
  },
  held: { start: [0, 0], of: (row: sql.ReviewRow) => [row.subject_id, 0] },
  assigned: { start: [0, 0], of: (row: sql.ReviewRow) => [row.assigned_at ?? 0, row.subject_id] },
}

export function positionsIn(lane: QueueName['lane']) {
  return lane === 'assigned' || lane === 'held' ? POSITIONS[lane] : POSITIONS.weight
}

/** `after`: the position of the last subject of the page before. */
export async function readQueue(
  database: Database,
  { kind, lane, label, assignees }: QueueName,
  { after: [first, subjectId], limit }: { after: Position; limit: number },
): Promise<sql.SubjectRow[]> {
  if (lane === 'all' || lane === 'trusted')
    return database.query(pages[kind][lane], { weight: first, subjectId, limit, label })
  // No rule holds profiles.
  if (lane === 'held' && kind === 'profile') return []
  const found =
    lane === 'held'
      ? await database.query(sql.heldComments, { after: first, label, limit })
      : await database.query(assignedSubjects, {
          ...{ kind, assignees: textListOf(assignees), label },
          ...{ at: first, subjectId, limit },
        })
  const ids = found.map(({ subject_id }) => subject_id)
  return inOrder(ids, await readByIds(database, kind, ids))
}

/** One more than a page has at most is read to see whether another follows. */
async function readByIds(database: Database, kind: SubjectKind, ids: readonly number[]): Promise<sql.SubjectRow[]> {
  const rows = await readForReview(database, kind, ids.slice(0, sql.MAX_SUBJECTS))
  if (ids.length <= sql.MAX_SUBJECTS) return rows
  return [...rows, ...(await readForReview(database, kind, ids.slice(sql.MAX_SUBJECTS)))]
}

function inOrder(ids: readonly number[], rows: readonly sql.SubjectRow[]): sql.SubjectRow[] {
  const byId = new Map(rows.map((row) => [row.subject_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The rows of one queue with the earlier decisions on them. */
export async function withDecisions(
  { config, database }: ProfilesContext,
  kind: SubjectKind,
  rows: readonly sql.SubjectRow[],
) {
  const ids = rows.map((row) => row.subject_id)
  const decisions = await readDecisionsBySubject(database, kind, ids)
  return rows.map((row) => subjectOf(config, row, decisions.get(row.subject_id) ?? []))
}

const lengths = { all: sql.queueLength, trusted: sql.trustedQueueLength }

/** How many subjects wait, counted up to 1000. */
export async function countWaiting(database: Database, { kind, lane, label, assignees }: QueueName): Promise<number> {
  if (lane === 'held' && kind === 'profile') return 0
  const counted =
    lane === 'assigned'
      ? await database.one(assignedLength, { kind, assignees: textListOf(assignees), label })
      : lane === 'held'
        ? await database.one(sql.heldLength, { label })
        : await database.one(lengths[lane], { kind, label })
  return counted?.waiting ?? 0
}
