// What the bank tells after it has carried out a call, and what becomes of money that it has sent: it may come back.

import fc from 'fast-check'
import type { GatewayNotification, NotificationMeaning } from '../../src/wallets/gateways/gateway.ts'
import type { BankCall } from './process.ts'
import type { World } from './world.ts'

export type Fates = {
  /** How often each notification of a result is delivered; that money came back is always told. */
  readonly notified: 0 | 1 | 2
  /** returned: the bank says that it could not pay, although it has said that it did. */
  readonly payouts: 'kept' | 'reversed' | 'returned'
  /** reversed: told under a reference of its own. */
  readonly refunds: 'kept' | 'failed' | 'reversed'
  /** A notification of a payout has another amount. */
  readonly wrongAmount: boolean
}

export const fates: fc.Arbitrary<Fates> = fc.record({
  notified: fc.constantFrom(0, 1, 1, 2),
  payouts: fc.constantFrom('kept', 'reversed', 'returned', 'returned'),
  refunds: fc.constantFrom('kept', 'kept', 'failed', 'reversed', 'reversed'),
  wrongAmount: fc.boolean(),
})

const RESULTS: Readonly<Record<string, NotificationMeaning>> = {
  'authorise approved': 'approved',
  'finishChallenge approved': 'approved',
  'capture captured': 'captured',
  'cancel cancelled': 'cancelled',
  'refund done': 'refunded',
  'refund refused': 'refundFailed',
  'payout paid': 'payoutPaid',
  'payout returned': 'payoutReturned',
}

/** One entry for each delivery. */
export function toldAfter(world: World, fates: Fates, call: BankCall, outcome: string): GatewayNotification[] {
  const result = RESULTS[`${call.name} ${outcome}`]
  const told = result === undefined ? [] : Array<GatewayNotification>(fates.notified).fill(notificationOf(call, result))
  return [...told, ...comesBack(world, fates, call, outcome)]
}

function comesBack(world: World, fates: Fates, call: BankCall, outcome: string): GatewayNotification[] {
  const { name, reference, amount, payment = '' } = call
  if (name === 'payout' && outcome === 'paid' && !world.payoutsTold.has(reference)) {
    world.payoutsTold.add(reference)
    const other = {
      ...notificationOf(call, 'payoutReversed'),
      amount: amount + 1n,
      key: `of another amount ${reference}`,
    }
    const wrong = fates.wrongAmount ? [other] : []
    if (fates.payouts === 'kept') return wrong
    world.payoutsBack.add(reference)
    return [...wrong, notificationOf(call, fates.payouts === 'reversed' ? 'payoutReversed' : 'payoutReturned')]
  }
  if (name === 'refund' && outcome === 'done' && fates.refunds !== 'kept' && !world.refundsBack.has(reference)) {
    world.refundsBack.add(reference)
    if (fates.refunds === 'failed') return [notificationOf(call, 'refundFailed')]
    const gatewayReference = `reversal of ${reference}`
    return [{ ...notificationOf(call, 'refundReversed'), reference: payment, gatewayReference }]
  }
  return []
}

function notificationOf({ reference, amount }: BankCall, meaning: NotificationMeaning): GatewayNotification {
  return {
    key: `${meaning} ${reference}`,
    event: meaning,
    success: true,
    reference,
    gatewayReference: `sandbox-${reference}`,
    amount,
    currency: 'GBP',
    paymentReference: '',
    answerBy: null,
    meaning,
  }
}
