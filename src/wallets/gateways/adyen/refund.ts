// Refunds are only received: whether they are done is a notification. https://docs.adyen.com/online-payments/refund

import type { RefundRequest, RefundResult, Refusal } from '../gateway.ts'
import type { GatewayResponse } from '../http-client.ts'
import { answerOf, isFinalRefusal, reasonOf } from './answers.ts'
import { refusalOfErrorCode, wordsOf } from './refund-refusals.ts'

export function refundBody(
  merchantAccount: string,
  { reference }: Pick<RefundRequest, 'reference'>,
  amount: { value: number; currency: string },
) {
  return { merchantAccount, reference, amount }
}

export function refundResultOf(response: GatewayResponse): RefundResult {
  const { pspReference = null, errorCode } = answerOf(response)
  if (response.status === 201) return refundReceived(pspReference)
  if (isFinalRefusal(response)) {
    const refusal = refusalOfErrorCode(errorCode)
    return refundRefused(refusal, `${wordsOf(refusal)} (${reasonOf(response)})`)
  }
  return { outcome: 'unknown', reason: reasonOf(response), refusal: null, gatewayReference: null }
}

export function refundReceived(gatewayReference: string | null): RefundResult {
  return { outcome: 'received', reason: 'received', refusal: null, gatewayReference }
}

/** A notification reports the payment's reference; until then there is nothing to name in a refund. */
export const PAYMENT_NOT_KNOWN: RefundResult = {
  outcome: 'unknown',
  reason: 'the gateway has not reported its reference of the payment',
  refusal: null,
  gatewayReference: null,
}

export function refundRefused(refusal: Refusal, reason: string): RefundResult {
  return { outcome: 'refused', reason, refusal, gatewayReference: null }
}
