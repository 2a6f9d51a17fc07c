// An *appeal* as moderators see it: what the party wrote, the decision that it is against, and the subject as it is now.
// Open appeals wait in the queue, oldest first.

import type { SubjectKind } from '../../flags/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { type PeriodicTask, startPeriodicTask } from '../../platform/runtime/periodic-task.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { isRestricting, type RestrictingAction } from '../decisions/actions.ts'
import { readDecisionsBySubject, toDecision } from '../decisions/decisions.ts'
import { deleteExpiredFormers } from '../decisions/former-values.ts'
import { heldLength } from '../decisions/store.ts'
import { readForReview, subjectOf, versionOf } from '../decisions/subjects.ts'
import { type AppealPage, type AppealRow, appealForReview, openAppealPage, waitingAppeals } from './appeal-store.ts'

type Subject = ReturnType<typeof subjectOf>

/** The position before the first appeal of the queue. */
export const APPEALS_START = { madeAt: 0, id: 0 }

export function readAppealPage(database: Database, page: AppealPage): Promise<AppealRow[]> {
  return database.query(openAppealPage, page)
}

export async function countAppeals(database: Database): Promise<number> {
  return (await database.one(waitingAppeals, {}))?.waiting ?? 0
}

/** undefined: there is no such appeal. */
export async function readAppeal(context: ProfilesContext, id: number) {
  const row = await context.database.one(appealForReview, { id })
  if (row === undefined) return undefined
  const [appeal] = await withSubjects(context, [row])
  return { row, appeal: appeal as Appeal }
}

export type Appeal = ReturnType<typeof toAppeal>

/** With a number of statements that does not depend on how many appeals there are. */
export async function withSubjects(context: ProfilesContext, rows: readonly AppealRow[]) {
  const subjects = {
    profile: await readSubjects(context, 'profile', rows),
    comment: await readSubjects(context, 'comment', rows),
  }
  return rows.map((row) => toAppeal(row, subjects[row.kind].get(row.subject_id) as Subject))
}

async function readSubjects({ config, database }: ProfilesContext, kind: SubjectKind, appeals: readonly AppealRow[]) {
  const ids = [...new Set(appeals.filter((row) => row.kind === kind).map((row) => row.subject_id))]
  if (ids.length === 0) return new Map<number, Subject>()
  const decisions = await readDecisionsBySubject(database, kind, ids)
  const rows = await readForReview(database, kind, ids)
  return new Map(rows.map((row) => [row.subject_id, subjectOf(config, row, decisions.get(row.subject_id) ?? [])]))
}

function toAppeal(row: AppealRow, subject: Subject) {
  const { appeal_id, party, text, made_at, state, reply, answered_by, decided_at, former } = row
  return {
    kind: 'appeal' as const,
    id: String(appeal_id),
    version: versionOf({ state, subject: subject.version }, subject.decisions),
    party,
    by: { customerId: String(row.customer_id), profileId: String(row.profile_id) },
    text,
    madeAt: isoTime(made_at),
    state,
    reply: decided_at === null ? null : reply,
    decidedBy: answered_by,
    decidedAt: isoTimeOrNull(decided_at),
    decision: toDecision(row),
    former: row.action === 'reset-picture' ? null : former,
    putsBack: canPutBack(row, subject),
    subject,
  }
}

/**
 * Whether overturning the decision would change the subject: the decision did, no later decision of the same kind did, and
 * the author has not replaced what was reset.
 */
export function canPutBack(row: AppealRow, subject: Subject): boolean {
  const { party, changed, is_repeated, overturned_by } = row
  if (party === 'reporter' || changed === 0 || is_repeated === 1 || overturned_by !== null) return false
  return isRestricting(row.action) && IS_RESTRICTED[row.action](row, subject)
}

const IS_RESTRICTED: Record<RestrictingAction, (row: AppealRow, subject: Subject) => boolean> = {
  // Its text is empty if it was erased with the personal data of its author.
  remove: (_, { kind, content }) => kind === 'comment' && content.state === 'removed' && content.text !== '',
  deactivate: (_, { kind, content }) => kind === 'profile' && content.status === 'inactive',
  'reset-name': ({ former }, subject) => former !== null && isReset(subject, 'reset-name'),
  'reset-biography': ({ former }, subject) => former !== null && isReset(subject, 'reset-biography'),
  'reset-picture': ({ former }, subject) => former !== null && isReset(subject, 'reset-picture'),
}

/** There is nothing to reset. */
function isReset({ actions }: Subject, action: RestrictingAction): boolean {
  return !(actions as readonly string[]).includes(action)
}

// ---- Reports on /metrics how many appeals wait and for how long, and how many held tips, and deletes what no appeal can put back
// any more.

const EVERY_MS = 15_000

export function startModerationWatch(context: ProfilesContext): PeriodicTask {
  return startPeriodicTask(() => watchModeration(context), {
    everyMs: EVERY_MS,
    onFailure: (error) => context.log.warn({ err: error }, 'counting appeals and held tips failed; it will be retried'),
  })
}

export async function watchModeration(context: ProfilesContext): Promise<void> {
  const { database, metrics, now } = context
  const { waiting, oldest } = (await database.one(waitingAppeals, {})) ?? { waiting: 0, oldest: null }
  metrics.gauge('paddock_appeals_waiting', '', waiting)
  metrics.gauge('paddock_appeals_waiting_oldest_seconds', '', oldest === null ? 0 : Math.max(0, now() - oldest) / 1000)
  metrics.gauge('paddock_held_tips_waiting', '', (await database.one(heldLength, { label: null }))?.waiting ?? 0)
  await deleteExpiredFormers(context)
}
