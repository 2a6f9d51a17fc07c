// Jobs send the parts of a withdrawal while something else happens.

import type { NotificationMeaning } from '../../../src/wallets/gateways/gateway.ts'
import type { Customer } from '../customer.ts'
import type { Operation } from '../operations.ts'
import {
  backOfficeRefund,
  CID,
  type Collision,
  chargeback,
  closeAccount,
  hundred,
  notify,
  ofCard,
  refund,
  SWEEP,
  stake,
  win,
  withdraw,
} from './collision.ts'

/** Approved by the rule, of what the card paid in: a return waits. */
async function approvedReturn(customer: Customer): Promise<void> {
  await hundred(customer)
  await customer.does(withdraw(customer, 8_000n, 1, 'w'))
}

/** A return and a payout wait: their jobs run beside each other. */
async function approvedParts(customer: Customer): Promise<void> {
  await hundred(customer)
  await customer.does(win(customer, 5_000n))
  await customer.does(withdraw(customer, 15_000n, 1, 'w'))
}

/** Approved by the rule, of winnings, to a card that has paid in: a payout waits. */
async function approvedPayout(customer: Customer): Promise<void> {
  await customer.pays('d1', 1_000n)
  await customer.does(refund(customer, 1_000n))
  await customer.does(SWEEP)
  await customer.does(win(customer, 5_000n))
  await customer.does(withdraw(customer, 5_000n, 1, 'w'))
}

/** The bank has received it. Its job asks for the result. */
async function received(customer: Customer): Promise<void> {
  await approvedPayout(customer)
  await customer.does(SWEEP)
}

const SLOW = [{ token: 'sandbox:payout-slow' }]

async function ofPayout(customer: Customer, meaning: NotificationMeaning): Promise<Operation> {
  const { rows } = await customer.world.control.query(
    `select reference, gateway_reference from withdrawal_part where customer_id = $1 and kind = 'payout'`,
    [customer.id],
  )
  const { reference, gateway_reference: gatewayReference } = rows[0]
  return notify(customer, { event: meaning, meaning, reference, gatewayReference, amount: 5_000n })
}

const closed = (customer: Customer): Operation => ({ name: 'closeCard', order: ofCard(customer) })

export const sendCollisions: readonly Collision[] = [
  { name: 'send, card closed', before: approvedReturn, pair: (customer) => [SWEEP, closed(customer)] },
  { name: 'send a payout, card closed', before: approvedPayout, pair: (customer) => [SWEEP, closed(customer)] },
  { name: 'send both parts, card closed', before: approvedParts, pair: (customer) => [SWEEP, closed(customer)] },
  {
    name: 'send, card removed',
    before: approvedReturn,
    pair: (customer) => [SWEEP, { name: 'removeCard', order: ofCard(customer) }],
  },
  {
    name: 'send, account closed',
    async before(customer) {
      await approvedReturn(customer)
      await customer.does(closeAccount(customer, CID))
    },
    pair: (customer) => [SWEEP, closeAccount(customer)],
  },
  { name: 'send, chargeback', before: approvedReturn, pair: (customer) => [SWEEP, chargeback(customer)] },
  {
    name: 'send, refund of the back office',
    before: approvedReturn,
    pair: (customer) => [SWEEP, backOfficeRefund(customer, 4_000n)],
  },
  { name: 'send, stake', before: approvedReturn, pair: (customer) => [SWEEP, stake(customer, 2_000n)] },
  { name: 'send, send', before: approvedReturn, pair: () => [SWEEP, SWEEP] },
  {
    name: 'ask for results, payout was paid',
    cards: SLOW,
    before: received,
    pair: async (customer) => [SWEEP, await ofPayout(customer, 'payoutPaid')],
  },
  {
    name: 'payout was paid, payout came back',
    cards: SLOW,
    before: received,
    pair: async (customer) => [await ofPayout(customer, 'payoutPaid'), await ofPayout(customer, 'payoutReversed')],
  },
]
