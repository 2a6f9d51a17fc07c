// Cards and deposits over HTTP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import { startSandboxGateway } from '../../src/wallets/gateways/sandbox/server.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import type { Payment } from '../torture/invariants.ts'
import type { Reply, TestService } from './service.ts'

let methods = 5000

/** The name of card holders, and of customers on record. */
export const HOLDER = { firstName: 'Ann', lastName: 'Archer' }

export type CardOptions = {
  id?: number
  token?: string
  /** Masked. */
  number?: string
  min?: string
  max?: string
  expiryDate?: string
  country?: string
  funding?: string
  /** Without it the card takes back what it paid in, and no payouts. */
  holder?: { firstName: string; lastName: string }
}

/** As on cards: the month so many months from now. */
export function newExpiry({ clock }: Pick<TestService, 'clock'>, months: number): string {
  const now = new Date(clock.now())
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
  return `${`${end.getUTCMonth() + 1}`.padStart(2, '0')}/${`${end.getUTCFullYear()}`.slice(2)}`
}

/** Adds a card through the operator API and returns its id. */
export async function addCard(
  service: Pick<TestService, 'operator'>,
  customer: { id: number; ticket?: string },
  options: CardOptions = {},
): Promise<number> {
  const id = options.id ?? ++methods
  const created = await service.operator('PUT', `/operator/v1/customers/${customer.id}/payment-methods/${id}`, {
    type: 'CARD',
    token: options.token ?? 'sandbox:approve',
    limits: { minDeposit: options.min ?? '5.00', maxDeposit: options.max ?? '1000.00' },
    card: {
      number: options.number ?? '411111******1111',
      issueDate: '01/24',
      expiryDate: options.expiryDate ?? '12/49',
      country: options.country ?? 'GB',
      scheme: 'VISA',
      funding: options.funding ?? 'debit',
      ...options.holder,
    },
  })
  expect([200, 201]).toContain(created.status)
  return id
}

/** A customer with one card. */
export async function newDepositor(service: TestService, options: CardOptions = {}) {
  const customer = await service.customer()
  return { ...customer, method: await addCard(service, customer, options) }
}

type DepositOptions = {
  ticket: string
  method?: number | string
  amount?: string
  cv2?: string
  key?: string
  accept?: string
  type?: string
}

export function deposit(service: Pick<TestService, 'call'>, options: DepositOptions): Promise<Reply> {
  const form = new URLSearchParams({
    transactionType: options.type ?? 'deposit',
    amount: options.amount ?? '10.00',
    id: `${options.method ?? ''}`,
    cv2: options.cv2 ?? '123',
  })
  return service.call('POST', '/v1/wallets/me', {
    ticket: options.ticket,
    accept: options.accept ?? 'application/json',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
    },
    body: form.toString(),
  })
}

/** The fault code of an answer, or 'paid'. */
export function paidOrFaultCode(reply: Reply): string {
  const answer = reply.json()
  return answer.whoFaults?.[0]?.faultCode ?? (answer.whoWallets?.paymentId === undefined ? '?' : 'paid')
}

export async function ledgerProblems(service: Pick<TestService, 'operator'>): Promise<string[]> {
  const reply = await service.operator('GET', '/operator/v1/ledger/check')
  expect(reply.status).toBe(200)
  return reply.body.problems
}

/**
 * Deposits of a customer, one a minute until now, written without the service: their ledger is not right. `values` are the
 * columns amount, currency, state, fault, review and review_at, in which `i` counts from 1, the oldest.
 */
export async function insertDeposits(
  service: Pick<TestService, 'context'>,
  { id, method }: { id: number; method: number },
  count: number,
  values: string,
): Promise<void> {
  const { database, now } = service.context
  await database.script(`insert into deposit (id, customer_id, api_key, payment_method_id, gateway, day, lease_until,
      created_at, decided_at, amount, currency, state, fault, review, review_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    select 'inserted-' || ${method} || '-' || i, ${id}, 'k', ${method}, 'sandbox', 1, 1,
      ${now()} - (${count} - i) * 60000, 1, ${values} from n`)
}

/** The states of a customer's deposits, oldest first. */
export async function depositStates(service: TestService, customerId: number): Promise<string[]> {
  const reply = await service.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)
  return reply.body.items.map((one: { state: string }) => one.state).reverse()
}

/** Sweeps until the customer's deposits have these states; the service's own sweeper may run at the same time. */
export async function sweepUntil(service: TestService, customerId: number, states: string[]): Promise<void> {
  const look = async () => {
    await sweep(service.context)
    return depositStates(service, customerId)
  }
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toEqual(states)
}

/** The sandbox gateway as a server of its own (SANDBOX_GATEWAY_URL), with the payments it has taken. */
export type Bank = { url: string; payments(): Promise<Payment[]>; close(): Promise<void> }

export async function startBank(): Promise<Bank> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bank-'))
  const { url, close } = await startSandboxGateway(join(folder, 'bank.db'), '127.0.0.1', 0)
  return {
    url,
    payments: async () => (await fetch(`${url}/payments`)).json() as Promise<Payment[]>,
    async close() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Work that is done between the gateway's decision on the next deposit and its answer, as if the gateway were slow. */
export type SlowGateway = { meanwhile(work: () => Promise<unknown>): void; observe(port: Gateway): Gateway }

export function slowGateway(): SlowGateway {
  let waiting: (() => Promise<unknown>) | undefined
  return {
    meanwhile(work) {
      waiting = work
    },
    observe: (port) => ({
      ...port,
      async authorise(request, cv2) {
        const decision = await port.authorise(request, cv2)
        const work = waiting
        waiting = undefined
        await work?.()
        return decision
      },
    }),
  }
}
