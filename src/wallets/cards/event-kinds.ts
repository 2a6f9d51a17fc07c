import { id, kindOf } from '../../event-log/kind.ts'
import { list, object, oneOf } from '../../http/representation/json-schema.ts'

/** What may change of a card. */
const CARD_CHANGES = ['token', 'number', 'expiry-date', 'holder'] as const

const cardId = id('103', 'The card.')
const card = object({ cardId })
const ofCard = kindOf('customer')

/** The customer learns what another person did. */
export const cardKinds = {
  'card.added': ofCard('A card was registered for the customer.', card),
  'card.changed': ofCard(
    'A card of the customer was changed.',
    object({
      cardId,
      changed: list(oneOf(CARD_CHANGES, 'expiry-date')),
    }),
  ),
  'card.closed': ofCard('An operator has closed a card of the customer: it takes no deposits.', card),
  'card.blocked': ofCard('Five wrong cv2 in a row: the card takes no deposits until it is registered again.', card),
  'card.reopened': ofCard('An operator has opened a closed card of the customer again.', card),
  'card.removed': ofCard('A card of the customer was removed.', card),
  'card.account-closed': ofCard(
    'The gateway or two operators reported that the account behind a card of the customer is closed.',
    card,
  ),
}
