// The statement of an account: the lines of some days, each with the balance after it. A page is a range of line numbers, so
// that it costs the same whatever the number of lines is.

import { Fault } from '../../faults.ts'
import type { Database } from '../../platform/database/database.ts'
import { monthsLater } from '../../platform/runtime/calendar.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import type { WalletsContext } from '../context.ts'
import type { TRANSFERS, TransferKind } from './ledger-store.ts'
import type { Statement } from './shapes.ts'
import type { StatementLineRow } from './store.ts'
import * as sql from './store.ts'

/** What is available without reading more. */
const DEFAULT_MONTHS = 3

/** UTC days, both included; null: today, and three months before the last day. */
export type Days = { readonly from: number | null; readonly to: number | null }
type Range = { readonly from: number; readonly until: number }

export function rangeOf({ from, to }: Days, now: number): Range {
  const last = to ?? now - (now % DAY_MS)
  return { from: from ?? monthsLater(last, -DEFAULT_MONTHS), until: last + DAY_MS }
}

export type StatementRange = {
  readonly currency: string
  readonly opening: string
  readonly closing: string
  readonly netDeposits: string
  /** `accountId` is null, if the customer has no account yet. */
  readonly lines: { readonly accountId: number | null; readonly before: number; readonly last: number }
}

/** undefined: no such customer. */
export async function readRange(
  database: Database,
  customerId: number,
  { from, until }: Range,
): Promise<StatementRange | undefined> {
  const row = await database.one(sql.statementRange, { customerId, from, until })
  if (row === undefined) return undefined
  return {
    currency: row.currency,
    opening: formatMoney(BigInt(row.opening ?? '0')),
    closing: formatMoney(BigInt(row.closing ?? '0')),
    netDeposits: formatMoney(BigInt(row.net_deposits)),
    lines: { accountId: row.account_id, before: row.before_line ?? 0, last: row.last_line ?? 0 },
  }
}

/** Up to `limit` lines after line `after`. */
export async function readLines(
  database: Database,
  { accountId, last }: StatementRange['lines'],
  after: number,
  limit: number,
): Promise<StatementLineRow[]> {
  if (accountId === null || after >= last) return []
  return database.query(sql.statementLines, { accountId, after, last, limit })
}

/** As customers and operators read them; all others are the ledger's own, with hyphens. */
const TYPES = {
  credit: 'deposit',
  reversal: 'deposit-reversed',
  adjustment_debit: 'adjustment',
} as const

type Hyphened<Kind extends string> = Kind extends `${infer First}_${infer Rest}` ? `${First}-${Hyphened<Rest>}` : Kind
type TypeOf<Kind extends TransferKind> = Kind extends keyof typeof TYPES ? (typeof TYPES)[Kind] : Hyphened<Kind>
/** The types of transfers that move money of a customer. web/words/ledger.ts has words for each. */
export type StatementLineType = {
  [Kind in TransferKind]: 'customer' extends (typeof TRANSFERS)[Kind][keyof (typeof TRANSFERS)[Kind]]
    ? TypeOf<Kind>
    : never
}[TransferKind]

export function typeOf(kind: string): string {
  return kind in TYPES ? TYPES[kind as keyof typeof TYPES] : kind.replaceAll('_', '-')
}

type Block = { readonly blockSize: number; readonly blockNum: number; readonly newestFirst: boolean }

export async function readStatement(
  { database, now }: WalletsContext,
  customerId: number,
  days: Days,
  block: Block,
): Promise<{ statement: Statement }> {
  const { from, until } = rangeOf(days, now())
  if (from >= until) throw new Fault('walletInvalid', 'from')
  const range = (await readRange(database, customerId, { from, until })) as StatementRange
  const rows = await readBlock(database, range.lines, block)
  const { opening, closing, netDeposits, lines } = range
  const numLines = lines.last - lines.before
  const [firstDay, lastDay] = [isoTime(from).slice(0, 10), isoTime(until - DAY_MS).slice(0, 10)]
  return { statement: { from: firstDay, to: lastDay, opening, closing, netDeposits, numLines, line: rows.map(toLine) } }
}

/** Lines are numbered without gaps, so that a block is a range of numbers in either order. */
async function readBlock(database: Database, lines: StatementRange['lines'], block: Block) {
  const skipped = block.blockNum * block.blockSize
  if (!block.newestFirst) return readLines(database, lines, lines.before + skipped, block.blockSize)
  return readLinesNewest(database, { ...lines, last: lines.last - skipped }, block.blockSize)
}

/** The last lines of the range, newest first. */
export async function readLinesNewest(
  database: Database,
  { accountId, before, last }: StatementRange['lines'],
  limit: number,
): Promise<StatementLineRow[]> {
  if (accountId === null || last <= before) return []
  return database.query(sql.statementLinesNewest, { accountId, after: before, last, limit })
}

/** "Slow Waltz, York race 3", of several selections the first one and how many others. */
export function aboutBet({ selection, legs }: StatementLineRow): string | undefined {
  if (selection === null) return undefined
  return legs === 1 ? selection : `${selection} and ${legs - 1} more`
}

function toLine(row: StatementLineRow): Statement['line'][number] {
  return {
    dateTimeZoned: row.at,
    type: typeOf(row.kind),
    amount: formatMoney(BigInt(row.amount)),
    balance: formatMoney(BigInt(row.balance_after ?? '0')),
    paymentId: row.payment_id ?? undefined,
    reference: row.reference ?? undefined,
    about: aboutBet(row),
    methodId: row.method_id ?? undefined,
  }
}
