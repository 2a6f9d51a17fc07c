import { OUTGOING_REVIEWS } from '../../wallets/refunds/outgoing.ts'
import { PART_KINDS, PART_STATES } from '../../wallets/withdrawals/part-store.ts'
import { HOLDS, WITHDRAWAL_STATES } from '../../wallets/withdrawals/store.ts'
import * as s from '../server/fields.ts'
import { cardFields } from './card-schemas.ts'
import { proof, proposal, WAITS_FOR, waitsFor } from './persons.ts'

const PAYMENT_ID = '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'

export const withdrawalState = s.oneOf(
  WITHDRAWAL_STATES,
  'REQUESTED',
  '`REQUESTED`: debited, and waits for approval. `SENDING`: parts of it have been sent to the gateway. `PAID`: nothing is open, and ' +
    'something was paid. `RETURNED`, `REFUSED`: credited to the customer again. `REVIEW`: the result of a part needs manual review.',
)

const nullable = (description: string) => s.orNull(s.string(), description, null)

/** A payment outside has no card. */
const maybeCardFields = {
  lastFour: s.orNull(cardFields.lastFour),
  scheme: s.orNull(cardFields.scheme),
  expiryDate: s.orNull(cardFields.expiryDate),
}

export const outgoingReview = s.orNull(s.oneOf(OUTGOING_REVIEWS), 'Why it needs or needed manual review.', null)

export const withdrawalPart = s.namedObject('WithdrawalPart', {
  id: s.id('9'),
  kind: s.oneOf(
    PART_KINDS,
    'return',
    '`return`: a refund of the deposit. `payout`: a transfer to the card. `outside`: paid by a person.',
  ),
  paymentId: s.orNull(s.string(PAYMENT_ID), 'The deposit that it pays back. null: winnings.'),
  freed: s.boolean(false, 'It pays back what the card of the deposit cannot take.'),
  amount: s.amount('20.00'),
  paid: s.amount('0.00', 'What has arrived.'),
  returned: s.amount('0.00', 'What was credited to the customer again.'),
  state: s.oneOf(PART_STATES, 'WAITING'),
  review: outgoingReview,
  why: nullable('Why it needs manual review, in words, and what to do.'),
  reason: s.string('', 'What the gateway or a person reported last, in words; or empty.'),
  reference: s.string('5f0c9e4e-8f53-4c8e-9d0b-0c8c3c2b7a11', 'Ours, in the gateway’s reports.'),
  gateway: s.string('sandbox'),
  gatewayReference: nullable('The gateway’s own, or that of the bank’s transfer.'),
  proposal,
  changedAt: s.time(),
})

const withdrawalFields = {
  id: s.id('4'),
  reference: s.string('5f0c9e4e-8f53-4c8e-9d0b-0c8c3c2b7a11'),
  customerId: s.id('1'),
  paymentMethodId: s.orNull(s.id('101'), 'The card that was requested. null: paid outside.'),
  ...maybeCardFields,
  amount: s.amount('20.00'),
  paid: s.amount('0.00', 'What has arrived.'),
  returned: s.amount('0.00', 'What was credited to the customer again.'),
  currency: s.string('GBP', 'ISO 4217'),
  state: withdrawalState,
  needsApproval: s.boolean(true, 'Something of it waits for the approval of two persons.'),
  waitsFor,
  proposal,
  requestedBy: nullable('The operator who requested it for the customer. null: the customer did.'),
  approvedBy: s.list(s.string(), 'The operators; none where the rule has approved it.', []),
  hold: s.orNull(
    s.oneOf(HOLDS),
    'Why it waits beside its approval. `operator`: nobody can approve it until it is released. `card`: its card was changed, closed or ' +
      'removed after the request. `debt`: the customer owes money. New approvals end the last two.',
    null,
  ),
  holdReason: nullable('What the customer reads: why it is not sent yet, or was refused.'),
  heldBy: nullable('The operator who holds it.'),
  repeats: s.orNull(
    s.id('3'),
    'Only while it waits for approval: an earlier withdrawal of the same amount to the same card, requested within ten minutes before. ' +
      'The customer has probably sent it twice.',
    null,
  ),
  gateway: s.string('sandbox'),
  parts: s.list(withdrawalPart, 'What it is made of, in the order in which they were taken.'),
  createdAt: s.time(),
  changedAt: s.time(),
}
export const withdrawal = s.namedObject('Withdrawal', withdrawalFields)
export type Withdrawal = s.ValueOf<typeof withdrawal>

export const withdrawalWithEvents = s.namedObject('WithdrawalWithEvents', {
  ...withdrawalFields,
  events: s.list(
    s.object({
      at: s.time(),
      event: s.string('requested'),
      detail: s.string(''),
    }),
    'Oldest first.',
  ),
})

export const waitsForQuery = s.oneOf(
  WAITS_FOR,
  'me',
  'Only withdrawals that wait for the caller, or for another person. A page may be short.',
)

export const keptBack = s.object({
  amount: s.amount('50.00'),
  reason: s.string('Deposits that the bank has not paid yet.'),
})

export const withdrawalOption = s.object({
  paymentMethodId: s.id('101'),
  ...cardFields,
  max: s.amount('20.00', 'The most that may go there now.'),
  returns: s.amount('20.00', 'The part of it that this card paid in.'),
  freed: s.amount('0.00', 'The part of it that other cards paid in and cannot take.'),
  winnings: s.amount('0.00', 'The part of it that is winnings.'),
  reason: nullable('Why it is not more, or that it is checked.'),
})

export const withdrawalOptions = s.namedObject('WithdrawalOptions', {
  available: s.amount('120.00', 'What may go out in all.'),
  reason: nullable('Why no card can take any of it.'),
  keptBack: s.list(keptBack, 'Amounts of the balance that are kept back, with the reason.', []),
  items: s.list(withdrawalOption, 'The open cards of the customer, and others that still get back what they paid in.'),
})

/** The customer reads it, so it has no line ends. */
export const shownReason = s.text(1, 200, 'Please send us a proof of your address.', 'The customer reads it.')

export const requestBody = s.object({
  amount: s.money('20.00', 'At most what the options allow.'),
  paymentMethodId: s.id('101'),
  reason: s.reason,
})

export const resolutionBody = s.object(
  {
    outcome: s.oneOf(
      ['paid', 'returned'],
      'paid',
      '`paid`: the customer has the money. `returned`: they do not; it is credited to them again.',
    ),
  },
  {
    note: s.note,
    partId: s.id('9', 'The part that is decided; without it, the only one that is in review.'),
  },
)

export const outsideBody = s.object({
  amount: s.money('20.00', 'At most what no card can take.'),
  bankReference: s.reference('FT-2026-03-0042', 'The reference of the bank’s transfer.'),
  note: proof,
})

export const outsidePayment = s.namedObject('OutsidePayment', {
  withdrawal: s.orNull(withdrawal, 'null: it waits for a second person.'),
  proposal,
})
