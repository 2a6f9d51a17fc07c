// What a moderator needs beside a subject to decide on it: who its author is and how the author's tips did, earlier decisions,
// and who flagged it, why, and how often they were right.

import type { SubjectKind } from '../../flags/store.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { NO_PROFILE } from '../../profiles/profile.ts'
import { selectionOf, toRecord } from '../../record/record.ts'
import { recordOf } from '../../record/store.ts'
import { toDecision } from '../decisions/decisions.ts'
import { readProfileForReview } from '../decisions/profile-review.ts'
import * as sql from './subject-context-store.ts'

const WHOLE_RECORD = { numDays: 0, sportId: 0, band: 0, inPlay: false }

export async function readContext(context: ProfilesContext, kind: SubjectKind, id: number) {
  const { database } = context
  const tip = kind === 'profile' ? null : await tipOf(context, id)
  const authorId = tip?.author_id ?? id
  const author = await readProfileForReview(context, authorId)
  const selection = { id: authorId, viewer: NO_PROFILE, ...selectionOf(WHOLE_RECORD, context.now()) }
  const record = await database.one(recordOf, selection)
  if (record === undefined) throw new Refused('unknown', `There is no profile ${authorId}.`)
  const tips = await database.query(sql.latestTips, { authorId })
  const thread = tip === null ? [] : await database.query(sql.tipsOnEvent, { authorId, eventId: tip.event_id })
  const decisions = await database.query(sql.decisionsOnLatestTips, { authorId })
  return {
    author,
    record: toRecord(record, WHOLE_RECORD),
    tips,
    thread: thread.toReversed(),
    decisionsOnTips: decisions.map((row) => ({ commentId: String(row.subject_id), ...toDecision(row) })),
    flags: await database.query(sql.flagsOfSubject, { kind, subjectId: id }),
  }
}

async function tipOf({ database }: ProfilesContext, id: number): Promise<sql.AuthorRow> {
  const comment = await database.one(sql.authorOfComment, { id })
  if (comment === undefined) throw new Refused('unknown', `There is no comment ${id}.`)
  return comment
}

export function verdictOf({ decided, verdict }: sql.FlagRow) {
  if (decided === 0) return 'open' as const
  return verdict === 1 ? ('upheld' as const) : verdict === -1 ? ('rejected' as const) : ('neither' as const)
}
