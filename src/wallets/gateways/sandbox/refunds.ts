// Money that the sandbox's bank returns to a card. The card's token decides how: docs/refunds.md lists the tokens for refunds by operators,
// payout-tokens.ts the ones for returns, which are parts of withdrawals.

import type { RefundResult, Refusal } from '../gateway.ts'
import type { openBankStore } from './bank-store.ts'
import { PAYS_OUT } from './payout-tokens.ts'
import type { BankRefund } from './refund-store.ts'

/** The bank is slow: it answers that it has received the refund, and reports its result later. */
const SLOW = 'sandbox:refund-slow'
const FAILS = 'sandbox:refund-failed'
/** The first answer is lost, after the money was returned. */
const UNKNOWN = 'sandbox:refund-unknown'

export const REFUND_TOKENS: readonly string[] = [SLOW, FAILS, UNKNOWN]

export type RefundTerms = Pick<BankRefund, 'reference' | 'payment' | 'amount'> & { readonly isReturn: boolean }

/** Cards that take no refund at all. `false`: refunds by operators are returned. */
const REFUSALS: Readonly<Record<string, { refusal: Refusal; reason: string; ofOperators: boolean }>> = {
  [FAILS]: { refusal: 'other', reason: 'by its token', ofOperators: true },
  [PAYS_OUT.accountClosed]: {
    refusal: 'account-closed',
    reason: 'the account of the card is closed',
    ofOperators: true,
  },
  [PAYS_OUT.returnRefused]: { refusal: 'deposit', reason: 'this deposit cannot be returned', ofOperators: true },
  [PAYS_OUT.refused]: { refusal: 'card', reason: 'the bank of the card refused it', ofOperators: false },
}

export function refundsAt({ find, refunds: store }: ReturnType<typeof openBankStore>) {
  return (terms: RefundTerms): RefundResult => {
    const { reference, payment, amount, isReturn } = terms
    const { token, state } = find(payment) ?? { token: '', state: 'not found' }
    if (state !== 'captured') return refused(terms, 'deposit', state)
    const never = REFUSALS[token]
    if (never !== undefined && (isReturn || never.ofOperators)) return refused(terms, never.refusal, never.reason)
    const stored = store.find(reference)
    if (stored !== undefined && (stored.payment !== payment || stored.amount !== amount)) {
      return unknown('the reference has other terms')
    }
    const isSilent = isReturn && token === PAYS_OUT.silent
    // A silent bank returns nothing, so that it reserves nothing either.
    const calls = store.request({ reference, payment, amount, state: isSilent ? 'refused' : 'open' })?.calls
    if (calls === undefined) return refused(terms, 'deposit', 'more than was captured')
    if (isSilent) return unknown('status 500')
    if (isReturn && token === PAYS_OUT.slow && calls < 3) return answer(terms, 'received', 'received')
    if (isReturn && token === PAYS_OUT.returned) {
      if (calls < 2) return answer(terms, 'received', 'received')
      store.end(reference, 'refused')
      return refused(terms, 'card', 'returned by the bank')
    }
    store.end(reference, 'done')
    const isLost = token === UNKNOWN || (isReturn && token === PAYS_OUT.unknown)
    if (isLost && calls === 1) return unknown('status 500')
    return token === SLOW ? answer(terms, 'received', 'received') : answer(terms, 'done', 'refunded')
  }
}

function answer({ reference }: RefundTerms, outcome: 'done' | 'received', reason: string): RefundResult {
  return { outcome, reason, refusal: null, gatewayReference: `sandbox-refund-${reference}` }
}

function refused({ reference }: RefundTerms, refusal: Refusal, reason: string): RefundResult {
  return { outcome: 'refused', reason, refusal, gatewayReference: `sandbox-refund-${reference}` }
}

function unknown(reason: string): RefundResult {
  return { outcome: 'unknown', reason, refusal: null, gatewayReference: null }
}
