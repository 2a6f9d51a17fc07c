// Withdrawals, refunds and disputes in words. Each table is complete by its type: a state, kind or hold that is new does not compile.

import type { Withdrawal } from '../../../src/operator/api-types.ts'
import type { OperatorCalls } from '../../../src/operator/operations.ts'
import type { AnswerOf } from '../api/operations.ts'
import type { Look } from '../parts/basics.tsx'

type Refund = AnswerOf<'listRefunds'>['items'][number]
type Dispute = AnswerOf<'listDisputes'>['items'][number]
type Proposal = AnswerOf<'listMoneyProposals'>['items'][number]
type Words = { readonly text: string; readonly look: Look }
type Part = Withdrawal['parts'][number]

export const WITHDRAWAL_STATES: Record<Withdrawal['state'], Words> = {
  REQUESTED: { text: 'Requested', look: 'wait' },
  APPROVED: { text: 'Approved', look: 'wait' },
  SENDING: { text: 'Being sent', look: 'wait' },
  PAID: { text: 'Paid', look: 'good' },
  RETURNED: { text: 'Returned', look: 'bad' },
  REFUSED: { text: 'Refused', look: 'bad' },
  REVIEW: { text: 'Needs review', look: 'warn' },
}

export const PART_STATES: Record<Part['state'], Words> = {
  WAITING: { text: 'Not sent yet', look: 'wait' },
  SENDING: { text: 'Being sent', look: 'wait' },
  PAID: { text: 'Paid', look: 'good' },
  RETURNED: { text: 'Returned', look: 'bad' },
  REVIEW: { text: 'Needs review', look: 'warn' },
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

export const REFUND_STATES: Record<Refund['state'], Words> = {
  REQUESTED: { text: 'Requested', look: 'wait' },
  SENT: { text: 'Being sent', look: 'wait' },
  DONE: { text: 'Paid', look: 'good' },
  FAILED: { text: 'Failed', look: 'bad' },
  REVIEW: { text: 'Needs review', look: 'warn' },
}

export const REFUND_ORIGINS: Record<Refund['origin'], string> = {
  operator: 'an operator',
  gateway: 'the gateway’s back office',
  withdrawal: 'a withdrawal',
}

export const DISPUTE_STATES: Record<Dispute['state'], Words> = {
  OPENED: { text: 'Opened', look: 'wait' },
  CHARGED_BACK: { text: 'Charged back', look: 'warn' },
  REVERSED: { text: 'Reversed', look: 'good' },
  CHARGED_BACK_AGAIN: { text: 'Charged back again', look: 'warn' },
  LOST: { text: 'Lost', look: 'bad' },
  WON: { text: 'Won', look: 'good' },
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

/** Of the decisions that are a choice; those of others are in words already. */
const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'paid',
  ended: 'it has ended',
  closed: 'it is closed',
}

export const outcomeText = (outcome: string): string => OUTCOMES[outcome] ?? outcome

// ---- What gateways report

/** By the names of Adyen's notifications. */
const REPORTS: Record<OperatorCalls['sendSandboxNotification']['body']['event'], string> = {
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
