// Money that the sandbox's bank returns to a card. The card's token says how: docs/refunds.md lists the tokens.

import type { RefundResult } from '../gateway.ts'
import type { BankRefund, openBankStore } from './bank-store.ts'

/** The bank takes its time: it answers that it has received the refund, and tells later. */
const SLOW = 'sandbox:refund-slow'
const FAILS = 'sandbox:refund-failed'
/** The first answer is lost, after the money was returned. */
const UNKNOWN = 'sandbox:refund-unknown'

export const REFUND_TOKENS: readonly string[] = [SLOW, FAILS, UNKNOWN]

export function refundsAt(store: ReturnType<typeof openBankStore>) {
  return (refund: BankRefund): RefundResult => {
    const answer = (outcome: RefundResult['outcome'], reason: string) => ({
      outcome,
      reason,
      gatewayReference: outcome === 'unknown' ? null : `sandbox-${refund.reference}`,
    })
    const payment = store.find(refund.payment)
    if (payment?.state !== 'captured') return answer('refused', payment?.state ?? 'not found')
    if (payment.token === FAILS) return answer('refused', 'by its token')
    const isRepeated = store.refundsOf(refund.payment).some(({ reference }) => reference === refund.reference)
    if (!isRepeated && !store.refund(refund)) return answer('refused', 'more than was captured')
    if (payment.token === UNKNOWN && !isRepeated) return answer('unknown', 'status 500')
    return payment.token === SLOW ? answer('received', 'received') : answer('done', 'refunded')
  }
}
