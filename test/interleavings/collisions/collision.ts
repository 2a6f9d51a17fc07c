// Two operations that collide, and what they are made of.

import type { Movement } from '../../../src/wallets/account/movements.ts'
import type { GatewayNotification, NotificationMeaning } from '../../../src/wallets/gateways/gateway.ts'
import type { CardOptions, Customer } from '../customer.ts'
import type { Operation } from '../operations.ts'
import type { Pair } from '../schedule.ts'

export type Collision = {
  readonly name: string
  /** Of the customer; without it two cards that take everything. */
  readonly cards?: readonly CardOptions[]
  before(customer: Customer): Promise<void>
  pair(customer: Customer): Promise<Pair> | Pair
}

/** Operators: two who decide, and one more. */
export const ADA = { name: 'Ada', person: 'ada' }
export const BOB = { name: 'Bob', person: 'bob' }
export const CID = { name: 'Cid', person: 'cid' }

export const SWEEP: Operation = { name: 'sweep', order: {} }

export function deposit(customer: Customer, amount: bigint, card = 1, key = 'new'): Operation {
  return { name: 'deposit', order: { ...customer.key(key), amount, methodId: customer.card(card) } }
}

export function withdraw(customer: Customer, amount: bigint, card = 1, key = 'new'): Operation {
  return { name: 'withdraw', order: { ...customer.key(key), amount, methodId: customer.card(card) } }
}

/** Of the deposit d1. */
export function refund(customer: Customer, amount: bigint): Operation {
  return {
    name: 'refund',
    order: { paymentId: customer.deposit('d1'), amount, reason: 'asked for it', by: ADA },
  }
}

type Moved = readonly [kind: Movement['kind'], amount: bigint]

/** One batch. `name`: of the references. */
export function move(customer: Customer, moved: readonly Moved[], name = 'new'): Operation {
  const { id: customerId } = customer
  const movements = moved.map(([kind, amount], index) => {
    return { reference: `${customerId}-${name}-${index}`, customerId, kind, amount, betId: null }
  })
  return { name: 'move', order: { movements } }
}

export const stake = (customer: Customer, amount: bigint, name = 'new') => move(customer, [['stake', amount]], name)

export const win = (customer: Customer, amount: bigint) => move(customer, [['winnings', amount]], 'before')

type Notified = Partial<GatewayNotification> & { readonly event: string; readonly meaning: NotificationMeaning }

/** Of 100, about the deposit d1. */
export function notify(customer: Customer, { event, meaning, ...more }: Notified): Operation {
  const { amount = 10_000n, success = true, gatewayReference = `${customer.id}-${event}` } = more
  const order = {
    key: `${customer.id}-${event} ${gatewayReference} ${success} ${amount}`,
    event,
    success,
    reference: customer.deposit('d1'),
    gatewayReference,
    paymentReference: `sandbox-${customer.deposit('d1')}`,
    amount,
    currency: 'GBP',
    meaning,
    answerBy: null,
    endsDispute: false,
    refusal: null,
    reason: '',
    ...more,
  }
  return { name: 'notify', order }
}

/** Steps of one dispute. */
export function dispute(customer: Customer, event: string, amount = 10_000n): Operation {
  return notify(customer, { event, meaning: 'disputed', amount, gatewayReference: `${customer.id}-dispute` })
}

export const chargeback = (customer: Customer, amount = 10_000n) => dispute(customer, 'CHARGEBACK', amount)

export function backOfficeRefund(customer: Customer, amount: bigint): Operation {
  return notify(customer, { event: 'REFUND', meaning: 'refunded', amount })
}

export const ofCard = (customer: Customer, number = 1) => ({ id: customer.card(number), customerId: customer.id })

/** A time-out. */
export function exclude({ id: customerId }: Customer, days = 1): Operation {
  return { name: 'exclude', order: { customerId, days } }
}

/** Two persons record it. */
export function closeAccount(customer: Customer, by = BOB): Operation {
  return { name: 'closeAccount', order: { ...ofCard(customer), by } }
}

// ---- What the customer has before

/** Balance 100, all of it paid in by card 1. */
export const hundred = (customer: Customer) => customer.pays('d1', 10_000n)

/** The same, not captured yet. */
export const authorised = (customer: Customer) => customer.does(deposit(customer, 10_000n, 1, 'd1'))
