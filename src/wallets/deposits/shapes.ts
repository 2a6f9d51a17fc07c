import {
  child,
  described,
  document,
  element,
  optional,
  possiblyEmpty,
  record,
  sequence,
  type Value,
} from '../../http/representation/shape.ts'

const payment = record({ paymentId: element('text'), paymentDateTime: element('utcDateTime') })

/** What the customer's browser must do: go to `url`, or post a form with these fields there. */
const action = record({
  type: element('text'),
  url: element('text'),
  method: element('text'),
  data: child(possiblyEmpty(sequence('field', record({ name: element('text'), value: element('text') }), 'plain'))),
})

const challengeUntilDateTimeZoned = described(
  optional(element('dateTime')),
  'only with the status challenge: it is void if the customer has not confirmed it by then',
)

const finished = record({
  paymentId: element('text'),
  paymentDateTime: element('utcDateTime'),
  status: described(element('text'), 'authorised'),
})

const deposit = record({
  ...finished.fields,
  status: described(element('text'), 'authorised, challenge, refused or void'),
  action: described(optional(child(action)), 'only with the status challenge: where the customer’s browser goes'),
  challengeUntilDateTimeZoned,
})

const listedDeposit = record({
  paymentId: element('text'),
  amount: element('decimal'),
  currency: element('text'),
  methodId: described(element('integer'), 'id of the payment method'),
  status: described(
    element('text'),
    'authorised: in the caller’s account; challenge; processing: the gateway has not answered; refused; void',
  ),
  isInReview: described(element('yesNo'), 'whether somebody looks up the result at the gateway'),
  createdDateTimeZoned: element('dateTime'),
  challengeUntilDateTimeZoned,
  reason: described(
    optional(element('text')),
    'the code of the fault for which it was refused or voided, such as 24007',
  ),
  limitPeriod: described(optional(element('text')), 'with 24008: the period of the caller’s own limit'),
})

const depositList = record({ deposits: child(sequence('deposit', listedDeposit, 'plain')) })

export const paymentDocument = document('whoWallets', payment)
export const depositDocument = document('whoWallets', deposit)
export const finishedDocument = document('whoWallets', finished)
export const depositListDocument = document('whoWallets', depositList)

export type DepositResult = Value<typeof deposit>
export type DepositList = Value<typeof depositList>
export type PaymentResult = Value<typeof payment>

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export function paymentDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}
