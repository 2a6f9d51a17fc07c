import type { Machine } from '../machine.ts'
import type { PartState } from './part-store.ts'
import type { WithdrawalState } from './store.ts'

export type PartEvent = 'begun' | 'paid' | 'returned' | 'partly booked' | 'taken back' | 'paid outside' | 'contradicted'

/** A part of the amount that is paid or returned leaves the rest open: the part stays SENDING until nothing is. */
export const PART_MACHINE: Machine<PartState, PartEvent> = [
  { event: 'begun', from: ['WAITING'], to: 'SENDING', transfers: [], job: '', log: 'withdrawal.sending' },
  {
    event: 'paid',
    from: ['SENDING', 'REVIEW', 'PAID'],
    to: 'PAID',
    transfers: ['return_paid', 'payout_paid', 'part_again', 'part_again_debt'],
    job: 'ends part',
    log: 'withdrawal.paid',
  },
  {
    event: 'returned',
    from: ['SENDING', 'REVIEW', 'PAID'],
    to: 'RETURNED',
    transfers: ['part_back', 'return_back', 'payout_back', 'outside_back'],
    job: 'ends part',
    log: 'withdrawal.part-returned',
  },
  {
    event: 'partly booked',
    from: ['SENDING', 'REVIEW'],
    to: 'SENDING',
    transfers: ['return_paid', 'payout_paid', 'part_back'],
    job: '',
    log: '',
  },
  {
    event: 'taken back',
    from: ['WAITING'],
    to: 'RETURNED',
    transfers: ['part_back'],
    job: 'ends part',
    log: 'withdrawal.part-returned',
  },
  {
    event: 'paid outside',
    from: ['WAITING'],
    to: 'PAID',
    transfers: ['outside_paid'],
    job: '',
    log: 'withdrawal.paid',
  },
  {
    event: 'contradicted',
    from: ['WAITING', 'SENDING', 'PAID', 'RETURNED', 'REVIEW'],
    to: 'REVIEW',
    transfers: [],
    job: '',
    log: 'withdrawal.review',
  },
]

export type WithdrawalEvent =
  | 'approved'
  | 'approvals void'
  | 'refused'
  | 'sending'
  | 'paid'
  | 'returned'
  | 'in review'
  | 'goes on'

/** Follows from its parts: in review if one is, sending while one has begun and one is open, ended when none is open. */
export const WITHDRAWAL_MACHINE: Machine<WithdrawalState, WithdrawalEvent> = [
  {
    event: 'approved',
    from: ['REQUESTED', 'REVIEW'],
    to: 'APPROVED',
    transfers: [],
    job: 'part',
    log: 'withdrawal.approved',
  },
  {
    event: 'approvals void',
    from: ['APPROVED', 'REVIEW'],
    to: 'REQUESTED',
    transfers: [],
    job: 'ends part',
    log: 'withdrawal.held',
  },
  {
    event: 'refused',
    from: ['REQUESTED', 'APPROVED'],
    to: 'REFUSED',
    transfers: ['part_back'],
    job: 'ends part',
    log: 'withdrawal.refused',
  },
  { event: 'sending', from: ['APPROVED'], to: 'SENDING', transfers: [], job: '', log: 'withdrawal.sending' },
  {
    event: 'paid',
    from: ['SENDING', 'REVIEW', 'REQUESTED', 'APPROVED'],
    to: 'PAID',
    transfers: [],
    job: '',
    log: 'withdrawal.paid',
  },
  {
    event: 'returned',
    from: ['REQUESTED', 'APPROVED', 'SENDING', 'REVIEW', 'PAID'],
    to: 'RETURNED',
    transfers: [],
    job: '',
    log: 'withdrawal.returned',
  },
  {
    event: 'in review',
    from: ['REQUESTED', 'APPROVED', 'SENDING', 'PAID', 'RETURNED', 'REFUSED'],
    to: 'REVIEW',
    transfers: [],
    job: '',
    log: 'withdrawal.review',
  },
  { event: 'goes on', from: ['REVIEW'], to: 'SENDING', transfers: [], job: '', log: 'withdrawal.sending' },
]
