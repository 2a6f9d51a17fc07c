// Deposits that can be refunded, and what became of their refunds.

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { lockDepositor } from '../../src/wallets/deposit-facts-store.ts'
import { balancesOf, transfer } from '../../src/wallets/ledger.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import type { TestService } from './service.ts'
import { deposit, newDepositor, paidOrFaultCode, sweepUntil } from './wallets.ts'

export type Captured = { id: number; ticket: string; method: number; paymentId: string }

/** A new customer with one captured deposit. */
export async function captured(service: TestService, token = 'sandbox:approve', amount = '20.00'): Promise<Captured> {
  const { id, ticket, method } = await newDepositor(service, { token, max: '5000.00' })
  const reply = await deposit(service, { ticket, method, amount })
  expect(paidOrFaultCode(reply)).toBe('paid')
  await sweepUntil(service, id, ['CAPTURED'])
  return { id, ticket, method, paymentId: reply.json().whoWallets.paymentId }
}

export function refund(service: Pick<TestService, 'operator'>, paymentId: string, amount: string, more: object = {}) {
  const body = { amount, reason: 'asked for it', ...more }
  return service.operator('POST', `/operator/v1/deposits/${paymentId}/refunds`, body)
}

export async function refundsOf(service: Pick<TestService, 'operator'>, paymentId: string) {
  return (await service.operator('GET', `/operator/v1/deposits/${paymentId}/refunds`)).body
}

export async function refundStates(service: Pick<TestService, 'operator'>, paymentId: string): Promise<string[]> {
  return (await refundsOf(service, paymentId)).items.map(({ state }: { state: string }) => state)
}

/** The service's own sweeper may run at the same time. */
export async function sweepUntilRefunds(service: TestService, paymentId: string, states: string[]): Promise<void> {
  const look = async () => {
    await sweep(service.context)
    return refundStates(service, paymentId)
  }
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toEqual(states)
}

/** The balance, and what the customer owes. */
export async function moneyOf(service: TestService, { id }: { id: number }): Promise<[balance: bigint, debt: bigint]> {
  const { balance, debt } = await balancesOf(service.context.database, id, 'GBP')
  return [balance, debt]
}

let tokens = 0

/** A refund that waits for a second operator, requested by another one than the tests' own. With the default of the setting. */
export async function waitingRefund(service: TestService): Promise<string> {
  const { paymentId } = await captured(service, 'sandbox:approve', '1500.00')
  const token = { name: `first pair of eyes ${++tokens}`, role: 'admin' }
  const first = (await service.operator('POST', '/operator/v1/tokens', token)).body.token
  const path = `/operator/v1/deposits/${paymentId}/refunds`
  return (await service.operator('POST', path, { amount: '1200.00', reason: 'asked for it' }, first)).body.id
}

/** A refund that the gateway has received. */
export async function sentRefund(service: TestService): Promise<string> {
  const { paymentId } = await captured(service, 'sandbox:refund-slow')
  const { id } = (await refund(service, paymentId, '5.00')).body
  await sweepUntilRefunds(service, paymentId, ['SENT'])
  return id
}

const insertStake = writing<{ reference: string; customerId: number; amount: bigint }, { id: number }>('insertStake')`
  insert into movement (reference, customer_id, kind, amount, currency, at)
  values (:reference, :customerId, 'stake', :amount, 'GBP', 1) returning id`

/** The customer bets with it; false: they do not have so much. */
export async function spend(service: TestService, customerId: number, amount: bigint): Promise<boolean> {
  const { database, now } = service.context
  const work = database.transaction(async (tx) => {
    await tx.one(lockDepositor, { customerId })
    const stake = await tx.one(insertStake, { reference: randomUUID(), customerId, amount })
    const source = { movement_id: stake?.id as number }
    await transfer(tx, [{ kind: 'stake', source, customerId, currency: 'GBP', amount }], now())
    return true
  })
  return work.catch((error: Error) => {
    if (/check/i.test(error.message)) return false
    throw error
  })
}

/** The sandbox's bank tells this about the deposit. */
export function tell(service: Pick<TestService, 'operator'>, paymentId: string, event: string, amount?: string) {
  return service.operator('POST', '/operator/v1/sandbox/disputes', { paymentId, event, amount })
}

export async function disputesOf(service: Pick<TestService, 'operator'>, paymentId: string) {
  return (await service.operator('GET', `/operator/v1/disputes?paymentId=${paymentId}`)).body.items
}
