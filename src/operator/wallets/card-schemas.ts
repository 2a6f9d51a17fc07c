import { count, namedObject, object, orNull, string, type ValueOf } from '../../http/representation/json-schema.ts'
import { amount, id, page, reason, time } from '../server/fields.ts'
import { proof, proposal } from './persons.ts'

/** The fields that distinguish cards. */
export const cardFields = {
  lastFour: string('1111', 'The last four digits of the card, as it is registered now.'),
  scheme: string('VISA', 'The brand of the card.'),
  expiryDate: string('12/49', 'MM/YY'),
}

export const card = namedObject('Card', {
  id: id('101'),
  type: string('CARD'),
  number: string('411111******1111', 'The first 6 and the last 4 digits.'),
  expiryDate: string('12/49'),
  country: string('GB'),
  scheme: string('VISA'),
  funding: string('debit'),
  minDeposit: amount('5.00'),
  maxDeposit: amount('1000.00'),
  wrongCv2: count(0, 'Wrong cv2 in a row. From 5 on, deposits are refused.'),
  firstName: orNull(string(), 'The holder’s name, for payouts.', 'Ann'),
  lastName: orNull(string(), 'The holder’s name, for payouts.', 'Archer'),
  registeredAt: time('When it was registered for the customer first.'),
  paidIn: amount('60.00', 'What it paid in: captured deposits.'),
  paidOut: amount('20.00', 'What it got back: refunds and withdrawals that have arrived.'),
  closedAt: orNull(time(), 'When an operator closed it; null: open.'),
  removedAt: orNull(time(), 'When it was removed; null: it was not.', null),
  accountClosedAt: orNull(
    time(),
    'Since when the account behind it is known to be closed: what it paid in can go elsewhere.',
    null,
  ),
  proposal,
})
export type Card = ValueOf<typeof card>
export const cards = page(card)

export const closureBody = object({ reason })
export const accountClosureBody = object({ note: proof })
