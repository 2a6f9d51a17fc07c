// The *queue* of a kind holds its subjects with flags that no moderator has decided on, by the sum of the weights of these
// flags (flags/weights.ts). Its *lane* of trusted reporters holds only what one of them has flagged.

import type { SubjectKind } from '../flags/store.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database, Statement } from '../platform/database/database.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { readDecisionsBySubject } from './decisions.ts'
import * as sql from './store.ts'
import { commentView, profileView, reviewSubject, type SubjectView } from './subjects.ts'

type Queue<Row extends sql.ReviewRow> = {
  pages: Record<sql.Lane, Statement<sql.QueuePage, Row>>
  view: (config: Config, row: Row) => SubjectView
}

/** Checks that the view takes the rows that the page reads, then drops their type. */
function queue<Row extends sql.ReviewRow>(rows: Queue<Row>): Queue<sql.ReviewRow> {
  return rows as unknown as Queue<sql.ReviewRow>
}

const queues: Record<SubjectKind, Queue<sql.ReviewRow>> = {
  profile: queue({ pages: { all: sql.profileQueue, trusted: sql.trustedProfileQueue }, view: profileView }),
  comment: queue({
    pages: { all: sql.commentQueue, trusted: sql.trustedCommentQueue },
    view: (_config, row) => commentView(row),
  }),
}

/** The position before the first subject of a queue. */
export const QUEUE_START = { weight: Number.MAX_SAFE_INTEGER, subjectId: 0 }

export type QueueName = { kind: SubjectKind; lane: sql.Lane }

export function readQueue(
  database: Database,
  { kind, lane }: QueueName,
  page: sql.QueuePage,
): Promise<sql.ReviewRow[]> {
  return database.query(queues[kind].pages[lane], page)
}

/** The rows of one queue with the earlier decisions on them. */
export async function withDecisions(
  { config, database }: ProfilesContext,
  kind: SubjectKind,
  rows: readonly sql.ReviewRow[],
) {
  const ids = rows.map((row) => row.subject_id)
  const decisions = await readDecisionsBySubject(database, kind, ids)
  const { view } = queues[kind]
  return rows.map((row) => reviewSubject(row, view(config, row), decisions.get(row.subject_id) ?? []))
}

const lengths = { all: sql.queueLength, trusted: sql.trustedQueueLength }

/** How many subjects wait, counted up to 1000. */
export async function countWaiting(database: Database, { kind, lane }: QueueName): Promise<number> {
  return (await database.one(lengths[lane], { kind }))?.waiting ?? 0
}
