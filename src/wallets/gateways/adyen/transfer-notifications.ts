// Webhooks of the balance platform about transfers: one transfer each, with a signature of the whole body in a header.
// https://docs.adyen.com/development-resources/webhooks/verify-hmac-signatures

import type { GatewayNotification, NotificationHeaders, NotificationMeaning } from '../gateway.ts'
import type { TransferSettings } from './settings.ts'
import { isSignedWith } from './signature.ts'
import { isUnfunded, type Transfer } from './transfer.ts'
import { reasonInWords, stateOfStatus, type TransferState } from './transfer-reasons.ts'
import { fromAdyenUnits } from './units.ts'

const TYPES: readonly unknown[] = ['balancePlatform.transfer.created', 'balancePlatform.transfer.updated']

export type PlatformWebhook = { readonly type: string; readonly data?: Transfer | null }

/** null: not signed with our key. Empty: of another kind, or not about a card payout from our balance account. */
export function readTransferNotification(
  webhook: PlatformWebhook,
  { body, headers }: { body: Buffer; headers: NotificationHeaders },
  settings: TransferSettings | null,
): GatewayNotification[] | null {
  if (settings === null || !isSignedWith(settings.hmacKey, body, headers.hmacsignature)) return null
  const { type, data } = webhook
  const isOurs = data?.category === 'card' && data.balanceAccount?.id === settings.balanceAccount
  return TYPES.includes(type) && isOurs ? [toNotification(data)] : []
}

const MEANINGS: Readonly<Record<TransferState, NotificationMeaning>> = {
  received: 'nothing',
  paid: 'payoutPaid',
  refused: 'payoutReturned',
  returned: 'payoutReversed',
}

/** A transfer without enough balance is no result: `payout` sends another one. */
function meaningOf(transfer: Transfer): NotificationMeaning {
  const state = isUnfunded(transfer) ? null : stateOfStatus(transfer.status)
  return state === null ? 'nothing' : MEANINGS[state]
}

function toNotification(transfer: Transfer): GatewayNotification {
  const { id, status, reference, amount, reason } = transfer
  const currency = textOf(amount?.currency)
  const meaning = meaningOf(transfer)
  const units = fromAdyenUnits(amount?.value, currency)
  const isBack = meaning === 'payoutReturned' || meaning === 'payoutReversed'
  return {
    // Without the sequence number: Adyen sends `booked` again with tracking data, also late, and it must not count as paid again.
    key: `${textOf(id)} ${textOf(status)} ${textOf(amount?.value)}`,
    event: `transfer.${textOf(status)}`,
    success: meaning !== 'payoutReturned',
    reference: textOf(reference),
    gatewayReference: textOf(id),
    paymentReference: '',
    amount: units,
    isWithoutAmount: units === null,
    currency,
    meaning,
    answerBy: null,
    endsDispute: false,
    ...(isBack ? reasonInWords(reason) : { refusal: null, reason: '' }),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}
