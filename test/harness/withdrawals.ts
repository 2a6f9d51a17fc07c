// Withdrawals over HTTP, and customers who have something to withdraw.

import { expect, vi } from 'vitest'
import { hashOf } from '../../src/platform/runtime/secrets.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { move, newReference } from './movements.ts'
import type { Json, Reply, TestService } from './service.ts'
import { addCard, deposit, depositStates, HOLDER, paidOrFaultCode } from './wallets.ts'

export type Player = { id: number; ticket: string; cards: number[] }

type Paid = { token?: string; amount?: string }

/** A new customer with a card in their name and a captured deposit for each of these, oldest first. */
export async function player(service: TestService, ...paid: Paid[]): Promise<Player> {
  const { id, ticket } = await service.customer(HOLDER)
  const cards: number[] = []
  for (const one of paid) {
    const { token = 'sandbox:approve' } = one
    const card = await addCard(service, { id }, { token, max: '5000.00', holder: HOLDER })
    cards.push(card)
    await payIn(service, { id, ticket }, card, one.amount)
  }
  return { id, ticket, cards }
}

/** Deposits, and waits until it is captured. */
export async function payIn(
  service: TestService,
  { id, ticket }: Pick<Player, 'id' | 'ticket'>,
  card: number,
  amount = '20.00',
): Promise<void> {
  expect(paidOrFaultCode(await deposit(service, { ticket, method: card, amount }))).toBe('paid')
  const isCaptured = async () => {
    await sweep(service.context)
    return (await depositStates(service, id)).includes('AUTHORISED')
  }
  // Also before tests, where polling by `expect` is not possible.
  await vi.waitFor(async () => expect(await isCaptured()).toBe(false), { timeout: 60_000, interval: 20 })
}

/** As the sportsbook reports it. */
export async function win(service: TestService, { id }: { id: number }, amount: string): Promise<void> {
  const movement = { reference: newReference(), customerId: id, kind: 'winnings', amount } as const
  expect((await move(service, movement)).status).toBe(201)
}

/** What a statement of the tests reads. */
export async function rows(service: Pick<TestService, 'context'>, text: string): Promise<Json[]> {
  // PostgreSQL takes names of 63 characters.
  const statement = {
    name: `test ${hashOf(text).slice(0, 32)}`,
    sql: text,
    parameterNames: [],
    access: 'reads' as const,
  }
  return service.context.database.query(statement, {}) as Promise<Json[]>
}

type Withdrawal = { ticket: string; card: number | string; amount?: string; key?: string; accept?: string }

export function withdraw(service: Pick<TestService, 'call'>, options: Withdrawal): Promise<Reply> {
  return service.call('POST', '/v1/wallets/me/withdrawals', {
    ticket: options.ticket,
    accept: options.accept ?? 'application/json',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
    },
    body: new URLSearchParams({ amount: options.amount ?? '20.00', id: `${options.card}` }).toString(),
  })
}

/** The id of a withdrawal that was accepted. */
export async function withdrawn(service: Pick<TestService, 'call'>, options: Withdrawal): Promise<string> {
  const reply = await withdraw(service, options)
  expect(statusOrFault(reply)).toMatch(/^[a-z]+$/)
  return reply.json().whoWallets.withdrawal.id
}

/** The status of a withdrawal, or the fault code of the answer. */
export function statusOrFault(reply: Reply): string {
  const answer = reply.json()
  return answer.whoFaults?.[0]?.faultCode ?? answer.whoWallets.withdrawal.status
}

async function read(service: Pick<TestService, 'call'>, ticket: string, path: string): Promise<Json> {
  const reply = await service.call('GET', `/v1/wallets/me/${path}`, { ticket, accept: 'application/json' })
  return reply.status === 204 ? null : reply.json().whoWallets
}

export async function readWithdrawal(service: Pick<TestService, 'call'>, ticket: string, id: string): Promise<Json> {
  return (await read(service, ticket, `withdrawals/${id}`)).withdrawal
}

/** The cards that money may go to, with the most of each. */
export async function optionsOf(
  service: Pick<TestService, 'call'>,
  ticket: string,
): Promise<[card: number, max: string][]> {
  const { options } = await read(service, ticket, 'withdrawals/options')
  return options
    .filter(({ max }: { max: string }) => max !== '0.00')
    .map(({ id, max }: { id: string; max: string }) => [Number(id), max])
}

/** Balance and what is on its way. */
export async function moneyOf(
  service: Pick<TestService, 'call'>,
  ticket: string,
): Promise<[balance: string, pending: string]> {
  const { balance, pending } = await read(service, ticket, 'balance')
  return [balance, pending]
}

/** Sweeps until the withdrawal has the state; the service's own sweeper may run at the same time. */
export async function sweepUntilPaid(service: TestService, id: string, state = 'PAID'): Promise<Json> {
  let seen: Json
  const look = async () => {
    await sweep(service.context)
    seen = (await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body
    return seen.state
  }
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toBe(state)
  return seen
}

let tokens = 0

/** The token of another person. */
export async function anotherOperator(service: Pick<TestService, 'operator'>): Promise<string> {
  const name = `another operator ${process.pid} ${++tokens}`
  return (await service.operator('POST', '/operator/v1/tokens', { name, role: 'admin', owner: name })).body.token
}

/** `token`: of another operator than the tests' own. */
export function decideWithdrawal(
  service: Pick<TestService, 'operator'>,
  id: string,
  [method, what]: readonly [string, string],
  { body, token }: { body?: object; token?: string } = {},
) {
  return service.operator(method, `/operator/v1/withdrawals/${id}/${what}`, body, token)
}

export const APPROVE = ['POST', 'approval'] as const
export const REFUSE = ['POST', 'refusal'] as const
export const HOLD = ['PUT', 'hold'] as const
export const RELEASE = ['DELETE', 'hold'] as const
export const RESOLVE = ['POST', 'resolution'] as const

/** A withdrawal that waits for operators: more than the rule approves. */
export async function waitingWithdrawal(service: TestService): Promise<{ id: string; customer: Player }> {
  const customer = await player(service, { amount: '1500.00' })
  const [card] = customer.cards as [number]
  return { id: await withdrawn(service, { ticket: customer.ticket, card, amount: '1200.00' }), customer }
}

/** A withdrawal whose result did not arrive. */
export async function reviewedWithdrawal(service: TestService): Promise<{ id: string; customer: Player }> {
  const customer = await player(service, { token: 'sandbox:payout-silent' })
  const [card] = customer.cards as [number]
  const id = await withdrawn(service, { ticket: customer.ticket, card })
  await sweep(service.context)
  service.clock.advance(service.context.config.wallets.reviewAfterMs)
  await sweepUntilPaid(service, id, 'REVIEW')
  return { id, customer }
}

/** 5.00 that were won, and that two persons have recorded as paid to a bank account. The id of the withdrawal. */
export async function paidOutside(service: TestService): Promise<string> {
  const { id } = await service.customer()
  await win(service, { id }, '5.00')
  const body = { amount: '5.00', bankReference: `FT-outside-${++tokens}`, note: 'paid by the bank' }
  const record = async () =>
    service.operator('POST', `/operator/v1/customers/${id}/outside-payments`, body, await anotherOperator(service))
  await record()
  return (await record()).body.withdrawal.id
}
