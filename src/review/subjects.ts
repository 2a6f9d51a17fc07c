// A *subject* is a profile or a comment as moderators see it.

import type { Config } from '../config/config.ts'
import type { SubjectKind } from '../moderation/store.ts'
import { defaultName, pictureAddress } from '../profiles/profile-view.ts'
import type { Decision } from './decisions.ts'
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

/** What the two kinds of subjects show differently. */
export type SubjectView = {
  content: object
  author: { customerId: string; profileId: string }
  /** The part of the content that changes the version. Likes and the names of events change beside it. */
  versionedContent: object
  /** Those that would change something. */
  actions: readonly string[]
}

export function reviewSubject(kind: SubjectKind, row: ReviewRow, view: SubjectView, decisions: Decision[]) {
  const { versionedContent, ...shown } = view
  const flaggedAt = row.flagged_at === null ? null : new Date(row.flagged_at).toISOString()
  const version = versionOf(versionedContent, decisions)
  return { kind, id: String(row.subject_id), version, flags: row.flags, flaggedAt, ...shown, decisions }
}

export function profileView(config: Config, row: ProfileReviewRow): SubjectView {
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
    content,
    author: { customerId: String(row.customer_id), profileId: String(row.subject_id) },
    versionedContent: content,
    actions: PROFILE_ACTIONS.filter((action) => changesSomething[action]),
  }
}

export function commentView(row: CommentReviewRow): SubjectView {
  const { text, state } = row
  const featured = row.featured === 1
  const isLive = state === 'live'
  const changesSomething: Record<CommentAction, boolean> = {
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
    versionedContent: { text, state, featured },
    actions: COMMENT_ACTIONS.filter((action) => changesSomething[action]),
  }
}

type ProfileColumns = { id: number; name: string | null; biography: string; picture: string | null; status: string }

export function profileContent(config: Config, row: ProfileColumns) {
  return {
    name: row.name ?? defaultName(row.id),
    biography: row.biography,
    picture: pictureAddress(config, row.picture),
    status: row.status === 'A' ? 'active' : 'inactive',
  }
}
