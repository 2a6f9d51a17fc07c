// Double entry. A *transfer* moves one amount from the account it debits to the account it credits, for one deposit
// and one reason (*kind*); each kind happens at most once for a deposit. *psp_uncaptured* is what the gateway holds
// on cards for us, *psp_captured* what it has taken and owes us.

import { setImmediate } from 'node:timers/promises'
import type { Database, Statement } from '../database/database.ts'
import { formatMoney } from '../runtime/money.ts'
import {
  addToBalance,
  customerAccount,
  insertTransfer,
  openCustomerAccount,
  openSystemAccount,
  systemAccount,
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
import type { DepositRow } from './store.ts'

type AccountKind = 'customer' | 'psp_uncaptured' | 'psp_captured'

const TRANSFERS = {
  credit: { debit: 'psp_uncaptured', credit: 'customer' },
  capture: { debit: 'psp_captured', credit: 'psp_uncaptured' },
  /** The gateway returned captured money. */
  uncapture: { debit: 'psp_uncaptured', credit: 'psp_captured' },
  /** An operator reverses a credit. */
  reversal: { debit: 'customer', credit: 'psp_uncaptured' },
} as const satisfies Record<string, { debit: AccountKind; credit: AccountKind }>

export type TransferKind = keyof typeof TRANSFERS
type TransferTerms = Pick<DepositRow, 'id' | 'customer_id' | 'amount' | 'currency'>

export async function transfer(tx: Database, kind: TransferKind, terms: TransferTerms, now: number): Promise<void> {
  const { debit, credit } = TRANSFERS[kind]
  const amount = BigInt(terms.amount)
  const debited = await accountOf(tx, debit, terms)
  const credited = await accountOf(tx, credit, terms)
  await tx.run(insertTransfer, {
    depositId: terms.id,
    kind,
    debitAccount: debited,
    creditAccount: credited,
    amount,
    currency: terms.currency,
    now,
  })
  if (credit === 'customer') await tx.run(addToBalance, { accountId: credited, change: amount })
  if (debit === 'customer') await tx.run(addToBalance, { accountId: debited, change: -amount })
}

async function accountOf(tx: Database, kind: AccountKind, { customer_id, currency }: TransferTerms): Promise<number> {
  const find = () =>
    kind === 'customer'
      ? tx.one(customerAccount, { customerId: customer_id, currency })
      : tx.one(systemAccount, { kind, currency })
  const found = await find()
  if (found !== undefined) return found.id
  if (kind === 'customer') await tx.run(openCustomerAccount, { customerId: customer_id, currency })
  else await tx.run(openSystemAccount, { kind, currency })
  return ((await find()) as { id: number }).id
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
export function expectedTransfers(state: string, review: string | null): { credits: 0 | 1; captures: 0 | 1 } {
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
