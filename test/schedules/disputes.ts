// Disputes of a deposit: what the bank says of it, in any order and repeatedly.

import fc from 'fast-check'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'

/** In the order of a dispute: the last that was told counts. */
const EVENTS = [
  'NOTIFICATION_OF_CHARGEBACK',
  'CHARGEBACK',
  'CHARGEBACK_REVERSED',
  'SECOND_CHARGEBACK',
  'PREARBITRATION_LOST',
  'PREARBITRATION_WON',
] as const
type Event = (typeof EVENTS)[number]

/** After which the bank has the money. */
const TAKING: readonly Event[] = ['CHARGEBACK', 'SECOND_CHARGEBACK', 'PREARBITRATION_LOST']

/** `of`: the first deposit, which is captured, or one that is made in the schedule, and may be voided. */
export type DisputePlan = { readonly of: 'first' | 'a'; readonly events: readonly Event[] }

export const disputePlans: fc.Arbitrary<DisputePlan> = fc.record({
  of: fc.constantFrom('first', 'first', 'a'),
  events: fc.oneof(
    fc.constant<Event[]>([]),
    fc.constant<Event[]>(['CHARGEBACK']),
    fc.subarray([...EVENTS], { minLength: 1 }),
  ),
})

const AMOUNT = 1_000n

export function disputeNotifications(payment: string, { events }: DisputePlan): GatewayNotification[] {
  return events.map((event) => ({
    key: `${event} ${payment}`,
    event,
    success: true,
    reference: payment,
    gatewayReference: `dispute of ${payment}`,
    amount: AMOUNT,
    currency: 'GBP',
    paymentReference: `sandbox-${payment}`,
    answerBy: null,
    meaning: 'disputed',
  }))
}

/** What the bank has taken back after all of these. */
export function takenBack({ events }: DisputePlan): bigint {
  const last = EVENTS.findLast((event) => events.includes(event))
  return last !== undefined && TAKING.includes(last) ? AMOUNT : 0n
}
