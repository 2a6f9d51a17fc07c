import {
  namedObject,
  object,
  oneOf,
  stringOf,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { FUNDINGS } from '../../wallets/cards/store.ts'
import { id, money, text } from '../server/fields.ts'
import { proposal } from './persons.ts'

const monthYear = stringOf({ pattern: '^(0[1-9]|1[0-2])/[0-9]{2}$' }, '12/49', 'MM/YY')

/** A full card number does not match and is refused unread. */
const maskedNumber = stringOf(
  { pattern: '^[0-9]{6}[*xX•]{2,9}[0-9]{4}$' },
  '411111******1111',
  'The first 6 and the last 4 digits around a mask. A full card number is refused.',
)

/** As the bank of the card has it. */
const holderName = text(
  1,
  80,
  'Ann',
  'The name of the card’s holder. Without both names the card takes no payouts, only what it paid in.',
)

export const methodBody = namedObject('PaymentMethod', {
  type: text(1, 20, 'CARD'),
  token: text(1, 200, 'sandbox:approve', 'The gateway’s token for the card.'),
  limits: object({ minDeposit: money('5.00'), maxDeposit: money('1000.00') }),
  card: object(
    {
      number: maskedNumber,
      expiryDate: monthYear,
      country: stringOf({ pattern: '^[A-Z]{2}$' }, 'GB', 'ISO 3166'),
      scheme: text(1, 40, 'VISA'),
    },
    {
      issueDate: monthYear,
      funding: withDefault(oneOf(FUNDINGS, 'debit'), 'unknown'),
      firstName: holderName,
      lastName: holderName,
    },
  ),
})
export type MethodBody = ValueOf<typeof methodBody>

export const storedMethod = namedObject('StoredPaymentMethod', { id: id('103'), customerId: id('1'), proposal })
