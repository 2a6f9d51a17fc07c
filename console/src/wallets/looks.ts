// How the states of money look: see Look of parts/basics.tsx. Their words are in web/words.

import type { Deposit, Withdrawal } from '../../../src/operator/api-types.ts'
import type { AnswerOf } from '../api/operations.ts'
import type { Look } from '../parts/basics.tsx'

type Refund = AnswerOf<'listRefunds'>['items'][number]
type Dispute = AnswerOf<'listDisputes'>['items'][number]

export const DEPOSIT_LOOKS: Record<Deposit['state'], Look> = {
  AUTHORISING: 'wait',
  CHALLENGE: 'wait',
  AUTHORISED: 'good',
  CAPTURED: 'good',
  DECLINED: 'bad',
  VOIDING: 'wait',
  VOIDED: 'bad',
  REVIEW: 'warn',
}

export const WITHDRAWAL_LOOKS: Record<Withdrawal['state'], Look> = {
  REQUESTED: 'wait',
  APPROVED: 'wait',
  SENDING: 'wait',
  PAID: 'good',
  RETURNED: 'bad',
  REFUSED: 'bad',
  REVIEW: 'warn',
}

export const PART_LOOKS: Record<Withdrawal['parts'][number]['state'], Look> = {
  WAITING: 'wait',
  SENDING: 'wait',
  PAID: 'good',
  RETURNED: 'bad',
  REVIEW: 'warn',
}

export const REFUND_LOOKS: Record<Refund['state'], Look> = {
  REQUESTED: 'wait',
  SENT: 'wait',
  DONE: 'good',
  FAILED: 'bad',
  REVIEW: 'warn',
}

export const DISPUTE_LOOKS: Record<Dispute['state'], Look> = {
  OPENED: 'wait',
  CHARGED_BACK: 'warn',
  REVERSED: 'good',
  CHARGED_BACK_AGAIN: 'warn',
  LOST: 'bad',
  WON: 'good',
}
