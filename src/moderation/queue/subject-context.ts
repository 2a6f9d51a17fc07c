// What a moderator needs beside a subject to decide on it: who its author is and how the author's tips did, earlier decisions,
// and who flagged it, why, and how often they were right.

import type { SubjectKind } from '../../flags/store.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { NO_PROFILE } from '../../profiles/profile.ts'
import { defaultName } from '../../profiles/profile-view.ts'
import { selectionOf, toRecord } from '../../record/record.ts'
import { recordOf } from '../../record/store.ts'
import { toDecision } from '../decisions/decisions.ts'
import { readProfileForReview } from '../decisions/profile-review.ts'
import { reporterFigures } from '../reporters/reporters.ts'
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
  const flags = await database.query(sql.flagsOfSubject, { kind, subjectId: id })
  return {
    author,
    record: toRecord(record, WHOLE_RECORD),
    tips: { count: tips[0]?.tips ?? 0, latest: tips.map(toTip) },
    thread: thread.toReversed().map(toTip),
    decisionsOnTips: decisions.map((row) => ({ commentId: String(row.subject_id), ...toDecision(row) })),
    flags: flags.map(toFlag),
  }
}

async function tipOf({ database }: ProfilesContext, id: number): Promise<sql.AuthorRow> {
  const comment = await database.one(sql.authorOfComment, { id })
  if (comment === undefined) throw new Refused('unknown', `There is no comment ${id}.`)
  return comment
}

function toTip({ id, text, state, created_at, likes, event_name, start_time, outcome_name }: sql.TipRow) {
  return {
    id: String(id),
    text,
    state,
    createdAt: isoTime(created_at),
    likes,
    event: event_name,
    startsAt: isoTime(start_time),
    outcome: outcome_name,
  }
}

function toFlag(row: sql.FlagRow) {
  const { profile_id, customer_id, name, reason, flag_note, created_at } = row
  return {
    reason: reason,
    note: flag_note,
    at: isoTime(created_at),
    verdict: verdictOf(row),
    reporter: {
      profileId: String(profile_id),
      customerId: String(customer_id),
      name: name ?? defaultName(profile_id),
      ...reporterFigures(row),
    },
  }
}

function verdictOf({ decided, verdict }: sql.FlagRow) {
  if (decided === 0) return 'open' as const
  return verdict === 1 ? ('upheld' as const) : verdict === -1 ? ('rejected' as const) : ('neither' as const)
}
