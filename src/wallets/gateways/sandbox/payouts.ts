// Money that the sandbox's bank pays out to a card. The card's token says how: docs/withdrawals.md lists the tokens.

import type { PayoutDecline, PayoutResult } from '../gateway.ts'
import type { BankPayout, payoutStore } from './payout-store.ts'

/** The bank takes its time: it has paid when it is asked for the third time. */
const SLOW = 'sandbox:payout-slow'
/** The bank has received it, and it comes back. */
const RETURNED = 'sandbox:payout-returned'
const REFUSED = 'sandbox:payout-refused'
/** The first answer is lost, after the money was sent. */
const UNKNOWN = 'sandbox:payout-unknown'
/** No answer ever comes, and nothing is paid. */
const SILENT = 'sandbox:payout-silent'

export const PAYOUT_TOKENS: readonly string[] = [SLOW, RETURNED, REFUSED, UNKNOWN, SILENT]

export type PayoutTerms = Omit<BankPayout, 'state' | 'asked'>

export function payoutsAt(store: ReturnType<typeof payoutStore>) {
  return {
    payout(terms: PayoutTerms): PayoutResult {
      const { reference } = terms
      const payout = store.ask(terms)
      const answer = (outcome: PayoutResult['outcome'], reason: string) => ({
        outcome,
        reason,
        gatewayReference: outcome === 'unknown' ? null : `sandbox-${reference}`,
      })
      if (payout.amount !== terms.amount || payout.currency !== terms.currency || payout.token !== terms.token) {
        return answer('unknown', 'the reference has other terms')
      }
      if (payout.state === 'declined') return answer('returned', 'declined')
      if (payout.token === REFUSED) return answer('returned', 'refused by its token')
      if (payout.token === SILENT) return answer('unknown', 'status 500')
      if (payout.token === SLOW && payout.asked < 3) return answer('received', 'received')
      if (payout.token === RETURNED) {
        return payout.asked < 2 ? answer('received', 'received') : answer('returned', 'returned by the bank')
      }
      store.end(reference, 'paid')
      if (payout.token === UNKNOWN && payout.asked === 1) return answer('unknown', 'status 500')
      return answer('paid', 'paid')
    },
    decline(terms: PayoutTerms): PayoutDecline {
      store.ask(terms)
      store.end(terms.reference, 'declined')
      const state = store.ask(terms).state
      return { outcome: state === 'declined' ? 'declined' : 'refused', reason: state }
    },
  }
}
