import type { ReviewReason } from './deposit-reasons.ts'
import type { DepositState } from './store.ts'

/** The transfers that a deposit in this state must have in the ledger. */
export function expectedTransfers(
  state: DepositState,
  review: ReviewReason | null,
): { credits: 0 | 1; captures: 0 | 1 } {
  const credited =
    state === 'AUTHORISED' || state === 'CAPTURED' || (state === 'REVIEW' && review?.startsWith('capture-'))
  const captured = state === 'CAPTURED' || (state === 'REVIEW' && review === 'capture-failed')
  return { credits: credited ? 1 : 0, captures: captured ? 1 : 0 }
}
