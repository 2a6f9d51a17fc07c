// How a notification contradicts our books, in words, with what to do.

import type { Contradiction } from '../outcome.ts'

type Words = { readonly meaning: string; readonly nextStep: string }

const AT_GATEWAY = 'Look the payment up at the gateway.'

const WORDS: Readonly<Record<Contradiction, Words>> = {
  'cancel-says-captured': {
    meaning: 'The deposit had failed here, and the gateway took the money.',
    nextStep:
      'The deposit is in review: resolve it as captured, or return the money at the gateway and resolve it as voided.',
  },
  'paid-after-return': {
    meaning: 'It was credited to the customer again, and then the gateway reported it as paid.',
    nextStep: 'It is in review: resolve it as what the gateway shows.',
  },
  'paid-twice': {
    meaning: 'The gateway reports a second payment, under another reference of its own, of what was paid already.',
    nextStep:
      'It is in review: look both up at the gateway. Resolved as paid, nothing moves: take the second one back by an adjustment, or at the gateway.',
  },
  'another-amount': {
    meaning: 'The gateway reports another amount than ours.',
    nextStep: `${AT_GATEWAY} What is in review is resolved there; where nothing is, correct the customer’s balance by an adjustment if it is wrong.`,
  },
  'another-currency': {
    meaning: 'The gateway reports another currency than ours, so that nothing was applied.',
    nextStep: `${AT_GATEWAY} If money moved, correct it at the gateway, or the customer’s balance by an adjustment.`,
  },
  'captured-before-approval': {
    meaning: 'The gateway took the money of a deposit that it has not approved yet.',
    nextStep: 'If the deposit is captured by now, nothing is left to do. Else look the payment up at the gateway.',
  },
  'cancelled-but-credited': {
    meaning: 'The gateway reports a payment as cancelled that was credited to the customer.',
    nextStep: `${AT_GATEWAY} If the money was not taken, its capture fails, and the deposit comes to review by itself.`,
  },
  'refunded-but-not-captured': {
    meaning: 'The gateway returned money of a deposit that failed here, so that nothing was debited.',
    nextStep: `${AT_GATEWAY} If it had taken the money before, both cancel each other out, and nothing is left to do.`,
  },
  'charged-but-not-captured': {
    meaning: 'The bank of the card took money back of a deposit that failed here, so that nothing was debited.',
    nextStep: `${AT_GATEWAY} If it had taken the money before, both cancel each other out, and nothing is left to do.`,
  },
  'unknown-refund': {
    meaning: 'A refund failed or was reversed that is not among ours.',
    nextStep: `${AT_GATEWAY} If a refund of ours did not arrive, resolve that refund.`,
  },
  'several-refunds': {
    meaning: 'A refund failed or was reversed, and several of ours have its amount.',
    nextStep: `${AT_GATEWAY} Resolve the refund that did not arrive.`,
  },
  'never-sent': {
    meaning: 'The gateway reports on a payment that we have never sent.',
    nextStep: `${AT_GATEWAY} It is in review, and nothing of it is sent: resolve it as what the gateway shows, and find out who made it there.`,
  },
  'reversed-beyond-charge': {
    meaning: 'The bank of the card returned more of a dispute than it has charged.',
    nextStep: 'Nothing, unless the charge does not follow: it closes by itself when the sums agree.',
  },
  'charged-beyond-deposit': {
    meaning: 'The bank of the card charged more than the deposit. What goes beyond it is the house’s loss.',
    nextStep: `${AT_GATEWAY} Dispute the charge there; this closes by itself when the rest is returned.`,
  },
  'customer-erased': {
    meaning: 'It is about a customer whose personal data was erased. What moved is in the house’s account.',
    nextStep: `${AT_GATEWAY} Settle it with a note on what was decided.`,
  },
}

const FAILED: Words = {
  meaning: 'It could not be applied because of an error of ours, which the log has. It is tried again by itself.',
  nextStep: 'Report the error. If it is never applied, do by hand what the notification reports, then settle it.',
}

/** null: it could not be applied. */
export function whyUnapplied(contradiction: Contradiction | null): Words {
  return contradiction === null ? FAILED : WORDS[contradiction]
}
