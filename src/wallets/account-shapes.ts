import { described, document, element, record, type Value } from '../http/representation/shape.ts'

const balance = record({
  balance: described(element('decimal'), 'what the caller can stake'),
  currency: element('text'),
  debt: described(element('decimal'), 'what the caller owes; it is paid by the next credits'),
  pending: described(element('decimal'), 'withdrawals on their way'),
})

export const balanceDocument = document('whoWallets', balance)
export type Balance = Value<typeof balance>
