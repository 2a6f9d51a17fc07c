// Every result code that Adyen's library knows, as the answer to /payments and to /payments/details.

import { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js'
import { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js'
import { expect, test } from 'vitest'
import { authorisationOf } from '../../src/wallets/gateways/adyen/answers.ts'
import { challengeResultOf, decisionOf } from '../../src/wallets/gateways/adyen/challenge.ts'

type Code = `${PaymentResponse.ResultCodeEnum}` | `${PaymentDetailsResponse.ResultCodeEnum}`
type Outcome = { readonly payments: string; readonly details: string; readonly withAction?: string }

const same = (outcome: string): Outcome => ({ payments: outcome, details: outcome })
/** What is held is cancelled: the shopper cannot be asked, or nothing was authorised. */
const CANCELLED = same('unusable authorisationFailed')
/** /payments is voided with 24005; a challenge goes on, until a notification decides it. */
const UNKNOWN = same('unknown')

const RESULTS: Record<Code, Outcome> = {
  Authorised: same('approved'),
  PartiallyAuthorised: same('unusable insufficientFunds'),
  Refused: same('refused authorisationFailed'),
  Error: same('refused authorisationFailed'),
  Cancelled: same('refused authorisationFailed'),
  Pending: UNKNOWN,
  Received: UNKNOWN,
  RedirectShopper: { ...CANCELLED, withAction: 'challenge' },
  IdentifyShopper: CANCELLED,
  ChallengeShopper: CANCELLED,
  PresentToShopper: CANCELLED,
  AuthenticationFinished: CANCELLED,
  AuthenticationNotRequired: CANCELLED,
  Success: CANCELLED,
}

test('no result code of the library is without a case', () => {
  const codes = [PaymentResponse.ResultCodeEnum, PaymentDetailsResponse.ResultCodeEnum].flatMap((one) =>
    Object.values(one),
  )
  expect(Object.keys(RESULTS).toSorted()).toEqual([...new Set<string>(codes)].toSorted())
})

const payment = { reference: 'r', gatewayReference: null, amount: 1000n, currency: 'GBP' }
const answer = (body: object) => ({ status: 200, body: { pspReference: 'PSP1', ...body } })
const action = { type: 'redirect', url: 'https://issuer.example/', method: 'GET' }

const shown = (result: { outcome: string; fault?: string }) =>
  'fault' in result ? `${result.outcome} ${result.fault}` : result.outcome

test.each(Object.entries(RESULTS))('%s', (resultCode, { payments, details, withAction = payments }) => {
  expect(shown(authorisationOf(answer({ resultCode })))).toBe(payments)
  expect(shown(decisionOf(answer({ resultCode, action })))).toBe(withAction)
  // Without an action that a browser can follow it is as for a payment that may not be challenged.
  for (const unusable of [undefined, { type: 'threeDS2', token: 'x' }, { ...action, url: 'javascript:x' }])
    expect(shown(decisionOf(answer({ resultCode, action: unusable })))).toBe(payments)
  expect(shown(challengeResultOf(answer({ resultCode, merchantReference: 'r', action }), payment))).toBe(details)
})

test('a code that is not known yet holds nothing, and no code at all decides nothing', () => {
  const unknown = answer({ resultCode: 'SomethingNew', merchantReference: 'r' })
  expect(shown(authorisationOf(unknown))).toBe('unusable authorisationFailed')
  expect(shown(challengeResultOf(unknown, payment))).toBe('unusable authorisationFailed')
  expect(shown(authorisationOf(answer({})))).toBe('unknown')
  expect(shown(challengeResultOf(answer({ merchantReference: 'r' }), payment))).toBe('unknown')
})
