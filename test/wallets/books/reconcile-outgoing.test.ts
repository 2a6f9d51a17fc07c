// Money that went out, in the reports of a gateway: refunds and chargebacks in that of payments, payouts in that of the balance account.

import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../../../src/wallets/books/reconcile.ts'
import { gatewayTable } from '../../../src/wallets/gateways/gateways.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { adyenNotification, adyenSettings, deliver, startFakeAdyen } from '../../harness/adyen.ts'
import { transferWebhook } from '../../harness/adyen-transfers.ts'
import { newCard, newClient, payInCaptured, takeOut, win, withdrawalOf } from '../../harness/cashier.ts'
import { refund, refundsOf } from '../../harness/refunds.ts'
import { type Json, startTestService, type TestService } from '../../harness/service.ts'

let fake: Awaited<ReturnType<typeof startFakeAdyen>>
let service: TestService

beforeAll(async () => {
  fake = await startFakeAdyen()
  service = await startTestService({ GATEWAY: 'adyen', ...adyenSettings(fake.url) })
})
afterAll(async () => {
  await service.close()
  await fake.close()
})

async function breaksOf(...lines: string[]): Promise<string[]> {
  const report = gatewayTable.adyen.readReport(Readable.from([lines.join('\n')]))
  return (await reconcile(service.context.database, 'adyen', report)).breaks
}

async function captured(): Promise<string> {
  const client = await newClient(service)
  return payInCaptured(service, client, await newCard(service, client, 'A', { token: 'approve' }), 20)
}

const tell = (options: Parameters<typeof adyenNotification>[0]) =>
  deliver(service, { body: adyenNotification(options), headers: {} })

// ---- Refunds and chargebacks

const SETTLEMENT = [
  'Merchant Reference,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC)',
  'Modification Reference,Modification Merchant Reference',
].join(',')

/** A line of the payments' report; `of`: the refund that it names, or the gateway's reference of a dispute. */
const out = (id: string, type: string, amount: string, of: Partial<Refunded> = {}) =>
  `${id},${type},GBP,${amount},,${of.gatewayReference ?? ''},${of.reference ?? ''}`
const back = (id: string, type: string, amount: string, of: Partial<Refunded> = {}) =>
  `${id},${type},GBP,,${amount},${of.gatewayReference ?? ''},${of.reference ?? ''}`

type Refunded = { id: string; reference: string; gatewayReference: string }

/** Sent, and then reported with these, each with its amount. */
async function refunded(
  paymentId: string,
  amount: string,
  ...reports: [event: string, value: number][]
): Promise<Refunded> {
  const { id } = (await refund(service, paymentId, amount)).body
  const read = async () => (await refundsOf(service, paymentId)).items.find((one: Json) => one.id === id)
  const isSent = async () => {
    await sweep(service.context)
    return (await read()).state
  }
  await expect.poll(isSent).toBe('SENT')
  const { reference, gatewayReference } = await read()
  for (const [told, value] of reports) {
    const [event = '', outcome] = told.split(' ')
    await tell({ event, success: outcome !== 'false', reference, psp: gatewayReference, value })
  }
  return { id, reference, gatewayReference }
}

test('refunds of the report are those of the deposit, named or not, whole or in parts', async () => {
  const id = await captured()
  const [one, parts] = [
    await refunded(id, '5.00', ['REFUND', 500]),
    await refunded(id, '3.00', ['REFUND', 200], ['REFUND', 100]),
  ]
  const named = [
    out(id, 'Refunded', '5.00', one),
    out(id, 'Refunded', '2.00', parts),
    out(id, 'Refunded', '1.00', parts),
  ]
  expect(await breaksOf(SETTLEMENT, ...named)).toEqual([])
  const byAmount = [out(id, 'Refunded', '1.00'), out(id, 'Refunded', '2.00'), out(id, 'Refunded', '5.00')]
  expect(await breaksOf(SETTLEMENT, ...byAmount)).toEqual([])
  const theirs = { gatewayReference: one.gatewayReference }
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00', theirs))).toEqual([])
})

test('a refund in another currency, of more than ours, or of another deposit is a break', async () => {
  const id = await captured()
  const one = await refunded(id, '5.00', ['REFUND', 500])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00', one).replace('GBP', 'EUR'))).toEqual([
    `${id}: refunded 5.00 EUR, but the deposit is in GBP`,
  ])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.01', one))).toEqual([
    `${id}: refunded 5.01 GBP, but the refund is DONE, with 5.00 paid and 0.00 returned`,
  ])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.01'))).toEqual([
    `${id}: refunded 5.01 GBP, but the deposit has no such refund`,
  ])
  expect(await breaksOf(SETTLEMENT, out('nobody', 'Refunded', '5.00', one))).toEqual([
    'nobody: refunded, but there is no such deposit',
  ])
})

test('one that failed is no match for what the report shows as refunded', async () => {
  const id = await captured()
  const failed = await refunded(id, '5.00', ['REFUND false', 500])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00'))).toEqual([
    `${id}: refunded 5.00 GBP, but the deposit has no such refund`,
  ])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00', failed))).toEqual([
    `${id}: refunded 5.00 GBP, but the refund is FAILED, with 0.00 paid and 5.00 returned`,
  ])
  // The gateway says now that it was paid: a break until a person has resolved it.
  await tell({ event: 'REFUND', reference: failed.reference, psp: failed.gatewayReference, value: 500 })
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00', failed))).toEqual([
    `${id}: refunded 5.00 GBP, but the refund is REVIEW, with 0.00 paid and 5.00 returned`,
  ])
  const resolution = { outcome: 'done', note: 'the gateway shows it' }
  expect((await service.operator('POST', `/operator/v1/refunds/${failed.id}/resolution`, resolution)).status).toBe(200)
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00', failed))).toEqual([])
})

test('of two of the same amount each is a match once', async () => {
  const id = await captured()
  const [done, failed] = [
    await refunded(id, '5.00', ['REFUND', 500]),
    await refunded(id, '5.00', ['REFUND false', 500]),
  ]
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00'))).toEqual([])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00'), out(id, 'Refunded', '5.00'))).toEqual([
    `${id}: refunded 5.00 GBP, but the deposit has no such refund`,
  ])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '5.00', done), out(id, 'Refunded', '5.00', failed))).toEqual([
    `${id}: refunded 5.00 GBP, but the refund is FAILED, with 0.00 paid and 5.00 returned`,
  ])
})

test('one that came back is refunded and reversed in the report; a reversal of none is a break', async () => {
  const id = await captured()
  const one = await refunded(id, '5.00', ['REFUND', 500], ['REFUNDED_REVERSED', 500])
  for (const named of [one, {}]) {
    const both = [out(id, 'Refunded', '5.00', named), back(id, 'RefundedReversed', '5.00', named)]
    expect(await breaksOf(SETTLEMENT, ...both)).toEqual([])
    expect(await breaksOf(SETTLEMENT, back(id, 'RefundedReversed', '5.00', named))).toEqual([])
  }
  const twice = [back(id, 'RefundedReversed', '5.00'), back(id, 'RefundedReversed', '5.00')]
  expect(await breaksOf(SETTLEMENT, ...twice)).toEqual([
    `${id}: refund reversed 5.00 GBP, but the deposit has no such refund`,
  ])
})

test('a refund of which the report has less is a break, named or not', async () => {
  const id = await captured()
  const one = await refunded(id, '5.00', ['REFUND', 500])
  const other = await refunded(id, '5.00', ['REFUND', 500], ['REFUNDED_REVERSED', 500])
  const less = `${id}: refunded 4.00 GBP, but the refund is DONE, with 5.00 paid and 0.00 returned`
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '4.00', one))).toEqual([less])
  expect(await breaksOf(SETTLEMENT, out(id, 'Refunded', '4.00'))).toEqual([less])
  expect(await breaksOf(SETTLEMENT, back(id, 'RefundedReversed', '4.00', other))).toEqual([
    `${id}: refund reversed 4.00 GBP, but the refund is FAILED, with 0.00 paid and 5.00 returned`,
  ])
  const rest = [out(id, 'Refunded', '4.00', one), out(id, 'Refunded', '1.00')]
  expect(await breaksOf(SETTLEMENT, ...rest)).toEqual([])
})

const NOT_THERE =
  'is not in the report: look for it in the report before and in the next one, then query it at the gateway'

test('what went back between the first and the last payment of the report, and is not in it, is a break', async () => {
  const [first, id] = [await captured(), await captured()]
  const done = await refunded(id, '5.00', ['REFUND', 500])
  await refunded(id, '1.00', ['REFUND false', 100])
  const dispute = { gatewayReference: `DISPUTE-${id}` }
  await tell({ event: 'NOTIFICATION_OF_CHARGEBACK', reference: id, psp: dispute.gatewayReference, value: 700 })
  await tell({ event: 'CHARGEBACK', reference: id, psp: dispute.gatewayReference, value: 700 })
  await tell({ event: 'CHARGEBACK_REVERSED', reference: id, psp: dispute.gatewayReference, value: 200 })
  const { paymentId, refund: part } = await withdrawn()
  const last = await captured()
  const payments = [
    ...[first, id, last].map((one) => `${one},Settled,GBP,,20.00,,`),
    `${paymentId},Settled,GBP,,10.00,,`,
  ]
  expect(await breaksOf(SETTLEMENT, ...payments)).toEqual([
    `${id}: refund ${done.reference} of 5.00 GBP ${NOT_THERE}`,
    `${paymentId}: refund ${part.reference} of 10.00 GBP ${NOT_THERE}`,
    `${id}: CHARGEBACK ${dispute.gatewayReference} of 7.00 GBP ${NOT_THERE}`,
    `${id}: CHARGEBACK_REVERSED ${dispute.gatewayReference} of 2.00 GBP ${NOT_THERE}`,
  ])
  const outgoing = [
    out(id, 'Refunded', '5.00', done),
    out(id, 'Chargeback', '7.00'),
    back(id, 'ChargebackReversed', '2.00'),
    out(paymentId, 'Refunded', '10.00'),
  ]
  expect(await breaksOf(SETTLEMENT, ...payments, ...outgoing)).toEqual([])
  // What is outside of it may be in another report.
  expect(await breaksOf(SETTLEMENT, payments[2] as string)).toEqual([])
  // A report without payments is of the time of what it has.
  expect(await breaksOf(SETTLEMENT, outgoing[0] as string, outgoing[1] as string)).toEqual([])
  expect(await breaksOf(SETTLEMENT, outgoing[0] as string, outgoing[3] as string)).toEqual([
    `${id}: CHARGEBACK ${dispute.gatewayReference} of 7.00 GBP ${NOT_THERE}`,
    `${id}: CHARGEBACK_REVERSED ${dispute.gatewayReference} of 2.00 GBP ${NOT_THERE}`,
  ])
  expect(await breaksOf(SETTLEMENT, ...payments, ...outgoing.map((line) => line.replace('7.00', '6.00')))).toEqual([
    `${id}: charged back 6.00 GBP, but the deposit has no such dispute`,
    `${id}: CHARGEBACK ${dispute.gatewayReference} of 7.00 GBP ${NOT_THERE}`,
  ])
  expect(
    await breaksOf(SETTLEMENT, ...payments, ...outgoing.toSpliced(1, 1, out(id, 'Chargeback', '6.00', dispute))),
  ).toEqual([`${id}: charged back 6.00 GBP, but the CHARGEBACK of the dispute is 7.00`])
})

test('each chargeback and reversal is a step of a dispute, once', async () => {
  const id = await captured()
  const dispute = { gatewayReference: `DISPUTE-${id}` }
  for (const [event, value] of [
    ['CHARGEBACK', 1000],
    ['CHARGEBACK_REVERSED', 400],
    ['SECOND_CHARGEBACK', 400],
  ] as const) {
    await tell({ event, reference: id, psp: dispute.gatewayReference, value })
  }
  const lines = [
    out(id, 'Chargeback', '10.00', dispute),
    back(id, 'ChargebackReversed', '4.00', dispute),
    out(id, 'SecondChargeback', '4.00', dispute),
  ]
  expect(await breaksOf(SETTLEMENT, ...lines)).toEqual([])
  expect(await breaksOf(SETTLEMENT, ...lines, out(id, 'SecondChargeback', '4.00'))).toEqual([
    `${id}: charged back 4.00 GBP, but the deposit has no such dispute`,
  ])
  expect(await breaksOf(SETTLEMENT, back(id, 'ChargebackReversed', '10.00'))).toEqual([
    `${id}: chargeback reversed 10.00 GBP, but the deposit has no such dispute`,
  ])
})

// ---- Withdrawals: each part equals its own report

const ACCOUNTING = 'BalanceAccount,Transfer Id,Transaction Id,Category,Status,Type,Currency,Amount,Reference'
const booked = (reference: string, amount = '10.00', currency = 'GBP') =>
  `BA1,T,X,card,booked,cardTransfer,${currency},-${amount},${reference}`
const returned = (reference: string, amount = '10.00') =>
  `BA1,T,X,card,returned,cardTransfer,GBP,${amount},${reference}`

type Parts = { paymentId: string; refund: Json; payout: Json }

/** 20, of which 10 go back to the card and 10 are winnings; then webhooks with these statuses about the payout. */
async function withdrawn(...statuses: string[]): Promise<Parts> {
  const client = await newClient(service)
  const card = await newCard(service, client, 'A', { token: 'approve' })
  const paymentId = await payInCaptured(service, client, card, 10)
  await win(service, client, 10)
  const id = await takeOut(service, client, { card, pounds: 20 })
  const parts = async (): Promise<Json[]> => (await withdrawalOf(service, id)).parts
  const areSent = async () => {
    await sweep(service.context)
    return (await parts()).every(({ gatewayReference }) => gatewayReference !== null)
  }
  await expect.poll(areSent).toBe(true)
  const [first, second] = (await parts()) as [Json, Json]
  await tell({ event: 'REFUND', reference: first.reference, psp: first.gatewayReference, value: 1000 })
  for (const status of statuses) {
    const webhook = { reference: second.reference, id: second.gatewayReference, status, value: 1000 }
    await deliver(service, transferWebhook({ ...webhook, reason: 'doNotHonor' }))
  }
  return { paymentId, refund: first, payout: second }
}

test('a return is a refund in the report of payments, a payout is in that of the balance account', async () => {
  const { paymentId, refund, payout } = await withdrawn('booked')
  expect(await breaksOf(SETTLEMENT, out(paymentId, 'Refunded', '10.00', refund))).toEqual([])
  expect(await breaksOf(SETTLEMENT, out(paymentId, 'Refunded', '20.00', refund))).toEqual([
    `${paymentId}: refunded 20.00 GBP, but the refund is DONE, with 10.00 paid and 0.00 returned`,
  ])
  expect(await breaksOf(ACCOUNTING, booked(payout.reference))).toEqual([])
})

test('each difference of a payout is a break', async () => {
  const [one, two, three] = [await withdrawn('booked'), await withdrawn('booked'), await withdrawn('booked')]
  const [first, missing, last] = [one.payout.reference, two.payout.reference, three.payout.reference]
  expect(await breaksOf(ACCOUNTING, booked(first), booked(last, '10.01'))).toEqual([
    `${last}: paid out 10.01 GBP, but the payout is 10.00 GBP`,
    `${missing}: paid, but not in the report`,
  ])
  expect(await breaksOf(ACCOUNTING, booked(first), booked(first))).toEqual([`${first}: reported twice`])
  expect(await breaksOf(ACCOUNTING, booked(first, '10.00', 'EUR'))).toEqual([
    `${first}: paid out 10.00 EUR, but the payout is 10.00 GBP`,
  ])
  expect(await breaksOf(ACCOUNTING, returned(first))).toEqual([
    `${first}: payout reversed 10.00 GBP, but the payout is PAID, with 10.00 paid and 0.00 returned`,
  ])
  expect(await breaksOf(ACCOUNTING, booked('nobody'))).toEqual(['nobody: paid out, but there is no such payout'])
  const open = (await withdrawn()).payout.reference
  expect(await breaksOf(ACCOUNTING, booked(open))).toEqual([
    `${open}: paid out 10.00 GBP, but the payout is SENDING, with 0.00 paid and 0.00 returned`,
  ])
})

test('a payout of which the report has less is a break', async () => {
  const { reference } = (await withdrawn('booked')).payout
  expect(await breaksOf(ACCOUNTING, booked(reference, '9.99'))).toEqual([
    `${reference}: paid out 9.99 GBP, but the payout is PAID, with 10.00 paid and 0.00 returned`,
  ])
  expect(await breaksOf(ACCOUNTING, booked(reference, '4.00'), booked(reference, '6.00'))).toEqual([])
  const back = (await withdrawn('booked', 'returned')).payout.reference
  const ours = 'the payout is RETURNED, with 0.00 paid and 10.00 returned'
  expect(await breaksOf(ACCOUNTING, booked(back), returned(back, '9.00'))).toEqual([
    `${back}: paid out 10.00 GBP, but ${ours}`,
    `${back}: payout reversed 9.00 GBP, but ${ours}`,
  ])
})

test('a payout that is paid after it was returned is a break', async () => {
  const { reference } = (await withdrawn('refused')).payout
  expect(await breaksOf(ACCOUNTING, booked(reference))).toEqual([
    `${reference}: paid out 10.00 GBP, but the payout is RETURNED, with 0.00 paid and 10.00 returned`,
  ])
  const late = (await withdrawn('refused', 'booked')).payout.reference
  expect(await breaksOf(ACCOUNTING, booked(late))).toEqual([
    `${late}: paid out 10.00 GBP, but the payout is REVIEW, with 0.00 paid and 10.00 returned`,
  ])
})

test('one that came back after it was paid is known by either line, and by both', async () => {
  const { reference } = (await withdrawn('booked', 'returned')).payout
  expect(await breaksOf(ACCOUNTING, booked(reference))).toEqual([])
  expect(await breaksOf(ACCOUNTING, returned(reference))).toEqual([])
  expect(await breaksOf(ACCOUNTING, booked(reference), returned(reference))).toEqual([])
  expect(await breaksOf(ACCOUNTING, returned(reference), returned(reference))).toEqual([
    ...Array(2).fill(
      `${reference}: payout reversed 10.00 GBP, but the payout is RETURNED, with 0.00 paid and 10.00 returned`,
    ),
  ])
})

test('the sandbox’s bank reports its payouts at /payouts, and refunds with their references at /payments', async () => {
  const payouts = [{ reference: 'lost', token: '', amount: '1000', currency: 'GBP', state: 'paid' }]
  const read = (report: object[]) => gatewayTable.sandbox.readReport(Readable.from([JSON.stringify(report)]))
  const { database } = service.context
  expect(await reconcile(database, 'sandbox', read([...payouts, { ...payouts[0], state: 'open' }]))).toEqual({
    payments: 1,
    breaks: ['lost: paid out, but there is no such payout'],
  })
  const payment = { reference: 'p', token: '', amount: '1000', currency: 'GBP', state: 'captured' }
  const reported = []
  for await (const one of read([{ ...payment, refunds: [{ reference: 'r', amount: '400' }] }])) reported.push(one)
  expect(reported[1]).toEqual({
    reference: 'p',
    returnReferences: ['r'],
    amount: '4.00',
    currency: 'GBP',
    state: 'refunded',
  })
})
