// Adyen's settlement details report: one line for each booking, with returns and payouts of earlier versions.

import type { ReportedPayment } from '../gateway.ts'
import { type Line, textIn } from './report-line.ts'

/** The columns that we read; the report may have others. */
const REFERENCE = 'Merchant Reference'
const TYPE = 'Type'
const CURRENCY = 'Gross Currency'
const CREDIT = 'Gross Credit (GC)'
export const SETTLEMENT_COLUMNS = [REFERENCE, TYPE, CURRENCY, CREDIT]

/** What was taken from us; a report without returns may lack the column. */
const DEBIT = 'Gross Debit (GC)'

/** The references of refunds and disputes: ours, and Adyen's. Reports may lack the first. */
const RETURN_REFERENCES = ['Modification Merchant Reference', 'Modification Reference']

/** The types of bookings that we compare, each with the column of its amount. */
const BOOKINGS: Readonly<Record<string, { state: ReportedPayment['state']; column: string }>> = {
  Settled: { state: 'settled', column: CREDIT },
  Refunded: { state: 'refunded', column: DEBIT },
  RefundedReversed: { state: 'refund reversed', column: CREDIT },
  Chargeback: { state: 'charged back', column: DEBIT },
  SecondChargeback: { state: 'charged back', column: DEBIT },
  ChargebackReversed: { state: 'chargeback reversed', column: CREDIT },
  PaidOut: { state: 'paid out', column: DEBIT },
  PaidOutReversed: { state: 'payout reversed', column: CREDIT },
}

export function settlementOf(line: Line): ReportedPayment | null {
  const booking = BOOKINGS[textIn(line, TYPE)]
  if (booking === undefined) return null
  const returnReferences = booking.state === 'settled' ? [] : RETURN_REFERENCES.flatMap((column) => line[column] || [])
  return {
    reference: textIn(line, REFERENCE),
    ...(returnReferences.length > 0 ? { returnReferences } : {}),
    amount: textIn(line, booking.column),
    currency: textIn(line, CURRENCY),
    state: booking.state,
  }
}
