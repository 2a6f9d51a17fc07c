// Adyen Checkout v72: stored cards with manual capture. No call reads a payment, so an unknown result is cancelled by
// our own reference.

import type { Cv2 } from '../../cv2.ts'
import type { Authorisation, AuthorisationRequest, Cancel, Capture, Gateway, RefusalFault } from '../gateway.ts'
import { type GatewayResponse, gatewayHttpClient, NoResponse } from '../http-client.ts'
import { notifiedState, readAdyenNotifications } from './notifications.ts'
import type { AdyenSettings } from './settings.ts'
import { adyenUnits } from './units.ts'

export function adyenGateway(settings: AdyenSettings, timeoutMs: number): Gateway {
  const client = gatewayHttpClient(settings.url, timeoutMs)
  const { merchantAccount } = settings

  async function post<Unknown>(path: string, key: string, body: object, unknown: (reason: string) => Unknown) {
    try {
      return await client.post(`/v72${path}`, { 'x-api-key': settings.apiKey, 'idempotency-key': key }, body)
    } catch (error) {
      if (error instanceof NoResponse) return unknown(error.message)
      throw error
    }
  }
  const unknown = (reason: string) => ({ outcome: 'unknown' as const, reason })

  return {
    name: 'adyen',
    async authorise(request, cv2) {
      const { reference, amount, currency } = request
      const value = adyenUnits(amount, currency)
      if (value === null) return refused('authorisationFailed', `the amount has no form in ${currency}`)
      const reply = await post('/payments', reference, paymentBody(merchantAccount, request, value, cv2), unknown)
      return 'outcome' in reply ? reply : authorisationOf(reply)
    },
    async capture({ reference, gatewayReference, amount, currency }): Promise<Capture> {
      const body = { merchantAccount, reference, amount: { value: adyenUnits(amount, currency), currency } }
      const path = `/payments/${encodeURIComponent(gatewayReference ?? '')}/captures`
      const reply = await post(path, `${reference}-capture`, body, unknown)
      if ('outcome' in reply) return reply
      if (reply.status === 201) return { outcome: 'captured', reason: 'received' }
      return { outcome: isFinalRefusal(reply) ? 'refused' : 'unknown', reason: reasonOf(reply) }
    },
    async cancel({ reference, gatewayReference }, attempt): Promise<Cancel> {
      // Each attempt has its own key: Adyen repeats the answer to a key it has seen.
      const key = `${reference}-cancel-${attempt}`
      const reply =
        gatewayReference === null
          ? await post('/cancels', key, { merchantAccount, paymentReference: reference, reference }, unknown)
          : await post(
              `/payments/${encodeURIComponent(gatewayReference)}/cancels`,
              key,
              { merchantAccount, reference },
              unknown,
            )
      if ('outcome' in reply) return reply
      // Received is no result: the result is a notification, or the grace period passes.
      if (reply.status === 201) return { outcome: 'accepted', reason: 'received' }
      return { outcome: 'unknown', reason: reasonOf(reply) }
    },
    lookUp: async (_, notified) => ({ outcome: 'notified', state: notifiedState(notified) }),
    backOfficeLink: ({ gatewayReference }) =>
      gatewayReference && `${customerArea(settings.url)}${encodeURIComponent(gatewayReference)}`,
    readNotifications: (body) => readAdyenNotifications(body, settings),
    close: () => client.close(),
  }
}

/** The page of a payment, up to its reference. Test payments have a Customer Area of their own. */
function customerArea(url: string): string {
  const isTest = /\btest\.adyen\.com$/.test(new URL(url).hostname)
  return `https://ca-${isTest ? 'test' : 'live'}.adyen.com/ca/ca/accounts/showTx.shtml?txType=Payment&pspReference=`
}

function paymentBody(merchantAccount: string, request: AuthorisationRequest, value: number, cv2: Cv2): object {
  const { reference, customerId, token, currency } = request
  return {
    merchantAccount,
    reference,
    amount: { value, currency },
    paymentMethod: { type: 'scheme', storedPaymentMethodId: token, cvc: cv2.reveal() },
    shopperReference: `${customerId}`,
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: 'CardOnFile',
    additionalData: { manualCapture: 'true' },
  }
}

// ---- The meaning of answers

type PaymentAnswer = {
  resultCode?: string
  pspReference?: string
  refusalReason?: string
  refusalReasonCode?: string
  errorCode?: string
  message?: string
}

/** https://docs.adyen.com/development-resources/refusal-reasons */
const REFUSAL_CODES: Readonly<Record<string, RefusalFault>> = {
  '6': 'expiryInvalid',
  '8': 'cardNumberInvalid',
  '34': 'cardNumberInvalid',
  '35': 'cardNumberInvalid',
  '12': 'insufficientFunds',
  '28': 'insufficientFunds',
  '29': 'insufficientFunds',
  '30': 'insufficientFunds',
  '24': 'cv2Invalid',
}

/** https://docs.adyen.com/development-resources/error-codes, answered with HTTP 422. */
const VALIDATION_CODES: Readonly<Record<string, RefusalFault>> = {
  '101': 'cardNumberInvalid',
  '103': 'cv2Invalid',
  '153': 'cv2Invalid',
  '129': 'expiryInvalid',
  '800': 'methodInvalid',
  '803': 'methodInvalid',
}
/** Already processed or in progress; a part of Adyen is unavailable. */
const UNDECIDED_CODES = new Set(['703', '704'])

function authorisationOf({ status, body }: GatewayResponse): Authorisation {
  const answer = (typeof body === 'object' && body !== null ? body : {}) as PaymentAnswer
  if (status === 200 || status === 201) return resultOf(answer)
  const reason = `status ${status} code ${safeCode(answer.errorCode)}`
  if (status === 408 || status === 409 || status === 429 || status >= 500) return { outcome: 'unknown', reason }
  if (status !== 422) return refused('authorisationFailed', reason)
  if (UNDECIDED_CODES.has(answer.errorCode ?? '')) return { outcome: 'unknown', reason }
  return refused(VALIDATION_CODES[answer.errorCode ?? ''] ?? faultFromText(answer.message), reason)
}

function resultOf(answer: PaymentAnswer): Authorisation {
  const { resultCode = '', pspReference = null } = answer
  const reason = `${safeWord(resultCode)} ${safeCode(answer.refusalReasonCode)}`.trim()
  if (resultCode === 'Authorised') {
    if (pspReference !== null) return { outcome: 'approved', gatewayReference: pspReference }
    return { outcome: 'unknown', reason: 'authorised without a reference' }
  }
  if (resultCode === 'PartiallyAuthorised') {
    return { outcome: 'unusable', fault: 'insufficientFunds', reason, gatewayReference: pspReference }
  }
  // 13 is no refusal: the result is not known yet.
  if (resultCode === 'Received' || resultCode === 'Pending' || answer.refusalReasonCode === '13') {
    return { outcome: 'unknown', reason }
  }
  if (resultCode === 'Refused' || resultCode === 'Error' || resultCode === 'Cancelled') {
    const fault = REFUSAL_CODES[answer.refusalReasonCode ?? ''] ?? faultFromText(answer.refusalReason)
    // A part of the amount may be held.
    if (fault === 'insufficientFunds' && answer.refusalReasonCode !== '12') {
      return { outcome: 'unusable', fault, reason, gatewayReference: pspReference }
    }
    return refused(fault, reason)
  }
  // RedirectShopper, IdentifyShopper, ChallengeShopper, PresentToShopper: no shopper is present.
  if (resultCode !== '') {
    return { outcome: 'unusable', fault: 'authorisationFailed', reason, gatewayReference: pspReference }
  }
  return { outcome: 'unknown', reason: 'no result code' }
}

function refused(fault: RefusalFault, reason: string): Authorisation {
  return { outcome: 'refused', fault, reason }
}

/** Some refusals have no code, only a text. */
function faultFromText(text = ''): RefusalFault {
  if (/\bcvc\b/i.test(text)) return 'cv2Invalid'
  if (/expir/i.test(text)) return 'expiryInvalid'
  return 'authorisationFailed'
}

/** Adyen refused the request itself, not its sender: repeating it would not help. */
function isFinalRefusal({ status, body }: GatewayResponse): boolean {
  const { errorCode = '' } = (typeof body === 'object' && body !== null ? body : {}) as PaymentAnswer
  return (status === 422 || status === 400 || status === 404) && !UNDECIDED_CODES.has(errorCode)
}

function reasonOf({ status, body }: GatewayResponse): string {
  return `status ${status} code ${safeCode((body as PaymentAnswer | undefined)?.errorCode)}`
}

/** The event trail gets a code or a word, never a text that could quote the request. */
function safeCode(given: unknown): string {
  return typeof given === 'string' && /^[0-9_]{1,12}$/.test(given) ? given : ''
}

function safeWord(given: string): string {
  return /^[A-Za-z]{1,40}$/.test(given) ? given : ''
}
