// Double entry. A *transfer* moves one amount from the account it debits to the account it credits, for one source (a
// deposit, a movement of the sportsbook, …) and one reason (*kind*); each kind happens at most once for a source.
// *psp_uncaptured* is what the gateway holds on cards for us, *psp_captured* what it has taken and owes us, *sportsbook*
// what was staked and not won, *payout_pending* what is on its way to customers, *debt* what a customer owes.
//
// Whoever changes a customer's accounts has locked the customer's row. A transfer that concerns a customer's account is a
// *line* of it, with its number and the balance after it: a page of a statement is a range of lines.

import type { Database } from '../platform/database/database.ts'
import type { AccountKind, Source, TransferKind, TransferRow } from './ledger-store.ts'
import * as sql from './ledger-store.ts'

export type NewTransfer = {
  readonly kind: TransferKind
  readonly source: Source
  readonly customerId: number
  readonly currency: string
  readonly amount: bigint
}

/** A credit of the customer pays their debt first, in the same transaction. */
export async function transfer(tx: Database, transfers: readonly NewTransfer[], now: number): Promise<void> {
  const rows: TransferRow[] = []
  for (const one of transfers) {
    const credited = await move(tx, one, now)
    rows.push(credited.row)
    if (sql.TRANSFERS[one.kind].credit !== 'customer') continue
    const amount = debtPayment(credited)
    if (amount > 0n) rows.push((await move(tx, { ...one, kind: 'debt_payment', amount }, now)).row)
  }
  await tx.run(sql.insertTransfers, { rows: sql.transferList.of(rows) })
}

/** How much of a balance pays the debt; both as after the credit. */
export function debtPayment({ balance, debt }: { balance: bigint; debt: bigint }): bigint {
  return -debt < balance ? -debt : balance
}

type Moved = { row: TransferRow; balance: bigint; debt: bigint }

/** Changes the balances that are stored, and returns the row that says so. */
async function move(tx: Database, one: NewTransfer, now: number): Promise<Moved> {
  const sides = sql.TRANSFERS[one.kind]
  const account = await changeBalance(tx, one, changeOf(sides, 'customer', one.amount), now)
  const row = {
    ...sql.NO_SOURCE,
    ...one.source,
    ...sides,
    kind: one.kind,
    amount: `${one.amount}`,
    currency: one.currency,
    at: account?.moved_at ?? now,
    customer_account_id: account?.id ?? null,
    line: account?.lines ?? null,
    balance_after: account?.balance ?? null,
    debt_account_id: await changeDebt(tx, one, changeOf(sides, 'debt', one.amount)),
  }
  return { row, balance: BigInt(account?.balance ?? '0'), debt: BigInt(account?.debt ?? '0') }
}

function changeOf(sides: { debit: AccountKind; credit: AccountKind }, kind: AccountKind, amount: bigint): bigint {
  return sides.credit === kind ? amount : sides.debit === kind ? -amount : 0n
}

/** The first transfer opens the account. */
async function changeBalance(tx: Database, { customerId, currency }: NewTransfer, change: bigint, now: number) {
  if (change === 0n) return undefined
  const parameters = { customerId, currency, change, now }
  const changed = await tx.one(sql.addToBalance, parameters)
  if (changed !== undefined) return changed
  await tx.run(sql.openAccounts, { customerId, currency })
  return tx.one(sql.addToBalance, parameters)
}

async function changeDebt(tx: Database, { customerId, currency }: NewTransfer, change: bigint): Promise<number | null> {
  if (change === 0n) return null
  const changed = await tx.one(sql.addToDebt, { customerId, currency, change })
  if (changed !== undefined) return changed.id
  await tx.run(sql.openDebt, { customerId, currency })
  return (await tx.one(sql.addToDebt, { customerId, currency, change }))?.id ?? null
}

export type Balances = { balance: bigint; debt: bigint }

/** `debt`: what the customer owes, as a positive amount. */
export async function balancesOf(database: Database, customerId: number, currency: string): Promise<Balances> {
  const accounts = await database.query(sql.customerAccounts, { customerId, currency })
  const balanceOfKind = (kind: 'customer' | 'debt') =>
    BigInt(accounts.find((account) => account.kind === kind)?.balance ?? '0')
  return { balance: balanceOfKind('customer'), debt: -balanceOfKind('debt') }
}

export async function balanceOf(database: Database, customerId: number, currency: string): Promise<bigint> {
  return (await balancesOf(database, customerId, currency)).balance
}
