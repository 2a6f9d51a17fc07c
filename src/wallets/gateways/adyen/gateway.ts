// Adyen Checkout v72: stored cards with manual capture. No call reads a payment, so an unknown result is cancelled by
// our own reference.

import { randomUUID } from 'node:crypto'
import type { Cv2 } from '../cv2.ts'
import type { AuthorisationRequest, Cancel, Capture, Gateway } from '../gateway.ts'
import { gatewayHttpClient, NoResponse } from '../http-client.ts'
import { authorisationOf, isFinalRefusal, reasonOf, refused } from './answers.ts'
import { challengeBody, challengeResultOf, decisionOf, detailsBody } from './challenge.ts'
import { keyTrial } from './key-trial.ts'
import { notifiedState, readAdyenNotifications } from './notifications.ts'
import { PAYMENT_NOT_KNOWN, refundBody, refundReceived, refundRefused, refundResultOf } from './refund.ts'
import type { AdyenSettings } from './settings.ts'
import { adyenTransfers } from './transfers.ts'
import { adyenUnits } from './units.ts'

export function adyenGateway(settings: AdyenSettings, timeoutMs: number): Gateway {
  const client = gatewayHttpClient(settings.url, timeoutMs)
  const { merchantAccount } = settings
  const transfers = adyenTransfers(settings.transfers, timeoutMs)

  const post = checkoutCall(client, settings.apiKey)

  return {
    name: 'adyen',
    async authorise(request, cv2) {
      const { reference, amount, currency, challenge } = request
      const value = adyenUnits(amount, currency)
      if (value === null) return refused('authorisationFailed', `the amount has no form in ${currency}`)
      const plain = paymentBody(merchantAccount, request, value, cv2)
      const body = challenge === undefined ? plain : { ...plain, ...challengeBody(challenge) }
      const reply = await post('/payments', reference, body)
      if ('outcome' in reply) return reply
      return challenge === undefined ? authorisationOf(reply) : decisionOf(reply)
    },
    async finishChallenge(payment, redirectResult) {
      // A key of its own for each call: a payment that was pending may be decided when it is requested again.
      const reply = await post('/payments/details', randomUUID(), detailsBody(redirectResult))
      return 'outcome' in reply ? reply : challengeResultOf(reply, payment)
    },
    async capture({ reference, gatewayReference, amount, currency }): Promise<Capture> {
      const body = { merchantAccount, reference, amount: { value: adyenUnits(amount, currency), currency } }
      const path = `/payments/${encodeURIComponent(gatewayReference ?? '')}/captures`
      const reply = await post(path, `${reference}-capture`, body)
      if ('outcome' in reply) return reply
      if (reply.status === 201) return { outcome: 'captured', reason: 'received' }
      return { outcome: isFinalRefusal(reply) ? 'refused' : 'unknown', reason: reasonOf(reply) }
    },
    async cancel({ reference, gatewayReference }): Promise<Cancel> {
      const [path, payment] = cancelOf(reference, gatewayReference)
      // A new key each time: Adyen repeats the answer to a key it has seen, and cancels nothing.
      const reply = await post(path, randomUUID(), { merchantAccount, reference, ...payment })
      if ('outcome' in reply) return reply
      // Received is no result: the result is a notification, or the grace period passes.
      if (reply.status === 201) return { outcome: 'accepted', reason: 'received' }
      return { outcome: 'unknown', reason: reasonOf(reply) }
    },
    async refund({ gatewayReference, currency }, refund) {
      // No call reads a refund: one that was received waits for its notification.
      if (refund.gatewayReference !== null) return refundReceived(refund.gatewayReference)
      if (gatewayReference === null) return PAYMENT_NOT_KNOWN
      const value = adyenUnits(refund.amount, currency)
      if (value === null) return refundRefused('other', `the amount has no form in ${currency}`)
      const path = `/payments/${encodeURIComponent(gatewayReference)}/refunds`
      const reply = await post(path, refund.reference, refundBody(merchantAccount, refund, { value, currency }))
      return 'outcome' in reply ? { ...reply, refusal: null, gatewayReference: null } : refundResultOf(reply)
    },
    ...transfers.calls,
    tryKeys: async () => [await tryPaymentsKey(post, merchantAccount), ...(await transfers.tryKey())],
    lookUp: async (_, notified) => ({ outcome: 'notified', state: notifiedState(notified) }),
    backOfficeLink: ({ gatewayReference }) =>
      gatewayReference && `${customerArea(settings.url)}${encodeURIComponent(gatewayReference)}`,
    readNotifications: (body, headers) => readAdyenNotifications(body, headers, settings),
    close: () => client.close().finally(transfers.close),
  }
}

function cancelOf(reference: string, gatewayReference: string | null): [path: string, payment: object] {
  if (gatewayReference === null) return ['/cancels', { paymentReference: reference }]
  return [`/payments/${encodeURIComponent(gatewayReference)}/cancels`, {}]
}

/** Calls Checkout. Without a response the outcome is unknown. */
function checkoutCall(client: ReturnType<typeof gatewayHttpClient>, apiKey: string) {
  return async (path: string, key: string, body: object) => {
    try {
      return await client.post(`/v72${path}`, { 'x-api-key': apiKey, 'idempotency-key': key }, body)
    } catch (error) {
      if (error instanceof NoResponse) return { outcome: 'unknown' as const, reason: error.message }
      throw error
    }
  }
}

/** Asks what may be paid with: the only call of Checkout that creates nothing. */
async function tryPaymentsKey(post: ReturnType<typeof checkoutCall>, merchantAccount: string) {
  return keyTrial('payments', await post('/paymentMethods', randomUUID(), { merchantAccount }))
}

/** The page of a payment, up to its reference. Test payments have a Customer Area of their own. */
function customerArea(url: string): string {
  const isTest = /\btest\.adyen\.com$/.test(new URL(url).hostname)
  return `https://ca-${isTest ? 'test' : 'live'}.adyen.com/ca/ca/accounts/showTx.shtml?txType=Payment&pspReference=`
}

export function paymentBody(merchantAccount: string, request: AuthorisationRequest, value: number, cv2: Cv2) {
  const { reference, customerId, token, currency } = request
  return {
    merchantAccount,
    reference,
    amount: { value, currency },
    paymentMethod: { type: 'scheme' as const, storedPaymentMethodId: token, cvc: cv2.reveal() },
    shopperReference: `${customerId}`,
    shopperInteraction: 'ContAuth' as const,
    recurringProcessingModel: 'CardOnFile' as const,
    additionalData: { manualCapture: 'true' },
  }
}
