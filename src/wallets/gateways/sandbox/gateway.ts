import type { Decision, Gateway, HeldPayment, PayoutRequest, RefundRequest } from '../gateway.ts'
import { type SandboxBank, toLookup } from './bank.ts'
import type { PayoutTerms } from './payouts.ts'
import type { RefundTerms } from './refunds.ts'

/** The sandbox's bank in this process. */
export function sandboxGateway(bank: SandboxBank, timeoutMs: number): Gateway {
  return {
    name: 'sandbox',
    authorise: (request) => withTimeout(bank.authorise(request), timeoutMs),
    finishChallenge: async ({ reference }, redirectResult) => bank.finishChallenge(reference, redirectResult),
    capture: async ({ reference }) => bank.capture(reference),
    cancel: async ({ reference }) => bank.cancel(reference),
    refund: async (payment, refund) => bank.refund(refundTerms(payment, refund)),
    paysOut: true,
    payout: async (request) => bank.payout(payoutTerms(request)),
    lookUpPayout: async (request) => bank.lookUpPayout(payoutTerms(request)),
    lookUp: async ({ reference }) => toLookup(bank.find(reference) ?? null),
    tryKeys: async () => [],
    backOfficeLink: () => null,
    readNotifications: () => null,
    close: async () => bank.close(),
  }
}

/** As the bank takes it, also over HTTP. */
export function refundTerms(payment: HeldPayment, { reference, amount, isReturn }: RefundRequest): RefundTerms {
  return { reference, payment: payment.reference, amount: `${amount}`, isReturn }
}

export function payoutTerms({ reference, token, amount, currency }: PayoutRequest): PayoutTerms {
  return { reference, token, amount: `${amount}`, currency }
}

/** After the timeout the bank continues, as a real one would; its answer is ignored. */
function withTimeout(work: Promise<Decision>, timeoutMs: number): Promise<Decision> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ outcome: 'unknown', reason: 'no answer in time' }), timeoutMs)
    work
      .catch((): Decision => ({ outcome: 'unknown', reason: 'the bank failed' }))
      .then((decision) => {
        clearTimeout(timer)
        resolve(decision)
      })
  })
}
