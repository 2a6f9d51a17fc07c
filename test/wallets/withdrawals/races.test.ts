// Withdrawals beside each other, and beside everything else that moves a customer's money.

import { expect, test } from 'vitest'
import { balanceOf } from '../../../src/wallets/account/ledger.ts'
import type { Gateway, RefundRequest, RefundResult } from '../../../src/wallets/gateways/gateway.ts'
import { sandboxNotification } from '../../../src/wallets/gateways/sandbox/notifications.ts'
import { applyNotification } from '../../../src/wallets/notifications/notifications.ts'
import { excludeCustomer } from '../../../src/wallets/reviews/exclusions.ts'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import { refund } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'
import { ledgerProblems } from '../../harness/wallets.ts'
import {
  moneyOf,
  type Player,
  player,
  rows,
  statusOrFault,
  sweepUntilPaid,
  withdraw,
} from '../../harness/withdrawals.ts'

/** The references that the bank was asked to return or pay: it pays a reference once, so two of a part are two payments. */
const sent = new Set<string>()

/** Runs while the next return waits for its answer, and may replace it. */
let meanwhile: ((request: RefundRequest) => Promise<RefundResult>) | undefined

function counting(port: Gateway): Gateway {
  return {
    ...port,
    async refund(payment, request) {
      const answered = await port.refund(payment, request)
      sent.add(request.reference)
      const result = (await meanwhile?.(request)) ?? answered
      meanwhile = undefined
      return result
    },
    payout(request) {
      sent.add(request.reference)
      return port.payout(request)
    },
  }
}

const service = useService({ GATEWAY_TIMEOUT_MS: '1000' }, { gateway: counting })

const balance = async ({ id }: Player) => balanceOf(service.context.database, id, 'GBP')

test('a notification that is faster than the answer of the gateway decides', async () => {
  const customer = await player(service, {})
  const [card] = customer.cards as [number]
  const { id } = (await withdraw(service, { ticket: customer.ticket, card })).json().whoWallets.withdrawal
  meanwhile = async ({ reference, amount }) => {
    const report = sandboxNotification({ event: 'REFUND', reference, amount, currency: 'GBP' }, service.clock.now())
    await applyNotification(service.context, 'sandbox', report)
    return { outcome: 'refused', reason: 'an answer that is wrong', refusal: 'other', gatewayReference: null }
  }
  await sweepUntilPaid(service, id)
  await sweep(service.context)
  expect(await balance(customer)).toBe(0n)
  expect((await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body.state).toBe('PAID')
  expect(await ledgerProblems(service)).toEqual([])
})

test('an answer that says paid, of what a notification has returned meanwhile, is looked at by persons', async () => {
  const customer = await player(service, {})
  const [card] = customer.cards as [number]
  const { id } = (await withdraw(service, { ticket: customer.ticket, card })).json().whoWallets.withdrawal
  meanwhile = async ({ reference, amount }) => {
    const failed = { event: 'REFUND', success: false, reference, amount, currency: 'GBP' }
    await applyNotification(service.context, 'sandbox', sandboxNotification(failed, service.clock.now()))
    return { outcome: 'done', reason: '', refusal: null, gatewayReference: null }
  }
  await sweepUntilPaid(service, id, 'REVIEW')
  expect((await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body.parts).toMatchObject([
    { state: 'REVIEW', review: 'paid-after-return', returned: '20.00' },
  ])
  // Credited, and kept back.
  expect(await balance(customer)).toBe(2000n)
  expect(await ledgerProblems(service)).toEqual([])
})

test('two withdrawals at once take no more than there is, whichever card they go to', async () => {
  for (const _ of [1, 2, 3]) {
    const { ticket, cards, id } = await player(service, {}, {})
    const orders = [...cards, ...cards].map((card) => withdraw(service, { ticket, card, amount: '15.00' }))
    const answers = (await Promise.all(orders)).map(statusOrFault)
    expect(answers.filter((answer) => answer === 'approved')).toHaveLength(2)
    expect(await moneyOf(service, ticket)).toEqual(['10.00', '30.00'])
    expect((await rows(service, `select id from withdrawal where customer_id = ${id}`)).length).toBe(2)
  }
})

test('the same key at once is one withdrawal', async () => {
  const { ticket, cards } = await player(service, {})
  const [card] = cards as [number]
  const orders = [1, 2, 3].map(() => withdraw(service, { ticket, card, amount: '5.00', key: 'same' }))
  const ids = (await Promise.all(orders)).map((reply) => reply.json().whoWallets.withdrawal.id)
  expect(new Set(ids).size).toBe(1)
  expect((await moneyOf(service, ticket))[0]).toBe('15.00')
})

test('of withdrawals at once the rule approves no more than the sum of a day', async () => {
  const { ticket, cards } = await player(service, { amount: '1000.00' })
  const [card] = cards as [number]
  const orders = Array.from({ length: 9 }, () => withdraw(service, { ticket, card, amount: '100.00' }))
  const statuses = (await Promise.all(orders)).map(statusOrFault)
  expect(statuses.sort()).toEqual([...Array(5).fill('approved'), ...Array(4).fill('requested')])
})

test('of a withdrawal and a refund of the same money one succeeds', async () => {
  for (const _ of [1, 2, 3]) {
    const { id, ticket, cards } = await player(service, {})
    const [card] = cards as [number]
    const [deposit] = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body.items
    const [withdrawing, refunding] = await Promise.all([
      withdraw(service, { ticket, card }),
      refund(service, deposit.paymentId, '20.00'),
    ])
    const succeeded = [statusOrFault(withdrawing) === 'approved', refunding.status === 201]
    expect(succeeded.filter((one) => one)).toHaveLength(1)
    expect((await moneyOf(service, ticket))[0]).toBe('0.00')
  }
  expect(await ledgerProblems(service)).toEqual([])
})

test('of a withdrawal and a stake of the same money one succeeds', async () => {
  for (const round of [1, 2, 3]) {
    const { id, ticket, cards } = await player(service, {})
    const [card] = cards as [number]
    const stake = { reference: `bet ${id} ${round}`, customerId: `${id}`, kind: 'stake', amount: '20.00' }
    const [withdrawal, movement] = await Promise.all([
      withdraw(service, { ticket, card }),
      service.operator('POST', '/operator/v1/movements', stake),
    ])
    const succeeded = [statusOrFault(withdrawal) === 'approved', movement.status === 201]
    expect(succeeded.filter((one) => one)).toHaveLength(1)
    expect((await moneyOf(service, ticket))[0]).toBe('0.00')
  }
  expect(await ledgerProblems(service)).toEqual([])
})

test('of a withdrawal and a chargeback of the same money the chargeback takes it, whichever was first', async () => {
  for (const _ of [1, 2, 3]) {
    const { id, ticket, cards } = await player(service, {})
    const [card] = cards as [number]
    const [{ paymentId }] = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body.items
    const [withdrawal, told] = await Promise.all([
      withdraw(service, { ticket, card }),
      service.operator('POST', '/operator/v1/sandbox/disputes', { paymentId, event: 'CHARGEBACK' }),
    ])
    expect([statusOrFault(withdrawal), told.status]).toEqual([expect.stringMatching(/^(approved|24007)$/), 200])
    const { body } = await service.operator('GET', `/operator/v1/disputes?customerId=${id}`)
    expect(body.items).toMatchObject([{ debited: '20.00' }])
    const reply = await service.call('GET', '/v1/wallets/me/balance', { ticket, accept: 'application/json' })
    expect(reply.json().whoWallets).toMatchObject({ balance: '0.00', debt: '0.00', pending: '0.00' })
    await sweep(service.context)
    const { items } = (await service.operator('GET', `/operator/v1/withdrawals?customerId=${id}`)).body
    for (const { state } of items) expect(state).toBe('RETURNED')
  }
  expect(await ledgerProblems(service)).toEqual([])
})

test('a withdrawal that is on its way when an exclusion begins goes on; two sweepers pay it once', async () => {
  const { id, ticket, cards } = await player(service, {})
  const reply = await withdraw(service, { ticket, card: cards[0] as number })
  await Promise.all([
    excludeCustomer(service.context, id, 'time-out', (now) => now + 86_400_000),
    sweep(service.context),
    sweep(service.context),
  ])
  const { events, parts } = await sweepUntilPaid(service, reply.json().whoWallets.withdrawal.id)
  expect(parts.map(({ reference }: { reference: string }) => sent.has(reference))).toEqual([true])
  expect(events.filter(({ event }: { event: string }) => event === 'paid')).toHaveLength(1)
  expect(await ledgerProblems(service)).toEqual([])
})
