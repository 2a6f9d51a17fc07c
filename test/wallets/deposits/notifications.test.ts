// What the gateway says of a deposit that our books do not expect: it is applied, needs manual review, or is listed until a person settles it.

import { expect, test } from 'vitest'
import { sandboxNotification } from '../../../src/wallets/gateways/sandbox/notifications.ts'
import { applyNotification, retryNotifications } from '../../../src/wallets/notifications/notifications.ts'
import { insertNotification } from '../../../src/wallets/notifications/store.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  bankReports,
  books,
  leftOf,
  lose,
  moneyOf,
  newCard,
  newClient,
  optionsOf,
  partsOf,
  payIn,
  payInCaptured,
  sweepUntilWithdrawal,
  takeOut,
  withdrawalOf,
} from '../../harness/cashier.ts'
import { metric } from '../../harness/metric.ts'
import { refund, refundsOf, sweepUntilRefunds } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'

const service = useService()

async function paying(token = 'sandbox:approve') {
  const client = await newClient(service)
  return { client, card: await newCard(service, client, 'A', { token }) }
}

const ALREADY_APPLIED = 'paddock_notifications_total{gateway="sandbox",outcome="already-applied"}'

type Unapplied = { id: string; reference: string; contradiction: string }

async function unappliedOf(reference: string): Promise<Unapplied[]> {
  const { items } = (await service.operator('GET', '/operator/v1/notifications/unapplied')).body
  return items.filter((one: Unapplied) => one.reference === reference)
}

test('less than the deposit is captured: the rest is debited, and only what was captured is a claim', async () => {
  const { client, card } = await paying()
  const a = await payIn(service, client, card, 100)
  await bankReports(service, { event: 'CAPTURE', reference: a, pounds: 60 })
  expect(await moneyOf(service, client)).toEqual({ balance: 60, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(60)
  expect(await optionsOf(service, client)).toEqual({ available: 60, keptBack: 0, A: '60 (60 + 0 + 0)' })
  expect((await refund(service, a, '60.01')).status).toBe(409)
  await books(service)
})

test('less than the deposit was captured, as is told only after the capture: the rest is debited', async () => {
  const { client, card } = await paying()
  const a = await payInCaptured(service, client, card, 100)
  const told = { event: 'CAPTURE', reference: a, pounds: 60 }
  await bankReports(service, told)
  expect(await moneyOf(service, client)).toEqual({ balance: 60, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(60)
  // The same effect is there; and what is less again contradicts it.
  await bankReports(service, { ...told, gatewayReference: 'another' })
  expect(await unappliedOf(a)).toEqual([])
  await bankReports(service, { ...told, pounds: 59 })
  expect(await unappliedOf(a)).toMatchObject([{ contradiction: 'another-amount' }])
  expect(await optionsOf(service, client)).toEqual({ available: 60, keptBack: 0, A: '60 (60 + 0 + 0)' })
  await books(service)
})

test('a part of a capture fails: it is debited, and the rest stays a claim until it fails too', async () => {
  const { client, card } = await paying()
  const a = await payInCaptured(service, client, card, 100)
  await bankReports(service, { event: 'CAPTURE_FAILED', reference: a, pounds: 40 })
  expect(await moneyOf(service, client)).toEqual({ balance: 60, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(60)
  await bankReports(service, { event: 'CAPTURE_FAILED', reference: a, pounds: 60 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect((await service.operator('GET', `/operator/v1/deposits/${a}`)).body.state).toBe('REVIEW')

  const b = await payIn(service, client, card, 100)
  await bankReports(service, { event: 'CAPTURE_FAILED', reference: b, pounds: 40 })
  expect(await moneyOf(service, client)).toEqual({ balance: 60, debt: 0, pending: 0 })
  expect(await leftOf(service, b)).toBe(60)
  await books(service)
})

test('what waits of a deposit comes back before a smaller capture is debited, and what was spent becomes a debt', async () => {
  const { client, card } = await paying()
  const a = await payInCaptured(service, client, card, 100)
  await lose(service, client, 30)
  const id = await takeOut(service, client, { card, pounds: 50 })
  await bankReports(service, { event: 'CAPTURE', reference: a, pounds: 60 })
  expect((await withdrawalOf(service, id)).state).toBe('RETURNED')
  expect(await partsOf(service, id, { [a]: 'a' })).toEqual(['return 50 of a: paid 0, returned 50, RETURNED'])
  expect(await moneyOf(service, client)).toEqual({ balance: 30, debt: 0, pending: 0 })

  const b = await payInCaptured(service, client, card, 100)
  const paid = await takeOut(service, client, { card, pounds: 100 })
  await sweepUntilWithdrawal(service, paid, 'PAID')
  await bankReports(service, { event: 'CAPTURE', reference: b, pounds: 60 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 10, pending: 0 })
  expect(await leftOf(service, b)).toBe(0)
  await books(service)
})

test('nobody loses more by a deposit than was captured: the house pays what a dispute has charged beyond it', async () => {
  const { client, card } = await paying()
  const a = await payInCaptured(service, client, card, 100)
  await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 100 })
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 10 })
  await bankReports(service, { event: 'CAPTURE', reference: a, pounds: 60 })
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(0)
  expect((await books(service)).house_losses).toBe(-30)
  await bankReports(service, { event: 'CHARGEBACK_REVERSED', reference: a, pounds: 90 })
  expect(await moneyOf(service, client)).toEqual({ balance: 60, debt: 0, pending: 0 })
  await books(service)
})

test('a part of a refund arrives, and the rest is credited when it fails', async () => {
  const { client, card } = await paying('sandbox:refund-slow')
  const a = await payInCaptured(service, client, card, 100)
  await refund(service, a, '60.00')
  await sweepUntilRefunds(service, a, ['SENT'])
  const [{ reference }] = (await refundsOf(service, a)).items
  await bankReports(service, { event: 'REFUND', reference, pounds: 20 })
  expect((await refundsOf(service, a)).items).toMatchObject([{ state: 'SENT' }])
  expect(await moneyOf(service, client)).toEqual({ balance: 40, debt: 0, pending: 0 })
  await bankReports(service, { event: 'REFUND', success: false, reference, pounds: 40 })
  expect((await refundsOf(service, a)).items).toMatchObject([{ state: 'DONE' }])
  expect(await moneyOf(service, client)).toEqual({ balance: 80, debt: 0, pending: 0 })
  expect(await leftOf(service, a)).toBe(80)
  await books(service)
})

const CONTRADICTIONS = [
  ['a capture in another currency', { event: 'CAPTURE', currency: 'EUR', pounds: 50 }, 'another-currency'],
  ['a capture of more than ours', { event: 'CAPTURE', pounds: 51 }, 'another-amount'],
  [
    'a failed capture in another currency',
    { event: 'CAPTURE_FAILED', currency: 'EUR', pounds: 50 },
    'another-currency',
  ],
  ['a failed capture of more than ours', { event: 'CAPTURE_FAILED', pounds: 51 }, 'another-amount'],
  ['a cancel of what was credited', { event: 'CANCELLATION', pounds: 50 }, 'cancelled-but-credited'],
  ['a refund that failed and that nobody knows', { event: 'REFUND_FAILED', pounds: 5 }, 'unknown-refund'],
  ['a refund of more than the deposit', { event: 'REFUND', pounds: 51 }, 'another-amount'],
  ['a refund in another currency', { event: 'REFUND', currency: 'EUR', pounds: 5 }, 'another-currency'],
] as const

test.each(CONTRADICTIONS)('%s moves nothing, and is listed until a person settles it', async (_, report, name) => {
  const { client, card } = await paying()
  const reference = await payInCaptured(service, client, card, 50)
  await bankReports(service, { ...report, reference })
  await bankReports(service, { ...report, reference })
  expect(await moneyOf(service, client)).toEqual({ balance: 50, debt: 0, pending: 0 })
  const [one, ...others] = await unappliedOf(reference)
  expect([one?.contradiction, others]).toEqual([name, []])
  const path = `/operator/v1/notifications/unapplied/${one?.id}/settlement`
  expect((await service.operator('POST', path, { note: 'asked the gateway' })).status).toBeLessThan(300)
  expect(await unappliedOf(reference)).toEqual([])
  await books(service)
})

test('what is said of a payment that is not ours changes nothing', async () => {
  await bankReports(service, { event: 'CHARGEBACK', reference: 'of another installation', pounds: 50 })
  expect(await unappliedOf('of another installation')).toEqual([])
  expect(service.context.metrics.render()).toMatch(/^paddock_notifications_total\{.*outcome="not-ours"\} 1$/m)
})

test('what another gateway says of our payment changes nothing', async () => {
  const { client, card } = await paying()
  const reference = await payInCaptured(service, client, card, 50)
  const said = { event: 'CHARGEBACK', reference, amount: 5_000n, currency: 'GBP' }
  await applyNotification(service.context, 'adyen', sandboxNotification(said, service.clock.now()))
  expect(await unappliedOf(reference)).toEqual([])
  expect(await moneyOf(service, client)).toEqual({ balance: 50, debt: 0, pending: 0 })
})

test('of a deposit that failed a refund or a chargeback is a contradiction', async () => {
  const { client, card } = await paying('sandbox:decline')
  await service.call('POST', '/v1/wallets/me', {
    ticket: client.ticket,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `transactionType=deposit&amount=50.00&id=${card}&cv2=123`,
  })
  const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${client.id}`)).body
  const reference = items[0].paymentId
  await bankReports(service, { event: 'REFUND', reference, pounds: 50 })
  await bankReports(service, { event: 'CHARGEBACK', reference, pounds: 50 })
  expect((await unappliedOf(reference)).map(({ contradiction }) => contradiction).sort()).toEqual([
    'charged-but-not-captured',
    'refunded-but-not-captured',
  ])
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  await books(service)
})

test('what could not be applied because of an error of ours is tried again until it can be', async () => {
  const { client, card } = await paying()
  const a = await payInCaptured(service, client, card, 100)
  const { database } = service.context
  const retry = async () => {
    service.clock.advance(300_000)
    await sweep(service.context)
  }
  await database.script('alter table dispute_event rename to dispute_event_away')
  try {
    await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 30 })
    await retry()
    await retry()
    expect(await unappliedOf(a)).toMatchObject([{ contradiction: null }])
  } finally {
    await database.script('alter table dispute_event_away rename to dispute_event')
  }
  await retry()
  expect(await unappliedOf(a)).toEqual([])
  expect(await moneyOf(service, client)).toEqual({ balance: 70, debt: 0, pending: 0 })
  await books(service)
})

test('two sweeps at the same time apply what is tried again once', async () => {
  const { client, card } = await paying()
  const a = await payInCaptured(service, client, card, 100)
  const { database } = service.context
  await database.script('alter table dispute_event rename to dispute_event_away')
  try {
    await bankReports(service, { event: 'CHARGEBACK', reference: a, pounds: 30 })
  } finally {
    await database.script('alter table dispute_event_away rename to dispute_event')
  }
  service.clock.advance(300_000)
  const alreadyApplied = () => metric(service.context.metrics.render(), ALREADY_APPLIED)
  const before = alreadyApplied()
  await Promise.all([retryNotifications(service.context), retryNotifications(service.context)])
  expect(alreadyApplied()).toBe(before)
  expect(await moneyOf(service, client)).toEqual({ balance: 70, debt: 0, pending: 0 })
  await books(service)
})

test('a stored notification that cannot be read is tried again later, and holds up no other', async () => {
  const { client, card } = await paying()
  const a = await payInCaptured(service, client, card, 100)
  const report = { event: 'CHARGEBACK', reference: a, amount: 10_000n, currency: 'GBP' }
  const content = JSON.stringify(sandboxNotification(report, 0), (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
  const store = (key: string, tryAt: number, text: string) =>
    service.context.database.run(insertNotification, {
      ...{ gateway: 'sandbox', notification_key: key, event: 'CHARGEBACK', success: 1, reference: a },
      ...{ content: text, outcome: 'failed', try_at: tryAt, received_at: service.clock.now() },
    })
  await store('broken', 1, content.slice(0, 20))
  await store(sandboxNotification(report, 0).key, 2, content)
  await sweep(service.context)
  expect(await moneyOf(service, client)).toEqual({ balance: 0, debt: 0, pending: 0 })
  const [broken, ...others] = await unappliedOf(a)
  expect([broken, others]).toMatchObject([{ contradiction: null, attempts: 1 }, []])
  // The longer, the more often it has failed.
  for (const attempts of [1, 2]) {
    service.clock.advance(2_500)
    await sweep(service.context)
    expect((await unappliedOf(a))[0]).toMatchObject({ attempts: attempts + 1 })
    service.clock.advance(2_500)
  }
  const settlement = `/operator/v1/notifications/unapplied/${broken?.id}/settlement`
  expect((await service.operator('POST', settlement, { note: 'looked up' })).status).toBe(204)
})
