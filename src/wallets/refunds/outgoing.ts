// Money that is sent to a card, whole or in parts, and may come back. What is neither paid nor returned is open.

export type Outgoing = {
  readonly amount: bigint
  readonly paid: bigint
  readonly returned: bigint
  /** How much of `returned` has left, as the gateway reports. */
  readonly keptBack: bigint
}

/**
 * Why it needs manual review. paid-after-return: it was credited again, and then the gateway reports that it was paid. paid-twice: the gateway
 * reports it under a second reference of its own. never-sent: the gateway reports on it before we have called.
 */
export const OUTGOING_REVIEWS = [
  'unresolved',
  'paid-after-return',
  'paid-twice',
  'another-amount',
  'never-sent',
] as const
export type OutgoingReview = (typeof OUTGOING_REVIEWS)[number]
/** The reasons that a notification leads to, which contradicts our books. */
export type ContradictedReview = Exclude<OutgoingReview, 'unresolved'>

/** `unpaid`: returned without having been paid. `back`: came back after it was paid. */
type Applied = Omit<Outgoing, 'amount'> & {
  readonly outcome: 'applied'
  readonly unpaid: bigint
  readonly back: bigint
  readonly newlyPaid: bigint
}
export type Reported =
  | Applied
  | { readonly outcome: 'already-applied' }
  | { readonly outcome: 'contradiction'; readonly review: ContradictedReview; readonly keptBack: bigint }

export function openOf({ amount, paid, returned }: Omit<Outgoing, 'keptBack'>): bigint {
  return amount - paid - returned
}

/** What persons still have to look up after a report: what is kept back, and the rest of one without a result. */
export function reviewAfter(review: OutgoingReview | null, sums: Outgoing): OutgoingReview | null {
  if (sums.keptBack > 0n) return 'paid-after-return'
  return review === 'unresolved' && openOf(sums) > 0n ? review : null
}

/** The gateway knows it by another reference than the one that we have: it is another payment. */
export function isOtherPayment(known: string | null, reported: string | null): boolean {
  return (known ?? '') !== '' && (reported ?? '') !== '' && known !== reported
}

/** The gateway reports that this amount has arrived. `isOther`: under another reference of its own than what we know. */
export function reportPaid(outgoing: Outgoing, reported: bigint, isOther = false): Reported {
  const { amount, paid, returned, keptBack } = outgoing
  if (reported > amount) return contradicted(outgoing, 'another-amount')
  const open = openOf(outgoing)
  if (reported <= open) {
    return { outcome: 'applied', paid: paid + reported, returned, keptBack, unpaid: 0n, back: 0n, newlyPaid: reported }
  }
  if (reported <= paid + keptBack) {
    return isOther ? contradicted(outgoing, 'paid-twice') : { outcome: 'already-applied' }
  }
  const beyond = reported - open
  const most = returned - keptBack
  const more = beyond < most ? beyond : most
  if (more === 0n) return contradicted(outgoing, 'another-amount')
  return { outcome: 'contradiction', review: 'paid-after-return', keptBack: keptBack + more }
}

/** What is kept back stays so, and with it the name of the review. */
function contradicted({ keptBack }: Outgoing, review: ContradictedReview): Reported {
  return { outcome: 'contradiction', review: keptBack > 0n ? 'paid-after-return' : review, keptBack }
}

/** The gateway reports that this amount did not arrive, or came back. A part of what came back already is not the same effect. */
export function reportReturned(outgoing: Outgoing, reported: bigint): Reported {
  const { amount, paid, returned, keptBack } = outgoing
  if (reported > amount) return contradicted(outgoing, 'another-amount')
  const open = openOf(outgoing)
  if (reported > open + paid) {
    return reported === returned ? { outcome: 'already-applied' } : contradicted(outgoing, 'another-amount')
  }
  const unpaid = reported < open ? reported : open
  const back = reported - unpaid
  return { outcome: 'applied', paid: paid - back, returned: returned + reported, keptBack, unpaid, back, newlyPaid: 0n }
}
