// The books: balances against all that the bank, the sportsbook and the operators did, and checks while the service is killed.

import { randomInt } from 'node:crypto'
import type { Ask, Json, WalletCalls } from './calls.ts'
import type { ListedDispute } from './disputes.ts'
import type { Deposit } from './invariants.ts'
import { changeOf, type Movement } from './movements.ts'
import { sleep } from './processes.ts'
import type { Refund } from './refunds.ts'
import { type Line, type Lines, readStatement, readStatementOf, statementViolations, units } from './statements.ts'
import type { Part, Withdrawal } from './withdrawal-decisions.ts'

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

/** Without a session that of the statement: nobody disputes the deposits of those who exclude themselves, who owe nothing. */
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
  readonly movements: ReadonlyMap<string, Movement>
  /** What disputes and refunds have cost each customer, and what was written off. */
  readonly disputed: ReadonlyMap<number, bigint>
  readonly refunded: ReadonlyMap<number, bigint>
  readonly writtenOff: ReadonlyMap<number, bigint>
  readonly lines: Lines
  /** Amounts that were written off, or are proposed: the answer was lost. */
  readonly inDoubt: ReadonlyMap<number, readonly bigint[]>
  readonly withdrawals: readonly Withdrawal[]
}

/** What a customer has and owes is what the bank took, less what went back and out, and what the sportsbook moved. */
export function balanceViolations(evidence: Evidence): string[] {
  const { balances, deposits, movements, disputed, refunded, writtenOff, inDoubt, withdrawals, lines } = evidence
  const worth = new Map<number, bigint>()
  const add = (customerId: number | string, amount: bigint) =>
    worth.set(Number(customerId), (worth.get(Number(customerId)) ?? 0n) + amount)
  for (const { customerId, amount, state } of deposits) if (state === 'CAPTURED') add(customerId, units(amount))
  for (const movement of movements.values()) add(movement.customerId, changeOf(movement))
  for (const [customerId, amount] of [...disputed, ...refunded]) add(customerId, -amount)
  for (const [customerId, amount] of writtenOff) add(customerId, amount)
  for (const { customerId, paid } of withdrawals) add(customerId, -units(paid))
  const repaid = repaidBy(lines)
  for (const [customerId, amount] of repaid) add(customerId, -amount)
  return [...balances].flatMap(([customerId, { balance, debt, pending, closing }]) => {
    const due = worth.get(customerId) ?? 0n
    const name = `customer ${customerId}`
    const sums = sumsWith(due, inDoubt.get(customerId) ?? [])
    const most = [writtenOff.get(customerId) ?? 0n, ...(inDoubt.get(customerId) ?? [])].reduce((sum, one) => sum + one)
    return [
      ...((repaid.get(customerId) ?? 0n) <= most ? [] : [`${name}: the house got more back than it has written off`]),
      ...(sums.has(balance - debt) ? [] : [`${name}: has ${balance} and owes ${debt}; all that happened makes ${due}`]),
      ...(balance >= 0n && debt >= 0n && (balance === 0n || debt === 0n)
        ? []
        : [`${name}: has ${balance} and owes ${debt}`]),
      ...(pending === 0n ? [] : [`${name}: ${pending} is on its way, though every withdrawal has ended`]),
      ...(closing === balance ? [] : [`${name}: the statement ends with ${closing}, the balance is ${balance}`]),
    ]
  })
}

/** What came back of what the house had written off, by customer. */
function repaidBy(lines: Lines): Map<number, bigint> {
  const repaid = new Map<number, bigint>()
  for (const [customerId, own] of lines) {
    for (const { type, amount } of own) {
      if (type === 'written-off-repaid') repaid.set(customerId, (repaid.get(customerId) ?? 0n) - amount)
    }
  }
  return repaid
}

/** With and without each of those that are in doubt. */
function sumsWith(sum: bigint, inDoubt: readonly bigint[]): Set<bigint> {
  const sums = new Set([sum])
  for (const amount of inDoubt) for (const one of [...sums]) sums.add(one + amount)
  return sums
}

type Totals = {
  /** Of the ledger's check. */
  readonly accounts: readonly { readonly kind: string; readonly total: string }[]
  readonly deposits: readonly Deposit[]
  readonly refunds: readonly Refund[]
  readonly withdrawals: readonly Withdrawal[]
  readonly disputes: readonly ListedDispute[]
}

/** Each account that belongs to nobody is what its own list adds up to: the gateway's, the balance account's, the bank account's. */
export function totalViolations({ accounts, deposits, refunds, withdrawals, disputes }: Totals): string[] {
  const parts = withdrawals.flatMap((one) => one.parts)
  const paid = (kind: Part['kind']) =>
    parts.filter((part) => part.kind === kind).reduce((sum, part) => sum + units(part.paid), 0n)
  const captured = deposits.filter(({ state }) => state === 'CAPTURED')
  const isCaptured = new Set(captured.map(({ paymentId }) => paymentId))
  const refunded = refunds
    .filter(({ origin, paymentId }) => origin === 'operator' || (origin === 'gateway' && isCaptured.has(paymentId)))
    .reduce((sum, one) => sum + units(one.paid), 0n)
  const charged = disputes.reduce((sum, { debited, house }) => sum + units(debited) + units(house), 0n)
  const taken = captured.reduce((sum, { amount }) => sum + units(amount), 0n)
  const due: Readonly<Record<string, bigint>> = {
    psp_uncaptured: 0n,
    psp_captured: refunded + charged + paid('return') - taken,
    payout_pending: 0n,
    payout_funds: paid('payout'),
    outside_funds: paid('outside'),
  }
  return Object.entries(due).flatMap(([kind, sum]) => {
    const total = units(accounts.find((one) => one.kind === kind)?.total ?? '0.00')
    return total === sum ? [] : [`ledger: ${kind} is ${total}, its list adds up to ${sum}`]
  })
}
