// 3-D Secure with Adyen's redirect flow: the browser goes to Adyen, which sends it back with a `redirectResult`.
// https://docs.adyen.com/online-payments/3d-secure/redirect-3ds2

import type { ChallengeAction, ChallengeResult, ChallengeTerms, Decision, HeldPayment } from '../gateway.ts'
import type { GatewayResponse } from '../http-client.ts'
import { answerOf, authorisationOf, isFinalRefusal, type PaymentAnswer, reasonOf, resultOf } from './answers.ts'
import { fromAdyenUnits } from './units.ts'

/** The part of a payment request that lets the issuer challenge the shopper, by a redirect and not inside the page. */
export function challengeBody({ returnUrl, browser }: ChallengeTerms) {
  const { ip, ...browserInfo } = browser
  return {
    channel: 'Web' as const,
    origin: new URL(returnUrl).origin,
    returnUrl,
    browserInfo: { ...browserInfo, javaScriptEnabled: true },
    authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' as const } },
    ...(ip === null ? {} : { shopperIP: ip }),
  }
}

export function detailsBody(redirectResult: string) {
  return { details: { redirectResult } }
}

/** As `authorisationOf`, for a payment that may be challenged. */
export function decisionOf(response: GatewayResponse): Decision {
  const answer = answerOf(response)
  const action = response.status === 200 && answer.resultCode === 'RedirectShopper' ? actionOf(answer) : null
  return action === null ? authorisationOf(response) : { outcome: 'challenge', action }
}

/** null: nothing that a browser can be sent to. */
function actionOf({ action }: PaymentAnswer): ChallengeAction | null {
  const { type, url, method = 'GET', data = {} } = action ?? {}
  const isUsable = type === 'redirect' && typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url)
  if (!isUsable || (method !== 'GET' && method !== 'POST') || typeof data !== 'object' || data === null) return null
  return { url, method, data: Object.entries(data).map(([name, value]) => ({ name, value: `${value}` })) }
}

/**
 * A result of another payment, also of this customer, decides nothing. An answer that does not name its payment
 * decides nothing either: the notification, which is signed, does.
 */
export function challengeResultOf(response: GatewayResponse, payment: HeldPayment): ChallengeResult {
  const answer = answerOf(response)
  if (response.status !== 200) {
    return { outcome: isFinalRefusal(response) ? 'invalid' : 'unknown', reason: reasonOf(response) }
  }
  if (answer.merchantReference === undefined) return { outcome: 'unknown', reason: 'without our reference' }
  if (answer.merchantReference !== payment.reference) return { outcome: 'invalid', reason: 'of another payment' }
  if (!hasTermsOf(answer, payment)) return { outcome: 'unknown', reason: 'of another amount' }
  return resultOf(answer)
}

/** Refusals have no amount. */
function hasTermsOf({ amount }: PaymentAnswer, payment: HeldPayment): boolean {
  if (amount === undefined) return true
  return amount.currency === payment.currency && fromAdyenUnits(amount.value, payment.currency) === payment.amount
}
