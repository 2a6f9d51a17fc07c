import type { Decision, Gateway } from '../gateway.ts'
import { type SandboxBank, toLookup } from './bank.ts'

/** The sandbox's bank in this process. */
export function sandboxGateway(bank: SandboxBank, timeoutMs: number): Gateway {
  return {
    name: 'sandbox',
    authorise: (request) => withTimeout(bank.authorise(request), timeoutMs),
    finishChallenge: async ({ reference }, redirectResult) => bank.finishChallenge(reference, redirectResult),
    capture: async ({ reference }) => bank.capture(reference),
    cancel: async ({ reference }) => bank.cancel(reference),
    refund: async (payment, { reference, amount }) =>
      bank.refund({ reference, payment: payment.reference, amount: `${amount}` }),
    lookUp: async ({ reference }) => toLookup(bank.find(reference) ?? null),
    backOfficeLink: () => null,
    readNotifications: () => null,
    close: async () => bank.close(),
  }
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
