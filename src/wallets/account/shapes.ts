import {
  arrayOf,
  child,
  described,
  document,
  element,
  optional,
  record,
  type Value,
} from '../../http/representation/shape.ts'

const balance = record({
  balance: described(element('decimal'), 'what the caller can stake'),
  currency: element('text'),
  debt: described(element('decimal'), 'what the caller owes; it is paid by the next credits'),
  pending: described(element('decimal'), 'withdrawals on their way'),
})

const line = record({
  dateTimeZoned: element('dateTime'),
  type: described(
    element('text'),
    'deposit, stake, winnings, void, adjustment, refund, chargeback, withdrawal, debt-payment …',
  ),
  amount: described(element('signedDecimal'), 'with a minus sign: taken from the account'),
  balance: described(element('decimal'), 'after the line'),
  paymentId: described(optional(element('text')), 'of the deposit that the line belongs to'),
  reference: described(optional(element('text')), 'of the sportsbook, for a line of a bet; of a withdrawal, its id'),
  about: described(
    optional(element('text')),
    'of a line of a bet: its selection and event; of several, the first one and how many more',
  ),
  methodId: described(optional(element('integer')), 'the payment method of a deposit, a refund or a withdrawal'),
})

const statement = record({
  from: described(element('date'), 'first UTC day'),
  to: described(element('date'), 'last UTC day'),
  opening: described(element('decimal'), 'balance before the first line of these days'),
  closing: described(element('decimal'), 'balance after the last line of these days'),
  netDeposits: described(element('signedDecimal'), 'deposits less what went back, since the account was opened'),
  numLines: described(element('integer'), 'how many lines these days have'),
  line: described(arrayOf(line), 'in the order that was requested'),
})

export const balanceDocument = document('whoWallets', balance)
export type Balance = Value<typeof balance>

export const statementDocument = document('whoWallets', record({ statement: child(statement) }))
export type Statement = Value<typeof statement>
