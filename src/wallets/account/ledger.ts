// Double entry. A *transfer* moves one amount from the account it debits to the account it credits, for one cause (a source,
// such as a deposit, and a step of it) and one reason (*kind*); each kind happens at most once for a cause.
// *psp_uncaptured* is what the gateway holds on cards for us, *psp_captured* what it has taken and owes us, *sportsbook*
// what was staked and not won, *payout_pending* what is on its way to customers, *payout_funds* what payouts are paid from,
// *outside_funds* the bank account of payments outside, *house_losses* what nobody else pays, *debt* what a customer owes.
//
// Whoever changes a customer's accounts has locked the customer's row. A transfer that concerns a customer's account is a
// *line* of it, with its number and the balance after it: a page of a statement is a range of lines.

import type { Database } from '../../platform/database/database.ts'
import { changed } from '../machine.ts'
import { dropProposal } from '../proposals.ts'
import type { AccountKind, Source, TransferKind, TransferRow } from './ledger-store.ts'
import * as sql from './ledger-store.ts'

export type NewTransfer = {
  readonly kind: TransferKind
  readonly source: Source
  readonly customerId: number
  readonly currency: string
  readonly amount: bigint
}

/**
 * All credits have one cause. They first repay the house what it has written off, as far as they bring that money back, then the debt, in
 * the same transaction. Where the customer is erased, the house takes what is left and pays what the customer would owe.
 */
export async function transfer(tx: Database, transfers: readonly NewTransfer[], now: number): Promise<void> {
  const rows: TransferRow[] = []
  let credited = 0n
  let last: { readonly one: NewTransfer; readonly moved: Moved } | undefined
  const follow = async (one: NewTransfer, kind: TransferKind, amount: bigint) => {
    if (amount > 0n) rows.push((await move(tx, { ...one, kind, amount }, now)).row)
  }
  for (const one of transfers) {
    const moved = await move(tx, one, now)
    rows.push(moved.row)
    const { debit, credit } = sql.TRANSFERS[one.kind]
    if (credit === 'customer') {
      credited += one.amount
      last = { one, moved }
    }
    if (debit === 'debt' && moved.isErased) await follow(one, 'erased_debt', one.amount)
  }
  // Once, after all credits: each kind of transfer happens once for a cause.
  if (last !== undefined) {
    const { one, moved } = last
    const repaid = moved.hasOwed ? await writtenOff(tx, one, credited) : 0n
    await follow(one, 'written_off_repaid', repaid)
    const paid = debtPayment({ balance: moved.balance - repaid, debt: moved.debt })
    await follow(one, 'debt_payment', paid)
    if (moved.isErased) await follow(one, 'erased_credit', credited - repaid - paid)
  }
  await tx.run(sql.insertTransfers, { rows: sql.transferList.of(rows) })
}

/** Credits of money that came back from where it had gone. */
const COMES_BACK: readonly TransferKind[] = [
  'chargeback_reversed',
  'refund_failed',
  'part_back',
  'return_back',
  'payout_back',
  'outside_back',
]

/**
 * What comes back of a deposit that led to a debt goes to the house first, as far as it has written off debts of the customer: they were
 * forgiven what they owed, not given what the bank returns.
 */
async function writtenOff(
  tx: Database,
  { kind, source, customerId, currency }: NewTransfer,
  credited: bigint,
): Promise<bigint> {
  if (!COMES_BACK.includes(kind)) return 0n
  const found = (await tx.one(sql.writtenOffFor, {
    customerId,
    currency,
    depositId: source.deposit_id ?? null,
    refundId: source.refund_id ?? null,
    disputeEventId: source.dispute_event_id ?? null,
    partId: source.part_id ?? null,
  })) as sql.WrittenOff
  const most = [BigInt(found.written_off), BigInt(found.owed)].reduce(
    (least, one) => (one < least ? one : least),
    credited,
  )
  return most > 0n ? most : 0n
}

/** Writes transfers of money that is only passed on: a credit among them pays no debt. */
export async function transferUnowed(tx: Database, transfers: readonly NewTransfer[], now: number): Promise<void> {
  const rows: TransferRow[] = []
  for (const one of transfers) rows.push((await move(tx, one, now)).row)
  await tx.run(sql.insertTransfers, { rows: sql.transferList.of(rows) })
}

/** How much of a balance pays the debt; both as after the credit. */
export function debtPayment({ balance, debt }: { balance: bigint; debt: bigint }): bigint {
  return -debt < balance ? -debt : balance
}

/** `hasOwed`: the customer has owed something before, or does. */
type Moved = { row: TransferRow; balance: bigint; debt: bigint; hasOwed: boolean; isErased: boolean }

/** Changes the stored balances, and returns the row of the transfer. */
async function move(tx: Database, one: NewTransfer, now: number): Promise<Moved> {
  const sides = sql.TRANSFERS[one.kind]
  const account = await changeBalance(tx, one, changeOf(sides, 'customer', one.amount), now)
  const owed = await changeDebt(tx, one, changeOf(sides, 'debt', one.amount))
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
    debt_account_id: owed?.id ?? null,
  }
  const isErased = (account ?? owed)?.erased === 1
  const debt = account?.debt ?? null
  return { row, balance: BigInt(account?.balance ?? '0'), debt: BigInt(debt ?? '0'), hasOwed: debt !== null, isErased }
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
  return mustFind(await tx.one(sql.addToBalance, parameters), customerId)
}

async function changeDebt(tx: Database, { customerId, currency }: NewTransfer, change: bigint) {
  if (change === 0n) return undefined
  // A proposal to write off the debt concerned what was owed before.
  await dropProposal(tx, `debt-write-off ${customerId}`)
  const changed = await tx.one(sql.addToDebt, { customerId, currency, change })
  if (changed !== undefined) return changed
  await tx.run(sql.openDebt, { customerId, currency })
  return mustFind(await tx.one(sql.addToDebt, { customerId, currency, change }), customerId)
}

const mustFind = <Row>(row: Row | undefined, customerId: number) =>
  changed(row, `the account of customer ${customerId}`)

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

export type DebitKinds = { readonly balance: TransferKind; readonly debt: TransferKind }

/** Debits money that has already left: first the balance, the remainder becomes debt. The customer's row is locked. */
export async function debit(
  tx: Database,
  terms: Omit<NewTransfer, 'kind'>,
  kinds: DebitKinds,
  now: number,
): Promise<void> {
  const balance = await balanceOf(tx, terms.customerId, terms.currency)
  const paid = balance < terms.amount ? balance : terms.amount
  const transfers: NewTransfer[] = []
  if (paid > 0n) transfers.push({ ...terms, kind: kinds.balance, amount: paid })
  if (paid < terms.amount) transfers.push({ ...terms, kind: kinds.debt, amount: terms.amount - paid })
  if (transfers.length > 0) await transfer(tx, transfers, now)
}
