// What a batch of events means for notifications, worked out in memory. The result is the same however the log is cut
// into batches.

import { likeKinds } from '../communities/event-kinds.ts'
import { dataOf } from '../event-log/event.ts'
import { pick } from '../event-log/kind.ts'
import type { EventRow } from '../event-log/store.ts'
import { customerKinds } from '../identity/customers/event-kinds.ts'
import { moderationKinds } from '../moderation/event-kinds.ts'
import { profileKinds } from '../profiles/event-kinds.ts'
import { tipKinds } from '../record/event-kinds.ts'
import { cardKinds } from '../wallets/cards/event-kinds.ts'
import * as sql from './projection-store.ts'

export const projectedKinds = {
  ...pick(profileKinds, 'follow.created', 'follow.ended'),
  ...likeKinds,
  ...pick(tipKinds, 'tip.settled', 'tip.corrected'),
  ...pick(moderationKinds, 'decision.made', 'appeal.decided'),
  ...pick(customerKinds, 'customer.erased'),
  ...cardKinds,
}
export type ProjectedEvent = EventRow<typeof projectedKinds>
export type EventOf<Kind extends ProjectedEvent['kind']> = Extract<ProjectedEvent, { kind: Kind }>
type CardEvent = EventRow<typeof cardKinds>

const STATUS_ACTIONS = ['deactivate', 'reactivate', 'overturn']

/** The last known state of a follow or like. `position` null: it has ended. */
type Link = sql.ActorKey & { position: number | null }

/** When the latest follower of a profile, or the latest like of a tip, was added. */
export type GroupUpdate = { profile_id: number; comment_id: number; position: number; at: number }

export type Batch = {
  links: Map<string, Link>
  groups: Map<string, GroupUpdate>
  /** By comment. */
  settled: Map<number, sql.NewNotification>
  decisions: sql.NewNotification[]
  /** Decisions whose reporters are notified too. */
  reported: sql.ReportedDecision[]
  /** Profiles that moderators deactivated or reactivated. */
  statusChanged: Set<number>
  /** Profiles of customers who were erased. */
  erased: Set<number>
}

export const groupKey = (profileId: number, commentId: number) => `${profileId} ${commentId}`

export const isOfCard = (event: ProjectedEvent): event is CardEvent => event.kind.startsWith('card.')

/** `profileOf`: the profiles of customers who were erased, or whose cards changed. */
export function foldEvents(events: readonly ProjectedEvent[], profileOf: ReadonlyMap<number, number>): Batch {
  const batch: Batch = {
    links: new Map(),
    groups: new Map(),
    settled: new Map(),
    decisions: [],
    reported: [],
    statusChanged: new Set(),
    erased: new Set(),
  }
  for (const event of events) {
    if (isOfCard(event)) foldCard(batch, event, profileOf.get(event.customer_id as number))
    else if (event.kind === 'customer.erased') foldErasure(batch, profileOf.get(event.customer_id as number))
    else if (event.kind === 'decision.made') foldDecision(batch, event)
    else if (event.kind === 'appeal.decided') foldAppeal(batch, event)
    else if (event.kind === 'tip.settled' || event.kind === 'tip.corrected') foldResult(batch, event)
    else foldLink(batch, event)
  }
  return batch
}

type LinkKind = 'follow.created' | 'follow.ended' | 'like.created' | 'like.ended'

function foldLink({ links, groups }: Batch, event: EventOf<LinkKind>) {
  const { kind, subject_type, subject_id, profile_id, position, at } = event
  const recipient = profile_id as number
  const actor = Number(dataOf(event).byProfileId)
  const comment = subject_type === 'comment' ? Number(subject_id) : 0
  const isCreated = kind.endsWith('.created')
  links.set(`${actor} ${recipient} ${comment}`, {
    profile_id: actor,
    recipient_id: recipient,
    comment_id: comment,
    position: isCreated ? position : null,
  })
  if (isCreated) {
    groups.set(groupKey(recipient, comment), { profile_id: recipient, comment_id: comment, position, at })
  }
}

function foldResult({ settled }: Batch, { subject_id, profile_id, position, at }: ProjectedEvent): void {
  const comment_id = Number(subject_id)
  settled.set(comment_id, {
    profile_id: profile_id as number,
    type: 'settled',
    comment_id,
    position,
    at,
    ...sql.NO_DECISION,
  })
}

function foldDecision(batch: Batch, event: EventOf<'decision.made'>): void {
  const { subject_type, subject_id, profile_id, position, at } = event
  const { action, decisionId } = dataOf(event)
  const profileId = profile_id as number
  if (subject_type === 'profile' && STATUS_ACTIONS.includes(action)) batch.statusChanged.add(profileId)
  const decision_id = Number(decisionId)
  batch.reported.push({ decision_id, position, at })
  const notified = sql.NOTIFIED_ACTIONS.find((one) => one === action)
  if (notified === undefined) return
  const comment_id = subject_type === 'comment' ? Number(subject_id) : null
  const decided = { ...sql.NO_DECISION, type: 'decision', action: notified, decision_id } as const
  batch.decisions.push({ profile_id: profileId, comment_id, position, at, ...decided })
}

/** The answer to whoever appealed. Without the tip, which may be somebody else's. */
function foldAppeal(batch: Batch, event: EventOf<'appeal.decided'>): void {
  const { profile_id, position, at } = event
  const { outcome, decisionId } = dataOf(event)
  const decided = { ...sql.NO_DECISION, type: 'decision', action: outcome, concerns: 'appeal' } as const
  const decision_id = Number(decisionId)
  batch.decisions.push({ profile_id: profile_id as number, comment_id: null, position, at, ...decided, decision_id })
}

/** Whoever has no profile has no list either. */
function foldCard({ decisions }: Batch, event: CardEvent, profileId: number | undefined): void {
  if (profileId === undefined) return
  const { kind, position, at } = event
  const action = kind.slice('card.'.length) as sql.CardAction
  const about = { ...sql.NO_DECISION, action, card_id: Number(dataOf(event).cardId) }
  decisions.push({ profile_id: profileId, comment_id: null, position, at, type: 'decision', ...about })
}

/** Drops everything before the erasure: the customer may have been reinstated since. */
function foldErasure(batch: Batch, profileId: number | undefined): void {
  if (profileId === undefined) return
  batch.erased.add(profileId)
  batch.decisions = batch.decisions.filter(({ profile_id }) => profile_id !== profileId)
  for (const [key, { profile_id }] of batch.settled) if (profile_id === profileId) batch.settled.delete(key)
  for (const [key, { profile_id }] of batch.groups) if (profile_id === profileId) batch.groups.delete(key)
  for (const link of batch.links.values()) {
    if (link.profile_id === profileId || link.recipient_id === profileId) link.position = null
  }
}
