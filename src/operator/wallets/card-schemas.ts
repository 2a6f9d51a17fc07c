import { count, named, object, orNull, string, type ValueOf } from '../../http/representation/json-schema.ts'
import { amount, id, page, reason, time } from '../server/fields.ts'

export const card = named(
  'Card',
  object({
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
    closedAt: orNull(time(), { description: 'When an operator closed it; null: open.' }),
  }),
)
export type Card = ValueOf<typeof card>
export const cards = page(card)

export const closureBody = object({ reason })
