// Payouts of the fake Adyen: submitted with one key, confirmed or declined with the reviewer's. The stored id of the card
// decides what happens: payout-refused, payout-lost (the answer to the first confirmation is lost), or it is received.

import { type Answer, type Body, error } from './adyen-challenges.ts'

export const PAYOUT_KEYS = { submitKey: 'payout-submit-key', reviewKey: 'payout-review-key' }
export const PAYOUT_PATH = '/pal/servlet/Payout/v68/'

export type FakePayout = {
  reference: string
  token: string
  value: number
  state: 'submitted' | 'confirmed' | 'declined'
}

export function keyOfPayoutCall(call: string): string {
  return call === 'submitThirdParty' ? PAYOUT_KEYS.submitKey : PAYOUT_KEYS.reviewKey
}

export function payoutApi(payouts: Map<string, FakePayout>): (call: string, body: Body) => Answer {
  const lost = new Set<string>()

  function submit(body: Body): Answer {
    const { reference = '', selectedRecurringDetailReference: token = '', amount } = body
    const isWhole = body.recurring?.contract === 'PAYOUT' && body.shopperEmail !== undefined && amount !== undefined
    if (!isWhole || body.shopperReference === undefined) return error(422, '100')
    const pspReference = `PAYOUT${payouts.size + 1}`
    if (token === 'payout-refused') return { status: 200, body: { pspReference, resultCode: 'Refused' } }
    payouts.set(pspReference, { reference, token, value: amount.value, state: 'submitted' })
    return { status: 200, body: { pspReference, resultCode: '[payout-submit-received]' } }
  }

  return (call, body) => {
    if (call === 'submitThirdParty') return submit(body)
    const psp = body.originalReference ?? ''
    const payout = payouts.get(psp)
    const asked = call === 'confirmThirdParty' ? 'confirmed' : 'declined'
    if (payout === undefined || (payout.state !== 'submitted' && payout.state !== asked)) return error(422, '167')
    payout.state = asked
    if (payout.token === 'payout-lost' && !lost.has(psp)) {
      lost.add(psp)
      return 'reset'
    }
    const response = asked === 'confirmed' ? '[payout-confirm-received]' : '[payout-decline-received]'
    return { status: 200, body: { pspReference: `${psp}-${asked}`, response } }
  }
}
