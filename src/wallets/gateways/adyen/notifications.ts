// Adyen's standard webhooks: JSON with items, each signed with HMAC-SHA256 over eight fields. What else an item has is not signed,
// so that nothing of it names a deposit or an amount.

import type { GatewayNotification, NotificationHeaders, NotificationMeaning, PaymentState } from '../gateway.ts'
import { meaningOf } from './event-codes.ts'
import { refusalOfText, wordsOf } from './refund-refusals.ts'
import type { AdyenSettings } from './settings.ts'
import { isSignedWith } from './signature.ts'
import { type PlatformWebhook, readTransferNotification } from './transfer-notifications.ts'
import { fromAdyenUnits } from './units.ts'

type Item = {
  pspReference?: unknown
  originalReference?: unknown
  merchantAccountCode?: unknown
  merchantReference?: unknown
  amount?: { value?: unknown; currency?: unknown }
  eventCode?: unknown
  success?: unknown
  reason?: unknown
  additionalData?: {
    hmacSignature?: unknown
    defensePeriodEndsAt?: unknown
    disputeStatus?: unknown
    'modification.action'?: unknown
  }
}

/** null: an item is not signed with our key, or the body is no notification. Both kinds of webhooks arrive at one address. */
export function readAdyenNotifications(
  body: Buffer,
  headers: NotificationHeaders,
  settings: AdyenSettings,
): GatewayNotification[] | null {
  const parsed = parse(body)
  if (typeof parsed.type === 'string') {
    return readTransferNotification(parsed as PlatformWebhook, { body, headers }, settings.transfers)
  }
  const items = itemsOf(parsed.notificationItems)
  const isSigned = (item: Item) => isSignedWith(settings.hmacKey, signedText(item), item.additionalData?.hmacSignature)
  if (items === null || !items.every(isSigned)) return null
  return items.filter((item) => item.merchantAccountCode === settings.merchantAccount).map(toNotification)
}

function parse(body: Buffer): { type?: unknown; notificationItems?: unknown } {
  try {
    return JSON.parse(body.toString()) ?? {}
  } catch {
    return {}
  }
}

function itemsOf(given: unknown): Item[] | null {
  if (!Array.isArray(given) || given.length === 0) return null
  const items = given.map((one) => (one as { NotificationRequestItem?: Item } | null)?.NotificationRequestItem)
  return items.every(isItem) ? items : null
}

/** Anybody may send anything here: an item with an object where a text belongs is refused before it is used. */
function isItem(item: Item | null | undefined): item is Item {
  if (typeof item !== 'object' || item === null) return false
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item
  const parts = [pspReference, originalReference, merchantAccountCode, merchantReference, eventCode, success]
  return [...parts, amount?.value, amount?.currency].every((part) => part === null || typeof part !== 'object')
}

function signedText(item: Item): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item
  const parts = [pspReference, originalReference, merchantAccountCode, merchantReference]
  return [...parts, amount?.value, amount?.currency, eventCode, success].map((part) => `${part ?? ''}`).join(':')
}

/** A refund or a dispute does not change that a payment was captured. */
const STATES: Readonly<Partial<Record<NotificationMeaning, PaymentState>>> = {
  approved: 'held',
  captured: 'captured',
  captureFailed: 'failed',
  cancelled: 'cancelled',
}

/** What the last of these notifications, each its event and success, reports of the payment. null: none reports anything. */
export function notifiedState(notified: readonly string[]): PaymentState | null {
  const states = notified.map((one) => {
    const [event = '', success] = one.split(' ')
    return STATES[meaningOf(event, success === 'true')]
  })
  return states.findLast((state) => state !== undefined) ?? null
}

/** A dispute with one of these is over. */
const FINAL_DISPUTES: readonly unknown[] = ['Won', 'Lost', 'Accepted', 'Expired']

function toNotification(item: Item): GatewayNotification {
  const event = `${item.eventCode ?? ''}`
  const success = `${item.success ?? ''}` === 'true'
  const gatewayReference = `${item.pspReference ?? ''}`
  const currency = `${item.amount?.currency ?? ''}`
  const { additionalData } = item
  const meaning = meaningOf(event, success, `${additionalData?.['modification.action'] ?? ''}`)
  const amount = fromAdyenUnits(item.amount?.value, currency)
  return {
    // With the amount: all steps of a dispute have one pspReference, and a second CHARGEBACK of another amount is another step.
    key: `${gatewayReference} ${event} ${success} ${item.amount?.value ?? ''}`,
    event,
    success,
    reference: `${item.merchantReference ?? ''}`,
    gatewayReference,
    paymentReference: `${item.originalReference ?? ''}`,
    amount,
    isWithoutAmount: amount === null,
    currency,
    meaning,
    answerBy: timeOf(additionalData?.defensePeriodEndsAt),
    endsDispute: meaning === 'disputed' && FINAL_DISPUTES.includes(additionalData?.disputeStatus),
    ...refusalOf(item, meaning),
  }
}

const FAILED: readonly NotificationMeaning[] = ['refundFailed', 'refundReversed', 'payoutReturned', 'payoutReversed']

function refusalOf({ reason }: Item, meaning: NotificationMeaning): Pick<GatewayNotification, 'refusal' | 'reason'> {
  if (!FAILED.includes(meaning)) return { refusal: null, reason: '' }
  const refusal = refusalOfText(reason)
  return { refusal, reason: wordsOf(refusal) }
}

/** null: no time, or none that can be read. Not signed, so nothing but a list depends on it. */
function timeOf(given: unknown): number | null {
  const time = typeof given === 'string' ? Date.parse(given) : Number.NaN
  return Number.isNaN(time) ? null : time
}
