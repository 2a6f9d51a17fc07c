// Nobody vanishes with money: what stands in the way of an erasure, and what becomes of money that moves after one.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { balancesOf } from '../../src/wallets/account/ledger.ts'
import { sandboxNotification } from '../../src/wallets/gateways/sandbox/notifications.ts'
import { applyNotification } from '../../src/wallets/notifications/notifications.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { challengedDepositor, registerReturnAddresses } from '../harness/challenges.ts'
import { move, movementLine, newReference, sendLines } from '../harness/movements.ts'
import { captured, disputesOf, refund, spend, sweepUntilRefunds, tell } from '../harness/refunds.ts'
import { type Json, useService } from '../harness/service.ts'
import { addCard, deposit, HOLDER, ledgerProblems, newDepositor } from '../harness/wallets.ts'
import { rows, sweepUntilPaid, withdrawn } from '../harness/withdrawals.ts'

const service = useService()

const erase = (id: number) => service.operator('DELETE', `/operator/v1/customers/${id}/personal-data`)

/** Also that nothing was erased. */
async function inTheWay(id: number): Promise<string[]> {
  const { status, body } = await erase(id)
  expect(status).toBe(409)
  expect(body.detail).toBe(
    `The customer still has ${body.inTheWay.join(', ')}. Pay, settle or write off what stands open, then erase.`,
  )
  expect((await service.operator('GET', `/operator/v1/customers/${id}`)).body.erasedAt).toBeUndefined()
  return body.inTheWay
}

/** A deposit of 20.00 that was bet and lost. */
async function loser() {
  const customer = await captured(service)
  await spend(service, customer.id, '20.00')
  return customer
}

const balances = (id: number) => balancesOf(service.context.database, id, 'GBP')

/** What the house has paid, less what it got. */
async function houseLosses(): Promise<number> {
  const { body } = await service.operator('GET', '/operator/v1/ledger/check')
  expect(body.problems).toEqual([])
  const account = body.accounts.find(({ kind, currency }: Json) => kind === 'house_losses' && currency === 'GBP')
  return -Number(account?.total ?? 0)
}

const unappliedOf = (id: number) =>
  rows(
    service,
    `select event, outcome, contradiction from gateway_notification where customer_id = ${id} and settled_at is null
      and outcome = 'contradiction' order by id`,
  )

test('a balance, until it is spent', async () => {
  const { id } = await captured(service)
  expect(await inTheWay(id)).toEqual(['a balance of 20.00 GBP'])
  await spend(service, id, '20.00')
  expect((await erase(id)).status).toBe(204)
})

test('a debt and an open dispute, until the debt is paid and the dispute ends', async () => {
  const { id, paymentId } = await loser()
  await tell(service, paymentId, 'CHARGEBACK', '15.00')
  expect(await inTheWay(id)).toEqual(['a debt of 15.00 GBP', '1 open dispute'])
  await move(service, { reference: newReference(), customerId: id, kind: 'winnings', amount: '15.00' })
  expect(await inTheWay(id)).toEqual(['1 open dispute'])
  await tell(service, paymentId, 'PREARBITRATION_LOST', '15.00')
  expect((await disputesOf(service, paymentId))[0].endedAt).toEqual(expect.any(String))
  expect((await erase(id)).status).toBe(204)
})

test('a deposit that is not decided', async () => {
  await registerReturnAddresses(service)
  const { id } = await challengedDepositor(service)
  expect(await inTheWay(id)).toEqual(['1 deposit that is not final'])
})

test('a deposit that is not captured, beside its balance', async () => {
  const { id, ticket, method } = await newDepositor(service)
  await deposit(service, { ticket, method, amount: '10.00' })
  await spend(service, id, '10.00')
  expect(await inTheWay(id)).toEqual(['1 deposit that is not final'])
  await expect
    .poll(async () => {
      await sweep(service.context)
      return (await erase(id)).status
    })
    .toBe(204)
})

test('a refund that waits for approval, and one that was paid until it is final', async () => {
  const { id, paymentId } = await captured(service, 'sandbox:approve', '1500.00')
  const { body } = await refund(service, paymentId, '1500.00')
  expect(await inTheWay(id)).toEqual(['1 refund that is not final'])
  await service.operator('POST', `/operator/v1/refunds/${body.id}/refusal`, { reason: 'Not now' })
  await refund(service, paymentId, '20.00')
  await sweepUntilRefunds(service, paymentId, ['FAILED', 'DONE'])
  await spend(service, id, '1480.00')
  expect(await inTheWay(id)).toEqual(['1 payment to a card that is final only after 120 days'])
  service.clock.advance(120 * DAY_MS)
  expect((await erase(id)).status).toBe(204)
})

test('a withdrawal on its way, and a paid one until it is final', async () => {
  const { id, ticket, method } = await captured(service)
  const withdrawal = await withdrawn(service, { ticket, card: method, amount: '20.00' })
  expect(await inTheWay(id)).toEqual(['1 part of a withdrawal that is not final'])
  await sweepUntilPaid(service, withdrawal)
  expect(await inTheWay(id)).toEqual(['1 payment to a card that is final only after 120 days'])
  service.clock.advance(120 * DAY_MS)
  expect((await erase(id)).status).toBe(204)
})

test('a notification that was not applied, until somebody settles it', async () => {
  const { id, paymentId } = await loser()
  const told = { reference: paymentId, event: 'CAPTURE', amount: 2001n, currency: 'GBP' }
  await applyNotification(service.context, 'sandbox', sandboxNotification(told, service.clock.now()))
  expect(await inTheWay(id)).toEqual(['1 unapplied notification'])
  await service.context.database.script(
    `update gateway_notification set settled_at = 1, settled_by = 'ann', settled_note = 'wrong' where customer_id = ${id}`,
  )
  expect((await erase(id)).status).toBe(204)
})

const MONEY = ['account', 'transfer', 'movement', 'deposit', 'deposit_event', 'refund', 'withdrawal', 'withdrawal_part']
MONEY.push('withdrawal_event', 'dispute', 'dispute_event', 'job', 'gateway_notification', 'money_proposal')

test('an erasure changes no money; of the cards their data go, and of the customer the name', async () => {
  const { id, ticket, method, paymentId } = await captured(service)
  await service.operator('PUT', `/operator/v1/customers/${id}`, { firstName: 'Vera', lastName: 'Vanish' })
  const other = await addCard(service, { id }, { holder: HOLDER })
  await refund(service, paymentId, '5.00')
  await sweepUntilPaid(service, await withdrawn(service, { ticket, card: method, amount: '10.00' }))
  await sweepUntilRefunds(service, paymentId, ['DONE', 'DONE'])
  await spend(service, id, '5.00')
  service.clock.advance(120 * DAY_MS)
  await sweep(service.context)
  const money = async () =>
    Object.fromEntries(
      await Promise.all(MONEY.map(async (table) => [table, await rows(service, `select * from ${table} order by 1`)])),
    )
  const before = await money()
  expect(before.transfer.length).toBeGreaterThan(5)
  expect((await erase(id)).status).toBe(204)
  expect(await money()).toEqual(before)
  const cards = await rows(
    service,
    `select id, token, card_number, first_name, last_name from payment_method where customer_id = ${id} order by id`,
  )
  const erased = { token: '', card_number: '000000******0000', first_name: null, last_name: null }
  expect(cards).toEqual([method, other].map((card) => ({ id: card, ...erased })))
  const { body } = await service.operator('GET', `/operator/v1/customers/${id}`)
  expect(body).toMatchObject({ firstName: null, lastName: null, balance: '0.00' })
  // Not in the trail of operators either, which outlives the erasure, and not in the log of events.
  const written = [
    await rows(service, 'select detail from audit'),
    await rows(service, 'select data from event_log'),
    service.logged(),
  ]
  expect(JSON.stringify(written)).not.toMatch(/Vanish/)
})

test('a chargeback after the erasure is the house’s, and so is its reversal; both are in the list', async () => {
  const { id, paymentId } = await loser()
  expect((await erase(id)).status).toBe(204)
  const before = await houseLosses()
  await tell(service, paymentId, 'CHARGEBACK', '20.00')
  expect([await balances(id), await houseLosses()]).toEqual([{ balance: 0n, debt: 0n }, before + 20])
  await tell(service, paymentId, 'CHARGEBACK_REVERSED', '15.00')
  expect([await balances(id), await houseLosses()]).toEqual([{ balance: 0n, debt: 0n }, before + 5])
  const unapplied = { outcome: 'contradiction', contradiction: 'customer-erased' }
  expect(await unappliedOf(id)).toEqual([
    { event: 'CHARGEBACK', ...unapplied },
    { event: 'CHARGEBACK_REVERSED', ...unapplied },
  ])
  expect(await disputesOf(service, paymentId)).toMatchObject([{ debited: '5.00', state: 'REVERSED' }])
})

test('a refund of the back office, a payment that comes back, and a refund that fails, after the erasure', async () => {
  const { id, ticket, method, paymentId } = await captured(service)
  await refund(service, paymentId, '5.00')
  await sweepUntilPaid(service, await withdrawn(service, { ticket, card: method, amount: '10.00' }))
  await sweepUntilRefunds(service, paymentId, ['DONE', 'DONE'])
  await spend(service, id, '5.00')
  service.clock.advance(120 * DAY_MS)
  expect((await erase(id)).status).toBe(204)
  const before = await houseLosses()
  const report = async (event: string, amount: bigint, reference = paymentId) => {
    const told = { reference, event, amount, currency: 'GBP', gatewayReference: `back-office-${randomUUID()}` }
    await applyNotification(service.context, 'sandbox', sandboxNotification(told, service.clock.now()))
    return (await houseLosses()) - before
  }
  const refunds = (await rows(
    service,
    `select reference, origin from refund where customer_id = ${id} order by id`,
  )) as Json[]
  const referenceOf = (origin: string) => refunds.find((one) => one.origin === origin).reference
  expect(await report('REFUND', 300n)).toBe(3)
  expect(await report('REFUND_FAILED', 500n, referenceOf('operator'))).toBe(-2)
  expect(await report('REFUND_FAILED', 1000n, referenceOf('withdrawal'))).toBe(-12)
  expect(await balances(id)).toEqual({ balance: 0n, debt: 0n })
  expect((await unappliedOf(id)).map(({ contradiction }) => contradiction)).toEqual(Array(3).fill('customer-erased'))
})

test('the sportsbook’s movements are refused in words; a customer who was taken back has an account again', async () => {
  const { id, paymentId } = await loser()
  expect((await erase(id)).status).toBe(204)
  const movement = { reference: newReference(), customerId: id, kind: 'winnings', amount: '3.00' } as const
  const refused = await move(service, movement)
  const words = expect.stringMatching(/was erased: what they stake or win is the house’s.*reinstatement/)
  expect([refused.status, refused.body.detail]).toEqual([409, words])
  expect((await sendLines(service, [movementLine(movement)])).refusals).toEqual([{ line: 1, reason: words }])
  await service.operator('POST', `/operator/v1/customers/${id}/reinstatement`, { reason: 'Came back' })
  expect((await move(service, movement)).status).toBe(201)
  const before = await houseLosses()
  await tell(service, paymentId, 'CHARGEBACK', '20.00')
  expect([await balances(id), await houseLosses()]).toEqual([{ balance: 0n, debt: 1700n }, before])
  expect(await unappliedOf(id)).toEqual([])
  expect(await ledgerProblems(service)).toEqual([])
})
