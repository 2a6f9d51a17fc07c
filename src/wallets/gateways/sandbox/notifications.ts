// What the sandbox's bank may report about a payment, a refund or a payout, when an operator or a test lets it.

import { DAY_MS } from '../../../platform/runtime/durations.ts'
import { meaningOf } from '../adyen/event-codes.ts'
import type { GatewayNotification, NotificationMeaning, Refusal } from '../gateway.ts'

/** What operators may let the bank report, beside the events of disputes. */
export const OTHER_SANDBOX_EVENTS = [
  'AUTHORISATION',
  'CAPTURE',
  'CAPTURE_FAILED',
  'CANCELLATION',
  'TECHNICAL_CANCEL',
  'REFUND',
  'REFUND_FAILED',
  'REFUNDED_REVERSED',
  'PAYOUT_THIRDPARTY',
  'PAIDOUT_REVERSED',
] as const

/** The events that the operator may answer with evidence. */
const ANSWERABLE = ['REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'SECOND_CHARGEBACK']

/** The events have the names and meanings of Adyen's. */
export type BankReport = {
  readonly event: string
  /** true if absent. */
  readonly success?: boolean
  /** Our reference of the deposit, the refund or the payout. */
  readonly reference: string
  /** The bank's own. Absent: what it answered to the call with this reference; for refunds of deposits, one that was made at the bank. */
  readonly gatewayReference?: string
  /** The bank's own reference of the payment that a refund or dispute is about. */
  readonly paymentReference?: string
  readonly amount: bigint | null
  readonly currency: string
  readonly endsDispute?: boolean
  /** Why it failed or came back; `other` if absent. */
  readonly refusal?: Refusal
}

export function sandboxNotification(report: BankReport, now: number): GatewayNotification {
  const { event, success = true, reference, amount, currency } = report
  const meaning = meaningOf(event, success)
  const gatewayReference = report.gatewayReference ?? referenceOf(meaning, reference)
  const isBack = BACK.includes(meaning)
  return {
    // With the amount, as Adyen's: the bank may charge back twice, or return a refund in two parts.
    key: `${gatewayReference} ${event} ${success} ${amount}`,
    event,
    success,
    reference,
    gatewayReference,
    paymentReference: report.paymentReference ?? '',
    amount,
    currency,
    meaning,
    answerBy: ANSWERABLE.includes(event) ? now + 14 * DAY_MS : null,
    endsDispute: report.endsDispute ?? false,
    refusal: isBack ? (report.refusal ?? 'other') : null,
    reason: isBack ? 'reported by the bank' : '',
  }
}

const BACK: readonly NotificationMeaning[] = ['refundFailed', 'refundReversed', 'payoutReturned', 'payoutReversed']

function referenceOf(meaning: NotificationMeaning, reference: string): string {
  if (meaning === 'disputed') return `sandbox-dispute-${reference}`
  return meaning.startsWith('refund') ? `sandbox-refund-${reference}` : `sandbox-${reference}`
}
