import { id, kindOf } from '../../event-log/kind.ts'
import { object, orNull, string, stringOf } from '../../http/representation/json-schema.ts'
import { currency } from '../event-fields.ts'

const movement = object({
  reference: string('bet-70040-stake', 'The sportsbook’s own.'),
  amount: stringOf({ pattern: '^-?[0-9]+\\.[0-9]{2}$' }, '5.00'),
  currency,
  betId: orNull(id('70040', 'The bet.')),
  balance: stringOf({ pattern: '^[0-9]+\\.[0-9]{2}$' }, '20.00', 'Of the customer, after it.'),
})
const ofMovement = (meaning: string) => kindOf('customer')(meaning, movement)

/** Only for those who read the log: thousands a second would outrun webhooks and streams. */
export const movementKinds = {
  'movement.stake': ofMovement('The sportsbook has reported a stake of the customer.'),
  'movement.winnings': ofMovement('The sportsbook has reported winnings of the customer.'),
  'movement.void': ofMovement('The sportsbook has returned a stake to the customer.'),
  'movement.adjustment': ofMovement('The sportsbook has adjusted the customer’s balance.'),
}
