// A decision of a moderator concerns two *parties*: the *author* of what was decided on, and each *reporter* who had
// flagged it. The author learns the reasons; a reporter only whether the flag was upheld. Each may *appeal* once: the
// author a decision that restricts, a reporter one that rejected the flag. Moderators decide appeals in
// decide-appeal.ts.

import { Fault } from '../faults.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { NO_PROFILE, viewerOf } from '../profiles/profile.ts'
import * as sql from './appeals/appeal-store.ts'
import { APPEAL_MS } from './decisions/actions.ts'
import type { OwnDecision, OwnDecisions } from './shapes.ts'

type Block = { blockSize: number; blockNum: number }

/** Newest first. null: the block is empty. */
export async function listOwnDecisions(
  context: ProfilesContext,
  customerId: number,
  { blockSize, blockNum }: Block,
): Promise<OwnDecisions | null> {
  const id = await viewerOf(context, customerId)
  if (id === NO_PROFILE) return null
  const block = { id, limit: blockSize, offset: blockNum * blockSize }
  const rows = await context.database.query(sql.decisionsConcerning, block)
  return rows.length === 0 ? null : { decision: rows.map((row) => toOwnDecision(row, context.now())) }
}

function toOwnDecision(row: sql.OwnDecisionRow, now: number): OwnDecision {
  const isRestricting = row.ground !== null
  const isOverturned = row.overturned_by !== null
  const isAuthor = row.party === 'author'
  const until = row.at + APPEAL_MS
  const isAppealable = row.appeal_id === null && !isOverturned && isAuthor === isRestricting && now < until
  return {
    id: row.id,
    party: row.party,
    type: row.kind,
    subjectId: row.subject_id,
    createdDateTimeZoned: row.at,
    isAutomated: row.automated === 1,
    action: isAuthor ? row.action : undefined,
    ground: isAuthor ? (row.ground ?? undefined) : undefined,
    clause: isAuthor ? (row.clause ?? undefined) : undefined,
    statement: isAuthor && (isRestricting || row.statement !== '') ? row.statement : undefined,
    text: isAuthor ? row.subject_text || undefined : undefined,
    isUpheld: isAuthor ? undefined : isRestricting !== isOverturned,
    isOverturned,
    isAppealable,
    appealUntilDateTimeZoned: isAppealable ? until : undefined,
    appeal: row.appeal_id === null ? undefined : toAppeal(row as AppealColumns),
  }
}

type AppealColumns = sql.OwnDecisionRow & {
  appeal_id: number
  text: string
  state: string
  reply: string
  made_at: number
}

function toAppeal({ appeal_id, text, state, made_at, reply, decided_at }: AppealColumns): OwnDecision['appeal'] {
  return {
    id: appeal_id,
    text,
    state,
    createdDateTimeZoned: made_at,
    reply: decided_at === null ? undefined : reply,
    decidedDateTimeZoned: decided_at ?? undefined,
  }
}

type NewAppeal = { decisionId: number; text: string }

export async function makeAppeal(
  context: ProfilesContext,
  customerId: number,
  { decisionId, text }: NewAppeal,
): Promise<void> {
  const profileId = await viewerOf(context, customerId)
  const now = context.now()
  await context.database.transaction(async (transaction) => {
    const decision = await transaction.one(sql.lockDecisionToAppeal, { decisionId, profileId })
    const party = decision === undefined ? null : partyOf(decision)
    if (decision === undefined || party === null) throw new Fault('noDecision', 'decisionId')
    const isOver = decision.overturned_by !== null || now >= decision.at + APPEAL_MS
    if (isOver || (party === 'author') !== (decision.ground !== null)) throw new Fault('notAppealable', 'decisionId')
    const appeal = { decision_id: decisionId, profile_id: profileId, party, text, made_at: now }
    const inserted = await transaction.run(sql.insertAppeal, appeal, 'last')
    if (inserted === 0) throw new Fault('appealExists', 'decisionId')
  })
}

/** null: the decision does not concern the profile. */
function partyOf({ is_author, is_reporter }: { is_author: number; is_reporter: number }): sql.Party | null {
  if (is_author === 1) return 'author'
  return is_reporter === 1 ? 'reporter' : null
}
