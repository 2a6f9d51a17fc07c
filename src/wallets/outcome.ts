/** What became of a gateway's notification; it ends in exactly one. `subject`: what is in REVIEW because of it; null: nothing is. */
export type Outcome =
  | { readonly outcome: 'applied' | 'already-applied' | 'not-ours' }
  | { readonly outcome: 'contradiction'; readonly name: Contradiction; readonly subject: string | null }

/** `customerId`: whom it is about; null: no customer of ours. */
export type Applied = { readonly outcome: Outcome; readonly customerId: number | null }

/** The notification reports money that our books do not show as moved, or the other way round. */
export const CONTRADICTIONS = [
  'cancel-says-captured',
  'paid-after-return',
  'paid-twice',
  'another-amount',
  'another-currency',
  'captured-before-approval',
  'cancelled-but-credited',
  'refunded-but-not-captured',
  'charged-but-not-captured',
  'unknown-refund',
  'several-refunds',
  'never-sent',
  'reversed-beyond-charge',
  'charged-beyond-deposit',
  'customer-erased',
] as const
export type Contradiction = (typeof CONTRADICTIONS)[number]

export const APPLIED: Outcome = { outcome: 'applied' }
export const ALREADY_APPLIED: Outcome = { outcome: 'already-applied' }
export const NOT_OURS: Outcome = { outcome: 'not-ours' }

export function contradiction(name: Contradiction, subject: string | null = null): Outcome {
  return { outcome: 'contradiction', name, subject }
}
