// What the bank tells after it has carried out a call: once, repeatedly, in parts, never, wrongly, or that money came back.

import fc from 'fast-check'
import type { GatewayNotification, NotificationMeaning } from '../../src/wallets/gateways/gateway.ts'
import { applyNotification } from '../../src/wallets/notifications/notifications.ts'
import type { Input } from './checker.ts'
import type { DisputeStep, Notification } from './model/customer.ts'
import { notified } from './model/notifications.ts'
import { nameOf, type Played, type Player, type Told } from './played.ts'
import type { Process } from './process.ts'

/** What of a result is told. The last three contradict it, and are true. */
const TELLINGS = [
  'once',
  'never',
  'twice',
  'in parts',
  'wrongly, then rightly',
  'partly otherwise',
  'otherwise',
  'by a reference of its own',
] as const
export type Telling = (typeof TELLINGS)[number]

export const tellings: fc.Arbitrary<Telling[]> = fc.array(fc.constantFrom<Telling[]>('once', ...TELLINGS), {
  maxLength: 8,
  size: 'max',
})

let count = 0

/** `says`: with an amount of the bank. */
export function notificationOf(
  player: Player,
  terms: Partial<GatewayNotification> &
    Pick<GatewayNotification, 'meaning' | 'reference'> & { readonly amount: bigint },
): GatewayNotification {
  const quiet = { success: true, paymentReference: '', gatewayReference: '', answerBy: null, endsDispute: false }
  const words = { refusal: null, reason: '', currency: player.model.currency, event: terms.meaning }
  return { key: `${player.keys}${++count}`, ...quiet, ...words, ...terms }
}

/** What becomes known of a refund or part, and what the bank's books say from then on. */
export function tellSent(played: Played, reference: string, telling: Telling): void {
  const { bank } = played
  const sent = bank.outflows.get(reference)
  const named = nameOf(played, reference)
  if (sent === undefined || named === undefined || sent.state === 'open' || sent.isTold) return
  sent.isTold = true
  const { player } = named
  const { amount, payment } = sent
  const isDone = sent.state === 'done'
  const [paid, back] =
    payment === null ? (['payoutPaid', 'payoutReturned'] as const) : (['refunded', 'refundFailed'] as const)
  const of = (
    meaning: NotificationMeaning,
    some: number,
    more: { currency?: string; reference?: string; gatewayReference?: string } = {},
  ): Told => {
    const theirs = { gatewayReference: `bank ${reference}`, refusal: meaning === back ? sent.refusal : null }
    return {
      player,
      notification: notificationOf(player, { meaning, reference, amount: BigInt(some), ...theirs, ...more }),
    }
  }
  const all = of(isDone ? paid : back, amount)
  const part = Math.ceil(amount * 0.4)
  const some = telling === 'otherwise' ? amount : part
  if (telling === 'never') return
  if (telling === 'in parts' && isDone && part < amount) {
    played.tell(of(paid, part))
    played.tell(of(paid, amount - part))
  } else if (telling === 'wrongly, then rightly') {
    played.tell(of(paid, amount, { currency: 'JPY' }), of(paid, amount + 1), all)
  } else if (telling === 'partly otherwise' || telling === 'otherwise') {
    const other = of(isDone ? back : paid, some)
    sent.sent += isDone ? -some : some
    // In another order it says that the money came back in the end.
    if (isDone) for (const one of [all, other]) played.tell(one)
    else played.tell(all, other)
  } else if (telling === 'by a reference of its own' && isDone && payment !== null) {
    played.tell(all)
    played.tell(of('refundReversed', amount, { reference: payment, gatewayReference: `reversal of ${reference}` }))
    sent.sent = 0
  } else {
    played.tell(all)
    if (telling === 'twice') played.tell(all)
  }
}

/** Told of a deposit by its own reference. */
export function tellDeposit(
  played: Played,
  { reference, meaning, amount }: { reference: string; meaning: NotificationMeaning; amount: number },
): void {
  const named = nameOf(played, reference)
  if (named === undefined) return
  const { player } = named
  const gatewayReference = `bank ${reference}`
  played.tell({
    player,
    notification: notificationOf(player, { meaning, reference, gatewayReference, amount: BigInt(amount) }),
  })
}

// ---- Delivery

export function deliver(process: Process, played: Played, { player, notification }: Told): Promise<'applied' | 'none'> {
  return process.run(notificationInput(played, player, notification), async (context) => {
    await applyNotification(context, 'sandbox', notification)
    return 'applied' as const
  })
}

const STEPS: Readonly<Record<string, DisputeStep>> = {
  CHARGEBACK: 'charged',
  CHARGEBACK_REVERSED: 'reversed',
  SECOND_CHARGEBACK: 'charged for the last time',
  NOTIFICATION_OF_CHARGEBACK: 'told',
  INFORMATION_SUPPLIED: 'told',
  PREARBITRATION_WON: 'ended',
  PREARBITRATION_LOST: 'ended',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'ended',
}

function notificationInput(played: Played, player: Player, told: GatewayNotification): Input {
  const { meaning, reference, gatewayReference, amount, currency, refusal, key, event, endsDispute } = told
  const named = nameOf(played, reference)
  const deposit = named?.player.model.deposits.find(({ id }) => id === named.name)
  const step = STEPS[event] ?? null
  const notification: Notification = {
    key,
    says: meaning as Notification['says'],
    deposit: deposit?.id ?? null,
    outflow: deposit === undefined ? (named?.name ?? null) : null,
    theirs: gatewayReference,
    amount: Number(amount),
    currency,
    refusal,
    step: step === 'charged' && endsDispute ? 'charged for the last time' : step,
  }
  const of = named?.name ?? 'nobody'
  return {
    what: `${event} ${amount} ${currency} of ${of}`,
    player,
    apply: (model) => {
      notified(model, notification)
      return undefined
    },
  }
}
