import type { Authorisation, Cancel, Capture, Gateway } from '../gateway.ts'
import { gatewayCalls, NoAnswer } from '../http-client.ts'

/** The sandbox's bank in a process of its own (`paddock gateway`). */
export function remoteSandboxGateway(url: string, timeoutMs: number): Gateway {
  const calls = gatewayCalls(url, timeoutMs)

  async function ask<Answer>(path: string, body: object): Promise<Answer | { outcome: 'unknown'; reason: string }> {
    try {
      const { status, body: answer } = await calls.post(path, {}, body)
      if (status === 200 && answer !== undefined) return answer as Answer
      return { outcome: 'unknown', reason: `status ${status}` }
    } catch (error) {
      if (error instanceof NoAnswer) return { outcome: 'unknown', reason: error.message }
      throw error
    }
  }

  return {
    name: 'sandbox',
    authorise: ({ reference, token, amount, currency }, cv2) =>
      ask<Authorisation>('/authorise', { reference, token, amount: `${amount}`, currency, cv2: cv2.reveal() }),
    capture: ({ reference }) => ask<Capture>('/capture', { reference }),
    cancel: ({ reference }) => ask<Cancel>('/cancel', { reference }),
    readNotifications: () => null,
    close: () => calls.close(),
  }
}
