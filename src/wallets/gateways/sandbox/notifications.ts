// The sandbox's bank tells what a bank may tell about a payment, when an operator asks it to.

import type { GatewayNotification, NotificationMeaning } from '../gateway.ts'

const FOURTEEN_DAYS_MS = 14 * 86_400_000

const MEANINGS: Readonly<Record<string, NotificationMeaning>> = {
  REFUND: 'refunded',
  REFUND_FAILED: 'refundFailed',
  REFUNDED_REVERSED: 'refundReversed',
  CAPTURE_FAILED: 'captureFailed',
}

/** Beside the events of disputes. */
export const OTHER_SANDBOX_EVENTS = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED', 'CAPTURE_FAILED'] as const

/** Those that the operator may answer with evidence. */
const ANSWERABLE = ['REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'SECOND_CHARGEBACK']

type Told = {
  readonly paymentId: string
  readonly event: string
  readonly amount: bigint
  readonly currency: string
  /** The bank's reference of the newest refund, for events of refunds; null: one that was made at the bank. */
  readonly refundReference: string | null
}

export function sandboxNotification(told: Told, now: number): GatewayNotification {
  const { paymentId, event, amount, currency, refundReference } = told
  const meaning = MEANINGS[event] ?? 'disputed'
  const gatewayReference =
    meaning === 'disputed' ? `sandbox-dispute-${paymentId}` : (refundReference ?? `sandbox-refund-${paymentId}`)
  return {
    key: `${gatewayReference} ${event} true`,
    event,
    success: true,
    reference: paymentId,
    gatewayReference,
    paymentReference: '',
    amount,
    currency,
    meaning,
    answerBy: ANSWERABLE.includes(event) ? now + FOURTEEN_DAYS_MS : null,
  }
}
