// What happens at the bank without us: disputes, refunds of its back office, captures that fail; and notifications that say something else.

import type { Command } from './commands.ts'
import type { Deposit, Outflow } from './model/customer.ts'
import { notificationOf } from './notifications.ts'
import { type Played, type Player, referenceOf } from './played.ts'

const STEPS: readonly (readonly string[])[] = [
  ['CHARGEBACK'],
  ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'],
  ['CHARGEBACK', 'CHARGEBACK_REVERSED'],
  ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'],
  ['CHARGEBACK_REVERSED', 'PREARBITRATION_WON'],
  ['NOTIFICATION_OF_CHARGEBACK', 'INFORMATION_SUPPLIED', 'DISPUTE_DEFENSE_PERIOD_ENDED'],
]

/** Each step has an amount of its own. */
export async function playDispute(played: Played, player: Player, deposit: Deposit, command: Command): Promise<void> {
  const reference = referenceOf(player, deposit.id)
  const amounts = { all: [1, 1, 1], half: [0.2, 0.05, 0.05], some: [0.5, 0.7, 0.6], 'too much': [1.3, 1, 0.2] }[
    command.share
  ]
  const gatewayReference = `dispute ${deposit.id} ${command.by % 2}`
  for (const [i, event] of (STEPS[command.m] ?? []).entries()) {
    const amount = BigInt(Math.max(1, Math.round(deposit.amount * (amounts[i] ?? 1))))
    const terms = { meaning: 'disputed', reference, gatewayReference, amount, event } as const
    played.tell({ player, notification: notificationOf(player, terms) })
  }
}

/** Refunds that somebody makes there; equal amounts are common. */
export async function playOffice(
  played: Played,
  player: Player,
  deposit: Deposit,
  { m, share }: Command,
): Promise<void> {
  const reference = referenceOf(player, deposit.id)
  const amount = { all: deposit.amount, half: 120, some: 50, 'too much': deposit.amount + 1 }[share]
  const gatewayReference = `office ${played.history.length} ${player.id}`
  const say = (meaning: 'refunded' | 'refundFailed', more: { currency?: string; gatewayReference?: string } = {}) => {
    const terms = { meaning, reference, gatewayReference, amount: BigInt(amount), ...more }
    const told = { player, notification: notificationOf(player, terms) }
    played.tell(told)
    return told
  }
  if (m === 5) say('refundFailed')
  else {
    const told = say('refunded', m === 4 ? { currency: 'JPY' } : {})
    if (m === 1) played.tell(told)
    if (m === 2) say('refundFailed')
    if (m === 3) say('refundFailed', { gatewayReference: `${gatewayReference} failed` })
  }
}

/** Some are captured again by the gateway itself. Told in another order, it says that the failure was the end. */
export async function tellFailedCapture(
  played: Played,
  player: Player,
  deposit: Deposit,
  { m }: Command,
): Promise<void> {
  const reference = referenceOf(player, deposit.id)
  const payment = played.bank.payments.get(reference)
  const isDisputed = player.model.disputes.some((one) => one.deposit === deposit.id)
  // A chargeback of money that was never taken would be two contradictions at once.
  if (payment?.state !== 'captured' || payment.hasFailed || isDisputed) return
  payment.hasFailed = true
  const told = (meaning: 'captureFailed' | 'captured') => {
    const terms = { meaning, reference, gatewayReference: `bank ${reference}`, amount: BigInt(payment.taken) }
    return { player, notification: notificationOf(player, terms) }
  }
  if (m > 3) played.tell(told('captureFailed'), told('captured'))
  else {
    payment.state = 'failed'
    played.tell(told('captureFailed'))
  }
}

const WRONG = ['captured', 'cancelled', 'cancelFailed', 'refunded', 'refundFailed', 'payoutPaid'] as const

/** About somebody else, about what was never sent, or about a deposit in another state. */
export async function playWrongNotification(played: Played, player: Player, { n, m, by }: Command): Promise<void> {
  const meaning = WRONG[m] ?? 'captured'
  const isOfDeposit = m < 3
  const isPayout = ({ kind }: Outflow) => (kind === 'payout') === (meaning === 'payoutPaid')
  const outflows = player.model.outflows.filter((one) => one.kind !== 'office' && isPayout(one))
  const names = isOfDeposit ? player.model.deposits : outflows
  const name = names[n % Math.max(1, names.length)]?.id
  if (name === undefined && by !== 3) return
  const reference = by === 3 || name === undefined ? 'of another installation' : referenceOf(player, name)
  const payment = played.bank.payments.get(reference)
  const deposit = player.model.outflows.find(({ id }) => id === player.stored.names.get(reference))?.deposit
  if (by !== 3) played.wrong.add(reference)
  if (by !== 3 && deposit) played.wrong.add(referenceOf(player, deposit))
  const amount = BigInt(payment?.amount ?? played.bank.outflows.get(reference)?.amount ?? 100)
  const terms = { meaning, reference, gatewayReference: `wrong ${played.history.length} ${reference}`, amount }
  played.tell({ player, notification: notificationOf(player, terms) })
}
