// An account has one currency for ever: the first deposit, limit or movement fixes it.

import { expect, test } from 'vitest'
import { balancesOf } from '../../src/wallets/account/ledger.ts'
import { move, newReference, sendLines } from '../harness/movements.ts'
import { useService } from '../harness/service.ts'
import { deposit, newDepositor, paidOrFaultCode } from '../harness/wallets.ts'

const service = useService()

const change = async (id: number, body: object) => {
  const { status, body: answer } = await service.operator('PUT', `/operator/v1/customers/${id}`, body)
  return [status, status === 200 ? answer.currency : answer.detail]
}

const REFUSED = [
  409,
  expect.stringMatching(/in GBP, and an account keeps its currency: register EUR with another customer id/),
]

test('a customer without money changes the currency', async () => {
  const { id } = await service.customer()
  expect(await change(id, { currency: 'EUR' })).toEqual([200, 'EUR'])
  await service.operator('GET', `/operator/v1/customers/${id}`)
  expect(await change(id, { currency: 'USD' })).toEqual([200, 'USD'])
})

test.each(['stake', 'winnings'] as const)('a movement (%s) fixes it', async (kind) => {
  const { id } = await service.customer()
  const { status } = await move(service, { reference: newReference(), customerId: id, kind, amount: '1.00' })
  expect(await change(id, { currency: 'EUR' })).toEqual(status === 201 ? REFUSED : [200, 'EUR'])
})

test('a deposit fixes it, also a declined one', async () => {
  for (const token of ['sandbox:approve', 'sandbox:decline']) {
    const { id, ticket, method } = await newDepositor(service, { token })
    await deposit(service, { ticket, method })
    expect(await change(id, { currency: 'EUR' })).toEqual(REFUSED)
    // The same is no change, and what else is sent is not refused.
    expect(await change(id, { currency: 'GBP', verified: true })).toEqual([200, 'GBP'])
  }
})

test('a limit of the customer fixes it', async () => {
  const { id, ticket } = await service.customer()
  const limits = await service.call('PUT', '/v1/wallets/me/limits/week?amount=50.00', { ticket })
  expect(limits.status).toBe(200)
  expect(await change(id, { currency: 'EUR' })).toEqual(REFUSED)
})

test('a daily limit of the operator is sent with the currency that it is in', async () => {
  const { id } = await service.customer()
  await change(id, { dailyDepositLimit: '100.00' })
  const refused = [409, expect.stringContaining('send dailyDepositLimit in EUR with the currency')]
  expect(await change(id, { currency: 'EUR' })).toEqual(refused)
  expect(await change(id, { currency: 'EUR', dailyDepositLimit: '120.00' })).toEqual([200, 'EUR'])
  expect(await change(id, { currency: 'JPY', dailyDepositLimit: null })).toEqual([200, 'JPY'])
})

test('a line of a feed is refused, and the lines after it are applied', async () => {
  const { id } = await service.customer()
  await move(service, { reference: newReference(), customerId: id, kind: 'winnings', amount: '1.00' })
  const line = (data: object) => JSON.stringify({ put: 'customer', id, data })
  const report = await sendLines(service, [line({ currency: 'EUR' }), line({ username: `kept-${id}` })])
  expect(report).toMatchObject({ applied: { customer: 1 }, refusals: [{ line: 1, reason: REFUSED[1] }] })
  const { body } = await service.operator('GET', `/operator/v1/customers/${id}`)
  expect(body).toMatchObject({ currency: 'GBP', balance: '1.00', username: `kept-${id}` })
})

test('a deposit and a change of the currency at once leave one currency', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const { id, ticket, method } = await newDepositor(service)
    const [paid, changed] = await Promise.all([
      deposit(service, { ticket, method, amount: '10.00' }),
      change(id, { currency: 'EUR' }),
    ])
    expect(paidOrFaultCode(paid)).toBe('paid')
    const currency = changed[0] === 200 ? 'EUR' : 'GBP'
    expect((await balancesOf(service.context.database, id, currency)).balance).toBe(1000n)
  }
})

test('the database refuses another currency by itself', async () => {
  const { id } = await service.customer()
  await move(service, { reference: newReference(), customerId: id, kind: 'winnings', amount: '1.00' })
  const changed = service.context.database.script(`update customer set currency = 'EUR' where id = ${id}`)
  await expect(changed).rejects.toThrow('the currency of a customer with money does not change')
})
