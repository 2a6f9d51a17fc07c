// The Transfers API v4 of the fake Adyen, and its webhooks. The stored id of the card decides what becomes of a transfer:
// transfer-STATUS-REASON, transfer-lost (made, and the first answer is lost), transfer-vanished (the first one is not made, and not
// answered), transfer-unfunded-TIMES, transfer-invalid (422 about the card), transfer-http-STATUS-CODE; others are authorised.

import { createHmac } from 'node:crypto'
import { type Answer, type Body, error } from './adyen-challenges.ts'

export const TRANSFERS = {
  apiKey: 'transfers-key',
  balanceAccount: 'BA00000000000000000000001',
  hmacKey: 'cd'.repeat(32),
}
export const TRANSFERS_PATH = '/btl/v4/transfers'

/** A test may change status and reason: the next look-up has them. */
export type FakeTransfer = {
  id: string
  reference: string
  token: string
  amount: { value: number; currency: string }
  status: string
  reason: string
  createdAt: number
}

export function transfersApi(transfers: Map<string, FakeTransfer>) {
  /** Calls with an effect of their own the first time. */
  const seen = new Set<string>()

  function make({ reference = '', amount, counterparty }: Body, status: string, reason: string): FakeTransfer {
    const id = `TRANSFER${transfers.size + 1}`
    const token = counterparty?.card?.cardIdentification?.storedPaymentMethodId ?? ''
    const terms = amount as { value: number; currency: string }
    const made = { id, reference, token, amount: terms, status, reason, createdAt: Date.now() }
    transfers.set(id, made)
    return made
  }

  function post(body: Body): Answer {
    const { cardHolder, cardIdentification } = body.counterparty?.card ?? {}
    const { storedPaymentMethodId: token = '' } = cardIdentification ?? {}
    const isWhole =
      body.category === 'card' &&
      body.balanceAccountId === TRANSFERS.balanceAccount &&
      Number.isInteger(body.amount?.value) &&
      /^[0-9A-Za-z]+$/.test(body.referenceForBeneficiary ?? '') &&
      cardHolder?.type === 'individual' &&
      [cardHolder.firstName, cardHolder.lastName].every((name) => /^[A-Za-z\-./ ]+$/.test(name ?? '')) &&
      cardHolder.reference !== undefined &&
      token !== ''
    if (!isWhole) return error(422, '30_001')
    const [kind, what = '', more = '', code = ''] = token.split('-')
    if (kind !== 'transfer') return accepted(make(body, 'authorised', 'approved'))
    const isFirst = !seen.has(`${body.reference}`)
    seen.add(`${body.reference}`)
    if (what === 'http') return error(Number(more), code)
    if (what === 'invalid') return invalidCard()
    if (what === 'vanished') return isFirst ? 'reset' : accepted(make(body, 'authorised', 'approved'))
    if (what === 'unfunded') {
      const isEnough = [...transfers.values()].filter((one) => one.reference === body.reference).length >= Number(more)
      return accepted(isEnough ? make(body, 'authorised', 'approved') : make(body, 'refused', 'notEnoughBalance'))
    }
    const made = make(body, what === 'lost' ? 'authorised' : what, more === '' ? 'approved' : more)
    return what === 'lost' && isFirst ? 'reset' : accepted(made)
  }

  function get(query: URLSearchParams): Answer {
    const [since, until] = ['createdSince', 'createdUntil'].map((name) => Date.parse(query.get(name) ?? ''))
    const isWhole = Number(until) - Number(since) <= 181 * 86_400_000 && query.get('balanceAccountId') !== null
    if (!isWhole) return error(422, '30_002')
    const data = [...transfers.values()]
      .filter((one) => one.reference === query.get('reference') && one.createdAt >= Number(since))
      .filter(() => query.get('balanceAccountId') === TRANSFERS.balanceAccount)
      .map(shown)
    return { status: 200, body: { data: query.get('sortOrder') === 'desc' ? data.reverse() : data, _links: {} } }
  }

  return { post, get }
}

function accepted(transfer: FakeTransfer): Answer {
  return { status: 202, body: shown(transfer) }
}

function invalidCard(): Answer {
  const name = 'counterparty.card.cardIdentification.storedPaymentMethodId'
  const body = { title: 'Invalid', status: 422, errorCode: '30_003', invalidFields: [{ name, message: 'not found' }] }
  return { status: 422, body }
}

function shown({ token: _, createdAt, ...transfer }: FakeTransfer) {
  return {
    ...transfer,
    category: 'card' as const,
    direction: 'outgoing' as const,
    type: 'cardTransfer' as const,
    balanceAccount: { id: TRANSFERS.balanceAccount },
    createdAt: new Date(createdAt).toISOString(),
  }
}

type WebhookOptions = {
  id?: string
  reference: string
  status: string
  reason?: string
  value?: number
  currency?: string
  type?: string
  category?: string
  balanceAccount?: string
  sequenceNumber?: number
  key?: string
}

export type Webhook = { body: string; headers: Record<string, string> }

/** A webhook of the balance platform as Adyen sends and signs it. */
export function transferWebhook(options: WebhookOptions): Webhook {
  const data = {
    id: options.id ?? 'TRANSFER1',
    reference: options.reference,
    status: options.status,
    reason: options.reason ?? 'approved',
    amount: { value: options.value ?? 1000, currency: options.currency ?? 'GBP' },
    category: options.category ?? 'card',
    direction: 'outgoing',
    balanceAccount: { id: options.balanceAccount ?? TRANSFERS.balanceAccount },
    balancePlatform: 'PaddockTest',
    sequenceNumber: options.sequenceNumber ?? 1,
  }
  const type = options.type ?? 'balancePlatform.transfer.updated'
  const body = JSON.stringify({ data, environment: 'test', type })
  const hmacSignature = createHmac('sha256', Buffer.from(options.key ?? TRANSFERS.hmacKey, 'hex'))
    .update(body)
    .digest('base64')
  return { body, headers: { hmacsignature: hmacSignature, protocol: 'HmacSHA256' } }
}
