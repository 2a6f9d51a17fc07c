// Money that the sandbox's bank pays out to a card. The card's token decides how (payout-tokens.ts).

import type { PayoutLookup, PayoutResult, Refusal } from '../gateway.ts'
import type { BankPayout, payoutStore } from './payout-store.ts'
import { PAYS_OUT } from './payout-tokens.ts'

export type PayoutTerms = Omit<BankPayout, 'state' | 'calls'>

type Progress = { outcome: PayoutResult['outcome'] | 'returned'; reason: string; refusal: Refusal | null }

const NONE = { refusal: null } as const
const PAID: Progress = { outcome: 'paid', reason: 'paid', ...NONE }
const RECEIVED: Progress = { outcome: 'received', reason: 'received', ...NONE }
const RETURNED: Progress = { outcome: 'returned', reason: 'returned by the bank', refusal: 'card' }

/** How far the bank is with a payout at the call of this number. */
function progressOf({ token, calls }: BankPayout): Progress {
  if (token === PAYS_OUT.refused)
    return { outcome: 'refused', reason: 'the bank of the card refused it', refusal: 'card' }
  if (token === PAYS_OUT.accountClosed) {
    return { outcome: 'refused', reason: 'the account of the card is closed', refusal: 'account-closed' }
  }
  if (token === PAYS_OUT.silent) return { outcome: 'unknown', reason: 'status 500', ...NONE }
  if (token === PAYS_OUT.unfunded && calls < 3) {
    return { outcome: 'unfunded', reason: 'our account at the gateway has too little for it', ...NONE }
  }
  if (token === PAYS_OUT.slow && calls < 3) return RECEIVED
  if (token === PAYS_OUT.returned) return calls < 2 ? RECEIVED : RETURNED
  return PAID
}

export function payoutsAt(store: ReturnType<typeof payoutStore>) {
  function advance(terms: PayoutTerms): { payout: BankPayout; progress: Progress } {
    const payout = store.request(terms)
    const progress = progressOf(payout)
    const { outcome } = progress
    if (outcome === 'paid' || outcome === 'refused' || outcome === 'returned') store.end(terms.reference, outcome)
    return { payout, progress }
  }

  return {
    payout(terms: PayoutTerms): PayoutResult {
      const stored = store.find(terms.reference)
      if (stored !== undefined && !isSame(stored, terms)) return OTHER_TERMS
      const { payout, progress } = advance(terms)
      if (payout.token === PAYS_OUT.unknown && payout.calls === 1) return lost('status 500')
      const { outcome, ...words } = progress
      return { ...words, outcome: outcome === 'returned' ? 'refused' : outcome, ...referenceOf(terms, outcome) }
    },
    lookUp(terms: PayoutTerms): PayoutLookup {
      const stored = store.find(terms.reference)
      if (stored === undefined) return { ...lost('not found'), outcome: 'notFound' }
      if (!isSame(stored, terms)) return OTHER_TERMS
      // One that was unfunded is no payout yet.
      if (stored.token === PAYS_OUT.unfunded && stored.state === 'open') {
        return { ...lost('unfunded'), outcome: 'notFound' }
      }
      const { outcome, ...words } = advance(terms).progress
      return { ...words, outcome: outcome === 'unfunded' ? 'notFound' : outcome, ...referenceOf(terms, outcome) }
    },
  }
}

function isSame(one: PayoutTerms, other: PayoutTerms): boolean {
  return one.amount === other.amount && one.currency === other.currency && one.token === other.token
}

function lost(reason: string) {
  return { outcome: 'unknown', reason, ...NONE, gatewayReference: null } as const
}

const OTHER_TERMS = lost('the reference has other terms')

function referenceOf({ reference }: PayoutTerms, outcome: string) {
  const isKnown = outcome !== 'unknown' && outcome !== 'unfunded'
  return { gatewayReference: isKnown ? `sandbox-${reference}` : null }
}
