import type { Authorisation, Gateway } from '../gateway.ts'
import { type SandboxBank, toLookup } from './bank.ts'

/** The sandbox's bank in this process. */
export function sandboxGateway(bank: SandboxBank, timeoutMs: number): Gateway {
  return {
    name: 'sandbox',
    authorise: (request) => withTimeout(bank.authorise(request), timeoutMs),
    capture: async ({ reference }) => bank.capture(reference),
    cancel: async ({ reference }) => bank.cancel(reference),
    lookUp: async ({ reference }) => toLookup(bank.find(reference) ?? null),
    backOfficeLink: () => null,
    readNotifications: () => null,
    close: async () => bank.close(),
  }
}

/** After the timeout the bank continues, as a real one would; its answer is ignored. */
function withTimeout(work: Promise<Authorisation>, timeoutMs: number): Promise<Authorisation> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ outcome: 'unknown', reason: 'no answer in time' }), timeoutMs)
    work
      .catch((): Authorisation => ({ outcome: 'unknown', reason: 'the bank failed' }))
      .then((decision) => {
        clearTimeout(timer)
        resolve(decision)
      })
  })
}
