// What of a notification's amount can be true. Nothing moves by one that cannot.

import { DISPUTE_EVENTS, isDisputeEvent } from '../disputes/events.ts'
import type { GatewayNotification } from '../gateways/gateway.ts'

/** A notification that moves money has no whole number, or 0 or less. */
export function hasImpossibleAmount(notification: GatewayNotification): boolean {
  const { amount, isWithoutAmount = false } = notification
  return movesMoney(notification) && (isWithoutAmount || (amount !== null && amount <= 0n))
}

function movesMoney({ meaning, event }: GatewayNotification): boolean {
  if (meaning === 'disputed') return isDisputeEvent(event) && DISPUTE_EVENTS[event].charges !== 0
  return meaning !== 'nothing' && meaning !== 'cancelled' && meaning !== 'cancelFailed'
}

/** What only informs of a dispute may have any amount: then it is about the whole. */
export function withKnownAmount<T extends Pick<GatewayNotification, 'amount'>>(notification: T): T {
  return notification.amount !== null && notification.amount <= 0n ? { ...notification, amount: null } : notification
}
