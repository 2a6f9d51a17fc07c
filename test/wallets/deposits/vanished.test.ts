// An asynchronous failover of PostgreSQL may lose a deposit that was stored before the gateway was called.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BankPayment } from '../../../src/wallets/gateways/sandbox/bank-store.ts'
import { expectFault } from '../../harness/answers.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import {
  type Bank,
  deposit,
  ledgerProblems,
  newDepositor,
  paidOrFaultCode,
  slowGateway,
  startBank,
  sweepUntil,
} from '../../harness/wallets.ts'
import { withoutTriggers } from '../../harness/without-triggers.ts'

const gateway = slowGateway()
let bank: Bank
let service: TestService

beforeAll(async () => {
  bank = await startBank()
  service = await startTestService({ SANDBOX_GATEWAY_URL: bank.url }, undefined, { gateway: gateway.observe })
})

afterAll(async () => {
  await service.close()
  await bank.close()
})

/** As if the database had been promoted from a server that never had them. */
async function loseDepositsOf(customerId: number): Promise<void> {
  const { database } = service.context
  const deposits = `(select id from deposit where customer_id = ${customerId})`
  await withoutTriggers(database, async () => {
    for (const table of ['job', 'transfer', 'deposit_event']) {
      await database.script(`delete from ${table} where deposit_id in ${deposits}`)
    }
    await database.script(`update account set balance = 0, lines = 0 where customer_id = ${customerId}`)
    await database.script(`delete from deposit where customer_id = ${customerId}`)
  })
}

test('a deposit that is lost while the gateway decides is cancelled there and answered 503', async () => {
  const customer = await newDepositor(service, { token: 'sandbox:approve' })
  const order = { ticket: customer.ticket, method: customer.method, key: 'lost-while-deciding' }
  gateway.meanwhile(() => loseDepositsOf(customer.id))
  expectFault(await deposit(service, order), '/v1/wallets', 'unavailable', undefined)
  expect(await bank.payments()).toMatchObject([{ token: 'sandbox:approve', state: 'cancelled' }])
  // The same key is the same payment, which was cancelled.
  expect(paidOrFaultCode(await deposit(service, order))).toBe('24005')
  expect(await bank.payments()).toHaveLength(1)
})

async function paidAndLost(token: string, key: string) {
  const customer = await newDepositor(service, { token })
  const order = { ticket: customer.ticket, method: customer.method, key }
  const payments = async () => ((await bank.payments()) as BankPayment[]).filter((payment) => payment.token === token)
  const first = await deposit(service, order)
  expect(paidOrFaultCode(first)).toBe('paid')
  await sweepUntil(service, customer.id, ['CAPTURED'])
  await loseDepositsOf(customer.id)
  return { customer, order, payments, first }
}

test('a deposit that is lost after its answer is the same payment when its key is used again', async () => {
  const { customer, order, payments, first } = await paidAndLost('sandbox:slow-1', 'lost-after-the-answer')
  const second = await deposit(service, order)
  expect(second.json().whoWallets.paymentId).toBe(first.json().whoWallets.paymentId)
  await sweepUntil(service, customer.id, ['CAPTURED'])
  expect(await payments()).toHaveLength(1)
  expect(await ledgerProblems(service)).toEqual([])
})

test('the key of a lost payment pays no other amount', async () => {
  const { order, payments } = await paidAndLost('sandbox:slow-2', 'lost-and-changed')
  expect(paidOrFaultCode(await deposit(service, { ...order, amount: '11.00' }))).toBe('24005')
  expect(await payments()).toMatchObject([{ amount: '1000', state: 'captured' }])
})
