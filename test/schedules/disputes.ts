// Disputes of the customer's first deposit: what the bank says of it, in any order and repeatedly.

import fc from 'fast-check'
import { reading } from '../../src/platform/database/database.ts'
import {
  DEBITING,
  DISPUTE_EVENTS,
  DISPUTE_STATES,
  type DisputeEvent,
  laterOf,
} from '../../src/wallets/dispute-events.ts'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'
import type { World } from './world.ts'

const EVENTS = [
  'NOTIFICATION_OF_CHARGEBACK',
  'CHARGEBACK',
  'CHARGEBACK_REVERSED',
  'SECOND_CHARGEBACK',
  'PREARBITRATION_WON',
]

export const disputePlans: fc.Arbitrary<DisputeEvent[]> = fc.oneof(
  fc.constant<DisputeEvent[]>([]),
  fc.subarray(EVENTS as DisputeEvent[]),
)

export const AMOUNT = 1_000n

export function disputeNotification(payment: string, event: DisputeEvent): GatewayNotification {
  const gatewayReference = `dispute of ${payment}`
  const terms = { amount: AMOUNT, currency: 'GBP', paymentReference: `sandbox-${payment}`, answerBy: null }
  return {
    key: `${event} ${payment}`,
    event,
    success: true,
    reference: payment,
    gatewayReference,
    ...terms,
    meaning: 'disputed',
  }
}

/** What the bank has taken back after all of these. */
export function takenBack(events: readonly DisputeEvent[]): bigint {
  const state = events
    .map((event) => DISPUTE_EVENTS[event].state)
    .reduce((last, one) => laterOf(DISPUTE_STATES, last, one), 'TOLD')
  return DEBITING.includes(state) ? AMOUNT : 0n
}

const debtOfSchedule = reading<{ customerId: number }, { debt: string }>('debtOfSchedule')`
  select cast(coalesce(sum(balance), 0) as text) as debt from account where customer_id = :customerId and kind = 'debt'`

/** Zero or negative. */
export async function debtOf(world: World, customerId: number): Promise<bigint> {
  const row = await world.context.database.one(debtOfSchedule, { customerId })
  return BigInt(row?.debt ?? 0)
}
