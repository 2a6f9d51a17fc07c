// Lists of deposits, the inbox of manual reviews, and the gateway's view of a payment.

import {
  allOptional,
  count,
  list,
  namedObject,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  stringOf,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { SIDE_STATES, VIEW_SOURCES } from '../../wallets/deposits/gateway-view.ts'
import { REFUSAL_CODES, REVIEW_REASONS } from '../../wallets/deposits/reasons.ts'
import { DEPOSIT_STATES } from '../../wallets/deposits/store.ts'
import { amount, EXAMPLE_TIME, id, money, note, page, searchedPage, time } from '../server/fields.ts'
import { cardFields } from './card-schemas.ts'
import { proposal, waitsFor } from './persons.ts'

const depositState = oneOf(DEPOSIT_STATES, 'CAPTURED')

const depositFields = {
  paymentId: string('0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'),
  customerId: id('1'),
  idempotencyKey: orNull(string(), 'What the caller sent to make a retry safe.', null),
  paymentMethodId: id('101'),
  amount: amount('25.00'),
  currency: string('GBP', 'ISO 4217'),
  captured: amount('25.00', 'What the gateway took; it may take a part.'),
  state: depositState,
  fault: orNull(string(), 'The public API’s code of the refusal.', null),
  review: orNull(string(), 'Why it needs manual review.', null),
  gateway: string('sandbox'),
  gatewayReference: orNull(string('sandbox-1')),
  createdAt: time(),
  decidedAt: orNull(time()),
}

export const deposit = namedObject('Deposit', depositFields)
export type Deposit = ValueOf<typeof deposit>

/** Why a deposit failed, in words (wallets/deposits/why.ts). */
export const depositWhy = namedObject(
  'DepositWhy',
  {
    title: string('Not enough money'),
    meaning: string(
      'The bank reports that there is less on the card than the amount.',
      'What the bank meant, or what happened here.',
    ),
    customerMessage: string(
      'There is not enough money on the card. Deposit less, or use another card.',
      'What the customer saw, in the words of the showcase; an application may have its own.',
    ),
    nextStep: string('Nothing: the card works.', 'What to do next.'),
  },
  {},
  'Why a deposit failed or needs manual review, in words.',
)

const why = orNull(depositWhy, 'Why it failed or needs manual review. null: it has not failed.')

const explainedFields = { ...depositFields, why }

const listedFields = { ...explainedFields, ...cardFields }

const depositEvent = object({
  at: time(),
  event: string('captured'),
  detail: string(''),
})

export const resolvedDeposit = namedObject('ResolvedDeposit', { ...explainedFields, waitsFor, proposal })

export const depositWithEvents = namedObject('DepositWithEvents', {
  ...listedFields,
  waitsFor,
  proposal,
  events: list(depositEvent, 'What happened to it, oldest first.'),
})
export type DepositWithEvents = ValueOf<typeof depositWithEvents>

export const resolutionBody = object(
  {
    outcome: oneOf(['captured', 'voided'], 'captured', 'Whether the gateway took the money or not.'),
  },
  { note },
)
export type Resolution = SentOf<typeof resolutionBody>

// ---- Filters.

/** A day, or a time in UTC. That the day exists is checked where it is read. */
const dayOrTime = (description: string, example: string) =>
  stringOf(
    { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,3})?)?Z)?$' },
    example,
    description,
  )

export const depositFilters = {
  from: dayOrTime('Made since this day or time (UTC).', '2026-03-01'),
  to: dayOrTime('Made until this day, including it, or before this time (UTC).', '2026-03-14'),
  minAmount: money('10.00', 'At least this amount, of any currency unless `currency` is sent.'),
  maxAmount: money('50.00', 'At most this amount, of any currency unless `currency` is sent.'),
  currency: stringOf({ pattern: '^[A-Z]{3}$' }, 'GBP', 'ISO 4217'),
  state: depositState,
  reason: oneOf(
    [...REFUSAL_CODES, ...REVIEW_REASONS],
    '24007',
    'The public API’s code of the refusal, or why it needs or needed manual review.',
  ),
  lastFour: stringOf({ pattern: '^[0-9]{4}$' }, '1111', 'The last four digits of the card, as it is registered now.'),
  paymentMethodId: id('101', 'Only deposits with this card.'),
  customerId: id('1', 'Only deposits of this customer.'),
}

const filterQuery = allOptional(depositFilters)
export type DepositQuery = ValueOf<typeof filterQuery>

// ---- Lists.

export const listedDeposit = namedObject('ListedDeposit', listedFields)
export type ListedDeposit = ValueOf<typeof listedDeposit>

export const depositsPage = searchedPage(
  listedDeposit,
  'Not null: the page may have fewer items than its limit, or none, because only deposits made since then were looked at. ' +
    'The next page goes on from there.',
)

/** The columns of the file, in this order. */
export const depositColumns = object({
  paymentId: depositFields.paymentId,
  createdAt: time(),
  decidedAt: string(EXAMPLE_TIME, 'Empty: not yet.'),
  customerId: id('1'),
  paymentMethodId: id('101'),
  lastFour: listedFields.lastFour,
  amount: amount('25.00'),
  currency: depositFields.currency,
  state: depositState,
  fault: string('', 'The public API’s code of the refusal, or empty.'),
  review: string('', 'Why it needs or needed manual review, or empty.'),
  gateway: depositFields.gateway,
  gatewayReference: string('sandbox-1', 'The gateway’s id of the payment, or empty.'),
  scheme: listedFields.scheme,
  expiryDate: listedFields.expiryDate,
  why: string('', 'Why it failed or needs manual review, in words, or empty.'),
  meaning: string('', 'What the bank meant, or what happened here; or empty.'),
  customerMessage: string('', 'What the customer saw, or empty.'),
  nextStep: string('', 'What to do next, or empty.'),
  captured: depositFields.captured,
})

// ---- What waits.

const waiting = count(3, 'Counted up to 1000.')
const reviewSince = time('Since when it needs manual review.')
const reviewedDeposit = namedObject('ReviewedDeposit', { ...listedFields, reviewSince, waitsFor, proposal })
export type ReviewedDeposit = ValueOf<typeof reviewedDeposit>
export const depositReview = object({ ...page(reviewedDeposit).properties, waiting })

export const waitingDeposit = namedObject('OldestWaitingDeposit', {
  paymentId: depositFields.paymentId,
  since: time('Since when it waits.'),
  amount: amount('25.00'),
  currency: depositFields.currency,
})
const oldest = orNull(waitingDeposit, 'The one that waits longest. null: none waits.')

export const waitingDeposits = namedObject('WaitingDeposits', {
  review: object({ waiting, oldest }, {}, 'Deposits that need manual review.'),
  captures: object({ waiting, oldest }, {}, 'Authorised deposits whose capture is not done yet.'),
})

// ---- The gateway's view.

const sideState = oneOf(
  SIDE_STATES,
  'held',
  '`failed`: the capture was refused, or returned later. `none`: there is no such payment. `unknown`: not known yet.',
)
const side = object({
  state: sideState,
  amount: orNull(amount('25.00')),
  currency: orNull(string('GBP')),
})

export const gatewayView = namedObject('GatewayView', {
  ours: side,
  theirs: side,
  differences: list(
    oneOf(['state', 'amount', 'currency'], 'state'),
    'What the gateway reports otherwise. Nothing that it did not report is a difference.',
    [],
  ),
  source: oneOf(
    VIEW_SOURCES,
    'gateway',
    'Where `theirs` comes from. `notifications`: the gateway has no call that reads a payment. `none`: it did not answer, or has ' +
      'reported nothing yet.',
  ),
  remark: string('This is the gateway’s own record.', 'The same in words, and what to do.'),
  link: orNull(string(), 'The payment in the gateway’s own back office.', null),
})
export type GatewayView = ValueOf<typeof gatewayView>
