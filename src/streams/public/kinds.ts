// Which events an application gets for its customer. Nobody learns who flagged, and customer ids of others stay here.

import { CARD_KINDS, type EventKind, eventKinds } from '../../event-log/kinds.ts'

/** Events of the customer's own profile and tips. */
export const OWN_KINDS = [
  'follow.created',
  'like.created',
  'tip.settled',
  'tip.corrected',
  'tip.removed',
  'tip.restored',
  'decision.made',
  'appeal.decided',
] as const satisfies EventKind[]

/** Events of the customer's deposits, withdrawals and cards. */
export const MONEY_KINDS = [
  'deposit.challenged',
  'deposit.authorised',
  'deposit.captured',
  'deposit.declined',
  'deposit.voided',
  'deposit.review',
  'deposit.resolved',
  'withdrawal.requested',
  'withdrawal.held',
  'withdrawal.released',
  'withdrawal.approved',
  'withdrawal.sending',
  'withdrawal.paid',
  'withdrawal.returned',
  'withdrawal.part-returned',
  'withdrawal.refused',
  'withdrawal.review',
  ...CARD_KINDS,
] as const satisfies EventKind[]

/** The event of those whom the customer follows. */
export const FOLLOWED_KIND = 'tip.created' satisfies EventKind

/** After these the ticket may no longer be valid. They are not sent. */
export const CUSTOMER_KINDS = ['customer.changed', 'customer.erased'] as const satisfies EventKind[]

/** Everything that the reader of the log needs. */
export const READ_KINDS: readonly EventKind[] = [...OWN_KINDS, ...MONEY_KINDS, FOLLOWED_KIND, ...CUSTOMER_KINDS]

const meaningsOf = (kinds: readonly EventKind[]) => kinds.map((kind) => [kind, eventKinds[kind].meaning])

/** For the reference. */
export const STREAMED_EVENTS: { readonly [type: string]: string } = {
  ready: 'Everything before it was sent, and what happens from now on follows. Sent once.',
  reset:
    'In place of ready: the events since Last-Event-ID are no longer stored, or too many. Load anew what you show; what happens from now on follows.',
  ...Object.fromEntries(meaningsOf(OWN_KINDS)),
  [FOLLOWED_KIND]: 'Somebody whom the customer follows has written a tip.',
  ...Object.fromEntries(meaningsOf(MONEY_KINDS)),
  outcome:
    'The state of an outcome in `outcomes`: its price (null: none), whether tips can be made, its result. Sent at first, and when it changes; only the newest state is sent. It has no id.',
  event:
    'The state of an event of these outcomes: status (upcoming, live, settled or unsettled), start time, score and clock. Sent like outcome.',
  tip: 'The newest tip on an outcome in `outcomes`; of several within a moment only the last.',
  account:
    'With account=Y: the balance of the customer, and the id of the newest notification that was not read. Sent like outcome.',
}
