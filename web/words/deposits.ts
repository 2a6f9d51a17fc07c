// Deposits: their states, and why they were refused or need review.

import type { RefusalCode, ReviewReason } from '../../src/wallets/deposits/reasons.ts'
import type { DepositState } from '../../src/wallets/deposits/store.ts'
import { DISPUTE_STATES, REFUND_STATES } from './money.ts'

export const DEPOSIT_STATES: Record<DepositState, string> = {
  AUTHORISING: 'Being authorised',
  CHALLENGE: 'Waiting for the customer',
  AUTHORISED: 'Authorised',
  CAPTURED: 'Captured',
  DECLINED: 'Declined',
  VOIDING: 'Being voided',
  VOIDED: 'Voided',
  REVIEW: 'Needs review',
}

/** The same as in the API's answers. */
export const DEPOSIT_REASONS: Record<RefusalCode | ReviewReason, string> = {
  '24001': 'Card cannot be used',
  '24002': 'Below the card’s minimum',
  '24003': 'Above the card’s maximum',
  '24004': 'Customer may not deposit',
  '24005': 'Refused by the bank',
  '24006': 'Card number refused',
  '24007': 'Not enough money',
  '24008': 'Daily limit reached',
  '24009': 'Wrong security code',
  '24010': 'Card expired',
  '24015': 'Funds statement not accepted',
  'capture-refused': 'Capture refused',
  'capture-unresolved': 'Capture without a result',
  'capture-failed': 'Capture returned later',
  'cancel-says-captured': 'Voided, but captured',
  'cancel-unresolved': 'Cancel without a result',
}

/** A code that only a newer service knows has the words of its answer. */
export function depositReason(code: string, title: string): string {
  return Object.hasOwn(DEPOSIT_REASONS, code) ? DEPOSIT_REASONS[code as RefusalCode] : title
}

/** Its state is in lower case there. */
function stateText(words: Readonly<Record<string, string>>, state: string): string {
  return words[state.toUpperCase()]?.toLowerCase() ?? state
}

/** The words for an entry in a deposit's trail. Entries are words already, except those that name a code. */
export function trailText(event: string): string {
  const [, reason = ''] = /^review: (.*)$/.exec(event) ?? []
  if (Object.hasOwn(DEPOSIT_REASONS, reason))
    return `needs review: ${DEPOSIT_REASONS[reason as ReviewReason].toLowerCase()}`
  const [, kind = '', id = '', state = ''] = /^(dispute|refund) (\d+): (.*)$/.exec(event) ?? []
  if (kind === '') return event.replaceAll('-', ' ')
  return `${kind} ${id}: ${stateText(kind === 'dispute' ? DISPUTE_STATES : REFUND_STATES, state)}`
}
