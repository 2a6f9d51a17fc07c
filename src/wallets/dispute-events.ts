// What the bank of a card may say about a payment, by the names of Adyen's notifications, and what it makes of the dispute.

/** In the order in which a dispute goes through them. Notifications arrive in any order: the last of these counts. */
export const DISPUTE_STATES = ['TOLD', 'CHARGED_BACK', 'REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

/** The bank has taken the money back. */
export const DEBITING: readonly DisputeState[] = ['CHARGED_BACK', 'CHARGED_BACK_AGAIN', 'LOST']

/** open: evidence may still be given. over: no longer. In this order, as for states. */
export const EVIDENCE = ['open', 'supplied', 'over'] as const
export type Evidence = (typeof EVIDENCE)[number]

type Effect = { readonly state: DisputeState; readonly evidence: Evidence }

/** Nothing moves. */
const TOLD: Effect = { state: 'TOLD', evidence: 'open' }

export const DISPUTE_EVENTS = {
  NOTIFICATION_OF_FRAUD: TOLD,
  REQUEST_FOR_INFORMATION: TOLD,
  NOTIFICATION_OF_CHARGEBACK: TOLD,
  INFORMATION_SUPPLIED: { ...TOLD, evidence: 'supplied' },
  ISSUER_COMMENTS: TOLD,
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { ...TOLD, evidence: 'over' },
  DISPUTE_DEFENSE_PERIOD_ENDED: { ...TOLD, evidence: 'over' },
  CHARGEBACK: { state: 'CHARGED_BACK', evidence: 'open' },
  CHARGEBACK_REVERSED: { state: 'REVERSED', evidence: 'open' },
  SECOND_CHARGEBACK: { state: 'CHARGED_BACK_AGAIN', evidence: 'open' },
  PREARBITRATION_LOST: { state: 'LOST', evidence: 'over' },
  PREARBITRATION_WON: { state: 'WON', evidence: 'over' },
} as const satisfies Record<string, Effect>

export type DisputeEvent = keyof typeof DISPUTE_EVENTS
export const DISPUTE_EVENT_NAMES = Object.keys(DISPUTE_EVENTS) as DisputeEvent[]

export function isDisputeEvent(event: string): event is DisputeEvent {
  return Object.hasOwn(DISPUTE_EVENTS, event)
}

/** The one that comes last in the list. */
export function laterOf<T extends string>(order: readonly T[], one: T, other: T): T {
  return order.indexOf(one) > order.indexOf(other) ? one : other
}
