// The check of the whole ledger: that every source has its transfers, every transfer the accounts of its kind, every line
// the balance that the one before it leads to, and every account the balance of its last line.

import { setImmediate } from 'node:timers/promises'
import type { Database, Statement } from '../../platform/database/database.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { type AccountKind, TRANSFERS } from '../account/ledger-store.ts'
import { bookedOf } from '../deposits/booked.ts'
import type {
  CheckedAccountRow,
  CheckedDepositRow,
  CheckedMovementRow,
  CheckedReturnRow,
  CheckedTransferRow,
  CheckedWithdrawalRow,
} from './ledger-check-store.ts'
import * as sql from './ledger-check-store.ts'

export type LedgerCheck = {
  balanced: boolean
  deposits: number
  accounts: { kind: string; currency: string; total: string }[]
  problems: string[]
}

const MAX_PROBLEMS = 1000

/** Reads the whole ledger in pages, each a consistent read. `pause` is awaited between pages, so that requests run. */
export async function checkLedger(
  database: Database,
  pause: () => Promise<unknown> = setImmediate,
): Promise<LedgerCheck> {
  const problems: string[] = []
  const report = (problem: string | null) => {
    if (problem !== null && problems.length < MAX_PROBLEMS) problems.push(problem)
  }
  let deposits = 0
  for await (const row of rowsInPages(database, sql.checkedDeposits, ({ number }) => number, pause)) {
    deposits++
    report(depositProblem(row))
  }
  for await (const row of rowsInPages(database, sql.checkedMovements, ({ id }) => id, pause))
    report(movementProblem(row))
  for await (const row of rowsInPages(database, sql.checkedRefunds, ({ id }) => id, pause))
    report(returnProblem(`refund ${row.id}`, row))
  for await (const row of rowsInPages(database, sql.checkedDisputes, ({ id }) => id, pause))
    report(returnProblem(`dispute ${row.id}`, row))
  for await (const row of rowsInPages(database, sql.checkedWithdrawals, ({ id }) => id, pause))
    report(withdrawalProblem(row))
  for await (const row of rowsInPages(database, sql.checkedAccounts, ({ id }) => id, pause)) report(accountProblem(row))
  const totals = new Map<string, bigint>()
  const add = (kind: AccountKind, currency: string, amount: bigint) =>
    totals.set(`${kind} ${currency}`, (totals.get(`${kind} ${currency}`) ?? 0n) + amount)
  for await (const row of rowsInPages(database, sql.checkedTransfers, ({ id }) => id, pause)) {
    report(transferProblem(row))
    add(row.debit, row.currency, -BigInt(row.amount))
    add(row.credit, row.currency, BigInt(row.amount))
  }
  const accounts = [...totals].sort().map(([name, total]) => {
    const [kind = '', currency = ''] = name.split(' ')
    return { kind, currency, total: formatMoney(total) }
  })
  return { balanced: problems.length === 0, deposits, accounts, problems }
}

async function* rowsInPages<Row>(
  database: Database,
  page: Statement<{ after: number }, Row>,
  positionOf: (row: Row) => number,
  pause: () => Promise<unknown>,
): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await database.query(page, { after })
    yield* rows
    if (rows.length < sql.CHECK_PAGE) return
    after = positionOf(rows.at(-1) as Row)
    await pause()
  }
}

function depositProblem(row: CheckedDepositRow): string | null {
  const { credited, captured } = bookedOf(row)
  const [credits, captures] = [BigInt(row.credits), BigInt(row.captures)]
  if (Number(row.wrong) > 0) return `deposit ${row.id}: a transfer is not of its currency or customer`
  if (credits !== credited)
    return `deposit ${row.id} is ${row.state} with ${formatMoney(credits)} credited, not ${formatMoney(credited)}`
  if (captures === captured) return null
  return `deposit ${row.id} is ${row.state} with ${formatMoney(captures)} captured, not ${formatMoney(captured)}`
}

function movementProblem({ reference, transfers, wrong }: CheckedMovementRow): string | null {
  if (Number(wrong) > 0) return `movement ${reference}: a transfer is not of its kind, amount, currency or customer`
  return Number(transfers) === 1 ? null : `movement ${reference} has ${transfers} transfers, not 1`
}

/** The sums of its parts must be those of the ledger. */
function withdrawalProblem(row: CheckedWithdrawalRow): string | null {
  const compared = [
    ['debited', row.debits, row.amount],
    ...(row.parts_due === 1 ? [] : [['in parts', row.parts, row.amount]]),
    ...(row.parts_due === 1 ? [] : [['paid', row.payouts, row.paid]]),
    ...(row.parts_due === 1 ? [] : [['credited again', row.credits, row.returned]]),
  ] as const
  const wrong = compared.find(([, moved, due]) => BigInt(moved) !== BigInt(due))
  if (wrong === undefined) return null
  const [what, moved, due] = wrong
  return `withdrawal ${row.id} has ${formatMoney(BigInt(moved))} ${what}, not ${formatMoney(BigInt(due))}`
}

/** The problem of a refund or a dispute. */
function returnProblem(name: string, { debited, moved, unbooked, wrong }: CheckedReturnRow): string | null {
  if (Number(wrong) > 0) return `${name}: a transfer is not of its currency or customer`
  if (BigInt(debited) !== BigInt(moved))
    return `${name} has debited ${formatMoney(BigInt(debited))}, but its transfers add up to ${formatMoney(BigInt(moved))}`
  return Number(unbooked) === 1 ? `${name} has debited ${formatMoney(BigInt(debited))}, which its state forbids` : null
}

function accountProblem({ id, kind, balance, moved, spendable }: CheckedAccountRow): string | null {
  if (BigInt(balance) !== BigInt(moved))
    return `account ${id} has the balance ${formatMoney(BigInt(balance))}, but its transfers add up to ${formatMoney(BigInt(moved))}`
  if (kind === 'debt' && BigInt(balance) < 0n && BigInt(spendable ?? '0') > 0n)
    return `account ${id}: the customer owes ${formatMoney(-BigInt(balance))} and has the balance ${formatMoney(BigInt(spendable ?? '0'))}`
  return null
}

function transferProblem(row: CheckedTransferRow): string | null {
  const expected: { debit: AccountKind; credit: AccountKind } | undefined = (
    TRANSFERS as { [kind: string]: { debit: AccountKind; credit: AccountKind } }
  )[row.kind]
  const { id, kind, debit, credit } = row
  if (expected?.debit !== debit || expected.credit !== credit || Number(row.owners) > 1)
    return `transfer ${id}: a ${kind} cannot debit an account of kind ${debit} and credit one of kind ${credit}`
  if (row.debt_account_id !== accountOfKind('debt', row)) return `transfer ${id} does not name the debt that it changes`
  return lineProblem(row)
}

function accountOfKind(kind: AccountKind, row: CheckedTransferRow): number | null {
  return row.debit === kind ? row.debit_account_id : row.credit === kind ? row.credit_account_id : null
}

function lineProblem(row: CheckedTransferRow): string | null {
  const account = accountOfKind('customer', row)
  if (row.customer_account_id !== account) return `transfer ${row.id} is not a line of the customer's account`
  if (account === null) return null
  const line = `line ${row.line} of account ${account}`
  if (Number(row.line) > Number(row.lines)) return `${line} is beyond its ${row.lines} lines`
  if ((row.line === 1) !== (row.balance_before === null)) return `${line} does not follow the line before it`
  const change = row.credit === 'customer' ? BigInt(row.amount) : -BigInt(row.amount)
  const due = BigInt(row.balance_before ?? '0') + change
  if (BigInt(row.balance_after ?? '0') === due) return null
  return `${line} has the balance ${formatMoney(BigInt(row.balance_after ?? '0'))}, not ${formatMoney(due)}`
}
