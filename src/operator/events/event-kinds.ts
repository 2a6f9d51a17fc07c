// The kinds of events of all domains. The reference, the JSON schemas, the filters and the client come from it.

import { likeKinds } from '../../communities/event-kinds.ts'
import { toEvent } from '../../event-log/event.ts'
import type { EventKinds } from '../../event-log/kind.ts'
import { customerKinds } from '../../identity/customers/event-kinds.ts'
import { moderationKinds } from '../../moderation/event-kinds.ts'
import { profileKinds } from '../../profiles/event-kinds.ts'
import { tipKinds } from '../../record/event-kinds.ts'
import { marketKinds } from '../../sportsbook/event-kinds.ts'
import { movementKinds } from '../../wallets/account/event-kinds.ts'
import { cardKinds } from '../../wallets/cards/event-kinds.ts'
import { depositKinds } from '../../wallets/deposits/event-kinds.ts'
import { explainEvent } from '../../wallets/deposits/explained-event.ts'
import { disputeKinds } from '../../wallets/disputes/event-kinds.ts'
import { limitKinds } from '../../wallets/limits/event-kinds.ts'
import { refundKinds } from '../../wallets/refunds/event-kinds.ts'
import { withdrawalKinds } from '../../wallets/withdrawals/event-kinds.ts'
import type { PushedEvents } from '../../webhooks/context.ts'

export const eventKinds = {
  ...profileKinds,
  ...tipKinds,
  ...likeKinds,
  ...moderationKinds,
  ...depositKinds,
  ...refundKinds,
  ...disputeKinds,
  ...withdrawalKinds,
  ...cardKinds,
  ...movementKinds,
  ...marketKinds,
  ...customerKinds,
  ...limitKinds,
} satisfies EventKinds

export type EventKind = keyof typeof eventKinds
export const EVENT_KINDS = Object.keys(eventKinds) as EventKind[]

export type PushedKind = Exclude<EventKind, keyof typeof movementKinds>
export const PUSHED_KINDS = EVENT_KINDS.filter((kind): kind is PushedKind => !Object.hasOwn(movementKinds, kind))

/** What everybody can see of tips, profiles and markets. All others are personal: who paid, flagged, liked or was excluded. */
export const publicKinds = { ...profileKinds, ...tipKinds, ...marketKinds }
export const PUBLIC_KINDS: readonly string[] = Object.keys(publicKinds)

/** For webhooks, which know no domain. */
export const pushedEvents: PushedEvents = { kinds: PUSHED_KINDS, toEvent: (row) => explainEvent(toEvent(row)) }
