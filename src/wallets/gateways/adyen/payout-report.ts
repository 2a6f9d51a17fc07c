// Adyen's balance platform accounting report: one line for each change of a transfer. Money has moved where a line has a transaction.

import type { ReportedPayment } from '../gateway.ts'
import { type Line, textIn } from './report-line.ts'

const REFERENCE = 'Reference'
const TRANSACTION = 'Transaction Id'
const CATEGORY = 'Category'
const STATUS = 'Status'
const CURRENCY = 'Currency'
const AMOUNT = 'Amount'
export const PAYOUT_COLUMNS = [REFERENCE, TRANSACTION, CATEGORY, STATUS, CURRENCY, AMOUNT]

/** `credited` moves nothing: it was booked before. */
const STATES: Readonly<Record<string, ReportedPayment['state']>> = {
  booked: 'paid out',
  returned: 'payout reversed',
  reversed: 'payout reversed',
}

/** Only of transfers to cards. What leaves the account has a minus sign. */
export function payoutOf(line: Line): ReportedPayment | null {
  const state = STATES[textIn(line, STATUS)]
  if (state === undefined || textIn(line, CATEGORY) !== 'card' || textIn(line, TRANSACTION) === '') return null
  const amount = textIn(line, AMOUNT).replace(/^-/, '')
  return { reference: textIn(line, REFERENCE), amount, currency: textIn(line, CURRENCY), state }
}
