// The clients of the torture run. Some have cards whose issuer challenges them: they approve, refuse, come back twice, too
// late or never, and others try to finish for them.

import { randomInt } from 'node:crypto'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { sleep } from './processes.ts'

type Answer = { status: string; paymentId: string } | { fault: string }
type Terms = Record<'amount' | 'id' | 'cv2', string>

/** As a browser that lost its page would; then the result stays unknown. */
const TRIES = 20
/** Longer than the lease (CHALLENGE_LEASE_SECONDS), so that some come back too late. */
const MAX_THINKING_MS = 2_600

/** makeTransaction: what gets no answer is not repeated. */
export function transactionClient(publicUrl: string) {
  return async (terms: Terms, ticket: string, key: string): Promise<string> => {
    const headers = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', 'who-ticket': ticket }
    try {
      const response = await fetch(`${publicUrl}/v1/wallets/me`, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json', 'idempotency-key': key },
        body: new URLSearchParams({ transactionType: 'deposit', ...terms }),
      })
      const reply = (await response.json()) as { whoFaults?: { faultCode: string }[] }
      return reply.whoFaults?.[0]?.faultCode ?? 'paid'
    } catch {
      await sleep(50)
      return 'none'
    }
  }
}

/** The operations of a deposit with 3-D Secure. What gets no answer, or only that the service is unavailable, is repeated. */
function depositsApi(publicUrl: string) {
  async function post(path: string, ticket: string, parameters: Record<string, string>, key?: string): Promise<Answer> {
    const headers = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', 'who-ticket': ticket }
    const response = await fetch(`${publicUrl}/v1/wallets/me/deposits${path}`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: new URLSearchParams(parameters),
    })
    const reply = (await response.json()) as {
      whoFaults?: { faultCode: string }[]
      whoWallets?: { status: string; paymentId: string }
    }
    const fault = reply.whoFaults?.[0]?.faultCode
    return fault !== undefined || reply.whoWallets === undefined ? { fault: fault ?? '10000' } : reply.whoWallets
  }

  async function repeated(work: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await work().catch(() => undefined)
      if (answer !== undefined && !('fault' in answer && answer.fault === '10000')) return answer
      await sleep(100)
    }
    return { fault: 'none' }
  }

  return {
    begin: (terms: Terms, ticket: string, key: string) =>
      repeated(() => post('', ticket, { ...terms, returnUrl: 'https://shop.example/back' }, key)),
    async finish(paymentId: string, ticket: string, decision: 'approve' | 'refuse'): Promise<string> {
      const redirectResult = sandboxResult(paymentId, decision)
      const answer = await repeated(() => post(`/${paymentId}/challenge`, ticket, { redirectResult }))
      return 'fault' in answer ? answer.fault : 'paid'
    },
  }
}

export function challengeClient(publicUrl: string) {
  const api = depositsApi(publicUrl)
  const strangers: string[] = []
  const violations: string[] = []

  /** Nobody else's ticket finishes it. */
  async function tryAsStranger(paymentId: string, ticket: string): Promise<void> {
    const stranger = strangers.find((one) => one !== ticket) as string
    const answer = await api.finish(paymentId, stranger, 'approve')
    if (answer === 'paid') violations.push(`${paymentId}: finished by another customer`)
  }

  async function answerChallenge(paymentId: string, ticket: string): Promise<string> {
    await sleep(randomInt(4) === 0 ? randomInt(MAX_THINKING_MS) : randomInt(200))
    const what = randomInt(8)
    if (what === 0) return 'abandoned'
    if (what === 1) return api.finish(paymentId, ticket, 'refuse')
    if (what === 2) await tryAsStranger(paymentId, ticket)
    const times = what === 3 ? 3 : 1
    const answers = await Promise.all(Array.from({ length: times }, () => api.finish(paymentId, ticket, 'approve')))
    const paid = answers.find((one) => one === 'paid')
    // 24011: the issuer has not decided. Any other fault beside a success contradicts it.
    const contradiction = answers.find((one) => !['paid', 'none', '24011'].includes(one))
    if (paid !== undefined && contradiction !== undefined) violations.push(`${paymentId}: paid and ${contradiction}`)
    return paid ?? answers.find((one) => one === 'none') ?? (answers[0] as string)
  }

  return {
    /** The tickets of all customers. */
    strangers,
    violations,
    /** The answer as `Attempt` has it; abandoned: the customer never came back. */
    async deposit(terms: Terms, ticket: string, key: string): Promise<string> {
      const answer = await api.begin(terms, ticket, key)
      if ('fault' in answer) return answer.fault
      return answer.status === 'authorised' ? 'paid' : answerChallenge(answer.paymentId, ticket)
    },
  }
}
