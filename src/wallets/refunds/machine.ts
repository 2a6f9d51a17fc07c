import type { Machine } from '../machine.ts'
import type { RefundState } from './store.ts'

export type RefundEvent = 'sent' | 'paid' | 'returned' | 'unresolved' | 'contradicted'

/** A part of the amount that is paid or returned leaves the rest open: the refund stays SENT until nothing is. */
export const REFUND_MACHINE: Machine<RefundState, RefundEvent> = [
  {
    event: 'sent',
    from: ['REQUESTED', 'SENT', 'REVIEW'],
    to: 'SENT',
    transfers: [],
    job: 'ends refund',
    log: 'refund.sent',
  },
  {
    event: 'paid',
    from: ['REQUESTED', 'SENT', 'REVIEW', 'DONE'],
    to: 'DONE',
    transfers: ['refund', 'refund_debt'],
    job: 'ends refund',
    log: 'refund.done',
  },
  {
    event: 'returned',
    from: ['REQUESTED', 'SENT', 'REVIEW', 'DONE'],
    to: 'FAILED',
    transfers: ['refund_failed'],
    job: 'ends refund',
    log: 'refund.failed',
  },
  {
    event: 'unresolved',
    from: ['REQUESTED', 'SENT'],
    to: 'REVIEW',
    transfers: [],
    job: 'ends refund',
    log: 'refund.review',
  },
  {
    event: 'contradicted',
    from: ['REQUESTED', 'SENT', 'DONE', 'FAILED', 'REVIEW'],
    to: 'REVIEW',
    transfers: [],
    job: '',
    log: 'refund.review',
  },
]
