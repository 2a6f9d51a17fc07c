// Payouts to stored cards by the Transfers API v4, paid from our balance account.
// https://docs.adyen.com/payouts/payout-service/pay-out-to-cards

import { turnTime } from '../../../platform/runtime/clock.ts'
import { DAY_MS } from '../../../platform/runtime/durations.ts'
import type { Gateway, KeyTrial, PayoutRequest, PayoutResult, Refusal } from '../gateway.ts'
import { type GatewayResponse, gatewayHttpClient, NoResponse } from '../http-client.ts'
import { answerOf, isFinalRefusal, reasonOf } from './answers.ts'
import { keyTrial } from './key-trial.ts'
import type { TransferSettings } from './settings.ts'
import { hasTermsOf, holderOf, isUnfunded, lookupOf, type Transfer, transferBody, unknownResult } from './transfer.ts'
import { adyenUnits } from './units.ts'

type Transfers = {
  readonly calls: Pick<Gateway, 'paysOut' | 'payout' | 'lookUpPayout'>
  tryKey(): Promise<readonly KeyTrial[]>
  close(): Promise<void>
}

/** The reference of no payout. */
const NOBODYS = 'key-trial'

const ABSENT = unknownResult('the settings for payouts are absent')
const UNFUNDED = 'our account at the gateway has too little for it'

export function adyenTransfers(settings: TransferSettings | null, timeoutMs: number): Transfers {
  if (settings !== null) return configuredTransfers(settings, timeoutMs)
  return {
    calls: { paysOut: false, payout: async () => ABSENT, lookUpPayout: async () => ABSENT },
    tryKey: async () => [],
    close: async () => {},
  }
}

/** With connections of their own: transfers have another host than Checkout. */
function configuredTransfers({ url, apiKey, balanceAccount }: TransferSettings, timeoutMs: number): Transfers {
  const client = gatewayHttpClient(url, timeoutMs)
  const authorised = { 'x-api-key': apiKey }

  async function find(reference: string): Promise<Found> {
    const reply = await answered(() => client.get(transfersPath(balanceAccount, reference), authorised))
    return 'outcome' in reply ? reply : foundIn(reply, reference)
  }

  async function send(request: PayoutRequest, key: string): Promise<PayoutResult> {
    const value = adyenUnits(request.amount, request.currency)
    if (value === null) return refused('other', `the amount has no form in ${request.currency}`)
    const holder = holderOf(request)
    if (holder === null) return refused('card', 'the name of the holder has no form in Latin letters')
    const body = transferBody(balanceAccount, { ...request, holder }, value)
    const reply = await answered(() =>
      client.post('/btl/v4/transfers', { ...authorised, 'idempotency-key': key }, body),
    )
    return 'outcome' in reply ? reply : sentOf(reply)
  }

  const calls: Transfers['calls'] = {
    paysOut: true,
    /**
     * 1. Reads the transfers of this reference. One that is under way or decided is the result.
     * 2. Otherwise sends one with our reference as the key. Adyen repeats the answer to a key it has seen, so after a transfer that
     *    was unfunded the key is made of that transfer's id. Whoever does not see the newest one yet repeats an old key, and sends nothing.
     */
    async payout(request) {
      const found = await find(request.reference)
      if ('outcome' in found) return found
      const decided = resultOf(found, request)
      if (decided.outcome === 'returned') return { ...decided, outcome: 'refused' }
      if (decided.outcome !== 'notFound') return { ...decided, outcome: decided.outcome }
      const newest = found.transfers[0]
      return send(request, newest === undefined ? request.reference : `${newest.id}-again`)
    },
    async lookUpPayout(request) {
      const found = await find(request.reference)
      return 'outcome' in found ? found : resultOf(found, request)
    },
  }
  return {
    calls,
    tryKey: async () => [
      keyTrial('payouts', await answered(() => client.get(transfersPath(balanceAccount, NOBODYS), authorised))),
    ],
    close: () => client.close(),
  }
}

/** Newest first. */
type Found = { readonly transfers: readonly Transfer[] } | ReturnType<typeof unknownResult>

async function answered(call: () => Promise<GatewayResponse>) {
  try {
    return await call()
  } catch (error) {
    if (error instanceof NoResponse) return unknownResult(error.message)
    throw error
  }
}

/** The period is required, and is at most six months. */
function transfersPath(balanceAccountId: string, reference: string): string {
  const now = turnTime()
  const query = new URLSearchParams({
    balanceAccountId,
    reference,
    category: 'card',
    createdSince: new Date(now - 179 * DAY_MS).toISOString(),
    createdUntil: new Date(now + DAY_MS).toISOString(),
    sortOrder: 'desc',
    limit: '100',
  })
  return `/btl/v4/transfers?${query}`
}

/** Without a list nothing is known: an empty object must not look like "none". */
function foundIn(response: GatewayResponse, reference: string): Found {
  const { data } = answerOf(response) as { data?: unknown }
  if (response.status !== 200 || !Array.isArray(data)) return unknownResult(reasonOf(response))
  return { transfers: (data as Transfer[]).filter((one) => one.reference === reference) }
}

/** notFound also if our balance account had too little for each of them. */
function resultOf({ transfers }: Extract<Found, { transfers: unknown }>, request: PayoutRequest) {
  const [first, second] = transfers.filter((one) => !isUnfunded(one))
  if (second !== undefined) return unknownResult('the gateway has two transfers with this reference')
  if (first === undefined) {
    const reason = transfers.length === 0 ? 'not found' : UNFUNDED
    return { outcome: 'notFound', reason, refusal: null, gatewayReference: null } as const
  }
  return hasTermsOf(first, request) ? lookupOf(first) : unknownResult('the reference has other terms')
}

function sentOf(response: GatewayResponse): PayoutResult {
  if (response.status === 200 || response.status === 202) {
    const transfer = answerOf(response) as Transfer
    const result = lookupOf(transfer)
    if (isUnfunded(transfer)) return { ...result, outcome: 'unfunded', reason: UNFUNDED, refusal: null }
    if (result.outcome === 'returned') return { ...result, outcome: 'refused' }
    if (result.outcome !== 'notFound') return { ...result, outcome: result.outcome }
  }
  if (!isFinalRefusal(response)) return unknownResult(reasonOf(response))
  const { invalidFields = [] } = answerOf(response)
  const isOfCard = invalidFields.some(({ name }) => `${name}`.startsWith('counterparty.card'))
  if (isOfCard) return refused('card', `the gateway does not accept the card or its holder (${reasonOf(response)})`)
  return refused('other', `the gateway does not accept the request (${reasonOf(response)})`)
}

function refused(refusal: Refusal, reason: string): PayoutResult {
  return { outcome: 'refused', reason, refusal, gatewayReference: null }
}
