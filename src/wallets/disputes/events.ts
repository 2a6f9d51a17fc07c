// What the bank of a card may report about a payment, by the names of Adyen's notifications, and what it makes of the dispute.

/** In the order in which a dispute goes through them. Notifications arrive in any order: the last of these counts. */
export const DISPUTE_STATES = ['OPENED', 'CHARGED_BACK', 'REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

/** open: evidence may still be given. over: no longer. In this order, as for states. */
export const EVIDENCE = ['open', 'supplied', 'over'] as const
export type Evidence = (typeof EVIDENCE)[number]

/** `charges`: 1 where the bank takes the amount, -1 where it returns it. `ends`: no more news is expected. */
type Effect = {
  readonly state: DisputeState
  readonly evidence: Evidence
  readonly charges: 1 | 0 | -1
  readonly ends: boolean
}

/** Nothing moves. */
const OPENED: Effect = { state: 'OPENED', evidence: 'open', charges: 0, ends: false }

/** Money moves with the three events that the gateway's reports of money have; the end of an arbitration moves none. */
export const DISPUTE_EVENTS = {
  NOTIFICATION_OF_FRAUD: OPENED,
  REQUEST_FOR_INFORMATION: OPENED,
  NOTIFICATION_OF_CHARGEBACK: OPENED,
  INFORMATION_SUPPLIED: { ...OPENED, evidence: 'supplied' },
  ISSUER_COMMENTS: OPENED,
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { ...OPENED, evidence: 'over', ends: true },
  DISPUTE_DEFENSE_PERIOD_ENDED: { ...OPENED, evidence: 'over', ends: true },
  CHARGEBACK: { ...OPENED, state: 'CHARGED_BACK', charges: 1 },
  CHARGEBACK_REVERSED: { ...OPENED, state: 'REVERSED', charges: -1 },
  SECOND_CHARGEBACK: { ...OPENED, state: 'CHARGED_BACK_AGAIN', charges: 1, ends: true },
  PREARBITRATION_LOST: { ...OPENED, state: 'LOST', evidence: 'over', ends: true },
  PREARBITRATION_WON: { ...OPENED, state: 'WON', evidence: 'over', ends: true },
} as const satisfies Record<string, Effect>

export type DisputeEvent = keyof typeof DISPUTE_EVENTS
export const DISPUTE_EVENT_NAMES = Object.keys(DISPUTE_EVENTS) as DisputeEvent[]

export function isDisputeEvent(event: string): event is DisputeEvent {
  return Object.hasOwn(DISPUTE_EVENTS, event)
}

/** The later of the two in the list. */
export function laterOf<T extends string>(order: readonly T[], one: T, other: T): T {
  return order.indexOf(one) > order.indexOf(other) ? one : other
}
