// What Adyen reports of a transfer: its status, and the reason of a refusal.
// https://docs.adyen.com/payouts/payout-service/pay-out-to-cards/payout-webhooks

import { readAsset } from '../../../platform/runtime/assets.ts'
import type { Refusal } from '../gateway.ts'

type Words = readonly [refusal: Refusal, words: string]

/** Our balance account has too little: no refusal of the card, so it has none here. */
export const NOT_ENOUGH_BALANCE = 'notEnoughBalance'

/**
 * Every reason of Adyen's but NOT_ENOUGH_BALANCE: a test compares them with the enumeration of Adyen's own library. Only a closed account
 * frees the money for other cards: not found, blocked or invalid may be temporary.
 */
export const TRANSFER_REASONS = readAsset<Readonly<Record<string, Words>>>('wallets/adyen-transfer-reasons.json')

const UNKNOWN: Words = ['other', 'the gateway gave no reason that is known here']

export function reasonInWords(reason: unknown): { readonly refusal: Refusal; readonly reason: string } {
  const known = typeof reason === 'string' && Object.hasOwn(TRANSFER_REASONS, reason)
  const [refusal, words] = (known ? TRANSFER_REASONS[reason] : undefined) ?? UNKNOWN
  return { refusal, reason: words }
}

export type TransferState = 'received' | 'paid' | 'refused' | 'returned'

/** Statuses of transfers to cards. All others decide nothing: `error` does not state whether the money was sent. */
const STATES: Readonly<Record<string, TransferState>> = {
  received: 'received',
  authorised: 'received',
  pending: 'received',
  approvalPending: 'received',
  pendingApproval: 'received',
  pendingExecution: 'received',
  bookingPending: 'received',
  booked: 'paid',
  // The bank of the card confirms it, where it does; after booked.
  credited: 'paid',
  refused: 'refused',
  rejected: 'refused',
  failed: 'refused',
  cancelled: 'refused',
  expired: 'refused',
  // Also after booked.
  returned: 'returned',
  reversed: 'returned',
}

export function stateOfStatus(status: unknown): TransferState | null {
  return typeof status === 'string' && Object.hasOwn(STATES, status) ? (STATES[status] as TransferState) : null
}
