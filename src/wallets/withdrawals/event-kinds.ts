import { id, kindOf } from '../../event-log/kind.ts'
import { object, oneOf } from '../../http/representation/json-schema.ts'
import { currency, money } from '../event-fields.ts'
import { WITHDRAWAL_STATES } from './store.ts'

const withdrawal = object({
  withdrawalId: id('4', 'The withdrawal.'),
  amount: money,
  currency,
  state: oneOf(WITHDRAWAL_STATES, 'PAID'),
})
const ofWithdrawal = (meaning: string) => kindOf('customer')(meaning, withdrawal)

export const withdrawalKinds = {
  'withdrawal.requested': ofWithdrawal('The customer withdraws money; the amount has left their account.'),
  'withdrawal.held': ofWithdrawal(
    'The withdrawal waits for persons: one of them holds it, its card has changed, or the customer owes money.',
  ),
  'withdrawal.released': ofWithdrawal('The withdrawal is no longer held, and waits for approval.'),
  'withdrawal.approved': ofWithdrawal('The withdrawal will be sent: the rule or two operators have approved it.'),
  'withdrawal.sending': ofWithdrawal('The withdrawal is being sent to the gateway.'),
  'withdrawal.paid': ofWithdrawal('The gateway has paid the withdrawal out.'),
  'withdrawal.returned': ofWithdrawal(
    'The withdrawal was not paid, or came back; the amount is credited to the customer again.',
  ),
  'withdrawal.part-returned': ofWithdrawal(
    'A part of the withdrawal was not paid, or came back; its amount is credited to the customer again.',
  ),
  'withdrawal.refused': ofWithdrawal(
    'An operator has refused the withdrawal; the amount is credited to the customer again.',
  ),
  'withdrawal.review': ofWithdrawal('The result of the withdrawal needs manual review.'),
}
