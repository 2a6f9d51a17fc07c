// Deposits: made, captured and resolved.

import type { Customer } from '../customer.ts'
import type { Operation } from '../operations.ts'
import {
  ADA,
  authorised,
  BOB,
  CID,
  type Collision,
  chargeback,
  deposit,
  exclude,
  hundred,
  notify,
  SWEEP,
  stake,
} from './collision.ts'

const wasCaptured = (customer: Customer) => notify(customer, { event: 'CAPTURE', meaning: 'captured' })

/** In review: the gateway refused the capture. */
async function refusedCapture(customer: Customer): Promise<void> {
  await authorised(customer)
  await customer.does(SWEEP)
}

const REFUSING = [{ token: 'sandbox:capture-refused' }]

function resolve(customer: Customer, outcome: 'captured' | 'voided'): Operation {
  return { name: 'resolveDeposit', order: { id: customer.deposit('d1'), outcome, note: 'looked up', by: ADA } }
}

/** The customer was told that it failed, and the amount is still held: the cancel waits. */
const voiding = (customer: Customer) => customer.does(deposit(customer, 10_000n, 1, 'd1'))

const SILENT = [{ token: 'sandbox:error-after' }]

const nothing = async () => {}

function writeOff({ id: customerId }: Customer, by = BOB): Operation {
  return { name: 'writeOff', order: { customerId, amount: 10_000n, by } }
}

export const depositCollisions: readonly Collision[] = [
  {
    name: 'deposit, deposit',
    before: nothing,
    pair: (customer) => [deposit(customer, 6_000n, 1, 'a'), deposit(customer, 6_000n, 2, 'b')],
  },
  {
    name: 'deposit, the same again',
    before: nothing,
    pair: (customer) => [deposit(customer, 6_000n), deposit(customer, 6_000n)],
  },
  {
    name: 'deposit, exclusion',
    before: nothing,
    pair: (customer) => [deposit(customer, 6_000n), exclude(customer)],
  },
  {
    name: 'deposit, its card closed',
    before: nothing,
    pair: (customer) => [
      deposit(customer, 6_000n),
      { name: 'closeCard', order: { id: customer.card(1), customerId: customer.id } },
    ],
  },
  {
    name: 'exclusion, longer exclusion',
    before: nothing,
    pair: (customer) => [exclude(customer, 1), exclude(customer, 2)],
  },
  { name: 'capture, capture', before: authorised, pair: () => [SWEEP, SWEEP] },
  { name: 'capture, it was captured', before: authorised, pair: (customer) => [SWEEP, wasCaptured(customer)] },
  {
    name: 'cancel, late approval',
    cards: SILENT,
    before: voiding,
    pair: (customer) => [SWEEP, notify(customer, { event: 'AUTHORISATION', meaning: 'approved' })],
  },
  {
    name: 'cancel, it was cancelled',
    cards: SILENT,
    before: voiding,
    pair: (customer) => [SWEEP, notify(customer, { event: 'CANCELLATION', meaning: 'cancelled' })],
  },
  {
    name: 'cancel, it was captured',
    cards: SILENT,
    before: voiding,
    pair: (customer) => [SWEEP, wasCaptured(customer)],
  },
  {
    name: 'resolution of a deposit, it was captured',
    cards: REFUSING,
    before: refusedCapture,
    pair: (customer) => [resolve(customer, 'captured'), wasCaptured(customer)],
  },
  {
    name: 'resolution of a deposit as void, it was captured',
    cards: REFUSING,
    before: refusedCapture,
    pair: (customer) => [resolve(customer, 'voided'), wasCaptured(customer)],
  },
  {
    name: 'debt written off, deposit',
    async before(customer) {
      await hundred(customer)
      await customer.does(stake(customer, 10_000n))
      await customer.does(chargeback(customer))
      await customer.does(writeOff(customer, CID))
    },
    pair: (customer) => [writeOff(customer), deposit(customer, 6_000n, 2)],
  },
]
