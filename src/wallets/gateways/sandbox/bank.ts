// The sandbox's bank stores every payment in a file of its own, because a real gateway outlives the service. A card's
// token decides how the bank behaves; docs/deposits.md lists the tokens.

import { setTimeout as pause } from 'node:timers/promises'
import type {
  AuthorisationRequest,
  Cancel,
  Capture,
  ChallengeResult,
  Decision,
  PaymentLookup,
  PayoutLookup,
  PayoutResult,
  RefundResult,
  RefusalFault,
} from '../gateway.ts'
import { type BankPayment, openBankStore } from './bank-store.ts'
import { challengesAt } from './challenges.ts'
import type { BankPayout } from './payout-store.ts'
import { PAYOUT_TOKENS } from './payout-tokens.ts'
import { type PayoutTerms, payoutsAt } from './payouts.ts'
import type { BankRefund } from './refund-store.ts'
import { REFUND_TOKENS, type RefundTerms, refundsAt } from './refunds.ts'

const REFUSALS: Readonly<Record<string, RefusalFault>> = {
  'sandbox:decline': 'authorisationFailed',
  'sandbox:insufficient-funds': 'insufficientFunds',
  'sandbox:invalid-card': 'cardNumberInvalid',
  'sandbox:expired': 'expiryInvalid',
  'sandbox:wrong-cv2': 'cv2Invalid',
}

type Behaviour = { waitMs: number; holds: boolean; answers: 'yes' | 'never' | 'error' }

const APPROVES: Behaviour = { waitMs: 0, holds: true, answers: 'yes' }
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'sandbox:approve': APPROVES,
  'sandbox:capture-refused': APPROVES,
  'sandbox:frictionless': APPROVES,
  ...Object.fromEntries([...REFUND_TOKENS, ...PAYOUT_TOKENS].map((token) => [token, APPROVES])),
  'sandbox:timeout-before': { ...APPROVES, holds: false, answers: 'never' },
  'sandbox:timeout-after': { ...APPROVES, answers: 'never' },
  'sandbox:error-before': { ...APPROVES, holds: false, answers: 'error' },
  'sandbox:error-after': { ...APPROVES, answers: 'error' },
}

type BankRequest = Pick<AuthorisationRequest, 'reference' | 'token' | 'amount' | 'currency'> & {
  readonly challenge?: { readonly serviceUrl: string }
}

/** A bank that never answers returns a promise that never resolves. */
export type SandboxBank = {
  authorise(request: BankRequest): Promise<Decision>
  finishChallenge(reference: string, redirectResult: string): ChallengeResult
  capture(reference: string): Capture
  cancel(reference: string): Cancel
  refund(terms: RefundTerms): RefundResult
  payout(terms: PayoutTerms): PayoutResult
  lookUpPayout(terms: PayoutTerms): PayoutLookup
  find(reference: string): BankPayment | undefined
  payments(): BankPayment[]
  /** What the bank has returned of a payment. */
  refundsOf(reference: string): BankRefund[]
  payouts(): BankPayout[]
  close(): void
}

export function openSandboxBank(file: string): SandboxBank {
  const store = openBankStore(file)
  const challenges = challengesAt(store)
  const payouts = payoutsAt(store.payouts)
  let closed = false

  return {
    async authorise({ reference, token, amount, currency, challenge }) {
      const fault = REFUSALS[token]
      if (fault !== undefined) return { outcome: 'refused', fault, reason: token }
      const challenged = challenges.begin({ reference, token, amount: `${amount}`, currency }, challenge?.serviceUrl)
      if (challenged !== null) return challenged
      const behaviour = behaviourOf(token)
      if (behaviour === undefined) return { outcome: 'refused', fault: 'methodInvalid', reason: 'no such token' }
      if (behaviour.waitMs > 0) await pause(behaviour.waitMs)
      if (behaviour.holds && !closed) store.hold({ reference, token, amount: `${amount}`, currency })
      if (behaviour.answers === 'never') return new Promise(() => {})
      if (behaviour.answers === 'error') return { outcome: 'unknown', reason: 'status 500' }
      const payment = store.find(reference)
      if (payment?.state === 'cancelled')
        return { outcome: 'refused', fault: 'authorisationFailed', reason: 'cancelled' }
      if (payment?.amount !== `${amount}` || payment.currency !== currency || payment.token !== token) {
        return { outcome: 'refused', fault: 'authorisationFailed', reason: 'the reference has other terms' }
      }
      return { outcome: 'approved', gatewayReference: `sandbox-${reference}` }
    },
    finishChallenge: challenges.finish,
    capture(reference) {
      if (store.find(reference)?.token === 'sandbox:capture-refused')
        return { outcome: 'refused', reason: 'by its token' }
      store.endHold(reference, 'captured')
      const state = store.find(reference)?.state
      return { outcome: state === 'captured' ? 'captured' : 'refused', reason: state ?? 'not found' }
    },
    cancel(reference) {
      store.endHold(reference, 'cancelled')
      if (store.find(reference) === undefined) challenges.cancel(reference)
      const state = store.find(reference)?.state
      if (state === undefined || state === 'held') return { outcome: 'notFound', reason: 'not found' }
      return { outcome: state === 'captured' ? 'captured' : 'cancelled', reason: state }
    },
    refund: refundsAt(store),
    payout: payouts.payout,
    lookUpPayout: payouts.lookUp,
    find: (reference) => store.find(reference),
    payments: () => store.all(),
    refundsOf: (reference) => store.refunds.doneOf(reference),
    payouts: () => store.payouts.all(),
    close() {
      closed = true
      store.close()
    },
  }
}

/** null: the bank has no such payment. */
export function toLookup(payment: BankPayment | null): PaymentLookup {
  if (payment === null) return { outcome: 'notFound' }
  const { state, amount, currency } = payment
  return { outcome: 'found', state, amount: BigInt(amount), currency }
}

function behaviourOf(token: string): Behaviour | undefined {
  const slow = /^sandbox:slow-([0-9]{1,6})$/.exec(token)
  return slow === null ? BEHAVIOURS[token] : { ...APPROVES, waitMs: Number(slow[1]) }
}
