// Double entry. A *transfer* moves one amount from the account it debits to the account it credits, for one deposit
// and one reason (*kind*); each kind happens at most once for a deposit. *psp_uncaptured* is what the gateway holds
// on cards for us, *psp_captured* what it has taken and owes us.

import { setImmediate } from 'node:timers/promises'
import type { Database, Statement } from '../platform/database/database.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import type { ReviewReason } from './deposit-reasons.ts'
import {
  addToBalance,
  customerAccount,
  insertTransfers,
  openAccounts,
  TRANSFERS,
  type TransferKind,
} from './ledger-store.ts'
import {
  CHECK_PAGE,
  type CheckedAccountRow,
  type CheckedDepositRow,
  checkedAccounts,
  checkedDeposits,
  type SystemAccountRow,
  systemAccounts,
  transfersAfter,
} from './reports-store.ts'
import { type DepositState, depositIds } from './store.ts'

/** For deposits that have no transfer of this kind yet; their accounts are opened by the first transfer. */
export async function transfer(tx: Database, kind: TransferKind, ids: readonly string[], now: number): Promise<void> {
  const inserted = await tx.query(insertTransfers[kind], { ...depositIds(ids), now })
  if (inserted.length < ids.length) {
    const left = ids.filter((id) => !inserted.some(({ deposit_id }) => deposit_id === id))
    for (const depositId of left) await tx.run(openAccounts, { depositId })
    inserted.push(...(await tx.query(insertTransfers[kind], { ...depositIds(left), now })))
  }
  if (inserted.length !== ids.length) throw new Error(`a ${kind} could not be written for each of ${ids.join(', ')}`)
  const { debit, credit } = TRANSFERS[kind]
  for (const { debit_account_id, credit_account_id, amount } of inserted) {
    if (credit === 'customer') await tx.run(addToBalance, { accountId: credit_account_id, change: BigInt(amount) })
    if (debit === 'customer') await tx.run(addToBalance, { accountId: debit_account_id, change: -BigInt(amount) })
  }
}

export async function balanceOf(database: Database, customerId: number, currency: string): Promise<bigint> {
  const account = await database.one(customerAccount, { customerId, currency })
  return account === undefined ? 0n : BigInt(account.balance)
}

// ---- The check

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
  for await (const row of rowsInPages(database, checkedDeposits, ({ number }) => number, pause)) {
    deposits++
    report(depositProblem(row))
  }
  const totals = new Map<string, bigint>()
  const add = ({ kind, currency }: SystemAccountRow, amount: bigint) =>
    totals.set(`${kind} ${currency}`, (totals.get(`${kind} ${currency}`) ?? 0n) + amount)
  for await (const row of rowsInPages(database, checkedAccounts, ({ id }) => id, pause)) {
    add({ id: row.id, kind: 'customer', currency: row.currency }, BigInt(row.moved))
    report(accountProblem(row))
  }
  // Nearly every transfer concerns these few accounts, so they are summed page by page and not by one statement.
  const system = new Map((await database.query(systemAccounts, {})).map((account) => [account.id, account]))
  for (const account of system.values()) add(account, 0n)
  for await (const row of rowsInPages(database, transfersAfter, ({ id }) => id, pause)) {
    const [debited, credited] = [system.get(row.debit_account_id), system.get(row.credit_account_id)]
    if (debited !== undefined) add(debited, -BigInt(row.amount))
    if (credited !== undefined) add(credited, BigInt(row.amount))
  }
  const accounts = [...totals].map(([name, total]) => {
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
    if (rows.length < CHECK_PAGE) return
    after = positionOf(rows.at(-1) as Row)
    await pause()
  }
}

/** The transfers that a deposit in this state must have in the ledger. */
export function expectedTransfers(
  state: DepositState,
  review: ReviewReason | null,
): { credits: 0 | 1; captures: 0 | 1 } {
  const credited =
    state === 'AUTHORISED' || state === 'CAPTURED' || (state === 'REVIEW' && review?.startsWith('capture-'))
  const captured = state === 'CAPTURED' || (state === 'REVIEW' && review === 'capture-failed')
  return { credits: credited ? 1 : 0, captures: captured ? 1 : 0 }
}

function depositProblem(row: CheckedDepositRow): string | null {
  const { credits, captures } = expectedTransfers(row.state, row.review)
  if (Number(row.wrong) > 0) return `deposit ${row.id}: a transfer is not of its amount, currency or customer`
  if (Number(row.credits) !== credits)
    return `deposit ${row.id} is ${row.state} with ${row.credits} credits, not ${credits}`
  if (Number(row.captures) !== captures) {
    return `deposit ${row.id} is ${row.state} with ${row.captures} captures, not ${captures}`
  }
  return null
}

function accountProblem({ id, balance, moved }: CheckedAccountRow): string | null {
  if (BigInt(balance) === BigInt(moved)) return null
  return `account ${id} has the balance ${formatMoney(BigInt(balance))}, but its transfers add up to ${formatMoney(BigInt(moved))}`
}
