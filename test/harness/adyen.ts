// A server that behaves as Adyen's documentation of Checkout v72 says: payments with stored cards, captures and cancels
// that are only "received", idempotency keys, errors. The stored id of a card decides what happens:
// approve, challenge, refuse-CODE, result-RESULTCODE, http-STATUS-CODE, hang, hang-after, reset.

import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Answer, type Body, challenge, challengeDetails, error, type Payment } from './adyen-challenges.ts'
import { type FakeTransfer, TRANSFERS, TRANSFERS_PATH, transfersApi, type Webhook } from './adyen-transfers.ts'
import type { TestService } from './service.ts'

export const ADYEN = { apiKey: 'adyen-test-key', merchantAccount: 'PaddockTest', hmacKey: 'ab'.repeat(32) }

/** Everything that `adyenGateway` needs for the fake at `url`. */
export function fakeAdyenSettings(url: string) {
  return { ...ADYEN, url, transfers: { url, ...TRANSFERS } }
}

/** With these the service has the fake at `url` as a gateway; GATEWAY=adyen makes it the one of new deposits. */
export function adyenSettings(url: string): Record<string, string> {
  return {
    ADYEN_URL: url,
    ADYEN_API_KEY: ADYEN.apiKey,
    ADYEN_MERCHANT_ACCOUNT: ADYEN.merchantAccount,
    ADYEN_HMAC_KEY: ADYEN.hmacKey,
    ADYEN_TRANSFERS_URL: url,
    ADYEN_TRANSFERS_KEY: TRANSFERS.apiKey,
    ADYEN_BALANCE_ACCOUNT: TRANSFERS.balanceAccount,
    ADYEN_TRANSFERS_HMAC_KEY: TRANSFERS.hmacKey,
  }
}

export async function startFakeAdyen() {
  const payments = new Map<string, Payment>()
  const transfers = new Map<string, FakeTransfer>()
  const checkout = checkoutApi(payments)
  const transferCalls = transfersApi(transfers)
  const route = (path: string, body: Body) =>
    path === TRANSFERS_PATH ? transferCalls.post(body) : checkout(path, body)
  const answered = new Map<string, { sent: string; answer: Answer }>()
  /** Without those that only read. */
  const requests: { path: string; body: Body; key: string }[] = []
  const sockets = new Set<Socket>()

  const server = createServer((request, response) => {
    handle(request).then((answer) => send(response, answer))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function handle(request: IncomingMessage): Promise<Answer> {
    let text = ''
    for await (const chunk of request) text += chunk
    const path = request.url ?? ''
    const isTransfer = path.startsWith(TRANSFERS_PATH)
    if (request.headers['x-api-key'] !== (isTransfer ? TRANSFERS : ADYEN).apiKey) return error(401, '000')
    if (request.method === 'GET') return transferCalls.get(new URL(path, 'http://fake').searchParams)
    const body = JSON.parse(text) as Body
    const key = `${request.headers['idempotency-key'] ?? ''}`
    requests.push({ path, body, key })
    const isOurs = isTransfer || body.details !== undefined || body.merchantAccount === ADYEN.merchantAccount
    if (!isOurs) return error(403, '901')
    const earlier = answered.get(key)
    // The same key with the same request gets the same answer; with another request it is refused.
    if (earlier !== undefined) return earlier.sent === path + text ? earlier.answer : error(422, '704')
    const answer = route(path, body)
    if (answer !== 'hang' && answer !== 'reset' && answer.status < 500) answered.set(key, { sent: path + text, answer })
    return answer
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    payments,
    transfers,
    requests,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers a request of Checkout, given its path and body. */
function checkoutApi(payments: Map<string, Payment>): (path: string, body: Body) => Answer {
  function route(path: string, body: Body): Answer {
    const modification = /^\/v72\/payments\/([^/]+)\/(captures|cancels|refunds)$/.exec(path)
    if (path === '/v72/payments') return pay(body)
    if (path === '/v72/paymentMethods') return { status: 200, body: { paymentMethods: [] } }
    if (path === '/v72/payments/details') return challengeDetails(payments, body.details?.redirectResult ?? '')
    if (path === '/v72/cancels')
      return cancel([...payments.values()].find((one) => one.reference === body.paymentReference))
    if (modification === null) return error(404, '000')
    const payment = payments.get(modification[1] as string)
    if (payment === undefined) return error(422, '167')
    if (modification[2] === 'cancels') return cancel(payment)
    if (modification[2] === 'refunds') return refund(payment, body)
    if (body.amount?.value !== payment.value) return error(422, '137')
    if (payment.state === 'held') payment.state = 'captured'
    return { status: 201, body: { status: 'received', pspReference: 'CAPTURE' } }
  }

  function pay(body: Body): Answer {
    const { paymentMethod, amount, reference = '' } = body
    const token = paymentMethod?.storedPaymentMethodId ?? ''
    const wellFormed =
      paymentMethod?.type === 'scheme' &&
      Number.isInteger(amount?.value) &&
      body.shopperInteraction === 'ContAuth' &&
      body.recurringProcessingModel === 'CardOnFile' &&
      body.additionalData?.manualCapture === 'true' &&
      body.shopperReference !== undefined
    if (!wellFormed || amount === undefined) return error(422, '100')
    if (!/^\d{3,4}$/.test(paymentMethod?.cvc ?? '')) return error(422, '103')
    const [what, one = '', two = ''] = token.split('-')
    const pspReference = `PSP${payments.size + 1}`
    const hold = () => payments.set(pspReference, { reference, ...amount, state: 'held' })
    if (what === 'http') return error(Number(one), two)
    if (what === 'message')
      return { ...error(422, '000'), body: { status: 422, errorCode: '000', message: token.slice(8) } }
    if (what === 'refuse') return refused('Refused', one)
    if (what === 'error') return refused('Error', one)
    if (what === 'result') {
      hold()
      return { status: 200, body: { resultCode: one, pspReference } }
    }
    if (what === 'challenge') return challenge(payments, body, { pspReference, action: one })
    if (what === 'reset') return 'reset'
    if (token === 'hang') return 'hang'
    if (what !== 'approve' && what !== 'transfer' && token !== 'hang-after') return error(422, '800')
    hold()
    return token === 'hang-after' ? 'hang' : { status: 200, body: { resultCode: 'Authorised', pspReference } }
  }

  function cancel(payment: Payment | undefined): Answer {
    if (payment?.state === 'held' || payment?.state === 'challenged') payment.state = 'cancelled'
    return { status: 201, body: { status: 'received', pspReference: 'CANCEL' } }
  }

  return route
}

function refund(payment: Payment, { amount }: Body): Answer {
  const value = amount?.value ?? 0
  if (payment.refundError !== undefined) return error(422, payment.refundError)
  const refunded = payment.refunds?.reduce((sum, one) => sum + one, 0) ?? 0
  if (payment.state !== 'captured' || value + refunded > payment.value) return error(422, '137')
  payment.refunds = [...(payment.refunds ?? []), value]
  return {
    status: 201,
    body: { status: 'received', pspReference: `REFUND${payment.refunds.length}-${payment.reference}` },
  }
}

function refused(resultCode: string, code: string): Answer {
  return {
    status: 200,
    body: { resultCode, pspReference: 'REFUSED', refusalReason: 'in words', refusalReasonCode: code },
  }
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'hang') return
  if (answer === 'reset') response.socket?.destroy()
  else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
}

type NotificationOptions = {
  event: string
  success?: boolean
  reference: string
  psp?: string
  value?: number
  currency?: string
  merchantAccount?: string
  key?: string
  /** The pspReference of the payment, where `psp` is that of a refund or dispute. */
  original?: string
  answerBy?: string
  reason?: string
  disputeStatus?: string
  /** What a CANCEL_OR_REFUND was. */
  action?: string
}

/** A standard webhook as Adyen sends and signs it. */
export function adyenNotification(options: NotificationOptions): string {
  const item = {
    pspReference: options.psp ?? 'PSP1',
    originalReference: options.original ?? '',
    merchantAccountCode: options.merchantAccount ?? ADYEN.merchantAccount,
    merchantReference: options.reference,
    amount: { value: options.value ?? 1000, currency: options.currency ?? 'GBP' },
    eventCode: options.event,
    success: `${options.success ?? true}`,
    eventDate: '2026-01-01T00:00:00+00:00',
  }
  const text = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':')
  const hmacSignature = createHmac('sha256', Buffer.from(options.key ?? ADYEN.hmacKey, 'hex'))
    .update(text)
    .digest('base64')
  const signed = {
    NotificationRequestItem: {
      ...item,
      reason: options.reason ?? '',
      additionalData: {
        hmacSignature,
        defensePeriodEndsAt: options.answerBy,
        disputeStatus: options.disputeStatus,
        'modification.action': options.action,
      },
    },
  }
  return JSON.stringify({ live: 'false', notificationItems: [signed] })
}

/** Sends a webhook of either kind to the service, as Adyen does. */
export function deliver(service: Pick<TestService, 'call'>, { body, headers }: Webhook) {
  const all = { 'content-type': 'application/json', ...headers }
  return service.call('POST', '/v1/notifications/adyen', { key: null, secret: null, headers: all, body })
}
