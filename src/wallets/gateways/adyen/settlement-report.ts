// Adyen's settlement details report: CSV, one line for each booking.

import type { Readable } from 'node:stream'
import type { ReportedPayment } from '../gateway.ts'

/** The columns that we read; the report may have others. */
const REFERENCE = 'Merchant Reference'
const TYPE = 'Type'
const CURRENCY = 'Gross Currency'
const AMOUNT = 'Gross Credit (GC)'
const COLUMNS = [REFERENCE, TYPE, CURRENCY, AMOUNT] as const

/** What was taken from us; a report without returns may lack the column. */
const DEBIT = 'Gross Debit (GC)'

type Line = Readonly<Record<(typeof COLUMNS)[number], string>> & { readonly [DEBIT]?: string }

/** The types of bookings that we compare, each with the column of its amount. */
const BOOKINGS: Readonly<Record<string, { state: ReportedPayment['state']; column: typeof AMOUNT | typeof DEBIT }>> = {
  Settled: { state: 'settled', column: AMOUNT },
  Refunded: { state: 'refunded', column: DEBIT },
  RefundedReversed: { state: 'refund reversed', column: AMOUNT },
  Chargeback: { state: 'charged back', column: DEBIT },
  SecondChargeback: { state: 'charged back', column: DEBIT },
  ChargebackReversed: { state: 'chargeback reversed', column: AMOUNT },
  PaidOut: { state: 'paid out', column: DEBIT },
  PaidOutReversed: { state: 'payout reversed', column: AMOUNT },
}

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
    const booking = BOOKINGS[line[TYPE]]
    if (booking === undefined) continue
    const amount = line[booking.column]
    if (amount === undefined) throw new Error(`the report has no column "${booking.column}"`)
    yield { reference: line[REFERENCE], amount, currency: line[CURRENCY], state: booking.state }
  }
  if (isEmpty) throw new Error('the report is empty')
}
