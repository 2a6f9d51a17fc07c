// Cards whose issuer challenges the customer. Their page is served by the service (sandbox/routes/issuer.ts).

import type { ChallengeResult, Decision } from '../gateway.ts'
import type { BankPayment, openBankStore } from './bank-store.ts'

const CHALLENGES = 'sandbox:challenge'
/** The issuer decides only after the deposit's lease, when the first cancel has already arrived. */
const CHALLENGES_LATE = 'sandbox:challenge-late'

type Terms = Omit<BankPayment, 'state'>

/** What the issuer's page sends back to the return address. It is no secret: anybody may play the issuer. */
export function sandboxResult(reference: string, decision: 'approve' | 'refuse'): string {
  return `${decision}.${reference}`
}

export function challengesAt(store: ReturnType<typeof openBankStore>) {
  return {
    /** null: the card's issuer does not challenge. */
    begin(terms: Terms, serviceUrl: string | undefined): Decision | null {
      if (terms.token !== CHALLENGES && terms.token !== CHALLENGES_LATE) return null
      if (serviceUrl === undefined) {
        const fault = 'authorisationFailed'
        return { outcome: 'unusable', fault, reason: 'challenge requested', gatewayReference: null }
      }
      store.challenge(terms)
      const url = `${serviceUrl}/sandbox/issuer/${terms.reference}`
      return { outcome: 'challenge', action: { url, method: 'GET', data: [] } }
    },
    finish(reference: string, redirectResult: string): ChallengeResult {
      const terms = store.findChallenge(reference)
      const isRefused = redirectResult === sandboxResult(reference, 'refuse')
      if (terms === undefined || !(isRefused || redirectResult === sandboxResult(reference, 'approve'))) {
        return { outcome: 'invalid', reason: 'not of this payment' }
      }
      // An issuer decides once: what comes back later has no effect.
      if (isRefused && store.find(reference) === undefined) {
        store.hold(terms)
        store.endHold(reference, 'cancelled')
        return { outcome: 'refused', fault: 'authorisationFailed', reason: 'refused by the customer' }
      }
      if (terms.token === CHALLENGES_LATE) return { outcome: 'unknown', reason: 'the issuer has not decided' }
      store.hold(terms)
      if (store.find(reference)?.state !== 'cancelled') {
        return { outcome: 'approved', gatewayReference: `sandbox-${reference}` }
      }
      return { outcome: 'refused', fault: 'authorisationFailed', reason: 'cancelled' }
    },
    /** Ends an open challenge, so that it holds nothing later; a late issuer's approval arrives just after this. */
    cancel(reference: string): void {
      const terms = store.findChallenge(reference)
      if (terms === undefined) return
      store.hold(terms)
      if (terms.token !== CHALLENGES_LATE) store.endHold(reference, 'cancelled')
    },
  }
}
