// Payouts to stored cards: one key submits them, and the reviewer's key confirms or declines what was submitted. Whether it is
// paid is a notification. https://docs.adyen.com/online-payments/online-payouts

import { randomUUID } from 'node:crypto'
import type { Gateway, PayoutRequest, PayoutResult } from '../gateway.ts'
import { type GatewayResponse, gatewayHttpClient, NoResponse } from '../http-client.ts'
import { answerOf, isFinalRefusal, reasonOf } from './answers.ts'
import type { AdyenSettings } from './settings.ts'
import { adyenUnits } from './units.ts'

type PayoutSettings = NonNullable<AdyenSettings['payouts']>
type Unknown = { readonly outcome: 'unknown'; readonly reason: string }

type Payouts = { readonly calls: Pick<Gateway, 'paysOut' | 'payout' | 'declinePayout'>; close(): Promise<void> }

const ABSENT = { outcome: 'unknown', reason: 'the settings for payouts are absent' } as const

export function adyenPayouts(merchantAccount: string, settings: PayoutSettings | null, timeoutMs: number): Payouts {
  if (settings !== null) return configuredPayouts(merchantAccount, settings, timeoutMs)
  return {
    calls: {
      paysOut: false,
      payout: async () => ({ ...ABSENT, gatewayReference: null }),
      declinePayout: async () => ABSENT,
    },
    close: async () => {},
  }
}

/** With connections of their own: payouts have another host than Checkout. */
function configuredPayouts(merchantAccount: string, settings: PayoutSettings, timeoutMs: number): Payouts {
  const client = gatewayHttpClient(settings.url, timeoutMs)
  const { submitKey, reviewKey, shopperEmail } = settings

  async function post(call: string, apiKey: string, key: string, body: object): Promise<GatewayResponse | Unknown> {
    try {
      const headers = { 'x-api-key': apiKey, 'idempotency-key': key }
      return await client.post(`/pal/servlet/Payout/v68/${call}`, headers, body)
    } catch (error) {
      if (error instanceof NoResponse) return { outcome: 'unknown', reason: error.message }
      throw error
    }
  }

  async function submit(request: PayoutRequest): Promise<PayoutResult> {
    const value = adyenUnits(request.amount, request.currency)
    if (value === null) return returned(`the amount has no form in ${request.currency}`)
    const body = submitBody(merchantAccount, shopperEmail, request, value)
    const reply = await post('submitThirdParty', submitKey, request.reference, body)
    return 'outcome' in reply ? { ...reply, gatewayReference: null } : submittedOf(reply)
  }

  const calls: Payouts['calls'] = {
    paysOut: true,
    async payout(request) {
      // No call reads a payout: one that was confirmed waits for its notification.
      if (request.gatewayReference !== null) return received(request.gatewayReference)
      const submitted = await submit(request)
      if (submitted.outcome !== 'received') return submitted
      const { gatewayReference } = submitted
      const body = modifyBody(merchantAccount, gatewayReference ?? '')
      const reply = await post('confirmThirdParty', reviewKey, `${request.reference}-confirm`, body)
      if ('outcome' in reply) return { ...reply, gatewayReference: null }
      if (isReceived(reply, 'payout-confirm-received')) return received(gatewayReference)
      // Also a refusal leaves it open: a confirmation whose answer was lost may be why.
      return { outcome: 'unknown', reason: `confirmation: ${reasonOf(reply)}`, gatewayReference: null }
    },
    /** A payout whose submission was lost is submitted once more, with the same key, to learn what is to be declined. */
    async declinePayout(request) {
      const submitted = request.gatewayReference === null ? await submit(request) : received(request.gatewayReference)
      if (submitted.outcome === 'returned') return { outcome: 'declined', reason: submitted.reason }
      if (submitted.gatewayReference === null) return { outcome: 'unknown', reason: submitted.reason }
      const body = modifyBody(merchantAccount, submitted.gatewayReference)
      // A new key each time: Adyen repeats the answer to a key it has seen, also a refusal.
      const reply = await post('declineThirdParty', reviewKey, randomUUID(), body)
      if ('outcome' in reply) return reply
      if (isReceived(reply, 'payout-decline-received')) return { outcome: 'declined', reason: 'received' }
      return { outcome: isFinalRefusal(reply) ? 'refused' : 'unknown', reason: reasonOf(reply) }
    },
  }
  return { calls, close: () => client.close() }
}

export function submitBody(merchantAccount: string, shopperEmail: string, request: PayoutRequest, value: number) {
  return {
    merchantAccount,
    reference: request.reference,
    amount: { value, currency: request.currency },
    recurring: { contract: 'PAYOUT' as const },
    selectedRecurringDetailReference: request.token,
    shopperReference: `${request.customerId}`,
    // Customers have no e-mail address here, and Adyen wants one.
    shopperEmail,
    entityType: 'NaturalPerson' as const,
  }
}

export function modifyBody(merchantAccount: string, originalReference: string) {
  return { merchantAccount, originalReference }
}

function submittedOf(response: GatewayResponse): PayoutResult {
  const { pspReference, resultCode = '' } = answerOf(response)
  if (isReceived(response, 'payout-submit-received')) {
    if (pspReference !== undefined) return received(pspReference)
    return { outcome: 'unknown', reason: 'received without a reference', gatewayReference: null }
  }
  if (isFinalRefusal(response)) return returned(reasonOf(response))
  if (response.status === 200 && /^(Refused|Error)$/.test(resultCode)) return returned(resultCode)
  return { outcome: 'unknown', reason: reasonOf(response), gatewayReference: null }
}

/** `[payout-submit-received]` with brackets, or without. */
function isReceived(response: GatewayResponse, word: string): boolean {
  const { resultCode, response: said } = answerOf(response)
  return response.status === 200 && [resultCode, said].some((one) => one === word || one === `[${word}]`)
}

function received(gatewayReference: string | null): PayoutResult {
  return { outcome: 'received', reason: 'received', gatewayReference }
}

function returned(reason: string): PayoutResult {
  return { outcome: 'returned', reason, gatewayReference: null }
}
