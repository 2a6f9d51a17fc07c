// Adyen's standard webhooks: JSON with items, each signed with HMAC-SHA256 over eight fields.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { GatewayNotification, NotificationMeaning, PaymentState } from '../gateway.ts'
import { meaningOf } from './event-codes.ts'
import type { AdyenSettings } from './settings.ts'
import { fromAdyenUnits } from './units.ts'

type Item = {
  pspReference?: unknown
  originalReference?: unknown
  merchantAccountCode?: unknown
  merchantReference?: unknown
  amount?: { value?: unknown; currency?: unknown }
  eventCode?: unknown
  success?: unknown
  additionalData?: { hmacSignature?: unknown; defensePeriodEndsAt?: unknown }
}

/** null: an item is not signed with our key, or the body is no notification. */
export function readAdyenNotifications(body: Buffer, settings: AdyenSettings): GatewayNotification[] | null {
  const items = itemsOf(body)
  if (items === null || !items.every((item) => isSigned(item, settings.hmacKey))) return null
  return items.filter((item) => item.merchantAccountCode === settings.merchantAccount).map(toNotification)
}

function itemsOf(body: Buffer): Item[] | null {
  try {
    const { notificationItems } = JSON.parse(body.toString()) as { notificationItems?: unknown }
    if (!Array.isArray(notificationItems) || notificationItems.length === 0) return null
    const items = notificationItems.map(
      (one) => (one as { NotificationRequestItem?: Item } | null)?.NotificationRequestItem,
    )
    return items.every(isItem) ? items : null
  } catch {
    return null
  }
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

function isSigned(item: Item, hmacKey: string): boolean {
  const given = item.additionalData?.hmacSignature
  if (typeof given !== 'string') return false
  const expected = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signedText(item)).digest()
  const signature = Buffer.from(given, 'base64')
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

/** A refund or a dispute does not change that a payment was captured. */
const STATES: Readonly<Partial<Record<NotificationMeaning, PaymentState>>> = {
  approved: 'held',
  captured: 'captured',
  captureFailed: 'failed',
  cancelled: 'cancelled',
}

/** What the last of these notifications, each its event and success, says of the payment. null: none says anything. */
export function notifiedState(notified: readonly string[]): PaymentState | null {
  const states = notified.map((one) => {
    const [event = '', success] = one.split(' ')
    return STATES[meaningOf(event, success === 'true')]
  })
  return states.findLast((state) => state !== undefined) ?? null
}

function toNotification(item: Item): GatewayNotification {
  const event = `${item.eventCode ?? ''}`
  const success = `${item.success ?? ''}` === 'true'
  const gatewayReference = `${item.pspReference ?? ''}`
  const currency = `${item.amount?.currency ?? ''}`
  return {
    key: `${gatewayReference} ${event} ${success}`,
    event,
    success,
    reference: `${item.merchantReference ?? ''}`,
    gatewayReference,
    paymentReference: `${item.originalReference ?? ''}`,
    amount: fromAdyenUnits(item.amount?.value, currency),
    currency,
    meaning: meaningOf(event, success),
    answerBy: timeOf(item.additionalData?.defensePeriodEndsAt),
  }
}

/** null: no time, or none that can be read. Not signed, so nothing but a list depends on it. */
function timeOf(given: unknown): number | null {
  const time = typeof given === 'string' ? Date.parse(given) : Number.NaN
  return Number.isNaN(time) ? null : time
}
