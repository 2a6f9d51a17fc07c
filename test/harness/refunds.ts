// Deposits that can be refunded, and what became of their refunds.

import { expect } from 'vitest'
import { balancesOf } from '../../src/wallets/account/ledger.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { move, newReference } from './movements.ts'
import type { TestService } from './service.ts'
import { deposit, newDepositor, paidOrFaultCode, sweepUntil } from './wallets.ts'
import { anotherOperator } from './withdrawals.ts'

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

/** A refund that waits for a second person, requested by another one than the tests' own. With the default of the setting. */
export async function waitingRefund(service: TestService): Promise<string> {
  const { paymentId } = await captured(service, 'sandbox:approve', '1500.00')
  const path = `/operator/v1/deposits/${paymentId}/refunds`
  const body = { amount: '1200.00', reason: 'asked for it' }
  return (await service.operator('POST', path, body, await anotherOperator(service))).body.id
}

/** A refund that the gateway has received. */
export async function sentRefund(service: TestService): Promise<string> {
  const { paymentId } = await captured(service, 'sandbox:refund-slow')
  const { id } = (await refund(service, paymentId, '5.00')).body
  await sweepUntilRefunds(service, paymentId, ['SENT'])
  return id
}

/** The customer bets with it; false: they do not have so much. */
export async function spend(service: TestService, customerId: number, amount: string): Promise<boolean> {
  const { status } = await move(service, { reference: newReference(), customerId, kind: 'stake', amount })
  expect([201, 422]).toContain(status)
  return status === 201
}

/** The sandbox's bank reports this about the deposit. */
export function tell(service: Pick<TestService, 'operator'>, paymentId: string, event: string, amount?: string) {
  return service.operator('POST', '/operator/v1/sandbox/disputes', { paymentId, event, amount })
}

/** A captured deposit whose bank has opened a dispute; nothing has moved. */
export async function disputed(service: TestService): Promise<Captured & { disputeId: string }> {
  const customer = await captured(service)
  const { items } = (await tell(service, customer.paymentId, 'NOTIFICATION_OF_CHARGEBACK')).body
  return { ...customer, disputeId: items[0].id }
}

/** A customer who has bet a deposit of 20.00 that the bank then charged back. */
export async function debtor(service: TestService): Promise<Captured> {
  const customer = await captured(service)
  expect(await spend(service, customer.id, '20.00')).toBe(true)
  await tell(service, customer.paymentId, 'CHARGEBACK')
  return customer
}

/** The id of a notification that contradicts our books: the refund that it says has failed is not among ours. */
export async function unappliedNotification(service: TestService): Promise<string> {
  const { paymentId } = await captured(service)
  const gatewayReference = `sandbox-nobody-${paymentId}`
  const { body } = await service.operator('POST', '/operator/v1/sandbox/disputes', {
    paymentId,
    event: 'REFUND_FAILED',
    gatewayReference,
  })
  expect(body).toMatchObject({ outcome: 'contradiction', contradiction: 'unknown-refund' })
  const { items } = (await service.operator('GET', '/operator/v1/notifications/unapplied?limit=100')).body
  return items.find(({ reference }: { reference: string }) => reference === paymentId).id
}

export async function disputesOf(service: Pick<TestService, 'operator'>, paymentId: string) {
  return (await service.operator('GET', `/operator/v1/disputes?paymentId=${paymentId}`)).body.items
}
