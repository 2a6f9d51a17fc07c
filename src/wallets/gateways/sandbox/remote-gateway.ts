import type {
  Cancel,
  Capture,
  ChallengeResult,
  Decision,
  Gateway,
  PayoutLookup,
  PayoutResult,
  RefundResult,
} from '../gateway.ts'
import { gatewayHttpClient, NoResponse } from '../http-client.ts'
import { toLookup } from './bank.ts'
import type { BankPayment } from './bank-store.ts'
import { payoutTerms, refundTerms } from './gateway.ts'

/** What an answer has beside its outcome and reason. */
const UNANSWERED = { refusal: null, gatewayReference: null }

/** The sandbox's bank in a process of its own (`paddock gateway`). */
export function remoteSandboxGateway(url: string, timeoutMs: number): Gateway {
  const client = gatewayHttpClient(url, timeoutMs)

  async function post<Answer>(path: string, body: object): Promise<Answer | { outcome: 'unknown'; reason: string }> {
    try {
      const { status, body: answer } = await client.post(path, {}, body)
      if (status === 200 && answer !== undefined) return answer as Answer
      return { outcome: 'unknown', reason: `status ${status}` }
    } catch (error) {
      if (error instanceof NoResponse) return { outcome: 'unknown', reason: error.message }
      throw error
    }
  }

  return {
    name: 'sandbox',
    authorise({ reference, token, amount, currency, challenge }, cv2) {
      const body = { reference, token, amount: `${amount}`, currency, cv2: cv2.reveal() }
      const more = challenge === undefined ? {} : { serviceUrl: challenge.serviceUrl }
      return post<Decision>('/authorise', { ...body, ...more })
    },
    finishChallenge: ({ reference }, redirectResult) =>
      post<ChallengeResult>('/finish-challenge', { reference, redirectResult }),
    capture: ({ reference }) => post<Capture>('/capture', { reference }),
    cancel: ({ reference }) => post<Cancel>('/cancel', { reference }),
    refund: async (payment, refund) => ({
      ...UNANSWERED,
      ...(await post<RefundResult>('/refund', refundTerms(payment, refund))),
    }),
    paysOut: true,
    payout: async (request) => ({ ...UNANSWERED, ...(await post<PayoutResult>('/payout', payoutTerms(request))) }),
    lookUpPayout: async (request) => ({
      ...UNANSWERED,
      ...(await post<PayoutLookup>('/look-up-payout', payoutTerms(request))),
    }),
    async lookUp({ reference }) {
      const answer = await post<{ payment: BankPayment | null }>('/lookup', { reference })
      return 'payment' in answer ? toLookup(answer.payment) : answer
    },
    async tryKeys() {
      const answer = await post<{ payment: BankPayment | null }>('/lookup', { reference: 'key-trial' })
      const found = 'payment' in answer ? { outcome: 'accepted' as const, reason: '' } : answer
      return [{ what: 'the sandbox’s bank, which needs none', ...found }]
    },
    backOfficeLink: () => new URL('/payments', url).href,
    readNotifications: () => null,
    close: () => client.close(),
  }
}
