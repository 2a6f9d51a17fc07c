// The books: balances against all that the bank, the sportsbook and the operators did, and checks while the service is killed.

import { randomInt } from 'node:crypto'
import type { Ask, Json, WalletCalls } from './calls.ts'
import { disputeCost, type Told } from './disputes.ts'
import type { Deposit, Payment } from './invariants.ts'
import { changeOf, type Movement } from './movements.ts'
import { sleep } from './processes.ts'
import { type Line, type Lines, readStatement, readStatementOf, statementViolations, units } from './statements.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'
import type { Payout } from './withdrawal-violations.ts'

const CHECK_EVERY_MS = 2_000

export type Bookkeeper = ReturnType<typeof bookkeeper>

/** While everything happens: the ledger, and the statement of a customer. Each violation once. */
export function bookkeeper(ask: Ask, call: WalletCalls, tickets: readonly string[]) {
  const violations = new Set<string>()
  const counted = { checks: 0 }

  /** Printed at once: at the end it may have ended. */
  function add(violation: string): void {
    if (!violations.has(violation)) console.log(violation)
    violations.add(violation)
  }

  async function check(): Promise<void> {
    const { body } = await ask('GET', '/ledger/check')
    for (const problem of body.problems) add(`ledger: ${problem}`)
    const index = randomInt(tickets.length)
    const statement = await readStatement(call, tickets[index] as string)
    if (statement !== undefined) for (const one of statementViolations(index + 1, statement)) add(one)
    counted.checks++
  }

  return {
    violations,
    counted,
    check,
    async checkUntil(isStopping: () => boolean): Promise<void> {
      while (!isStopping()) {
        await check()
        await sleep(CHECK_EVERY_MS)
      }
    },
  }
}

type Accounts = { readonly ask: Ask; readonly call: WalletCalls; readonly tickets: readonly string[] }

/** Of all customers; of those without a session as operators read them. */
export async function readAccounts({ ask, call, tickets }: Accounts) {
  const lines = new Map<number, readonly Line[]>()
  const balances = new Map<number, Balance>()
  const violations: string[] = []
  for (const [index, ticket] of tickets.entries()) {
    const id = index + 1
    const statement = (await readStatement(call, ticket)) ?? (await readStatementOf(ask, id))
    lines.set(id, statement.lines)
    violations.push(...statementViolations(id, statement))
    balances.set(id, await readBalance(call, ticket, statement.closing))
  }
  return { lines: lines as Lines, balances, violations }
}

/** Without a session that of the statement: nobody disputes the deposits of those who exclude themselves. */
async function readBalance(call: WalletCalls, ticket: string, closing: bigint): Promise<Balance> {
  const answer = await call({ method: 'GET', path: '/balance', ticket })
  if ('fault' in answer) return { balance: closing, debt: 0n, pending: 0n, closing }
  const { balance, debt, pending } = answer.wallets as Json
  return { balance: units(balance), debt: units(debt), pending: units(pending), closing }
}

/** In hundredths. `closing`: of the statement. */
type Balance = { balance: bigint; debt: bigint; pending: bigint; closing: bigint }

type Evidence = {
  readonly balances: ReadonlyMap<number, Balance>
  readonly deposits: readonly Deposit[]
  readonly payments: ReadonlyMap<string, Payment>
  readonly movements: ReadonlyMap<string, Movement>
  readonly told: ReadonlyMap<string, Told>
  /** What refunds have cost each customer. */
  readonly refunded: ReadonlyMap<number, bigint>
  readonly withdrawals: readonly Withdrawal[]
  readonly payouts: readonly Payout[]
}

/** What a customer has and owes is what the bank took, less what it returned and paid out, and what the sportsbook moved. */
export function balanceViolations(evidence: Evidence): string[] {
  const { balances, deposits, payments, movements, told, refunded, withdrawals, payouts } = evidence
  const worth = new Map<number, bigint>()
  const add = (customerId: number | string, amount: bigint) =>
    worth.set(Number(customerId), (worth.get(Number(customerId)) ?? 0n) + amount)
  for (const { paymentId, customerId } of deposits) {
    const payment = payments.get(paymentId)
    if (payment?.state === 'captured') add(customerId, BigInt(payment.amount))
  }
  for (const movement of movements.values()) add(movement.customerId, changeOf(movement))
  for (const [paymentId, one] of told) add(one.customerId, -disputeCost(one, payments.get(paymentId)))
  for (const [customerId, amount] of refunded) add(customerId, -amount)
  const paid = new Set(payouts.filter(({ state }) => state === 'paid').map(({ reference }) => reference))
  for (const { customerId, reference, amount } of withdrawals) if (paid.has(reference)) add(customerId, -units(amount))
  return [...balances].flatMap(([customerId, { balance, debt, pending, closing }]) => {
    const due = worth.get(customerId) ?? 0n
    const name = `customer ${customerId}`
    return [
      ...(balance - debt === due ? [] : [`${name}: has ${balance} and owes ${debt}; all that happened makes ${due}`]),
      ...(balance >= 0n && debt >= 0n && (balance === 0n || debt === 0n)
        ? []
        : [`${name}: has ${balance} and owes ${debt}`]),
      ...(pending === 0n ? [] : [`${name}: ${pending} is on its way, though every withdrawal has ended`]),
      ...(closing === balance ? [] : [`${name}: the statement ends with ${closing}, the balance is ${balance}`]),
    ]
  })
}
