// Why money that was sent to a card needs manual review, in words: of refunds and of parts of withdrawals.

import type { OutgoingReview } from './outgoing.ts'

const WORDS: Readonly<Record<OutgoingReview, string>> = {
  unresolved:
    'The gateway has not reported its result. Look it up at the gateway by our reference, then resolve it as what the gateway shows.',
  'paid-after-return':
    'It was credited to the customer again, and then the gateway reported it as paid: the customer may have the money twice. ' +
    'Look it up at the gateway. Resolved as paid, it is debited again.',
  'paid-twice':
    'The gateway reports a second payment, under another reference of its own, and we have requested one. Look both up at the gateway. ' +
    'Resolved as paid, nothing moves: if the customer has the money twice, take it by an adjustment.',
  'never-sent':
    'The gateway reports on it, and we have never sent it. Look it up at the gateway by our reference: if it was paid there, resolve it ' +
    'as paid; if not, resolve it so that it is credited again.',
  'another-amount':
    'The gateway reports another amount than ours. Look it up at the gateway, then resolve what is open as paid or as returned.',
}

/** null: it needs none. */
export function whyOfOutgoing({ state, review }: { state: string; review: OutgoingReview | null }): string | null {
  return state === 'REVIEW' && review !== null ? WORDS[review] : null
}
