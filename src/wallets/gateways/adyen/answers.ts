// The meaning of Adyen's answers.

import type { Authorisation, RefusalFault } from '../gateway.ts'
import type { GatewayResponse } from '../http-client.ts'

export type PaymentAnswer = {
  resultCode?: string
  pspReference?: string
  refusalReason?: string
  refusalReasonCode?: string
  errorCode?: string
  message?: string
  merchantReference?: string
  amount?: { value?: unknown; currency?: unknown }
  action?: { type?: unknown; url?: unknown; method?: unknown; data?: unknown }
  /** In answers of the Transfers API. */
  invalidFields?: { name?: unknown }[]
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

export function authorisationOf(response: GatewayResponse): Authorisation {
  const { status } = response
  const answer = answerOf(response)
  if (status === 200 || status === 201) return resultOf(answer)
  const reason = `status ${status} code ${safeCode(answer.errorCode)}`
  if (status === 408 || status === 409 || status === 429 || status >= 500) return { outcome: 'unknown', reason }
  if (status !== 422) return refused('authorisationFailed', reason)
  if (UNDECIDED_CODES.has(answer.errorCode ?? '')) return { outcome: 'unknown', reason }
  return refused(VALIDATION_CODES[answer.errorCode ?? ''] ?? faultFromText(answer.message), reason)
}

/** Adyen's answers are read field by field: what is missing has its own meaning. */
export function answerOf({ body }: GatewayResponse): PaymentAnswer {
  return (typeof body === 'object' && body !== null ? body : {}) as PaymentAnswer
}

export function resultOf(answer: PaymentAnswer): Authorisation {
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
  // RedirectShopper, IdentifyShopper, ChallengeShopper, PresentToShopper: the shopper cannot be sent there (again).
  if (resultCode !== '') {
    return { outcome: 'unusable', fault: 'authorisationFailed', reason, gatewayReference: pspReference }
  }
  return { outcome: 'unknown', reason: 'no result code' }
}

export function refused(fault: RefusalFault, reason: string): Authorisation {
  return { outcome: 'refused', fault, reason }
}

/** Some refusals have no code, only a text. */
function faultFromText(text = ''): RefusalFault {
  if (/\bcvc\b/i.test(text)) return 'cv2Invalid'
  if (/expir/i.test(text)) return 'expiryInvalid'
  return 'authorisationFailed'
}

/** Adyen refused the request itself, not its sender: repeating it would not help. */
export function isFinalRefusal(response: GatewayResponse): boolean {
  const { status } = response
  const { errorCode = '' } = answerOf(response)
  return (status === 422 || status === 400 || status === 404) && !UNDECIDED_CODES.has(errorCode)
}

export function reasonOf(response: GatewayResponse): string {
  return `status ${response.status} code ${safeCode(answerOf(response).errorCode)}`
}

/** The event trail gets a code or a word, never a text that could quote the request. */
function safeCode(given: unknown): string {
  return typeof given === 'string' && /^[0-9_]{1,12}$/.test(given) ? given : ''
}

function safeWord(given: string): string {
  return /^[A-Za-z]{1,40}$/.test(given) ? given : ''
}
