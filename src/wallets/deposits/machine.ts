import type { Machine } from '../machine.ts'
import type { DepositState } from './store.ts'

export type DepositEvent =
  | 'challenged'
  | 'authorised'
  | 'declined'
  | 'voided'
  | 'captured'
  | 'captured-less'
  | 'capture-refused'
  | 'capture-unresolved'
  | 'capture-failed'
  | 'cancelled'
  | 'cancel-says-captured'
  | 'cancel-unresolved'
  | 'resolved as voided'

const UNDECIDED = ['AUTHORISING', 'CHALLENGE'] as const
const FAILED = ['VOIDING', 'VOIDED', 'DECLINED'] as const

/** Refused and failed captures have been debited again; those without a result are credited, and kept back. */
export const DEPOSIT_MACHINE: Machine<DepositState, DepositEvent> = [
  { event: 'challenged', from: ['AUTHORISING'], to: 'CHALLENGE', log: 'deposit.challenged' },
  {
    event: 'authorised',
    from: UNDECIDED,
    to: 'AUTHORISED',
    transfers: ['credit'],
    job: 'capture',
    log: 'deposit.authorised',
  },
  { event: 'declined', from: UNDECIDED, to: 'DECLINED', log: 'deposit.declined' },
  { event: 'voided', from: UNDECIDED, to: 'VOIDING', job: 'cancel' },
  {
    event: 'captured',
    from: ['AUTHORISED'],
    to: 'CAPTURED',
    transfers: ['capture', 'capture_short'],
    job: 'ends capture',
    log: 'deposit.captured',
  },
  {
    event: 'captured',
    from: ['REVIEW'],
    to: 'CAPTURED',
    transfers: ['credit', 'capture', 'capture_short'],
    job: 'book',
    log: 'deposit.captured',
  },
  {
    event: 'captured-less',
    from: ['CAPTURED'],
    to: 'CAPTURED',
    transfers: ['uncapture', 'capture_short', 'reversal_debt'],
  },
  {
    event: 'capture-refused',
    from: ['AUTHORISED'],
    to: 'REVIEW',
    transfers: ['reversal', 'reversal_debt'],
    job: 'ends capture',
    log: 'deposit.review',
  },
  { event: 'capture-unresolved', from: ['AUTHORISED'], to: 'REVIEW', job: 'ends capture', log: 'deposit.review' },
  {
    event: 'capture-failed',
    from: ['CAPTURED'],
    to: 'REVIEW',
    transfers: ['uncapture', 'reversal', 'reversal_debt'],
    log: 'deposit.review',
  },
  {
    event: 'capture-failed',
    from: ['REVIEW'],
    to: 'REVIEW',
    transfers: ['reversal', 'reversal_debt'],
    log: 'deposit.review',
  },
  { event: 'cancelled', from: ['VOIDING'], to: 'VOIDED', job: 'ends cancel', log: 'deposit.voided' },
  {
    event: 'cancel-says-captured',
    from: [...FAILED, 'REVIEW'],
    to: 'REVIEW',
    job: 'ends cancel',
    log: 'deposit.review',
  },
  { event: 'cancel-unresolved', from: FAILED, to: 'REVIEW', job: 'ends cancel', log: 'deposit.review' },
  {
    event: 'resolved as voided',
    from: ['REVIEW'],
    to: 'VOIDED',
    transfers: ['reversal', 'reversal_debt'],
    log: 'deposit.resolved',
  },
]
