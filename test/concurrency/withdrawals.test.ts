// Withdrawals beside each other, and beside everything else that moves a customer's money.

import { expect, test } from 'vitest'
import { excludeCustomer } from '../../src/wallets/exclusions.ts'
import type { Gateway, PayoutRequest, PayoutResult } from '../../src/wallets/gateways/gateway.ts'
import { balanceOf } from '../../src/wallets/ledger.ts'
import { applyNotification } from '../../src/wallets/notifications.ts'
import { requestRefund } from '../../src/wallets/refund.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { useService } from '../harness/service.ts'
import { ledgerProblems } from '../harness/wallets.ts'
import { moneyOf, type Player, player, rows, statusOrFault, sweepUntilPaid, withdraw } from '../harness/withdrawals.ts'

/** The references that the bank has paid, by customer. The bank pays a reference once, so two of them are two payments. */
const paid = new Map<number, Set<string>>()

/** Runs while the next call waits for its answer, and may replace it. */
let meanwhile: ((request: PayoutRequest) => Promise<PayoutResult>) | undefined

function counting(port: Gateway): Gateway {
  return {
    ...port,
    async payout(request) {
      const answered = await port.payout(request)
      const result = (await meanwhile?.(request)) ?? answered
      meanwhile = undefined
      const references = paid.get(request.customerId) ?? new Set()
      if (result.outcome === 'paid') paid.set(request.customerId, references.add(request.reference))
      return result
    },
  }
}

const paidTo = ({ id }: { id: number }) => paid.get(id)?.size ?? 0

const service = useService({ GATEWAY_TIMEOUT_MS: '1000' }, { gateway: counting })

const balance = async ({ id }: Player) => balanceOf(service.context.database, id, 'GBP')

const statuses = async (work: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(work)).map(({ status }) => status)

test('a notification that is faster than the answer of the gateway decides', async () => {
  const customer = await player(service, {})
  const [card] = customer.cards as [number]
  const { id } = (await withdraw(service, { ticket: customer.ticket, card })).json().whoWallets.withdrawal
  meanwhile = async ({ reference, amount, currency }) => {
    const notification = {
      ...{ key: reference, event: 'PAID', success: true, reference, gatewayReference: 'paid', paymentReference: '' },
      ...{ amount, currency, answerBy: null, meaning: 'payoutPaid' as const },
    }
    await applyNotification(service.context, 'sandbox', notification)
    return { outcome: 'returned', reason: 'an answer that is wrong', gatewayReference: null }
  }
  await sweepUntilPaid(service, id)
  await sweep(service.context)
  expect(await balance(customer)).toBe(0n)
  expect((await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body.state).toBe('PAID')
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

test('of a withdrawal and a refund of the same money one succeeds', async () => {
  for (const _ of [1, 2, 3]) {
    const { id, ticket, cards } = await player(service, {})
    const [card] = cards as [number]
    const [deposit] = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body.items
    const order = { paymentId: deposit.paymentId, amount: 2000n, reason: 'asked', by: 'an operator' }
    const withdrawing = withdraw(service, { ticket, card }).then((reply) => {
      if (statusOrFault(reply) !== 'approved') throw new Error('refused')
    })
    expect((await statuses([withdrawing, requestRefund(service.context, order)])).sort()).toEqual([
      'fulfilled',
      'rejected',
    ])
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

test('of a withdrawal and a chargeback of the same money the chargeback always counts, as a debt where it is late', async () => {
  for (const _ of [1, 2, 3]) {
    const { id, ticket, cards } = await player(service, {})
    const [card] = cards as [number]
    const [{ paymentId }] = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body.items
    const [withdrawal, told] = await Promise.all([
      withdraw(service, { ticket, card }),
      service.operator('POST', '/operator/v1/sandbox/disputes', { paymentId, event: 'CHARGEBACK' }),
    ])
    expect(told.status).toBe(200)
    const { body } = await service.operator('GET', `/operator/v1/disputes?customerId=${id}`)
    expect(body.items).toMatchObject([{ debited: '20.00' }])
    const wasFirst = statusOrFault(withdrawal) === 'approved'
    const reply = await service.call('GET', '/v1/wallets/me/balance', { ticket, accept: 'application/json' })
    const { balance: left, debt } = reply.json().whoWallets
    expect([left, debt]).toEqual(['0.00', wasFirst ? '20.00' : '0.00'])
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
  const { events } = await sweepUntilPaid(service, reply.json().whoWallets.withdrawal.id)
  expect(paidTo({ id })).toBe(1)
  expect(events.filter(({ event }: { event: string }) => event === 'paid')).toHaveLength(1)
  expect(await ledgerProblems(service)).toEqual([])
})
