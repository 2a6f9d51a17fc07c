// Which events an application gets for its customer. Nobody learns who flagged, and customer ids of others stay here.

import { likeKinds } from '../../communities/event-kinds.ts'
import { type EventKinds, pick } from '../../event-log/kind.ts'
import type { EventRow } from '../../event-log/store.ts'
import { customerKinds } from '../../identity/customers/event-kinds.ts'
import { moderationKinds } from '../../moderation/event-kinds.ts'
import { profileKinds } from '../../profiles/event-kinds.ts'
import { tipKinds } from '../../record/event-kinds.ts'
import { cardKinds } from '../../wallets/cards/event-kinds.ts'
import { depositKinds } from '../../wallets/deposits/event-kinds.ts'
import { withdrawalKinds } from '../../wallets/withdrawals/event-kinds.ts'

/** Events of the customer's own profile and tips. */
export const ownKinds = {
  ...pick(profileKinds, 'follow.created'),
  ...pick(likeKinds, 'like.created'),
  ...pick(tipKinds, 'tip.settled', 'tip.corrected', 'tip.removed', 'tip.restored'),
  ...pick(moderationKinds, 'decision.made', 'appeal.decided'),
}

/** Events of the customer's deposits, withdrawals and cards. */
export const moneyKinds = { ...depositKinds, ...withdrawalKinds, ...cardKinds }

/** The event of those whom the customer follows. */
export const FOLLOWED_KIND = 'tip.created' satisfies keyof typeof tipKinds

/** After these the ticket may no longer be valid. They are not sent. */
export const doubtKinds = pick(customerKinds, 'customer.changed', 'customer.erased')

/** Everything that the reader of the log needs. */
export const readKinds = { ...ownKinds, ...moneyKinds, ...pick(tipKinds, FOLLOWED_KIND), ...doubtKinds }
export type ReadEvent = EventRow<typeof readKinds>

const meaningsOf = (kinds: EventKinds) => Object.entries(kinds).map(([kind, { meaning }]) => [kind, meaning])

/** For the reference. */
export const STREAMED_EVENTS: { readonly [type: string]: string } = {
  ready: 'Everything before it was sent, and what happens from now on follows. Sent once.',
  reset:
    'In place of ready: the events since Last-Event-ID are no longer stored, or too many. Load anew what you show; what happens from now on follows.',
  behind:
    'The database is away: until the next sign of life with an id nothing is sent, and what happens meanwhile follows. With STALE_READS_UP_TO_SECONDS only.',
  ...Object.fromEntries(meaningsOf(ownKinds)),
  [FOLLOWED_KIND]: 'Somebody whom the customer follows has written a tip.',
  ...Object.fromEntries(meaningsOf(moneyKinds)),
  outcome:
    'The state of an outcome in `outcomes`: its price (null: none), whether tips can be made, its result. Sent at first, and when it changes; only the newest state is sent. It has no id.',
  event:
    'The state of an event of these outcomes: status (upcoming, live, settled or unsettled), start time, score and clock. Sent like outcome.',
  tip: 'The newest tip on an outcome in `outcomes`; of several within a moment only the last.',
  account:
    'With account=Y: the balance of the customer, and the id of the newest unread notification. Sent like outcome.',
}
