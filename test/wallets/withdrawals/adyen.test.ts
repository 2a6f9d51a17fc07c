// Withdrawals with the Adyen gateway: what a card paid in goes back as refunds, winnings by the Transfers API; notifications in every order.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, deliver, startFakeAdyen } from '../../harness/adyen.ts'
import type { Payment } from '../../harness/adyen-challenges.ts'
import { transferWebhook } from '../../harness/adyen-transfers.ts'
import {
  type Client,
  moneyOf,
  newCard,
  newClient,
  payInCaptured,
  takeOut,
  win,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { propertyRuns } from '../../harness/property-runs.ts'
import { type Json, startTestService, type TestService } from '../../harness/service.ts'
import { ledgerProblems } from '../../harness/wallets.ts'
import { decideWithdrawal, RESOLVE } from '../../harness/withdrawals.ts'

const SETTINGS = { GATEWAY: 'adyen', GATEWAY_TIMEOUT_MS: '2000', REVIEW_AFTER_SECONDS: '3600' }

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let service: TestService

beforeAll(async () => {
  fake = await startFakeAdyen()
  service = await startTestService({
    ...SETTINGS,
    WITHDRAWAL_APPROVED_UP_TO: '1000000.00',
    ...adyenSettings(fake.url),
  })
})
afterAll(async () => {
  await service.close()
  await fake.close()
})

type Sent = { client: Client; id: string; card: number }

/** 20, of which 10 go back to the card and 10 are winnings; each part has been sent. */
async function sentWithdrawal(token = 'approve', to = service): Promise<Sent> {
  const client = await newClient(to)
  const card = await newCard(to, client, 'A', { token })
  await payInCaptured(to, client, card, 10)
  await win(to, client, 10)
  const id = await takeOut(to, client, { card, pounds: 20 })
  await sweepUntilPart({ id }, 'payout', (part) => part.gatewayReference !== null || part.state === 'RETURNED', to)
  return { client, id, card }
}

async function partOf({ id }: { id: string }, kind: 'return' | 'payout', of = service): Promise<Json> {
  return (await withdrawalOf(of, id)).parts.find((part: Json) => part.kind === kind)
}

async function sweepUntilPart(
  of: { id: string },
  kind: 'return' | 'payout',
  isDone: (part: Json) => boolean,
  to = service,
): Promise<void> {
  const look = async () => {
    await sweep(to.context)
    to.clock.advance(5_000)
    return isDone(await partOf(of, kind, to))
  }
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toBe(true)
}

/** By the webhook about the transfer. */
const REPORTS = {
  paid: { status: 'booked' },
  refused: { status: 'refused', reason: 'lostCard' },
  failed: { status: 'failed', reason: 'doNotHonor' },
  reversed: { status: 'returned', reason: 'invalidAccount' },
} as const
type Report = keyof typeof REPORTS

async function tell(report: Report, of: Sent, more: object = {}): Promise<void> {
  const { reference, gatewayReference } = await partOf(of, 'payout')
  const webhook = transferWebhook({ ...REPORTS[report], reference, id: gatewayReference, value: 1000, ...more })
  const reply = await deliver(service, webhook)
  expect([reply.status, reply.text]).toEqual([200, '[accepted]'])
}

/** The standard webhook about the refund of the other part. */
async function tellReturned(of: Sent, success = true, reason = ''): Promise<void> {
  const { reference, gatewayReference, paymentId } = await partOf(of, 'return')
  const original = [...fake.payments].find(([, payment]) => payment.reference === paymentId)?.[0] as string
  const told = { event: 'REFUND', success, reference, psp: gatewayReference, original, value: 1000, reason }
  expect((await deliver(service, { body: adyenNotification(told), headers: {} })).text).toBe('[accepted]')
}

const shown = async (of: Sent) => {
  const { state, parts } = await withdrawalOf(service, of.id)
  const { balance, pending } = await moneyOf(service, of.client)
  return [state, ...parts.map((part: Json) => `${part.kind} ${part.state}`), `balance ${balance}, pending ${pending}`]
}

test('returns are refunds of the deposit, winnings a transfer; each is paid, or comes back, by its own notification', async () => {
  const sent = await sentWithdrawal()
  const [refund, payout] = [await partOf(sent, 'return'), await partOf(sent, 'payout')]
  expect(await shown(sent)).toEqual(['SENDING', 'return SENDING', 'payout SENDING', 'balance 0, pending 20'])
  expect(payout.gatewayReference).toMatch(/^TRANSFER/)
  const call = (path: RegExp) => fake.requests.find((one) => path.test(one.path) && one.key === refund.reference)
  expect(call(/\/refunds$/)?.body).toMatchObject({
    reference: refund.reference,
    amount: { value: 1000, currency: 'GBP' },
  })
  const transfer = fake.requests.find(({ key }) => key === payout.reference)
  expect(transfer?.body).toMatchObject({
    category: 'card',
    reference: payout.reference,
    counterparty: { card: { cardHolder: { type: 'individual', firstName: 'Ann', lastName: 'Archer' } } },
  })
  for (const _ of [1, 2]) await tellReturned(sent)
  expect(await shown(sent)).toEqual(['SENDING', 'return PAID', 'payout SENDING', 'balance 0, pending 10'])
  for (const _ of [1, 2]) await tell('paid', sent)
  expect(await shown(sent)).toEqual(['PAID', 'return PAID', 'payout PAID', 'balance 0, pending 0'])
  for (const _ of [1, 2]) await tell('reversed', sent)
  expect(await shown(sent)).toEqual(['PAID', 'return PAID', 'payout RETURNED', 'balance 10, pending 0'])
  expect((await partOf(sent, 'payout')).reason).toBe('the account of the card is not valid')
  expect(await ledgerProblems(service)).toEqual([])
})

test('a refund that fails is credited again, with the reason in words', async () => {
  const sent = await sentWithdrawal()
  await tellReturned(sent, false, 'Account closed')
  expect((await shown(sent)).slice(1)).toEqual(['return RETURNED', 'payout SENDING', 'balance 10, pending 10'])
  expect((await partOf(sent, 'return')).reason).toBe('the account of the card is closed')
})

test.each([
  ['138', 'this deposit cannot be returned (status 422 code 138)'],
  ['29_999', 'refused for a reason that is not known here (status 422 code 29_999)'],
])('a refund that Adyen refuses at once with %s is credited again, with the reason in words', async (code, words) => {
  const client = await newClient(service)
  const card = await newCard(service, client, 'A', { token: 'approve' })
  await payInCaptured(service, client, card, 10)
  const [payment] = [...fake.payments.values()].slice(-1) as [Payment]
  payment.refundError = code
  const id = await takeOut(service, client, { card, pounds: 10 })
  await sweepUntilPart({ id }, 'return', ({ state }) => state === 'RETURNED')
  expect((await partOf({ id }, 'return')).reason).toBe(words)
  expect((await moneyOf(service, client)).balance).toBe(10)
})

test('what contradicts a payout is listed, and changes nothing', async () => {
  const sent = await sentWithdrawal()
  const { reference } = await partOf(sent, 'payout')
  const listed = async () => {
    const { items } = (await service.operator('GET', '/operator/v1/notifications/unapplied?limit=100')).body
    return items.filter((one: Json) => one.reference === reference).map((one: Json) => one.contradiction)
  }
  await tell('paid', sent, { id: 'OTHER', currency: 'EUR' })
  expect(await listed()).toEqual(['another-currency'])
  expect((await shown(sent)).slice(0, 3)).toEqual(['SENDING', 'return SENDING', 'payout SENDING'])
  // More than was sent: a person looks at it.
  await tell('paid', sent, { id: 'MORE', value: 1001 })
  expect(await listed()).toEqual(['another-currency', 'another-amount'])
  expect((await shown(sent)).slice(0, 3)).toEqual(['REVIEW', 'return SENDING', 'payout REVIEW'])
  await tell('paid', sent)
  expect((await shown(sent)).slice(0, 3)).toEqual(['SENDING', 'return SENDING', 'payout PAID'])
  // Of somebody else.
  const foreign = transferWebhook({ reference: randomUUID(), status: 'booked' })
  expect((await deliver(service, foreign)).text).toBe('[accepted]')
  expect(await listed()).toEqual(['another-currency', 'another-amount'])
})

test('a part of a payout that is paid leaves the rest open', async () => {
  const sent = await sentWithdrawal()
  await tellReturned(sent)
  await tell('paid', sent, { value: 400 })
  expect(await shown(sent)).toEqual(['SENDING', 'return PAID', 'payout SENDING', 'balance 0, pending 6'])
  await tell('refused', sent, { value: 600 })
  expect(await shown(sent)).toEqual(['PAID', 'return PAID', 'payout PAID', 'balance 6, pending 0'])
  expect(await partOf(sent, 'payout')).toMatchObject({ paid: '4.00', returned: '6.00' })
  expect(await ledgerProblems(service)).toEqual([])
})

test('a webhook that Adyen did not sign changes nothing', async () => {
  const sent = await sentWithdrawal()
  const { reference, gatewayReference: id } = await partOf(sent, 'payout')
  const forged = transferWebhook({ reference, id, status: 'booked', key: 'ab'.repeat(32) })
  for (const webhook of [forged, { ...forged, headers: {} }]) {
    expect((await deliver(service, webhook)).status).toBe(401)
  }
  expect((await partOf(sent, 'payout')).state).toBe('SENDING')
})

test('one that Adyen refuses comes back; one whose answer is lost is found and not sent again', async () => {
  const refused = await sentWithdrawal('transfer-refused-lostCard')
  expect((await shown(refused)).slice(1)).toEqual(['return SENDING', 'payout RETURNED', 'balance 10, pending 10'])
  expect((await partOf(refused, 'payout')).reason).toBe('the card was reported lost')
  const lost = await sentWithdrawal('transfer-lost')
  const { reference } = await partOf(lost, 'payout')
  expect([...fake.transfers.values()].filter((one) => one.reference === reference)).toHaveLength(1)
  const vanished = await partOf(await sentWithdrawal('transfer-vanished'), 'payout')
  expect([...fake.transfers.values()].filter((one) => one.reference === vanished.reference)).toHaveLength(1)
})

test('one that our account at Adyen has too little for waits until it is funded, and is sent once', async () => {
  const sent = await sentWithdrawal('transfer-unfunded-2')
  const own = ({ reference }: Json) => [...fake.transfers.values()].filter((one) => one.reference === reference)
  await sweepUntilPart(sent, 'payout', (part) => own(part).length === 3)
  const payout = await partOf(sent, 'payout')
  expect(payout.state).toBe('SENDING')
  expect(own(payout).map(({ reason }) => reason)).toEqual(['notEnoughBalance', 'notEnoughBalance', 'approved'])
})

test('an account that the bank says is closed frees what the card paid in, and the rest of the withdrawal is held', async () => {
  const sent = await sentWithdrawal('transfer-refused-counterpartyAccountClosed')
  const path = `/operator/v1/customers/${sent.client.id}/payment-methods`
  const { items } = (await service.operator('GET', path)).body
  expect(items[0].accountClosedAt).not.toBeNull()
})

test.each(['booked', 'failed'])(
  'one without a webhook is in review after its time; the look-up resolves it: %s',
  async (status) => {
    const sent = await sentWithdrawal()
    await tellReturned(sent)
    const { gatewayReference } = await partOf(sent, 'payout')
    service.clock.advance(3_600_000)
    await sweepUntilPart(sent, 'payout', ({ state }) => state === 'REVIEW')
    const transfers = fake.transfers.size
    Object.assign(fake.transfers.get(gatewayReference) ?? {}, { status, reason: 'doNotHonor' })
    service.clock.advance(600_000)
    await sweepUntilPart(sent, 'payout', ({ state }) => state !== 'REVIEW')
    expect(await shown(sent)).toEqual([
      'PAID',
      'return PAID',
      ...(status === 'booked' ? ['payout PAID', 'balance 0, pending 0'] : ['payout RETURNED', 'balance 10, pending 0']),
    ])
    expect(fake.transfers.size).toBe(transfers)
  },
)

test('without the settings of the balance platform what was paid in goes back, and winnings stay', async () => {
  const payments = Object.entries(adyenSettings(fake.url)).filter(([name]) => !/TRANSFERS|BALANCE/.test(name))
  const returnsOnly = await startTestService({ ...SETTINGS, ...Object.fromEntries(payments) })
  try {
    const client = await newClient(returnsOnly)
    const card = await newCard(returnsOnly, client, 'A', { token: 'approve' })
    await payInCaptured(returnsOnly, client, card, 10)
    await win(returnsOnly, client, 10)
    const reply = await returnsOnly.call('GET', '/v1/wallets/me/withdrawals/options', {
      ticket: client.ticket,
      accept: 'application/json',
    })
    expect(reply.json().whoWallets.options[0]).toMatchObject({
      max: '10.00',
      returns: '10.00',
      winnings: '0.00',
      reason: expect.stringMatching(/^Winnings cannot be paid to cards here/),
    })
    const id = await takeOut(returnsOnly, client, { card, pounds: 10 })
    await sweepUntilPart({ id }, 'return', ({ state }) => state === 'SENDING', returnsOnly)
  } finally {
    await returnsOnly.close()
  }
})

/** What has come back before it was reported as paid needs a person; what came back after that is credited. */
function ending(reports: readonly Report[]): string {
  const [paid, back] = [reports.indexOf('paid'), reports.findIndex((one) => one !== 'paid')]
  if (back === -1) return paid === -1 ? 'SENDING' : 'PAID'
  return paid > back ? 'REVIEW' : 'RETURNED'
}

test('notifications in every order, repeated, end the same', async () => {
  const orders = fc.array(fc.constantFrom(...(Object.keys(REPORTS) as Report[])), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(orders, async (reports) => {
      const sent = await sentWithdrawal()
      await tellReturned(sent)
      for (const one of reports) await tell(one, sent)
      const { state } = await partOf(sent, 'payout')
      expect(state).toBe(ending(reports))
      const isCredited = reports.some((one) => one !== 'paid')
      expect((await moneyOf(service, sent.client)).balance).toBe(isCredited ? 10 : 0)
      if (state === 'REVIEW') {
        const resolve = () => decideWithdrawal(service, sent.id, RESOLVE, { body: { outcome: 'paid', note: 'seen' } })
        expect([(await resolve()).status, (await resolve()).status]).toEqual([200, 409])
        expect((await moneyOf(service, sent.client)).balance).toBe(0)
      }
      expect(await ledgerProblems(service)).toEqual([])
    }),
    { numRuns: propertyRuns(10) },
  )
})
