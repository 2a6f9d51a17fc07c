// Adyen's two reports, distinguished by their columns: what was settled to us, and what left the balance account.

import type { Readable } from 'node:stream'
import type { ReportedPayment } from '../gateway.ts'
import { PAYOUT_COLUMNS, payoutOf } from './payout-report.ts'
import type { Line } from './report-line.ts'
import { SETTLEMENT_COLUMNS, settlementOf } from './settlement-report.ts'

/** null: a booking that we do not compare. */
type LineReader = (line: Line) => ReportedPayment | null

/** Streams: a report of a month can be larger than memory. Malformed CSV throws, so that no line is skipped unseen. */
export async function* readAdyenReport(report: Readable): AsyncGenerator<ReportedPayment> {
  const { parse } = await import('csv-parse')
  let read: LineReader | undefined
  const columns = (header: string[]) => {
    read = readerOf(header)
    return header
  }
  const parser = parse({ columns, bom: true, skip_empty_lines: true })
  report.once('error', (error) => parser.destroy(error))
  for await (const line of report.pipe(parser) as AsyncIterable<Line>) {
    const reported = read?.(line) ?? null
    if (reported !== null) yield reported
  }
  if (read === undefined) throw new Error('the report is empty')
}

function readerOf(header: readonly string[]): LineReader {
  const missing = (columns: readonly string[]) => columns.filter((column) => !header.includes(column))
  if (missing(PAYOUT_COLUMNS).length === 0) return payoutOf
  const columns = missing(SETTLEMENT_COLUMNS)
  if (columns.length === 0) return settlementOf
  throw new Error(`the report has no column ${columns.map((one) => `"${one}"`).join(', ')}`)
}
