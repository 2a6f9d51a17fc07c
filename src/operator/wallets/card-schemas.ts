import { count, namedObject, object, orNull, string, type ValueOf } from '../../http/representation/json-schema.ts'
import { amount, id, page, reason, time } from '../server/fields.ts'
import { proof, proposal } from './persons.ts'

/** The fields that distinguish cards. */
export const cardFields = {
  lastFour: string({ description: 'The last four digits of the card, as it is registered now.', examples: ['1111'] }),
  scheme: string({ description: 'The brand of the card.', examples: ['VISA'] }),
  expiryDate: string({ description: 'MM/YY', examples: ['12/49'] }),
}

export const card = namedObject('Card', {
  id: id('101'),
  type: string({ examples: ['CARD'] }),
  number: string({ description: 'The first 6 and the last 4 digits.', examples: ['411111******1111'] }),
  expiryDate: string({ examples: ['12/49'] }),
  country: string({ examples: ['GB'] }),
  scheme: string({ examples: ['VISA'] }),
  funding: string({ examples: ['debit'] }),
  minDeposit: amount('5.00'),
  maxDeposit: amount('1000.00'),
  wrongCv2: count({ description: 'Wrong cv2 in a row. From 5 on, deposits are refused.', examples: [0] }),
  firstName: orNull(string(), { description: 'The holder’s name, for payouts.', examples: ['Ann'] }),
  lastName: orNull(string(), { description: 'The holder’s name, for payouts.', examples: ['Archer'] }),
  registeredAt: time({ description: 'When it was registered for the customer first.' }),
  paidIn: amount('60.00', { description: 'What it paid in: captured deposits.' }),
  paidOut: amount('20.00', { description: 'What it got back: refunds and withdrawals that have arrived.' }),
  closedAt: orNull(time(), { description: 'When an operator closed it; null: open.' }),
  removedAt: orNull(time(), { description: 'When it was removed; null: it was not.', examples: [null] }),
  accountClosedAt: orNull(time(), {
    description: 'Since when the account behind it is known to be closed: what it paid in can go elsewhere.',
    examples: [null],
  }),
  proposal,
})
export type Card = ValueOf<typeof card>
export const cards = page(card)

export const closureBody = object({ reason })
export const accountClosureBody = object({ note: proof })
