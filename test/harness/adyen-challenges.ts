// 3-D Secure as Adyen's documentation of the redirect flow shows it.

export type Payment = {
  reference: string
  value: number
  currency: string
  state: 'challenged' | 'held' | 'captured' | 'cancelled'
  refunds?: number[]
  /** The code with which refunds of it are refused. */
  refundError?: string
}

export type Body = {
  merchantAccount?: string
  reference?: string
  paymentReference?: string
  amount?: { value: number; currency: string }
  paymentMethod?: { type?: string; storedPaymentMethodId?: string; cvc?: string }
  shopperReference?: string
  shopperInteraction?: string
  recurringProcessingModel?: string
  additionalData?: { manualCapture?: string }
  channel?: string
  origin?: string
  returnUrl?: string
  browserInfo?: Record<string, unknown>
  authenticationData?: { threeDSRequestData?: { nativeThreeDS?: string } }
  details?: { redirectResult?: string }
  category?: string
  balanceAccountId?: string
  referenceForBeneficiary?: string
  counterparty?: {
    card?: {
      cardHolder?: { type?: string; firstName?: string; lastName?: string; reference?: string }
      cardIdentification?: { storedPaymentMethodId?: string }
    }
  }
}

export type Answer = { status: number; body: object } | 'hang' | 'reset'

export function error(status: number, errorCode: string) {
  return { status, body: { status, errorCode, message: 'a message', errorType: 'validation' } }
}

const redirect = { paymentMethodType: 'scheme', type: 'redirect' }
const ISSUER = 'https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=M2R'

/** As the documentation shows them, and some that a browser cannot be sent to. */
const ACTIONS: Record<string, object> = {
  get: { ...redirect, url: ISSUER, method: 'GET' },
  post: {
    ...redirect,
    url: ISSUER,
    method: 'POST',
    data: { MD: 'OEVudmZVMUlkWjd0MDNwUWs2bmhSdz09', PaReq: 'eNpVUttygjAQ', TermUrl: 'https://x' },
  },
  native: { ...redirect, type: 'threeDS2', subtype: 'fingerprint', token: 'eyJ0aHJlZURT' },
  script: { ...redirect, url: 'javascript:alert(1)', method: 'GET' },
}

/** A payment whose shopper is asked by the issuer. Without what a redirect needs it is refused. */
export function challenge(
  payments: Map<string, Payment>,
  { amount, reference = '', channel, authenticationData, browserInfo, returnUrl }: Body,
  { pspReference, action }: { pspReference: string; action: string },
): Answer {
  const redirects = channel === 'Web' && authenticationData?.threeDSRequestData?.nativeThreeDS === 'disabled'
  if (!redirects || browserInfo?.userAgent === undefined || returnUrl === undefined || amount === undefined) {
    return error(422, '100')
  }
  payments.set(pspReference, { reference, ...amount, state: 'challenged' })
  return { status: 200, body: { resultCode: 'RedirectShopper', pspReference, action: ACTIONS[action] ?? ACTIONS.get } }
}

/** `redirectResult`: our reference of the payment, and what the shopper did. */
export function challengeDetails(payments: Map<string, Payment>, redirectResult: string): Answer {
  const [reference, what = '', code = ''] = redirectResult.split('|')
  const [pspReference, payment] = [...payments].find(([, one]) => one.reference === reference) ?? []
  if (pspReference === undefined || payment === undefined) return error(422, '14_0408')
  const { value, currency } = payment
  const known = { pspReference, merchantReference: reference, amount: { value, currency } }
  if (what === 'http') return error(Number(code), '000')
  if (what === 'hang') return 'hang'
  if (what === 'reset') return 'reset'
  if (what === 'Authorised' || what === 'PartiallyAuthorised') payment.state = 'held'
  if (code === 'anonymous') return { status: 200, body: { resultCode: what, pspReference } }
  if (code === 'cheaper') return { status: 200, body: { ...known, resultCode: what, amount: { value: 1, currency } } }
  const refusal = code === '' ? {} : { refusalReason: 'in words', refusalReasonCode: code }
  return { status: 200, body: { ...known, resultCode: what, ...refusal } }
}
