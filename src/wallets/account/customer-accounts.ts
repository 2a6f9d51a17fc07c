// The accounts of many customers in memory, for a batch that has locked the customers' rows: read by one statement, changed
// line by line, written by one statement.

import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import type { RowOf } from '../../platform/database/table-store.ts'
import { NO_SOURCE, openAccounts, TRANSFERS, type TransferKind, type TransferRow } from './ledger-store.ts'
import type { AccountRow } from './movement-store.ts'
import * as sql from './movement-store.ts'

export type CustomerAccounts = {
  /** As read. */
  readonly stored: AccountRow
  readonly storedDebt: AccountRow | undefined
  balance: bigint
  /** Not positive. */
  debt: bigint
  lines: number
  movedAt: number
}

type Customer = { readonly id: number; readonly currency: string }

/** Reads the accounts of customers in their own currency, by customer. `open`: whose account is opened where there is none. */
export async function readAccounts(
  tx: Database,
  customers: readonly Customer[],
  open: ReadonlySet<number>,
): Promise<Map<number, CustomerAccounts>> {
  const currencies = new Map(customers.map(({ id, currency }) => [id, currency]))
  const found = byCustomer(await rowsOf(tx, customers), currencies)
  const missing = customers.filter(({ id }) => open.has(id) && !found.has(id))
  if (missing.length === 0) return found
  // Once in the life of a customer.
  for (const { id, currency } of missing) await tx.run(openAccounts, { customerId: id, currency })
  return byCustomer(await rowsOf(tx, customers), currencies)
}

function rowsOf(tx: Database, customers: readonly Customer[]): Promise<AccountRow[]> {
  return tx.query(sql.accountsOfCustomers, { ids: idListOf(customers.map(({ id }) => id)) })
}

function byCustomer(
  rows: readonly AccountRow[],
  currencies: ReadonlyMap<number, string>,
): Map<number, CustomerAccounts> {
  const own = rows.filter(({ customer_id, currency }) => currencies.get(customer_id as number) === currency)
  const debts = new Map(own.filter(({ kind }) => kind === 'debt').map((row) => [row.customer_id, row]))
  const accounts = own.filter(({ kind }) => kind === 'customer')
  return new Map(accounts.map((row) => [row.customer_id as number, inMemory(row, debts.get(row.customer_id))]))
}

function inMemory(stored: AccountRow, storedDebt: AccountRow | undefined): CustomerAccounts {
  const [balance, debt] = [BigInt(stored.balance ?? '0'), BigInt(storedDebt?.balance ?? '0')]
  return { stored, storedDebt, balance, debt, lines: stored.lines, movedAt: stored.moved_at }
}

/** The rows to be written; none, if no line was added. */
export function changedRows(accounts: CustomerAccounts): RowOf<typeof sql.balanceList>[] {
  const { stored, storedDebt, balance, debt, lines, movedAt } = accounts
  if (lines === stored.lines) return []
  const own = { id: stored.id, balance: `${balance}`, lines, moved_at: movedAt }
  if (storedDebt === undefined) return [own]
  return [own, { id: storedDebt.id, balance: `${debt}`, lines: storedDebt.lines, moved_at: storedDebt.moved_at }]
}

/** Adds a transfer to the account, as `transfer` of ledger.ts does for one. Its source is set by the caller. */
export function newLine(
  accounts: CustomerAccounts,
  { kind, amount, currency }: { kind: TransferKind; amount: bigint; currency: string },
  now: number,
): TransferRow {
  const sides = TRANSFERS[kind]
  accounts.balance += sides.credit === 'customer' ? amount : -amount
  accounts.lines++
  accounts.movedAt = Math.max(accounts.movedAt, now)
  const paysDebt = sides.credit === 'debt'
  if (paysDebt) accounts.debt += amount
  return {
    ...NO_SOURCE,
    ...sides,
    kind,
    amount: `${amount}`,
    currency,
    at: accounts.movedAt,
    customer_account_id: accounts.stored.id,
    line: accounts.lines,
    balance_after: `${accounts.balance}`,
    debt_account_id: paysDebt ? (accounts.storedDebt?.id ?? null) : null,
  }
}
