// Compares a gateway's settlement report with our deposits, by merchant reference. A *break* is a difference that
// somebody must explain.

import type { Database } from '../database/database.ts'
import { formatMoney, parseMoney } from './money.ts'
import { capturedBetween } from './reports-store.ts'
import { type DepositRow, depositById } from './store.ts'

export type Reconciliation = { settled: number; breaks: string[] }

/** The columns of Adyen's settlement details report that we read; others may stand beside them. */
const COLUMNS = {
  reference: 'Merchant Reference',
  type: 'Type',
  currency: 'Gross Currency',
  amount: 'Gross Credit (GC)',
} as const

const PAGE = 500

export async function reconcile(database: Database, lines: AsyncIterable<string>): Promise<Reconciliation> {
  const breaks: string[] = []
  const seen = new Map<string, number>()
  let columns: Record<keyof typeof COLUMNS, number> | undefined
  let settled = 0
  for await (const line of lines) {
    if (line.trim() === '') continue
    const fields = csvFields(line)
    if (columns === undefined) {
      columns = columnsOf(fields)
      continue
    }
    if (fields[columns.type] !== 'Settled') continue
    settled++
    const reference = fields[columns.reference] ?? ''
    if (seen.has(reference)) breaks.push(`${reference}: settled twice`)
    const deposit = await database.one(depositById, { id: reference })
    seen.set(reference, deposit?.number ?? 0)
    const problem = breakOf(deposit, fields[columns.amount] ?? '', fields[columns.currency] ?? '')
    if (problem !== null) breaks.push(`${reference}: ${problem}`)
  }
  if (columns === undefined) throw new Error('the report is empty')
  for await (const missing of notSettled(database, seen)) breaks.push(missing)
  return { settled, breaks }
}

function columnsOf(header: string[]): Record<keyof typeof COLUMNS, number> {
  const places = Object.entries(COLUMNS).map(([name, title]) => [name, header.indexOf(title)] as const)
  const absent = places.filter(([, place]) => place === -1).map(([name]) => COLUMNS[name as keyof typeof COLUMNS])
  if (absent.length > 0) throw new Error(`the report has no column ${absent.map((one) => `"${one}"`).join(', ')}`)
  return Object.fromEntries(places) as Record<keyof typeof COLUMNS, number>
}

function breakOf(deposit: DepositRow | undefined, amount: string, currency: string): string | null {
  if (deposit === undefined) return 'settled, but there is no such deposit'
  if (deposit.state !== 'CAPTURED') return `settled, but the deposit is ${deposit.state}`
  const ours = BigInt(deposit.amount)
  if (parseMoney(amount) === ours && currency === deposit.currency) return null
  return `settled ${amount} ${currency}, but the deposit is ${formatMoney(ours)} ${deposit.currency}`
}

/** Captured between the first and the last deposit of the report, and not in it. */
async function* notSettled(database: Database, seen: ReadonlyMap<string, number>): AsyncGenerator<string> {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const number of seen.values()) {
    if (number === 0) continue
    first = Math.min(first, number)
    last = Math.max(last, number)
  }
  for (let after = first - 1; after < last; ) {
    const page = await database.query(capturedBetween, { after, until: last, limit: PAGE })
    for (const { id } of page) if (!seen.has(id)) yield `${id}: captured, but not settled`
    if (page.length < PAGE) return
    after = (page.at(-1) as DepositRow).number
  }
}

/** One line of CSV: fields may be quoted, a quote inside is doubled. */
export function csvFields(line: string): string[] {
  const fields = line.replace(/\r$/, '').match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []
  const ended = fields.map((field) => field.replace(/,$/, ''))
  // The pattern matches once more, empty, at the end of a line that does not end with a comma.
  if (!line.endsWith(',') && ended.length > 1) ended.pop()
  return ended.map((field) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field))
}
