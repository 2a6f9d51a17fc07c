// Refunds are only received: whether they are done is a notification. https://docs.adyen.com/online-payments/refund

import type { RefundRequest, RefundResult } from '../gateway.ts'
import type { GatewayResponse } from '../http-client.ts'
import { answerOf, isFinalRefusal, reasonOf } from './answers.ts'

export function refundBody(merchantAccount: string, { reference }: RefundRequest, value: number, currency: string) {
  return { merchantAccount, reference, amount: { value, currency } }
}

export function refundResultOf(response: GatewayResponse): RefundResult {
  if (response.status === 201) {
    const { pspReference = null } = answerOf(response)
    return { outcome: 'received', reason: 'received', gatewayReference: pspReference }
  }
  if (isFinalRefusal(response)) return refundRefused(reasonOf(response))
  return { outcome: 'unknown', reason: reasonOf(response), gatewayReference: null }
}

export function refundRefused(reason: string): RefundResult {
  return { outcome: 'refused', reason, gatewayReference: null }
}
