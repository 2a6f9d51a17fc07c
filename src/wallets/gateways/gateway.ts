// The port to payment gateways. A gateway holds an amount on the card (authorise), takes what it holds (capture) or
// releases it (cancel), returns what it took (refund), and pays winnings out to a card
// (payout). A result may stay unknown: then nothing is assumed.

import type { Readable } from 'node:stream'
import type { Config } from '../../platform/config/config.ts'
import type { Cv2 } from './cv2.ts'

/** A deposit stores the name of its gateway, so a name once used is never given to another gateway. */
export type GatewayName = Config['wallets']['gateway']

/** The faults that a gateway's refusal can mean. */
export type RefusalFault =
  | 'methodInvalid'
  | 'authorisationFailed'
  | 'cardNumberInvalid'
  | 'insufficientFunds'
  | 'cv2Invalid'
  | 'expiryInvalid'

export type AuthorisationRequest = {
  /** The deposit's id: the merchant reference and the idempotency key. */
  readonly reference: string
  readonly customerId: number
  readonly token: string
  readonly amount: bigint
  readonly currency: string
  /** How the customer can answer a challenge of the issuer; absent: they cannot. */
  readonly challenge?: ChallengeTerms
}

/** What the issuer needs to challenge the customer in a browser (3-D Secure), and to send them back. */
export type ChallengeTerms = {
  readonly returnUrl: string
  readonly browser: BrowserData
  /** Where the customer reaches this service: the sandbox has the issuer's page there. */
  readonly serviceUrl: string
}

export type BrowserData = {
  readonly userAgent: string
  readonly acceptHeader: string
  readonly language: string
  readonly colorDepth: number
  readonly screenWidth: number
  readonly screenHeight: number
  /** Minutes from local time to UTC, as browsers count. */
  readonly timeZoneOffset: number
  readonly javaEnabled: boolean
  /** null: not known. */
  readonly ip: string | null
}

/** Where the customer's browser goes, with the fields of the form for POST. */
export type ChallengeAction = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly data: readonly { readonly name: string; readonly value: string }[]
}

/** `reason` is for the event trail: codes and words of the gateway, never more. */
export type Authorisation =
  | { readonly outcome: 'approved'; readonly gatewayReference: string }
  | { readonly outcome: 'refused'; readonly fault: RefusalFault; readonly reason: string }
  /** The hold cannot be used (step-up requested, a part of the amount): it is cancelled, and the fault answered. */
  | {
      readonly outcome: 'unusable'
      readonly fault: RefusalFault
      readonly reason: string
      readonly gatewayReference: string | null
    }
  | { readonly outcome: 'unknown'; readonly reason: string }

/** challenge: only where the request has its terms. */
export type Decision = Authorisation | { readonly outcome: 'challenge'; readonly action: ChallengeAction }

/** unknown: not yet decided, or no answer. invalid: what came back is not of this payment. */
export type ChallengeResult = Authorisation | { readonly outcome: 'invalid'; readonly reason: string }

export type HeldPayment = {
  readonly reference: string
  /** The gateway's own id of the payment; null when it gave none. */
  readonly gatewayReference: string | null
  readonly amount: bigint
  readonly currency: string
}

export type Capture = { readonly outcome: 'captured' | 'refused' | 'unknown'; readonly reason: string }

/**
 * accepted: received, but whether there was something to cancel is not known yet. notFound is no proof of absence: the
 * authorisation may still be on its way. Both are repeated through the grace period.
 */
export type Cancel = {
  readonly outcome: 'cancelled' | 'accepted' | 'notFound' | 'captured' | 'unknown'
  readonly reason: string
}

/**
 * Why money could not go to a card. account-closed: the account behind the card is closed for good. deposit: this deposit cannot be
 * returned (too old, already returned), a payout may still be possible. card: this card cannot take it. not-permitted: the scheme
 * forbids to repeat it.
 */
export type Refusal = 'account-closed' | 'deposit' | 'card' | 'not-permitted' | 'other'

export type RefundRequest = {
  /** Ours, the idempotency key. */
  readonly reference: string
  readonly amount: bigint
  /** A part of a withdrawal, not a refund by an operator. */
  readonly isReturn: boolean
  /** The gateway's own id, where it has received it: then only the result is requested. */
  readonly gatewayReference: string | null
}

/**
 * received: a notification has the result later. `gatewayReference`: the gateway's own id of the refund, if it gave one.
 * `refusal`: null unless refused.
 */
export type RefundResult = {
  readonly outcome: 'done' | 'received' | 'refused' | 'unknown'
  readonly reason: string
  readonly refusal: Refusal | null
  readonly gatewayReference: string | null
}

export type PayoutRequest = {
  /** Ours: the merchant reference and the idempotency key. */
  readonly reference: string
  readonly customerId: number
  readonly token: string
  readonly holder: { readonly firstName: string; readonly lastName: string }
  readonly amount: bigint
  readonly currency: string
}

type PayoutAnswer<Outcome extends string> = {
  readonly outcome: Outcome
  /** In words. */
  readonly reason: string
  /** null unless refused or returned. */
  readonly refusal: Refusal | null
  /** The gateway's own id of the payout, if it gave one. */
  readonly gatewayReference: string | null
}

/**
 * received: on its way; a notification, the next call or a look-up has the result. refused: the customer does not have the money.
 * unfunded: our account at the gateway has too little; the call is repeated once it is funded.
 */
export type PayoutResult = PayoutAnswer<'paid' | 'received' | 'refused' | 'unfunded' | 'unknown'>

/** returned: it was sent, and came back. notFound: nothing was sent, or not yet; `payout` may be called again. */
export type PayoutLookup = PayoutAnswer<'paid' | 'received' | 'refused' | 'returned' | 'notFound' | 'unknown'>

/** failed: the capture was refused or returned afterwards. */
export type PaymentState = 'held' | 'captured' | 'cancelled' | 'failed'

/**
 * The gateway's own record of a payment. notified: it has no call that reads one, so this is what its notifications reported;
 * null: nothing yet. unknown: it gave no answer that can be read.
 */
export type PaymentLookup =
  | { readonly outcome: 'found'; readonly state: PaymentState; readonly amount: bigint; readonly currency: string }
  | { readonly outcome: 'notFound' }
  | { readonly outcome: 'notified'; readonly state: PaymentState | null }
  | { readonly outcome: 'unknown'; readonly reason: string }

export type GatewayNotification = {
  /**
   * The same for every delivery of the same notification, and different for two steps of one dispute, or two parts of one capture
   * or refund: it contains the amount, because gateways use one reference and one event name for them.
   */
  readonly key: string
  readonly event: string
  readonly success: boolean
  readonly reference: string
  readonly gatewayReference: string
  /** The gateway's own id of the payment that the notification is about, where `gatewayReference` is another; or empty. */
  readonly paymentReference: string
  /** null: none is reported, which means the whole. */
  readonly amount: bigint | null
  /** true: what is reported is not an amount. */
  readonly isWithoutAmount?: boolean
  readonly currency: string
  readonly meaning: NotificationMeaning
  /** Until when a dispute can be answered with evidence. */
  readonly answerBy: number | null
  /** Whether the dispute is over with this notification: won, lost, accepted or expired. */
  readonly endsDispute: boolean
  /** Why a refund or payout failed or came back; null: it did not. */
  readonly refusal: Refusal | null
  /** The refusal in words; empty where there is nothing to explain. */
  readonly reason: string
}

/** By their names in small letters, as Node has them. */
export type NotificationHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * cancelFailed: the cancel was refused, so the money may have been taken. refundFailed: also one that had been done.
 * refundReversed: it was done and came back; the reference may be one of the reversal alone. disputed: `event` is one of
 * disputes/events.ts. payoutReturned: refused or failed. payoutReversed: it was sent and came back, also after it was paid.
 */
export type NotificationMeaning =
  | 'approved'
  | 'captured'
  | 'captureFailed'
  | 'cancelled'
  | 'cancelFailed'
  | 'refunded'
  | 'refundFailed'
  | 'refundReversed'
  | 'disputed'
  | 'payoutPaid'
  | 'payoutReturned'
  | 'payoutReversed'
  | 'nothing'

/** refused: the gateway does not accept the key or the account. `date`: the header of its answer. */
export type KeyTrial = {
  /** What the key is for, in words. */
  readonly what: string
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  readonly reason: string
  readonly date?: string | undefined
}

export type Gateway = {
  readonly name: GatewayName
  authorise(request: AuthorisationRequest, cv2: Cv2): Promise<Decision>
  /** Requests the result of a challenge, with what came back to the return address. May be repeated. */
  finishChallenge(payment: HeldPayment, redirectResult: string): Promise<ChallengeResult>
  /** May be repeated: the money is taken only once. */
  capture(payment: HeldPayment): Promise<Capture>
  /** May be repeated: what was approved since the last time is cancelled too. */
  cancel(payment: HeldPayment): Promise<Cancel>
  /** May be repeated with the same reference: the money is returned only once. */
  refund(payment: HeldPayment, refund: RefundRequest): Promise<RefundResult>
  /** Whether the settings for payouts are present. Returns need none. */
  readonly paysOut: boolean
  /** May be repeated with the same reference: the money is sent only once. */
  payout(request: PayoutRequest): Promise<PayoutResult>
  /** Reads a payout after its answer was lost; sends nothing. */
  lookUpPayout(request: PayoutRequest): Promise<PayoutLookup>
  /** Changes nothing, and ends within the gateway's time-out. `notified`: its notifications, oldest first ("CAPTURE true"). */
  lookUp(payment: HeldPayment, notified: readonly string[]): Promise<PaymentLookup>
  /** Calls it once with each key. Moves and stores nothing. */
  tryKeys(): Promise<readonly KeyTrial[]>
  /** The address of the payment in the gateway's own back office; null: there is none. */
  backOfficeLink(payment: HeldPayment): string | null
  /** null: not a notification, or not signed by the gateway. */
  readNotifications(body: Buffer, headers: NotificationHeaders): readonly GatewayNotification[] | null
  close(): Promise<void>
}

/** Money that went back to the card, or came back to us after that. */
export type ReportedReturn = 'refunded' | 'refund reversed' | 'charged back' | 'chargeback reversed'

/** Money of a withdrawal that went to a card, or came back to us after that. */
export type ReportedPayout = 'paid out' | 'payout reversed'

/**
 * A payment in a gateway's report: settled to us, still held on the card, or returned, with the reference of its deposit; or a payout,
 * with its own. The amount is as the report writes it.
 */
export type ReportedPayment = {
  readonly reference: string
  /** Ours or the gateway's own of the refund or dispute, where the report has them. */
  readonly returnReferences?: readonly string[]
  readonly amount: string
  readonly currency: string
  readonly state: 'settled' | 'held' | ReportedReturn | ReportedPayout
}

/** One row of the table of gateways (gateways.ts). */
export type GatewayDefinition = {
  /** What `open` needs, for the log line about deposits that wait for a gateway without settings. */
  readonly neededSettings: string
  /** null: the settings are absent. */
  open(config: Config): Promise<Gateway | null>
  /** The body of the answer to a notification. The gateway repeats a notification until it reads exactly this. */
  readonly acknowledgement: string
  /** Throws when the file is not such a report. */
  readReport(report: Readable): AsyncIterable<ReportedPayment>
}
