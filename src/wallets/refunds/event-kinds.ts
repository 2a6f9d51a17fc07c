import { id, kindOf } from '../../event-log/kind.ts'
import { object, oneOf } from '../../http/representation/json-schema.ts'
import { currency, money } from '../event-fields.ts'
import { REFUND_STATES } from './store.ts'

const refund = object({
  refundId: id('5', 'The refund.'),
  amount: money,
  currency,
  state: oneOf(REFUND_STATES, 'DONE'),
})
const ofRefund = (meaning: string) => kindOf('deposit')(meaning, refund)

export const refundKinds = {
  'refund.requested': ofRefund('An operator refunds the deposit; the amount has left the customer’s account.'),
  'refund.sent': ofRefund('The gateway has received the refund.'),
  'refund.done': ofRefund('The gateway has returned the money to the card.'),
  'refund.failed': ofRefund('The refund failed; the amount is credited to the customer again.'),
  'refund.review': ofRefund('The gateway has not answered for long: the refund needs manual review.'),
}
