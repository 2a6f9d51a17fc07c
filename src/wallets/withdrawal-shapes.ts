import {
  child,
  described,
  document,
  element,
  optional,
  possiblyEmpty,
  record,
  sequence,
} from '../http/representation/shape.ts'

const withdrawal = record({
  id: element('integer'),
  amount: element('decimal'),
  methodId: described(element('integer'), 'id of the payment method'),
  status: described(
    element('text'),
    'requested, approved, sending, paid, returned (credited back), refused (credited back) or review (somebody looks up the result)',
  ),
  holdReason: described(optional(element('text')), 'why it is not sent yet, or was refused'),
  createdDateTimeZoned: element('dateTime'),
})

const option = record({
  id: described(element('integer'), 'id of the payment method'),
  max: described(element('decimal'), 'the most that may go there now'),
})

export const withdrawalDocument = document('whoWallets', record({ withdrawal: child(withdrawal) }))
export const withdrawalListDocument = document(
  'whoWallets',
  record({ withdrawals: child(sequence('withdrawal', withdrawal, 'plain')) }),
)
export const optionsDocument = document(
  'whoWallets',
  record({ options: child(possiblyEmpty(sequence('option', option, 'plain'))) }),
)
