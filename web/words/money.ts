// Withdrawals, refunds, disputes and what gateways report.

import type { Withdrawal } from '../../src/operator/api-types.ts'
import type { OperatorCalls } from '../../src/operator/operations.ts'

type Refund = OperatorCalls['listRefunds']['answer']['items'][number]
type Dispute = OperatorCalls['listDisputes']['answer']['items'][number]
type Proposal = OperatorCalls['listMoneyProposals']['answer']['items'][number]
type Part = Withdrawal['parts'][number]

/** As customers get them. */
export type OwnWithdrawalState = Lowercase<Withdrawal['state']>
export type OwnPartState = Lowercase<Part['state']>

export const WITHDRAWAL_STATES: Record<Withdrawal['state'], string> = {
  REQUESTED: 'Requested',
  APPROVED: 'Approved',
  SENDING: 'Being sent',
  PAID: 'Paid',
  RETURNED: 'Returned',
  REFUSED: 'Refused',
  REVIEW: 'Needs review',
}

export const PART_STATES: Record<Part['state'], string> = {
  WAITING: 'Not sent yet',
  SENDING: 'Being sent',
  PAID: 'Paid',
  RETURNED: 'Returned',
  REVIEW: 'Needs review',
}

const PART_KINDS: Record<Part['kind'], string> = {
  return: 'return of a deposit',
  payout: 'payout of a deposit',
  outside: 'payment outside',
}

/** "payout of winnings" */
export function partKind({ kind, paymentId, freed }: Pick<Part, 'kind' | 'paymentId' | 'freed'>): string {
  const words = PART_KINDS[kind]
  if (freed) return `${words.replace(' of a deposit', '')} of what another card paid in`
  if (paymentId !== null) return words
  return `${words.replace(' of a deposit', '')} of winnings`
}

export const HOLDS: Record<NonNullable<Withdrawal['hold']>, string> = {
  operator: 'An operator holds it: nobody can approve it until it is released.',
  card: 'Its card was changed, closed or removed after the request. It needs new approvals.',
  debt: 'The customer owes money. It needs new approvals.',
}

export const REFUND_STATES: Record<Refund['state'], string> = {
  REQUESTED: 'Requested',
  SENT: 'Being sent',
  DONE: 'Paid',
  FAILED: 'Failed',
  REVIEW: 'Needs review',
}

export const REFUND_ORIGINS: Record<Refund['origin'], string> = {
  operator: 'an operator',
  gateway: 'the gateway’s back office',
  withdrawal: 'a withdrawal',
}

export const DISPUTE_STATES: Record<Dispute['state'], string> = {
  OPENED: 'Opened',
  CHARGED_BACK: 'Charged back',
  REVERSED: 'Reversed',
  CHARGED_BACK_AGAIN: 'Charged back again',
  LOST: 'Lost',
  WON: 'Won',
}

export const EVIDENCE: Record<Dispute['evidence'], string> = {
  open: 'open',
  supplied: 'supplied',
  over: 'no longer accepted',
}

/** What is decided about. */
export const PROPOSAL_KINDS: Record<Proposal['kind'], string> = {
  deposit: 'a deposit in review',
  refund: 'a refund',
  part: 'a part of a withdrawal',
  dispute: 'the end of a dispute',
  card: 'a new card',
  'account-closure': 'the account behind a card',
  'outside-payment': 'a payment outside',
  'outside-return': 'a payment outside that came back',
  'debt-write-off': 'a debt',
  movement: 'an adjustment',
}

/** The words for decisions that are a choice; others are in words already. */
const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'paid',
  ended: 'it has ended',
  closed: 'it is closed',
}

export const outcomeText = (outcome: string): string => OUTCOMES[outcome] ?? outcome

// ---- What gateways report

/** By the names of Adyen's notifications. */
export const REPORTS: Record<OperatorCalls['sendSandboxNotification']['body']['event'], string> = {
  NOTIFICATION_OF_FRAUD: 'fraud reported',
  REQUEST_FOR_INFORMATION: 'information requested',
  NOTIFICATION_OF_CHARGEBACK: 'chargeback announced',
  INFORMATION_SUPPLIED: 'evidence supplied',
  ISSUER_COMMENTS: 'the bank has commented',
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'the bank did not respond in time',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'the time for evidence is over',
  CHARGEBACK: 'charged back',
  CHARGEBACK_REVERSED: 'returned by the bank',
  SECOND_CHARGEBACK: 'charged back again',
  PREARBITRATION_LOST: 'lost',
  PREARBITRATION_WON: 'won',
  AUTHORISATION: 'authorised',
  CAPTURE: 'captured',
  CAPTURE_FAILED: 'capture failed',
  CANCELLATION: 'cancelled',
  TECHNICAL_CANCEL: 'cancelled for technical reasons',
  REFUND: 'refunded',
  REFUND_FAILED: 'refund failed',
  REFUNDED_REVERSED: 'refund came back',
  PAYOUT_THIRDPARTY: 'paid out',
  PAIDOUT_REVERSED: 'payout came back',
}

/** Other gateways, and later versions, have other names: these are shown as they are. */
export function reportText(event: string): string {
  return Object.hasOwn(REPORTS, event) ? REPORTS[event as keyof typeof REPORTS] : event
}
