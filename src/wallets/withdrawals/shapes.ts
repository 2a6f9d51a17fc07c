import {
  arrayOf,
  child,
  described,
  document,
  element,
  optional,
  possiblyEmpty,
  record,
  sequence,
} from '../../http/representation/shape.ts'

const part = record({
  amount: element('decimal'),
  kind: described(
    element('text'),
    'return: of a deposit with this card; payout: by a transfer; outside: by the operator',
  ),
  status: described(element('text'), 'waiting, sending, paid, returned (credited again) or review'),
  paymentId: described(optional(element('text')), 'the deposit that it pays back; absent: winnings'),
})

const withdrawal = record({
  id: element('integer'),
  amount: element('decimal'),
  methodId: described(optional(element('integer')), 'id of the payment method; absent: paid outside'),
  status: described(
    element('text'),
    'requested, approved, sending, paid, returned (credited again), refused (credited again) or review (somebody looks up the result)',
  ),
  paid: described(element('decimal'), 'what has arrived'),
  returned: described(element('decimal'), 'what was credited again'),
  holdReason: described(optional(element('text')), 'why it is not sent yet, or was refused'),
  createdDateTimeZoned: element('dateTime'),
  part: described(arrayOf(part), 'what it is made of'),
})

const keptBack = record({ amount: element('decimal'), reason: element('text') })

const option = record({
  id: described(element('integer'), 'id of the payment method'),
  number: described(element('text'), 'of the card, masked'),
  max: described(element('decimal'), 'the most that may go there now'),
  returns: described(element('decimal'), 'of it: what this card paid in'),
  freed: described(element('decimal'), 'of it: what other cards paid in and cannot take'),
  winnings: described(element('decimal'), 'of it: winnings'),
  reason: described(optional(element('text')), 'why it is not more, or that it is checked'),
})

export const withdrawalDocument = document('whoWallets', record({ withdrawal: child(withdrawal) }))
export const withdrawalListDocument = document(
  'whoWallets',
  record({ withdrawals: child(sequence('withdrawal', withdrawal, 'plain')) }),
)
export const optionsDocument = document(
  'whoWallets',
  record({
    available: described(element('decimal'), 'what may go out in all'),
    reason: described(optional(element('text')), 'why no card can take any of it'),
    keptBack: described(child(possiblyEmpty(sequence('kept', keptBack, 'plain'))), 'of the balance, with the reason'),
    options: child(possiblyEmpty(sequence('option', option, 'plain'))),
  }),
)
