// Refunds and disputes: requested, decided, sent and reported.

import type { NotificationMeaning } from '../../../src/wallets/gateways/gateway.ts'
import type { Customer } from '../customer.ts'
import type { Operation } from '../operations.ts'
import {
  ADA,
  authorised,
  BOB,
  backOfficeRefund,
  CID,
  type Collision,
  chargeback,
  dispute,
  hundred,
  notify,
  refund,
  SWEEP,
  stake,
} from './collision.ts'

/** Of 60, more than one person decides. */
async function waitingRefund(customer: Customer): Promise<void> {
  await hundred(customer)
  await customer.does(refund(customer, 6_000n))
}

/** Of 40: its job waits. */
async function approvedRefund(customer: Customer): Promise<void> {
  await hundred(customer)
  await customer.does(refund(customer, 4_000n))
}

/** The bank has received it, and tells its result later. */
async function sentRefund(customer: Customer): Promise<void> {
  await approvedRefund(customer)
  await customer.does(SWEEP)
}

const SLOW = [{ token: 'sandbox:refund-slow' }]

async function ofRefund(customer: Customer, meaning: NotificationMeaning): Promise<Operation> {
  const { rows } = await customer.world.control.query(
    'select reference, gateway_reference from refund where customer_id = $1',
    [customer.id],
  )
  const { reference, gateway_reference: gatewayReference } = rows[0]
  return notify(customer, { event: meaning, meaning, reference, gatewayReference, amount: 4_000n })
}

async function decide(customer: Customer, name: 'approveRefund' | 'refuseRefund', by = BOB): Promise<Operation> {
  return { name, order: { id: await customer.refund(), by } }
}

async function endDispute(customer: Customer, by = BOB): Promise<Operation> {
  return { name: 'endDispute', order: { id: await customer.dispute(), by } }
}

export const refundCollisions: readonly Collision[] = [
  {
    name: 'refund, refund',
    before: hundred,
    pair: (customer) => [refund(customer, 5_000n), refund(customer, 6_000n)],
  },
  {
    name: 'refund, refund of the back office',
    before: hundred,
    pair: (customer) => [refund(customer, 5_000n), backOfficeRefund(customer, 8_000n)],
  },
  {
    name: 'approval of a refund, refund of the back office',
    before: waitingRefund,
    pair: async (customer) => [await decide(customer, 'approveRefund'), backOfficeRefund(customer, 6_000n)],
  },
  {
    name: 'approval of a refund, refusal',
    before: waitingRefund,
    pair: async (customer) => [await decide(customer, 'approveRefund'), await decide(customer, 'refuseRefund', CID)],
  },
  {
    name: 'refusal of a refund, stake',
    before: waitingRefund,
    pair: async (customer) => [await decide(customer, 'refuseRefund'), stake(customer, 4_000n)],
  },
  { name: 'send a refund, chargeback', before: approvedRefund, pair: (customer) => [SWEEP, chargeback(customer)] },
  {
    name: 'send a refund, refund of the back office',
    before: approvedRefund,
    pair: (customer) => [SWEEP, backOfficeRefund(customer, 4_000n)],
  },
  {
    name: 'refund was paid, refund failed',
    cards: SLOW,
    before: sentRefund,
    pair: async (customer) => [await ofRefund(customer, 'refunded'), await ofRefund(customer, 'refundFailed')],
  },
  {
    name: 'refund was paid, the same again',
    cards: SLOW,
    before: sentRefund,
    pair: async (customer) => [await ofRefund(customer, 'refunded'), await ofRefund(customer, 'refunded')],
  },
  {
    name: 'refund was paid, resolved as failed',
    cards: SLOW,
    before: sentRefund,
    pair: async (customer) => [
      await ofRefund(customer, 'refunded'),
      { name: 'resolveRefund', order: { id: await customer.refund(), by: BOB, outcome: 'failed' } },
    ],
  },
  { name: 'capture, chargeback', before: authorised, pair: (customer) => [SWEEP, chargeback(customer)] },
  {
    name: 'chargeback, chargeback reversed',
    before: hundred,
    pair: (customer) => [chargeback(customer), dispute(customer, 'CHARGEBACK_REVERSED', 4_000n)],
  },
  {
    name: 'end of a dispute, chargeback again',
    async before(customer) {
      await hundred(customer)
      await customer.does(chargeback(customer, 3_000n))
      await customer.does(await endDispute(customer, ADA))
    },
    pair: async (customer) => [await endDispute(customer), dispute(customer, 'SECOND_CHARGEBACK', 2_000n)],
  },
]
