import { WITHDRAWAL_REVIEWS, WITHDRAWAL_STATES } from '../../wallets/withdrawal-store.ts'
import * as s from '../server/fields.ts'
import { cardFields } from './method-schemas.ts'

export const withdrawalState = s.oneOf(WITHDRAWAL_STATES, {
  description:
    '`REQUESTED`: debited, and waits for approval. `SENDING`: the gateway pays it out. `RETURNED`, `REFUSED`: credited to the customer ' +
    'again. `REVIEW`: its result needs manual review.',
  examples: ['REQUESTED'],
})

const operatorName = (description: string) => s.orNull(s.string(), { description, examples: [null] })

const withdrawalFields = {
  id: s.id('4'),
  reference: s.string({
    description: 'The merchant reference at the gateway.',
    examples: ['5f0c9e4e-8f53-4c8e-9d0b-0c8c3c2b7a11'],
  }),
  customerId: s.id('1'),
  paymentMethodId: s.id('101'),
  ...cardFields,
  amount: s.amount('20.00'),
  currency: s.string({ description: 'ISO 4217', examples: ['GBP'] }),
  state: withdrawalState,
  needsApproval: s.boolean({ description: 'It waits for operators.', examples: [true] }),
  requestedBy: operatorName('The operator who requested it for the customer. null: the customer did.'),
  approvedBy: s.list(s.string(), {
    description: 'The operators; none where the rule has approved it.',
    examples: [[]],
  }),
  holdReason: operatorName('What the customer reads: why it is not sent yet, or was refused.'),
  heldBy: operatorName('The operator who holds it.'),
  review: s.orNull(s.oneOf(WITHDRAWAL_REVIEWS), {
    description: 'Why it needs or needed manual review.',
    examples: [null],
  }),
  gateway: s.string({ examples: ['sandbox'] }),
  gatewayReference: s.orNull(s.string(), { description: 'The gateway’s id of the payout.', examples: [null] }),
  createdAt: s.time(),
  changedAt: s.time(),
}
export const withdrawal = s.named('Withdrawal', s.object(withdrawalFields))
export type Withdrawal = s.ValueOf<typeof withdrawal>

export const withdrawalWithEvents = s.object({
  ...withdrawalFields,
  events: s.list(
    s.object({
      at: s.time(),
      event: s.string({ examples: ['requested'] }),
      detail: s.string({ examples: [''] }),
    }),
    { description: 'Oldest first.' },
  ),
})

export const withdrawalOptions = s.named(
  'WithdrawalOptions',
  s.object({
    items: s.list(s.object({ paymentMethodId: s.id('101'), max: s.amount('20.00') }), {
      description: 'The cards that money may go to now, with the most of each.',
    }),
  }),
)

/** The customer reads it, so it has no line ends. */
export const shownReason = s.text(1, 200, {
  description: 'The customer reads it.',
  examples: ['Please send us a proof of your address.'],
})

export const requestBody = s.object({
  amount: s.money('20.00', { description: 'At most what the options allow.' }),
  paymentMethodId: s.id('101'),
  reason: s.reason,
})

export const resolutionBody = s.object(
  {
    outcome: s.oneOf(['paid', 'returned'], {
      description: '`paid`: the customer has the money. `returned`: they do not; it is credited to them again.',
      examples: ['paid'],
    }),
  },
  { note: s.note },
)
