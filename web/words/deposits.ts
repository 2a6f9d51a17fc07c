// Deposits: their states, and why they were refused or need review.

import type { RefusalCode, ReviewReason } from '../../src/wallets/deposits/reasons.ts'
import type { DepositState } from '../../src/wallets/deposits/store.ts'
import { DISPUTE_STATES } from './money.ts'

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

export const DEPOSIT_REASONS: Record<RefusalCode | ReviewReason, string> = {
  '24001': 'invalid payment method',
  '24002': 'below the card’s minimum',
  '24003': 'above the card’s maximum',
  '24004': 'customer may not deposit',
  '24005': 'authorisation failed',
  '24006': 'invalid card number',
  '24007': 'insufficient funds',
  '24008': 'daily limit',
  '24009': 'invalid CV2',
  '24010': 'invalid expiry date',
  '24015': 'funds statement not accepted',
  'capture-refused': 'capture refused',
  'capture-unresolved': 'capture without a result',
  'capture-failed': 'capture returned later',
  'cancel-says-captured': 'voided, but captured',
  'cancel-unresolved': 'cancel without a result',
}

/** Its state is in lower case there. */
function disputeState(state: string): string {
  const key = state.toUpperCase()
  return Object.hasOwn(DISPUTE_STATES, key) ? DISPUTE_STATES[key as keyof typeof DISPUTE_STATES].toLowerCase() : state
}

/** Of the trail of a deposit, whose events are words already, but for two that name a code. */
export function trailText(event: string): string {
  const [, reason = ''] = /^review: (.*)$/.exec(event) ?? []
  if (Object.hasOwn(DEPOSIT_REASONS, reason)) return `needs review: ${DEPOSIT_REASONS[reason as ReviewReason]}`
  const [, dispute = '', state = ''] = /^dispute (\d+): (.*)$/.exec(event) ?? []
  return dispute === '' ? event.replaceAll('-', ' ') : `dispute ${dispute}: ${disputeState(state)}`
}
