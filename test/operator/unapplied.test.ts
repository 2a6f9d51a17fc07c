// The gateway's notifications that were not applied: each kind of contradiction, in words, until somebody settles it. The sandbox's bank
// reports what an operator lets it.

import { expect, test } from 'vitest'
import { captured, disputed, refund, sweepUntilRefunds, waitingRefund } from '../harness/refunds.ts'
import { type Json, useService } from '../harness/service.ts'
import { deposit, ledgerProblems, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { anotherOperator, player, sweepUntilPaid, withdrawn } from '../harness/withdrawals.ts'

const service = useService()

async function report(body: object): Promise<Json> {
  const reply = await service.operator('POST', '/operator/v1/sandbox/disputes', body)
  expect([reply.status, reply.body]).toEqual([200, expect.anything()])
  return reply.body
}

async function unapplied(query = 'limit=100'): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/notifications/unapplied?${query}`)).body
}

/** The newest. */
async function lastUnapplied(): Promise<Json> {
  return (await unapplied()).items.at(-1)
}

async function declined(): Promise<string> {
  const payer = await newDepositor(service, { token: 'sandbox:decline' })
  await deposit(service, payer)
  const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${payer.id}`)).body
  return items[0].paymentId
}

/** What the bank reports, and what is in review because of it. */
type Contradicted = { report: object; subject?: { type: string; id: string } | null; content?: object }

const CONTRADICTIONS: [string, () => Promise<Contradicted>][] = [
  [
    'another-currency',
    async () => {
      const { paymentId } = await captured(service)
      return {
        report: { paymentId, event: 'CHARGEBACK', currency: 'EUR' },
        content: { currency: 'EUR', amount: '20.00' },
      }
    },
  ],
  [
    'another-amount',
    async () => {
      const { paymentId } = await captured(service)
      return { report: { paymentId, event: 'REFUND', amount: '20.01' }, content: { amount: '20.01' } }
    },
  ],
  [
    'cancel-says-captured',
    async () => {
      const paymentId = await declined()
      return { report: { paymentId, event: 'CAPTURE' }, subject: { type: 'deposit', id: paymentId } }
    },
  ],
  ['refunded-but-not-captured', async () => ({ report: { paymentId: await declined(), event: 'REFUND' } })],
  ['charged-but-not-captured', async () => ({ report: { paymentId: await declined(), event: 'CHARGEBACK' } })],
  [
    'cancelled-but-credited',
    async () => ({ report: { paymentId: (await captured(service)).paymentId, event: 'CANCELLATION' } }),
  ],
  [
    'unknown-refund',
    async () => ({
      report: { paymentId: (await captured(service)).paymentId, event: 'REFUND_FAILED', amount: '3.00' },
    }),
  ],
  [
    'several-refunds',
    async () => {
      const { paymentId } = await captured(service)
      for (let turn = 1; turn <= 2; turn++) {
        await refund(service, paymentId, '5.00')
        await sweepUntilRefunds(service, paymentId, Array(turn).fill('DONE'))
      }
      const gatewayReference = `reversal-${paymentId}`
      return { report: { paymentId, event: 'REFUNDED_REVERSED', amount: '5.00', gatewayReference } }
    },
  ],
  [
    'never-sent',
    async () => {
      const refundId = await waitingRefund(service)
      const { items } = (await service.operator('GET', '/operator/v1/refunds?state=REQUESTED')).body
      const { paymentId } = items.find(({ id }: Json) => id === refundId)
      return { report: { paymentId, refundId, event: 'REFUND' }, subject: { type: 'refund', id: refundId } }
    },
  ],
  [
    'paid-twice',
    async () => {
      const { paymentId } = await captured(service)
      const { id } = (await refund(service, paymentId, '5.00')).body
      await sweepUntilRefunds(service, paymentId, ['DONE'])
      const report = { paymentId, refundId: id, event: 'REFUND', gatewayReference: `second-${paymentId}` }
      return { report, subject: { type: 'refund', id } }
    },
  ],
  [
    'paid-after-return',
    async () => {
      const { id: _, ticket, cards } = await player(service, { token: 'sandbox:payout-refused' })
      const id = await withdrawn(service, { ticket, card: cards[0] as number })
      const { parts } = await sweepUntilPaid(service, id, 'RETURNED')
      return { report: { partId: parts[0].id, event: 'REFUND' }, subject: { type: 'withdrawal', id } }
    },
  ],
  [
    'reversed-beyond-charge',
    async () => {
      const { paymentId, disputeId } = await disputed(service)
      const subject = { type: 'dispute', id: disputeId }
      return { report: { paymentId, event: 'CHARGEBACK_REVERSED', amount: '5.00' }, subject }
    },
  ],
  [
    'charged-beyond-deposit',
    async () => {
      const { paymentId, disputeId } = await disputed(service)
      await report({ paymentId, event: 'CHARGEBACK' })
      const subject = { type: 'dispute', id: disputeId }
      return { report: { paymentId, event: 'SECOND_CHARGEBACK', amount: '3.00' }, subject }
    },
  ],
]

test.each(CONTRADICTIONS)('%s is listed in words, and settled with a note', async (name, make) => {
  const { report: sent, subject = null, content = {} } = await make()
  expect(await report(sent)).toMatchObject({ outcome: 'contradiction', contradiction: name })
  const listed = await lastUnapplied()
  expect(listed).toMatchObject({
    ...{ gateway: 'sandbox', contradiction: name, success: true, attempts: 0, subject, content },
    meaning: expect.stringMatching(/^[A-Z].* .*\.$/),
    nextStep: expect.stringMatching(/^[A-Z].* .*\.$/),
  })
  // Reported twice, it is one.
  const { waiting } = await unapplied()
  expect((await report(sent)).outcome).toBe('contradiction')
  expect((await unapplied()).waiting).toBe(waiting)
  const path = `/operator/v1/notifications/unapplied/${listed.id}/settlement`
  for (const note of ['', '  ']) expect((await service.operator('POST', path, { note })).status).toBe(422)
  expect((await service.operator('POST', path, { note: 'The gateway has corrected it' })).status).toBe(204)
  expect((await service.operator('POST', path, { note: 'again' })).status).toBe(404)
  expect((await unapplied()).waiting).toBe(waiting - 1)
  expect(await ledgerProblems(service)).toEqual([])
})

test('a contradiction of a dispute leaves the list by itself when the sums agree again', async () => {
  const { paymentId } = await disputed(service)
  await report({ paymentId, event: 'CHARGEBACK_REVERSED', amount: '5.00' })
  const { id } = await lastUnapplied()
  expect((await report({ paymentId, event: 'CHARGEBACK' })).outcome).toBe('applied')
  expect((await unapplied()).items.filter((one: Json) => one.id === id)).toEqual([])
})

test('they are listed page by page, the oldest first', async () => {
  for (let turn = 0; turn < 3; turn++) {
    const { paymentId } = await captured(service)
    await report({ paymentId, event: 'CHARGEBACK', currency: 'EUR' })
  }
  const { items, waiting } = await unapplied()
  expect(items).toHaveLength(waiting)
  const ids = items.map(({ id }: Json) => Number(id))
  expect(ids).toEqual(ids.toSorted((one: number, other: number) => one - other))
  const found: Json[] = []
  for (let cursor = ''; cursor !== null; ) {
    const page = await unapplied(`limit=2&cursor=${cursor}`)
    found.push(...page.items)
    cursor = page.cursor
  }
  expect(found).toEqual(items)
})

test('what could not be applied because of an error of ours says so', async () => {
  const { database } = service.context
  await database.script(`insert into gateway_notification (gateway, notification_key, event, success, reference, outcome, received_at)
    values ('sandbox', 'key', 'CAPTURE', 1, 'reference', 'failed', 1)`)
  expect(await lastUnapplied()).toMatchObject({
    ...{
      event: 'CAPTURE',
      reference: 'reference',
      content: null,
      contradiction: null,
      subject: null,
      customerId: null,
    },
    meaning: expect.stringContaining('an error of ours'),
  })
})

// ---- What the sandbox's bank can report.

test('a part of a capture, then its failure, a late approval and a cancel', async () => {
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  const { paymentId } = (await deposit(service, { ...payer, amount: '20.00' })).json().whoWallets
  await sweepUntil(service, payer.id, ['REVIEW'])
  const shown = async () => (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body
  expect((await report({ paymentId, event: 'CAPTURE', amount: '15.00' })).outcome).toBe('applied')
  expect(await shown()).toMatchObject({ state: 'CAPTURED', amount: '20.00', captured: '15.00' })
  expect((await report({ paymentId, event: 'AUTHORISATION' })).outcome).toBe('already-applied')
  expect((await report({ paymentId, event: 'CAPTURE', success: false })).outcome).toBe('applied')
  expect(await shown()).toMatchObject({ state: 'REVIEW', review: 'capture-failed', captured: '0.00' })
  expect(await ledgerProblems(service)).toEqual([])
})

test('a refund of ours by its id, and two that were made at the bank by their own references', async () => {
  const { paymentId } = await captured(service)
  const { id: refundId } = (await refund(service, paymentId, '5.00')).body
  await sweepUntilRefunds(service, paymentId, ['DONE'])
  expect((await report({ paymentId, refundId, event: 'REFUND' })).outcome).toBe('already-applied')
  for (const gatewayReference of ['back-office-1', 'back-office-2', 'back-office-2']) {
    expect((await report({ paymentId, event: 'REFUND', amount: '2.00', gatewayReference })).outcome).toBe('applied')
  }
  expect((await report({ paymentId, refundId, event: 'REFUND_FAILED' })).outcome).toBe('applied')
  const { items, returned, left } = (await service.operator('GET', `/operator/v1/deposits/${paymentId}/refunds`)).body
  expect(items.map(({ origin, state, amount }: Json) => [origin, state, amount])).toEqual([
    ['operator', 'FAILED', '5.00'],
    ['gateway', 'DONE', '2.00'],
    ['gateway', 'DONE', '2.00'],
  ])
  expect([returned, left]).toEqual(['4.00', '16.00'])
})

test('a part of a withdrawal that was paid comes back, in two parts', async () => {
  const { ticket, cards } = await player(service, {})
  const id = await withdrawn(service, { ticket, card: cards[0] as number })
  const { parts } = await sweepUntilPaid(service, id)
  const partId = parts[0].id
  const state = async () => (await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body
  expect((await report({ partId, event: 'REFUND_FAILED', amount: '5.00' })).outcome).toBe('applied')
  expect(await state()).toMatchObject({ state: 'PAID', paid: '15.00', returned: '5.00' })
  expect((await report({ partId, event: 'REFUND_FAILED', amount: '15.00' })).outcome).toBe('applied')
  expect(await state()).toMatchObject({ state: 'RETURNED', paid: '0.00', returned: '20.00' })
  expect(await ledgerProblems(service)).toEqual([])
})

test('a dispute that ends by a final status is over; the house pays what goes beyond the deposit', async () => {
  const { paymentId } = await captured(service)
  await report({ paymentId, event: 'CHARGEBACK', amount: '26.00' })
  const { items } = await report({ paymentId, event: 'INFORMATION_SUPPLIED', endsDispute: true })
  expect(items[0]).toMatchObject({
    ...{ charged: '26.00', debited: '20.00', house: '6.00' },
    ...{ endedAt: expect.any(String), endReason: 'INFORMATION_SUPPLIED' },
  })
})

test('what does not exist is 404, what is not of the sandbox 409, and nothing named 422', async () => {
  const { paymentId } = await captured(service)
  const send = (body: object) => service.operator('POST', '/operator/v1/sandbox/disputes', body)
  expect((await send({ event: 'CHARGEBACK' })).status).toBe(422)
  expect((await send({ paymentId: 'none', event: 'CHARGEBACK' })).status).toBe(404)
  expect((await send({ paymentId, refundId: '999999999', event: 'REFUND' })).status).toBe(404)
  expect((await send({ partId: '999999999', event: 'REFUND' })).status).toBe(404)
  expect((await send({ paymentId, event: 'REPORT_AVAILABLE' })).status).toBe(422)
  await service.context.database.script(`insert into deposit (id, customer_id, api_key, payment_method_id, gateway, amount,
      currency, day, lease_until, created_at, state, fault, decided_at)
    select 'of-adyen', customer_id, api_key, payment_method_id, 'adyen', amount, currency, day, lease_until, created_at,
      'DECLINED', 'authorisationFailed', 1 from deposit where id = '${paymentId}'`)
  expect((await send({ paymentId: 'of-adyen', event: 'CHARGEBACK' })).status).toBe(409)
  const another = await anotherOperator(service)
  expect((await service.operator('GET', '/operator/v1/notifications/unapplied', undefined, another)).status).toBe(200)
})
