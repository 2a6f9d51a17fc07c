// A *subject* is a profile or a comment as moderators see it.

import { createHash } from 'node:crypto'
import type { FlagReason } from '../../flags/reasons.ts'
import type { SubjectKind } from '../../flags/store.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Database, type IdParameters, idParameters, type Statement } from '../../platform/database/database.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { defaultName, pictureAddress } from '../../profiles/profile-view.ts'
import { COMMENT_ACTIONS, type CommentAction, PROFILE_ACTIONS, type ProfileAction } from './actions.ts'
import type { Decision } from './decisions.ts'
import {
  type CommentReviewRow,
  commentsForReview,
  MAX_SUBJECTS,
  type ProfileReviewRow,
  profilesForReview,
  type ReviewRow,
  type SubjectRow,
} from './store.ts'

/** What the two kinds of subjects show differently. */
type View<Kind, Content, Action> = {
  kind: Kind
  content: Content
  author: { customerId: string; profileId: string }
  /** The part of the content that changes the version. New likes and names of events do not. */
  versionedContent: object
  /** The actions that would change something. */
  actions: readonly Action[]
}
type ProfileView = View<'profile', ReturnType<typeof profileContent>, ProfileAction> & {
  /** Every new tip waits for a moderator. */
  premoderated: boolean
}
type CommentView = View<'comment', ReturnType<typeof commentContent>, CommentAction>
export type SubjectView = ProfileView | CommentView

type Subject<V extends SubjectView> = V extends SubjectView
  ? Omit<V, 'versionedContent'> & {
      id: string
      version: string
      flags: number
      flaggedAt: string | null
      weight: string
      trustedFlags: number
      reasons: ReasonCount[]
      labels: string[]
      assignment: Assignment | null
      decisions: Decision[]
    }
  : never

type Assignment = { assignee: string; note: string; by: string; at: string }
type ReasonCount = { reason: FlagReason; flags: number }

export function reviewSubject<V extends SubjectView>(row: ReviewRow, view: V, decisions: Decision[]): Subject<V> {
  const { kind, versionedContent, ...shown } = view
  const flaggedAt = isoTimeOrNull(row.flagged_at)
  const version = versionOf(versionedContent, decisions)
  const id = String(row.subject_id)
  const { flags, trusted: trustedFlags } = row
  const weighed = { flags, flaggedAt, weight: weightText(row.weight), trustedFlags, reasons: reasonCounts(row.reasons) }
  const marks = { labels: row.labels?.split(',') ?? [], assignment: assignmentOf(row) }
  const subject = { kind, id, version, ...weighed, ...marks, ...shown, decisions }
  return subject as unknown as Subject<V>
}

const forReview: Record<SubjectKind, Statement<IdParameters, SubjectRow>> = {
  profile: profilesForReview,
  comment: commentsForReview,
}

/** At most MAX_SUBJECTS of them, in the queue or not. */
export function readForReview(database: Database, kind: SubjectKind, ids: readonly number[]): Promise<SubjectRow[]> {
  return database.query(forReview[kind], idParameters(MAX_SUBJECTS, ids))
}

/** A row of either kind with the decisions on it. */
export function subjectOf(config: Config, row: SubjectRow, decisions: Decision[]) {
  const view: SubjectView = 'biography' in row ? profileView(config, row) : commentView(row)
  return reviewSubject(row, view, decisions)
}

function assignmentOf({ assignee, assignment_note, assigned_by, assigned_at }: ReviewRow): Assignment | null {
  if (assignee === null) return null
  return { assignee, note: assignment_note ?? '', by: assigned_by ?? '', at: isoTime(assigned_at ?? 0) }
}

/** `weight` is in millionths; a half of a hundredth is rounded up. */
export function weightText(weight: number): string {
  return (Math.round(weight / 10_000) / 100).toFixed(2)
}

/** Most frequent first. */
function reasonCounts(reasons: string | null): ReasonCount[] {
  if (reasons === null) return []
  const byReason = Map.groupBy(reasons.split(',') as FlagReason[], (reason) => reason)
  return [...byReason]
    .map(([reason, flags]) => ({ reason, flags: flags.length }))
    .sort((one, other) => other.flags - one.flags)
}

export function profileView(config: Config, row: ProfileReviewRow): ProfileView {
  const content = profileContent(config, { ...row, id: row.subject_id })
  const changesSomething: Record<ProfileAction, boolean> = {
    deactivate: row.status === 'A',
    reactivate: row.status !== 'A',
    keep: row.flags > 0,
    'reset-name': row.name !== null,
    'reset-biography': row.biography !== '',
    'reset-picture': row.picture !== null,
  }
  return {
    kind: 'profile',
    content,
    premoderated: row.premoderated === 1,
    author: { customerId: String(row.customer_id), profileId: String(row.subject_id) },
    versionedContent: content,
    actions: PROFILE_ACTIONS.filter((action) => changesSomething[action]),
  }
}

export function commentView(row: CommentReviewRow): CommentView {
  const { text, state } = row
  const featured = row.featured === 1
  const isLive = state === 'live'
  const isHeld = state === 'held'
  const changesSomething: Record<CommentAction, boolean> = {
    publish: isHeld && text !== '',
    remove: isLive || isHeld,
    // A comment without text was erased with its author's personal data.
    restore: state === 'removed' && text !== '',
    keep: state !== 'removed' && !isHeld && row.flags > 0,
    feature: isLive && !featured,
    unfeature: isLive && featured,
  }
  return {
    kind: 'comment',
    content: commentContent(row),
    author: { customerId: String(row.customer_id), profileId: String(row.author_id) },
    versionedContent: { text, state, featured },
    actions: COMMENT_ACTIONS.filter((action) => changesSomething[action]),
  }
}

function commentContent(row: CommentReviewRow) {
  return {
    text: row.text,
    state: row.state,
    featured: row.featured === 1,
    likes: row.likes,
    createdAt: isoTime(row.created_at),
    event: row.event_name,
    startsAt: isoTime(row.start_time),
    market: row.market_name,
    outcome: row.outcome_name,
  }
}

type ProfileColumns = { id: number; name: string | null; biography: string; picture: string | null; status: string }

export function profileContent(config: Config, row: ProfileColumns) {
  return {
    name: row.name ?? defaultName(row.id),
    biography: row.biography,
    picture: pictureAddress(config, row.picture),
    status: row.status === 'A' ? ('active' as const) : ('inactive' as const),
  }
}

// ---- Two moderators may look at one subject at the same time. A subject is shown with a *version*; a decision that names an
// older version is refused.

type VersionedSubject = { version: string; decisions: readonly Pick<Decision, 'action' | 'actor'>[] }

/** The number of decisions, which shows later how many were added, and a hash of the content. */
export function versionOf(content: object, decisions: readonly Pick<Decision, 'action' | 'actor'>[]): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
  return `${decisions.length}-${hash}`
}

export function refuseIfChanged(subject: VersionedSubject, seen: string | undefined): void {
  if (seen === undefined || seen === subject.version) return
  const decisionsSeen = Number(seen.split('-', 1)[0])
  const meanwhile = subject.decisions.slice(decisionsSeen)
  const what =
    meanwhile.length === 0
      ? 'its author changed it'
      : meanwhile.map(({ action, actor }) => `${actor} decided: ${action}`).join('; ')
  const message = `Since you saw it, ${what}. Your decision was not saved: look at it again.`
  throw new DecisionConflict(message, subject, meanwhile)
}

/** Shows the subject as it is now, and the decisions that the caller has not seen. */
export class DecisionConflict extends Refused {
  constructor(
    message: string,
    current: VersionedSubject,
    meanwhile: readonly Pick<Decision, 'action' | 'actor'>[] = [],
  ) {
    super('conflict', message, { current, meanwhile })
  }
}
