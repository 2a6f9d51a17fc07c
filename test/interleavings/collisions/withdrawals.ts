// A withdrawal is requested while something else happens.

import type { Customer } from '../customer.ts'
import { newCard } from '../customer.ts'
import type { Operation } from '../operations.ts'
import {
  ADA,
  authorised,
  BOB,
  backOfficeRefund,
  CID,
  type Collision,
  chargeback,
  exclude,
  hundred,
  move,
  notify,
  ofCard,
  refund,
  SWEEP,
  stake,
  win,
  withdraw,
} from './collision.ts'

/** Winnings, which no card takes. One person has recorded the payment, and the second one is to. */
async function outsideProposed(customer: Customer): Promise<void> {
  await hundred(customer)
  await customer.does(win(customer, 5_000n))
  await customer.does(payOutside(customer, CID))
}

function payOutside({ id: customerId }: Customer, by = BOB): Operation {
  const terms = { amount: 5_000n, bankReference: 'bank-1', note: 'to the account on record' }
  return { name: 'payOutside', order: { customerId, ...terms, by } }
}

const NO_PAYOUTS = [{ firstName: null }]

export const withdrawalCollisions: readonly Collision[] = [
  {
    name: 'withdrawal, withdrawal',
    before: hundred,
    pair: (customer) => [withdraw(customer, 6_000n, 1, 'a'), withdraw(customer, 6_000n, 1, 'b')],
  },
  {
    name: 'withdrawal, the same again',
    before: hundred,
    pair: (customer) => [withdraw(customer, 6_000n), withdraw(customer, 6_000n)],
  },
  {
    name: 'withdrawal to card 1, withdrawal to card 2',
    async before(customer) {
      await hundred(customer)
      await customer.pays('d2', 3_000n, 2)
      await customer.does(stake(customer, 2_000n, 'before'))
    },
    pair: (customer) => [withdraw(customer, 8_000n, 1, 'a'), withdraw(customer, 3_000n, 2, 'b')],
  },
  {
    name: 'withdrawal, withdrawal that only one person approves less of',
    async before(customer) {
      await customer.pays('d1', 30_000n)
    },
    pair: (customer) => [withdraw(customer, 15_000n, 1, 'a'), withdraw(customer, 14_000n, 1, 'b')],
  },
  {
    name: 'withdrawal, refund of its deposit',
    before: hundred,
    pair: (customer) => [withdraw(customer, 6_000n), refund(customer, 5_000n)],
  },
  {
    name: 'withdrawal, refund of the back office',
    before: hundred,
    pair: (customer) => [withdraw(customer, 6_000n), backOfficeRefund(customer, 7_000n)],
  },
  {
    name: 'withdrawal, chargeback',
    before: hundred,
    pair: (customer) => [withdraw(customer, 10_000n), chargeback(customer)],
  },
  {
    name: 'withdrawal, capture that failed',
    before: hundred,
    pair: (customer) => [
      withdraw(customer, 6_000n),
      notify(customer, { event: 'CAPTURE_FAILED', meaning: 'captureFailed' }),
    ],
  },
  { name: 'withdrawal, capture', before: authorised, pair: (customer) => [withdraw(customer, 6_000n), SWEEP] },
  {
    name: 'withdrawal, stake',
    before: hundred,
    pair: (customer) => [withdraw(customer, 6_000n), stake(customer, 6_000n)],
  },
  {
    name: 'withdrawal, batch of movements',
    before: hundred,
    pair: (customer) => [
      withdraw(customer, 10_000n),
      move(customer, [
        ['stake', 4_000n],
        ['winnings', 2_000n],
        ['stake', 7_000n],
      ]),
    ],
  },
  {
    name: 'stake, stake',
    before: hundred,
    pair: (customer) => [stake(customer, 6_000n, 'a'), stake(customer, 6_000n, 'b')],
  },
  {
    name: 'stake, the same again',
    before: hundred,
    pair: (customer) => [stake(customer, 6_000n), stake(customer, 6_000n)],
  },
  {
    name: 'stake, exclusion',
    before: hundred,
    pair: (customer) => [stake(customer, 6_000n), exclude(customer)],
  },
  {
    name: 'withdrawal, exclusion',
    before: hundred,
    pair: (customer) => [withdraw(customer, 6_000n), exclude(customer)],
  },
  {
    name: 'withdrawal of winnings, its card registered as another one',
    before: (customer) => customer.does(win(customer, 5_000n)),
    pair: (customer) => [
      withdraw(customer, 3_000n, 2),
      {
        name: 'registerCard',
        order: {
          ...ofCard(customer, 2),
          by: ADA,
          method: newCard({ token: 'sandbox:frictionless', firstName: 'Eve' }),
        },
      },
    ],
  },
  {
    name: 'withdrawal, its card closed',
    before: hundred,
    pair: (customer) => [withdraw(customer, 6_000n), { name: 'closeCard', order: ofCard(customer) }],
  },
  {
    name: 'withdrawal, payment outside',
    cards: NO_PAYOUTS,
    before: outsideProposed,
    pair: (customer) => [withdraw(customer, 10_000n), payOutside(customer)],
  },
  {
    name: 'payment outside, the same again',
    cards: NO_PAYOUTS,
    before: outsideProposed,
    pair: (customer) => [payOutside(customer), payOutside(customer, ADA)],
  },
  {
    name: 'payment outside, stake',
    cards: NO_PAYOUTS,
    before: outsideProposed,
    pair: (customer) => [payOutside(customer), stake(customer, 12_000n)],
  },
]
