// The *queue* of a kind holds its subjects with flags that no moderator has decided on, by the sum of the weights of these
// flags (flags/weights.ts). Its *lane* of trusted reporters holds only what one of them has flagged.

import type { SubjectKind } from '../flags/store.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database, Statement } from '../platform/database/database.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { readDecisionsBySubject } from './decisions.ts'
import {
  commentQueue,
  type Lane,
  profileQueue,
  type QueuePage,
  queueLength,
  type ReviewRow,
  trustedCommentQueue,
  trustedProfileQueue,
  trustedQueueLength,
} from './store.ts'
import { commentView, profileView, reviewSubject, type SubjectView } from './subjects.ts'

type Queue<Row extends ReviewRow> = {
  pages: Record<Lane, Statement<QueuePage, Row>>
  view: (config: Config, row: Row) => SubjectView
}

/** Checks that the view takes the rows that the page reads, then drops their type. */
function queue<Row extends ReviewRow>(rows: Queue<Row>): Queue<ReviewRow> {
  return rows as unknown as Queue<ReviewRow>
}

const queues: Record<SubjectKind, Queue<ReviewRow>> = {
  profile: queue({ pages: { all: profileQueue, trusted: trustedProfileQueue }, view: profileView }),
  comment: queue({
    pages: { all: commentQueue, trusted: trustedCommentQueue },
    view: (_config, row) => commentView(row),
  }),
}

/** The position before the first subject of a queue. */
export const QUEUE_START = { weight: Number.MAX_SAFE_INTEGER, subjectId: 0 }

export type QueueName = { kind: SubjectKind; lane: Lane }

export function readQueue(database: Database, { kind, lane }: QueueName, page: QueuePage): Promise<ReviewRow[]> {
  return database.query(queues[kind].pages[lane], page)
}

/** The rows of one queue with the earlier decisions on them. */
export async function withDecisions(
  { config, database }: ProfilesContext,
  kind: SubjectKind,
  rows: readonly ReviewRow[],
) {
  const ids = rows.map((row) => row.subject_id)
  const decisions = await readDecisionsBySubject(database, kind, ids)
  const { view } = queues[kind]
  return rows.map((row) => reviewSubject(row, view(config, row), decisions.get(row.subject_id) ?? []))
}

const lengths = { all: queueLength, trusted: trustedQueueLength }

/** How many subjects wait, counted up to 1000. */
export async function countWaiting(database: Database, { kind, lane }: QueueName): Promise<number> {
  return (await database.one(lengths[lane], { kind }))?.waiting ?? 0
}
