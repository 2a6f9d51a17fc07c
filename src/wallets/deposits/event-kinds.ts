import { kindOf } from '../../event-log/kind.ts'
import { object, orNull, string } from '../../http/representation/json-schema.ts'
import { currency, money, period } from '../event-fields.ts'

const why = object(
  {
    title: string('Not enough money'),
    meaning: string(
      'The bank reports that there is less on the card than the amount.',
      'What the bank meant, or what happened here.',
    ),
    customerMessage: string('There is not enough money on the card.', 'What the customer saw.'),
    nextStep: string('Nothing: the card works.', 'What to do next.'),
  },
  {},
  'Why it failed, in words. Only in the log that operators read, and in webhooks.',
)
const deposit = object(
  {
    amount: money,
    currency,
    state: string('CAPTURED', 'The state of the deposit after the change.'),
    review: orNull(string(''), 'Why it needed manual review.', null),
    limitPeriod: orNull(period, 'The period of the customer’s own limit, where that is why it was voided.', null),
    fault: orNull(string(''), 'The public API’s code of the refusal. Absent from events of earlier versions.', null),
  },
  { why },
)
const ofDeposit = (meaning: string) => kindOf('deposit')(meaning, deposit)

export const depositKinds = {
  'deposit.challenged': ofDeposit(
    'The issuer requests a confirmation from the customer (3-D Secure); nothing is credited yet.',
  ),
  'deposit.authorised': ofDeposit('The amount is held on the card and credited to the customer.'),
  'deposit.captured': ofDeposit('The gateway has taken the money.'),
  'deposit.declined': ofDeposit('The gateway or the bank has refused.'),
  'deposit.voided': ofDeposit('The deposit failed, and nothing is held on the card.'),
  'deposit.review': ofDeposit('The deposit needs manual review.'),
  'deposit.resolved': ofDeposit('An operator has resolved the review.'),
}
