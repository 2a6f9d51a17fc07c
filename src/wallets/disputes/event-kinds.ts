import { id, kindOf } from '../../event-log/kind.ts'
import { object, oneOf, orNull, string, stringOf } from '../../http/representation/json-schema.ts'
import { currency, money } from '../event-fields.ts'
import { DISPUTE_STATES } from './events.ts'

const dispute = object({
  disputeId: id('3', 'The dispute.'),
  event: string('CHARGEBACK', 'What the gateway has reported, by its name at Adyen; or `ended`.'),
  state: oneOf(DISPUTE_STATES, 'CHARGED_BACK'),
  amount: money,
  currency,
  debited: stringOf(
    { pattern: '^[0-9]+\\.[0-9]{2}$' },
    '25.00',
    'What the customer’s account and debt were debited for it, now.',
  ),
  answerBy: orNull(string('2027-05-15T09:30:00.000Z'), 'Until when evidence may be given.'),
})
const ofDispute = (meaning: string) => kindOf('deposit')(meaning, dispute)

export const disputeKinds = {
  'dispute.opened': ofDispute('The bank of the card queries the deposit, or has taken its money back.'),
  'dispute.changed': ofDispute('The gateway has reported more about a dispute, or it has ended.'),
}
