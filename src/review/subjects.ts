// A subject, a profile or a comment, as moderators see it.

import type { Config } from '../config/config.ts'
import type { DecisionRow, Kind } from '../moderation/store.ts'
import { defaultName, pictureAddress } from '../profiles/profile-view.ts'
import type { CommentReviewRow, ProfileReviewRow, ReviewRow } from './store.ts'
import { versionOf } from './subject-version.ts'

export const PROFILE_ACTIONS = [
  'deactivate',
  'reactivate',
  'keep',
  'reset-name',
  'reset-biography',
  'reset-picture',
] as const
export type ProfileAction = (typeof PROFILE_ACTIONS)[number]

export const COMMENT_ACTIONS = ['remove', 'restore', 'keep', 'feature', 'unfeature'] as const
export type CommentAction = (typeof COMMENT_ACTIONS)[number]

export type Shown = {
  content: object
  author: { customerId: string; profileId: string }
  /** What a decision is about; likes and the names of events may change beside it. */
  judged: object
  /** Those that would change something. */
  actions: readonly string[]
}

export function toSubject(kind: Kind, row: ReviewRow, { judged, ...shown }: Shown, decisions: ShownDecision[]) {
  const flaggedAt = row.flagged_at === null ? null : new Date(row.flagged_at).toISOString()
  const version = versionOf(judged, decisions)
  return { kind, id: String(row.subject_id), version, flags: row.flags, flaggedAt, ...shown, decisions }
}

export function showProfile(config: Config, row: ProfileReviewRow): Shown {
  const content = toContent(config, { ...row, id: row.subject_id })
  const changes: Record<ProfileAction, boolean> = {
    deactivate: row.status === 'A',
    reactivate: row.status !== 'A',
    keep: row.flags > 0,
    'reset-name': row.name !== null,
    'reset-biography': row.biography !== '',
    'reset-picture': row.picture !== null,
  }
  return {
    content,
    author: { customerId: String(row.customer_id), profileId: String(row.subject_id) },
    judged: content,
    actions: PROFILE_ACTIONS.filter((action) => changes[action]),
  }
}

export function showComment(row: CommentReviewRow): Shown {
  const { text, state } = row
  const featured = row.featured === 1
  const isLive = state === 'live'
  const changes: Record<CommentAction, boolean> = {
    remove: isLive,
    // A comment without text was erased with its author's personal data.
    restore: state === 'removed' && text !== '',
    keep: state !== 'removed' && row.flags > 0,
    feature: isLive && !featured,
    unfeature: isLive && featured,
  }
  return {
    content: {
      text,
      state,
      featured,
      likes: row.likes,
      createdAt: new Date(row.created_at).toISOString(),
      event: row.event_name,
      market: row.market_name,
      outcome: row.outcome_name,
    },
    author: { customerId: String(row.customer_id), profileId: String(row.author_id) },
    judged: { text, state, featured },
    actions: COMMENT_ACTIONS.filter((action) => changes[action]),
  }
}

type ContentRow = { id: number; name: string | null; biography: string; picture: string | null; status: string }

export function toContent(config: Config, row: ContentRow) {
  return {
    name: row.name ?? defaultName(row.id),
    biography: row.biography,
    picture: pictureAddress(config, row.picture),
    status: row.status === 'A' ? 'active' : 'inactive',
  }
}

type ShownDecision = ReturnType<typeof toDecision>

export function toDecision({ action, note, actor, at }: DecisionRow) {
  return { action, note, actor, at: new Date(at).toISOString() }
}
