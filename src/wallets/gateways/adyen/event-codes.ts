import type { NotificationMeaning } from '../gateway.ts'

type Meanings = { readonly succeeded: NotificationMeaning; readonly failed: NotificationMeaning }

const NOTHING: Meanings = { succeeded: 'nothing', failed: 'nothing' }
const CANCELLED: Meanings = { succeeded: 'cancelled', failed: 'cancelFailed' }
const REFUNDED: Meanings = { succeeded: 'refunded', failed: 'refundFailed' }
const DISPUTED: Meanings = { ...NOTHING, succeeded: 'disputed' }

/**
 * What each event code of Adyen's standard webhooks means, all of them: a test compares them with the enumeration of Adyen's
 * own library. https://docs.adyen.com/development-resources/webhooks/webhook-types
 */
export const EVENT_CODES: Readonly<Record<string, Meanings>> = {
  AUTHORISATION: { ...NOTHING, succeeded: 'approved' },
  CAPTURE: { succeeded: 'captured', failed: 'captureFailed' },
  CAPTURE_FAILED: { ...NOTHING, succeeded: 'captureFailed' },
  CANCELLATION: CANCELLED,
  TECHNICAL_CANCEL: CANCELLED,

  REFUND: REFUNDED,
  REFUND_FAILED: { ...NOTHING, succeeded: 'refundFailed' },
  REFUNDED_REVERSED: { ...NOTHING, succeeded: 'refundReversed' },

  NOTIFICATION_OF_FRAUD: DISPUTED,
  REQUEST_FOR_INFORMATION: DISPUTED,
  NOTIFICATION_OF_CHARGEBACK: DISPUTED,
  INFORMATION_SUPPLIED: DISPUTED,
  ISSUER_COMMENTS: DISPUTED,
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: DISPUTED,
  DISPUTE_DEFENSE_PERIOD_ENDED: DISPUTED,
  CHARGEBACK: DISPUTED,
  CHARGEBACK_REVERSED: DISPUTED,
  SECOND_CHARGEBACK: DISPUTED,
  PREARBITRATION_WON: DISPUTED,
  PREARBITRATION_LOST: DISPUTED,

  // Payouts that earlier versions sent by the Payout API. Those of the Transfers API have webhooks of their own.
  PAYOUT_THIRDPARTY: { succeeded: 'payoutPaid', failed: 'payoutReturned' },
  // Cancelled by a person in the Customer Area, by the service, or because nobody confirmed it.
  PAYOUT_DECLINE: { ...NOTHING, succeeded: 'payoutReturned' },
  PAYOUT_EXPIRE: { ...NOTHING, succeeded: 'payoutReturned' },
  PAIDOUT_REVERSED: { ...NOTHING, succeeded: 'payoutReversed' },

  // Made in the Customer Area; MODIFICATIONS has which of the two it was.
  CANCEL_OR_REFUND: NOTHING,
  // We never refund without a payment, or by a terminal.
  REFUND_WITH_DATA: NOTHING,
  POSTPONED_REFUND: NOTHING,
  VOID_PENDING_REFUND: NOTHING,
  // A hold that expires at the bank shows when its capture is refused.
  EXPIRE: NOTHING,
  AUTHORISATION_ADJUSTMENT: NOTHING,
  // Results that are on their way: AUTHORISATION follows.
  PENDING: NOTHING,
  AUTORESCUE: NOTHING,
  CANCEL_AUTORESCUE: NOTHING,
  PROCESS_RETRY: NOTHING,
  MANUAL_REVIEW_ACCEPT: NOTHING,
  MANUAL_REVIEW_REJECT: NOTHING,
  HANDLED_EXTERNALLY: NOTHING,
  // Products that deposits do not use.
  DONATION: NOTHING,
  OFFER_CLOSED: NOTHING,
  ORDER_OPENED: NOTHING,
  ORDER_CLOSED: NOTHING,
  RECURRING_CONTRACT: NOTHING,
  REPORT_AVAILABLE: NOTHING,
}

/** What a CANCEL_OR_REFUND was, by `modification.action` of its additional data. Adyen does not always send it. */
const MODIFICATIONS: Readonly<Record<string, Meanings>> = { cancel: CANCELLED, refund: REFUNDED }

export function meaningOf(event: string, success: boolean, action = ''): NotificationMeaning {
  const [meanings, name] = event === 'CANCEL_OR_REFUND' ? [MODIFICATIONS, action] : [EVENT_CODES, event]
  if (!Object.hasOwn(meanings, name)) return 'nothing'
  return (meanings[name] as Meanings)[success ? 'succeeded' : 'failed']
}
