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

const pending = record({
  amount: described(optional(element('decimal')), 'the higher limit; absent: no limit was requested'),
  notBefore: described(element('dateTime'), 'it can be confirmed from then on'),
  lapses: described(element('dateTime'), 'and until then'),
})

const limit = record({
  period: described(element('text'), 'day, week or month'),
  amount: element('decimal'),
  used: described(element('decimal'), 'deposits of the period, those in flight too'),
  left: element('decimal'),
  resets: described(element('dateTime'), 'when the next period begins: 00:00 UTC, on Monday, on the 1st'),
  pending: described(optional(child(pending)), 'a higher limit, or none, that waits for its confirmation'),
})

const limits = record({
  prompted: described(element('yesNo'), 'whether the customer was prompted for limits, or has set one'),
  limits: child(possiblyEmpty(sequence('limit', limit, 'plain'))),
})

export const limitsDocument = document('whoWallets', limits)
export type Limits = Value<typeof limits>
