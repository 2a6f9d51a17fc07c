// Adyen's settlement details report: CSV, one line for each booking.

import type { Readable } from 'node:stream'
import type { ReportedPayment } from '../gateway.ts'

/** The columns that we read; the report may have others. */
const REFERENCE = 'Merchant Reference'
const TYPE = 'Type'
const CURRENCY = 'Gross Currency'
const AMOUNT = 'Gross Credit (GC)'
const COLUMNS = [REFERENCE, TYPE, CURRENCY, AMOUNT] as const

type Line = Readonly<Record<(typeof COLUMNS)[number], string>>

/** Streams: a report of a month can be larger than memory. Malformed CSV throws, so that no line is skipped unseen. */
export async function* readSettlementReport(report: Readable): AsyncGenerator<ReportedPayment> {
  const { parse } = await import('csv-parse')
  let isEmpty = true
  const columns = (header: string[]) => {
    isEmpty = false
    const missing = COLUMNS.filter((column) => !header.includes(column))
    if (missing.length > 0) throw new Error(`the report has no column ${missing.map((one) => `"${one}"`).join(', ')}`)
    return header
  }
  const parser = parse({ columns, bom: true, skip_empty_lines: true })
  report.once('error', (error) => parser.destroy(error))
  for await (const line of report.pipe(parser) as AsyncIterable<Line>) {
    if (line[TYPE] !== 'Settled') continue
    yield { reference: line[REFERENCE], amount: line[AMOUNT], currency: line[CURRENCY], state: 'settled' }
  }
  if (isEmpty) throw new Error('the report is empty')
}
