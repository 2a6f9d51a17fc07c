// The second person approves a withdrawal while something else happens.

import type { Customer } from '../customer.ts'
import type { Operation } from '../operations.ts'
import { ADA, BOB, CID, type Collision, chargeback, closeAccount, ofCard, stake, win, withdraw } from './collision.ts'

/** Of 300, more than the rule approves: one person has approved it. */
async function halfApproved(customer: Customer): Promise<void> {
  await customer.pays('d1', 25_000n)
  await customer.does(win(customer, 5_000n))
  await customer.does(withdraw(customer, 30_000n, 1, 'w'))
  await customer.does(await decide(customer, 'approve', ADA))
}

async function decide(
  customer: Customer,
  name: 'approve' | 'hold' | 'release' | 'refuse',
  by = BOB,
): Promise<Operation> {
  return { name, order: { id: await customer.withdrawal(), by } }
}

export const decisionCollisions: readonly Collision[] = [
  {
    name: 'approval, hold',
    before: halfApproved,
    pair: async (customer) => [await decide(customer, 'approve'), await decide(customer, 'hold', CID)],
  },
  {
    name: 'approval, release',
    async before(customer) {
      await halfApproved(customer)
      await customer.does(await decide(customer, 'hold', CID))
    },
    pair: async (customer) => [await decide(customer, 'approve'), await decide(customer, 'release', CID)],
  },
  {
    name: 'approval, refusal',
    before: halfApproved,
    pair: async (customer) => [await decide(customer, 'approve'), await decide(customer, 'refuse', CID)],
  },
  {
    name: 'refusal, stake',
    async before(customer) {
      await halfApproved(customer)
      await customer.pays('d2', 6_000n)
    },
    pair: async (customer) => [await decide(customer, 'refuse'), stake(customer, 6_000n)],
  },
  {
    name: 'approval, approval',
    before: halfApproved,
    pair: async (customer) => [await decide(customer, 'approve'), await decide(customer, 'approve', CID)],
  },
  {
    name: 'approval, card closed',
    before: halfApproved,
    pair: async (customer) => [await decide(customer, 'approve'), { name: 'closeCard', order: ofCard(customer) }],
  },
  {
    name: 'approval, account closed',
    async before(customer) {
      await halfApproved(customer)
      await customer.does(closeAccount(customer, CID))
    },
    pair: async (customer) => [await decide(customer, 'approve'), closeAccount(customer)],
  },
  {
    name: 'approval, chargeback',
    before: halfApproved,
    pair: async (customer) => [await decide(customer, 'approve'), chargeback(customer, 25_000n)],
  },
]
