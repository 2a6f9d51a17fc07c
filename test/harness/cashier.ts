// What a cashier does for a customer and sees of their money: over HTTP, in whole pounds. The sandbox's bank reports what a test says.

import { expect } from 'vitest'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { type BankReport, sandboxNotification } from '../../src/wallets/gateways/sandbox/notifications.ts'
import { applyNotification } from '../../src/wallets/notifications/notifications.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { move, newReference, type TestMovement } from './movements.ts'
import type { Json, OperatorReply, TestService } from './service.ts'
import { addCard, type CardOptions, deposit, HOLDER, paidOrFaultCode } from './wallets.ts'
import { anotherOperator, withdraw } from './withdrawals.ts'

/** `names`: of the cards, by their ids. */
export type Client = { id: number; ticket: string; names: Map<number, string> }

/** In the name of the cards' holder. The ticket outlives any test, however far its clock is moved. */
export async function newClient(service: TestService): Promise<Client> {
  const { id } = await service.customer(HOLDER)
  const issued = await service.context.sessions?.issue(id, 10_000 * DAY_MS)
  return { id, ticket: issued?.ticket as string, names: new Map() }
}

export async function newCard(
  service: TestService,
  { id, names }: Client,
  name: string,
  options: CardOptions = {},
): Promise<number> {
  const card = await addCard(service, { id }, { holder: HOLDER, max: '5000.00', min: '1.00', ...options })
  names.set(card, name)
  return card
}

/** Deposits; it is authorised, and its capture waits for the next sweep. */
export async function payIn(service: TestService, { ticket }: Client, card: number, pounds: number): Promise<string> {
  const reply = await deposit(service, { ticket, method: card, amount: `${pounds}.00` })
  expect(paidOrFaultCode(reply)).toBe('paid')
  return reply.json().whoWallets.paymentId
}

/** A captured deposit. */
export async function payInCaptured(service: TestService, client: Client, card: number, pounds: number) {
  const paymentId = await payIn(service, client, card, pounds)
  await sweepUntilDeposit(service, paymentId, 'CAPTURED')
  return paymentId
}

export async function sweepUntilDeposit(service: TestService, paymentId: string, state: string): Promise<void> {
  const look = async () => {
    await sweep(service.context)
    return (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body.state
  }
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toBe(state)
}

/** As the sportsbook reports it. */
async function applyMovement(
  service: TestService,
  { id }: Client,
  kind: TestMovement['kind'],
  pounds: number,
): Promise<void> {
  const reply = await move(service, { reference: newReference(), customerId: id, kind, amount: `${pounds}.00` })
  expect([reply.status, reply.body]).toEqual([201, expect.anything()])
}

export const win = (service: TestService, client: Client, pounds: number) =>
  applyMovement(service, client, 'winnings', pounds)
export const lose = (service: TestService, client: Client, pounds: number) =>
  applyMovement(service, client, 'stake', pounds)

// ---- What the customer reads.

async function read(service: TestService, { ticket }: Client, path: string): Promise<Json> {
  const reply = await service.call('GET', `/v1/wallets/me/${path}`, { ticket, accept: 'application/json' })
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return reply.json().whoWallets
}

const whole = (amount: string) => {
  expect(amount).toMatch(/^-?\d+\.00$/)
  return Number(amount)
}

/**
 * The options: what is available, which is the balance without what is kept back; what is kept back; and of each card, by its name,
 * `max (returns + freed + winnings)`, `0` for a card that takes nothing, listed or not. Each amount kept back, and each card with nothing while something is available, has a reason in words.
 */
export async function optionsOf(service: TestService, client: Client): Promise<Json> {
  const { available, keptBack, options } = await read(service, client, 'withdrawals/options')
  for (const { reason } of keptBack) expect(reason).toMatch(/\w \w/)
  const cards = Object.fromEntries([...client.names.values()].map((name) => [name, '0']))
  for (const { id, max, returns, freed, winnings, reason } of options as Json[]) {
    const name = client.names.get(Number(id)) ?? `another card, ${id}`
    expect(whole(max)).toBeLessThanOrEqual(whole(available))
    if (whole(max) === 0 && whole(available) > 0) expect(reason).toMatch(/\w \w/)
    if (whole(max) > 0) cards[name] = `${whole(max)} (${whole(returns)} + ${whole(freed)} + ${whole(winnings)})`
  }
  const kept: number = keptBack.reduce((sum: number, { amount }: { amount: string }) => sum + whole(amount), 0)
  const { balance } = await moneyOf(service, client)
  expect(whole(available)).toBe(Math.max(0, balance - kept))
  return { available: whole(available), keptBack: kept, ...cards }
}

/** Why a card gets no more, or that it is checked, as the customer reads it. */
export async function reasonOf(service: TestService, client: Client, card: number): Promise<string | undefined> {
  const { options } = await read(service, client, 'withdrawals/options')
  return options.find(({ id }: { id: string }) => Number(id) === card)?.reason
}

/** The balance is that of the statement. */
export async function moneyOf(
  service: TestService,
  client: Client,
): Promise<{ balance: number; debt: number; pending: number }> {
  const { balance, debt, pending } = await read(service, client, 'balance')
  expect((await read(service, client, 'statement')).statement.closing).toBe(balance)
  return { balance: whole(balance), debt: whole(debt), pending: whole(pending) }
}

/** What is left of the claim of a deposit. */
export async function leftOf(service: TestService, paymentId: string): Promise<number> {
  const { body } = await service.operator('GET', `/operator/v1/deposits/${paymentId}/refunds`)
  return whole(body.left)
}

// ---- Withdrawals.

/** Its id; `status` is checked. */
export async function takeOut(
  service: TestService,
  { ticket }: Client,
  { card, pounds, status = 'approved' }: { card: number; pounds: number; status?: string },
): Promise<string> {
  const reply = await withdraw(service, { ticket, card, amount: `${pounds}.00` })
  const { withdrawal } = reply.json().whoWallets ?? {}
  expect([withdrawal?.status, reply.text]).toEqual([status, expect.any(String)])
  return withdrawal.id
}

/** The code of the refusal. */
export async function refusedWithdrawal(service: TestService, { ticket }: Client, card: number, pounds: number) {
  const reply = await withdraw(service, { ticket, card, amount: `${pounds}.00` })
  return reply.json().whoFaults?.[0]?.faultCode
}

export async function withdrawalOf(service: TestService, id: string): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body
}

/** Each part as `return 50 of A: paid 0, returned 0, WAITING`; `names`: of the deposits, by their payment ids. */
export async function partsOf(
  service: TestService,
  id: string,
  names: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { parts } = await withdrawalOf(service, id)
  return parts.map(({ kind, amount, paymentId, paid, returned, state }: Json) => {
    const of = paymentId === null ? 'winnings' : (names[paymentId] ?? paymentId)
    return `${kind} ${whole(amount)} of ${of}: paid ${whole(paid)}, returned ${whole(returned)}, ${state}`
  })
}

/** Sweeps until the withdrawal has the state. */
export async function sweepUntilWithdrawal(service: TestService, id: string, state: string): Promise<void> {
  const look = async () => {
    await sweep(service.context)
    service.clock.advance(1_000)
    return (await withdrawalOf(service, id)).state
  }
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toBe(state)
}

/** The reference of the only part, or of that of a deposit, as the bank knows it. */
export async function partReference(service: TestService, id: string, paymentId?: string): Promise<string> {
  const { parts } = await withdrawalOf(service, id)
  const part = parts.find((one: Json) => paymentId === undefined || one.paymentId === paymentId)
  return part.reference
}

// ---- Persons.

/** Two persons make the same call; both answers. */
export async function twoPersons(
  service: Pick<TestService, 'operator'>,
  [method, path]: readonly [string, string],
  body?: object,
): Promise<[OperatorReply, OperatorReply]> {
  const one = await service.operator(method, `/operator/v1/${path}`, body, await anotherOperator(service))
  const other = await service.operator(method, `/operator/v1/${path}`, body, await anotherOperator(service))
  return [one, other]
}

/** Two persons approve a withdrawal. */
export async function approve(service: TestService, id: string): Promise<void> {
  const [one, other] = await twoPersons(service, ['POST', `withdrawals/${id}/approval`])
  expect([one.status, one.body.state, other.status, other.body.state]).toEqual([200, 'REQUESTED', 200, 'APPROVED'])
}

// ---- The bank and the books.

type Report = Omit<BankReport, 'amount' | 'currency'> & { pounds: number; currency?: string }

/** The sandbox's bank reports this; another amount of the same event is another notification. */
export async function bankReports(service: TestService, { pounds, ...report }: Report): Promise<void> {
  const whole = { currency: 'GBP', ...report, amount: BigInt(pounds) * 100n }
  await applyNotification(service.context, 'sandbox', sandboxNotification(whole, service.clock.now()))
}

const NONE = {
  customer: 0,
  debt: 0,
  psp_uncaptured: 0,
  psp_captured: 0,
  payout_pending: 0,
  payout_funds: 0,
  outside_funds: 0,
  house_losses: 0,
}

/** The total of each account in pounds, credits less debits; and that nothing is wrong. */
export async function books(service: TestService): Promise<typeof NONE> {
  const { status, body } = await service.operator('GET', '/operator/v1/ledger/check')
  expect([status, body.problems, body.balanced]).toEqual([200, [], true])
  const inPounds: [string, number][] = body.accounts
    .filter(({ currency }: Json) => currency === 'GBP')
    .map(({ kind, total }: Json) => [kind, whole(total)])
  return { ...NONE, ...Object.fromEntries(inPounds) }
}
