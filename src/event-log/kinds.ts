// The table of events: what is reported, about which subject, and with which data. The reference, the JSON schemas and the
// filters come from it. Rows are written by triggers (migrations/schema.*.txt) and by the statements that import `store.ts`.
//
// Data are ids and figures. Never a text that a customer wrote, never card data.

import {
  boolean,
  count,
  list,
  object,
  oneOf,
  orNull,
  type Schema,
  string,
  type ValueOf,
} from '../http/representation/json-schema.ts'

export type SubjectType = 'profile' | 'comment' | 'market' | 'deposit' | 'customer'

type KindRow = {
  readonly meaning: string
  readonly subjects: readonly SubjectType[]
  readonly data: Schema
}

const id = (example: string, description: string) => string({ pattern: '^[0-9]+$', description, examples: [example] })
const byProfileId = id('2', 'The profile that did it.')
const outcomeId = id('1103', 'The outcome of the tip.')
const none = object({})
const byProfile = object({ byProfileId })
const outcome = object({ outcomeId })
/** As in record/figures.ts, which must not be imported here. */
const results = ['win', 'lose', 'void', 'push', 'half-win', 'half-lose', 'place'] as const
const result = object({ outcomeId, result: oneOf(results, { examples: ['win'] }) })
/** As in wallets/periods.ts, which must not be imported here. */
const period = oneOf(['day', 'week', 'month'], { examples: ['week'] })
const money = string({ pattern: '^[0-9]+\\.[0-9]{2}$', examples: ['25.00'] })
const why = object(
  {
    title: string({ examples: ['Not enough money'] }),
    meaning: string({
      description: 'What the bank meant, or what happened here.',
      examples: ['The bank says that there is less on the card than the amount.'],
    }),
    customerMessage: string({
      description: 'What the customer saw.',
      examples: ['There is not enough money on the card.'],
    }),
    nextStep: string({ description: 'What to do next.', examples: ['Nothing: the card works.'] }),
  },
  {},
  { description: 'Why it failed, in words. Only in the log that operators read, and in webhooks.' },
)
const depositFields = {
  amount: money,
  currency: string({ description: 'ISO 4217', examples: ['GBP'] }),
  state: string({ description: 'The state of the deposit after the change.', examples: ['CAPTURED'] }),
  review: orNull(string({ examples: [null] }), { description: 'Why it needed manual review.' }),
  limitPeriod: orNull(period, {
    description: 'The period of the customer’s own limit, where that is why it was voided.',
    examples: [null],
  }),
  fault: orNull(string({ examples: [null] }), {
    description: 'The public API’s code of the refusal. Absent from events of earlier versions.',
  }),
}
const deposit = object(depositFields, { why })
const refund = object({
  refundId: id('5', 'The refund.'),
  amount: money,
  currency: string({ description: 'ISO 4217', examples: ['GBP'] }),
  state: oneOf(['REQUESTED', 'SENT', 'DONE', 'FAILED', 'REVIEW'], { examples: ['DONE'] }),
})
const dispute = object({
  disputeId: id('3', 'The dispute.'),
  event: string({
    description: 'What the gateway has reported, by its name at Adyen; or `ended`.',
    examples: ['CHARGEBACK'],
  }),
  state: oneOf(['OPENED', 'CHARGED_BACK', 'REVERSED', 'CHARGED_BACK_AGAIN', 'LOST', 'WON'], {
    examples: ['CHARGED_BACK'],
  }),
  amount: money,
  currency: string({ description: 'ISO 4217', examples: ['GBP'] }),
  debited: string({
    pattern: '^[0-9]+\\.[0-9]{2}$',
    description: 'What the customer’s account and debt were debited for it, now.',
    examples: ['25.00'],
  }),
  answerBy: orNull(string({ examples: ['2027-05-15T09:30:00.000Z'] }), {
    description: 'Until when evidence may be given.',
  }),
})
const withdrawal = object({
  withdrawalId: id('4', 'The withdrawal.'),
  amount: money,
  currency: string({ description: 'ISO 4217', examples: ['GBP'] }),
  state: oneOf(['REQUESTED', 'APPROVED', 'SENDING', 'PAID', 'RETURNED', 'REFUSED', 'REVIEW'], { examples: ['PAID'] }),
})
const cardId = id('103', 'The card.')
const card = object({ cardId })
const movement = object({
  reference: string({ description: 'The sportsbook’s own.', examples: ['bet-70040-stake'] }),
  amount: string({ pattern: '^-?[0-9]+\\.[0-9]{2}$', examples: ['5.00'] }),
  currency: string({ description: 'ISO 4217', examples: ['GBP'] }),
  betId: orNull(id('70040', 'The bet.')),
  balance: string({ pattern: '^[0-9]+\\.[0-9]{2}$', description: 'Of the customer, after it.', examples: ['20.00'] }),
})
const appeal = {
  appealId: id('3', 'The appeal.'),
  decisionId: id('7', 'The decision.'),
  party: oneOf(['author', 'reporter'], { examples: ['author'] }),
}
const outcomes = count({ description: 'How many outcomes.', examples: [1] })

const kindOf =
  (...subjects: readonly SubjectType[]) =>
  <Data extends Schema>(meaning: string, data: Data) => ({ meaning, subjects, data })
const ofProfile = kindOf('profile')
const ofTip = kindOf('comment')
const ofSubject = kindOf('comment', 'profile')
const ofMarket = kindOf('market')
const ofCustomer = kindOf('customer')
const ofMovement = (meaning: string) => kindOf('customer')(meaning, movement)
const ofDeposit = (meaning: string) => kindOf('deposit')(meaning, deposit)
const ofDispute = (meaning: string) => kindOf('deposit')(meaning, dispute)
const ofWithdrawal = (meaning: string) => kindOf('customer')(meaning, withdrawal)
const ofCard = kindOf('customer')
const ofRefund = (meaning: string) => kindOf('deposit')(meaning, refund)

export const eventKinds = {
  'profile.created': ofProfile('A customer’s profile was created.', none),
  'follow.created': ofProfile('The profile has a new follower.', byProfile),
  'follow.ended': ofProfile('A follower left the profile.', byProfile),
  'tip.created': ofTip('A tip was written.', object({ outcomeId, sportId: id('1', 'The sport of the tip.') })),
  'tip.deactivated': ofTip('The author has taken the tip back.', outcome),
  'tip.removed': ofTip('A moderator has removed the tip, or a rule holds it.', outcome),
  'tip.restored': ofTip('A moderator has restored or published the tip.', outcome),
  'tip.settled': ofTip('The outcome of the tip has a result.', result),
  'tip.corrected': ofTip('The outcome of the tip has another result than before.', result),
  'like.created': ofTip('The tip was liked.', byProfile),
  'like.ended': ofTip('A like of the tip was withdrawn.', byProfile),
  'flag.created': ofSubject('The tip or profile was flagged for moderators.', byProfile),
  'decision.made': ofSubject(
    'A moderator has decided on the tip or profile, or a rule holds the tip.',
    object({ decisionId: id('7', 'The decision.'), action: string({ examples: ['remove'] }) }),
  ),
  'appeal.made': ofSubject('The author or a reporter has appealed a decision on the tip or profile.', object(appeal)),
  'appeal.decided': ofSubject(
    'A moderator has decided an appeal.',
    object({ ...appeal, outcome: oneOf(['upheld', 'overturned'], { examples: ['upheld'] }) }),
  ),
  'deposit.challenged': ofDeposit('The issuer asks the customer to confirm (3-D Secure); nothing is credited yet.'),
  'deposit.authorised': ofDeposit('The amount is held on the card and credited to the customer.'),
  'deposit.captured': ofDeposit('The gateway has taken the money.'),
  'deposit.declined': ofDeposit('The gateway or the bank has refused.'),
  'deposit.voided': ofDeposit('The deposit failed, and nothing is held on the card.'),
  'deposit.review': ofDeposit('The deposit needs manual review.'),
  'deposit.resolved': ofDeposit('An operator has resolved the review.'),
  'refund.requested': ofRefund('An operator refunds the deposit; the amount has left the customer’s account.'),
  'refund.sent': ofRefund('The gateway has received the refund.'),
  'refund.done': ofRefund('The gateway has returned the money to the card.'),
  'refund.failed': ofRefund('The refund failed; the amount is credited to the customer again.'),
  'refund.review': ofRefund('The gateway has not answered for long: the refund needs manual review.'),
  'dispute.opened': ofDispute('The bank of the card asks about the deposit, or has taken its money back.'),
  'dispute.changed': ofDispute('The gateway has reported more about a dispute, or it has ended.'),
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
  'card.added': ofCard('A card was registered for the customer.', card),
  'card.changed': ofCard(
    'A card of the customer was changed.',
    object({
      cardId,
      changed: list(oneOf(['token', 'number', 'expiry-date', 'holder'], { examples: ['expiry-date'] })),
    }),
  ),
  'card.closed': ofCard('An operator has closed a card of the customer: it takes no deposits.', card),
  'card.blocked': ofCard('Five wrong cv2 in a row: the card takes no deposits until it is registered again.', card),
  'card.reopened': ofCard('An operator has opened a closed card of the customer again.', card),
  'card.removed': ofCard('A card of the customer was removed.', card),
  'card.account-closed': ofCard(
    'The account behind a card of the customer is closed, says the gateway or two operators.',
    card,
  ),
  'movement.stake': ofMovement('The sportsbook has reported a stake of the customer.'),
  'movement.winnings': ofMovement('The sportsbook has reported winnings of the customer.'),
  'movement.void': ofMovement('The sportsbook has returned a stake to the customer.'),
  'movement.adjustment': ofMovement('The sportsbook has adjusted the customer’s balance.'),
  'market.settled': ofMarket(
    'Outcomes of the market have new results. Events of the tips on them follow.',
    object({ settled: outcomes, corrected: outcomes }),
  ),
  'customer.changed': ofCustomer(
    'The customer was registered or changed.',
    object({
      status: string({ examples: ['active'] }),
      verified: boolean({ examples: [true] }),
    }),
  ),
  'limit.changed': ofCustomer(
    'The customer has set, requested or confirmed a limit for their deposits.',
    object({
      period,
      change: oneOf(['set', 'requested', 'confirmed'], { examples: ['requested'] }),
      amount: orNull(money, { description: 'The limit in force; null: none.' }),
      requested: orNull(money, { description: 'The requested limit; null, where one was requested: none.' }),
    }),
  ),
  'customer.excluded': ofCustomer(
    'The customer has begun a time-out or a self-exclusion.',
    object({
      kind: oneOf(['time-out', 'self-exclusion'], { examples: ['time-out'] }),
      until: string({ description: 'Nothing ends it before.', examples: ['2027-05-15T09:30:00.000Z'] }),
    }),
  ),
  'customer.erased': ofCustomer('The customer’s personal data was erased.', none),
} as const satisfies Record<string, KindRow>

export type EventKind = keyof typeof eventKinds
export type EventData<Kind extends EventKind> = ValueOf<(typeof eventKinds)[Kind]['data']>

export const EVENT_KINDS = Object.keys(eventKinds) as EventKind[]

/** Only for those who read the log: thousands a second would outrun webhooks and streams. */
type PulledKind = Extract<EventKind, `movement.${string}`>
export type PushedKind = Exclude<EventKind, PulledKind>
export const PUSHED_KINDS = EVENT_KINDS.filter((kind): kind is PushedKind => !kind.startsWith('movement.'))

/** All changes of cards: the customer notices what somebody else did. */
export const CARD_KINDS = [
  'card.added',
  'card.changed',
  'card.closed',
  'card.blocked',
  'card.reopened',
  'card.removed',
  'card.account-closed',
] as const satisfies EventKind[]

/** What everybody can see of tips, profiles and markets. All others are personal: who paid, flagged, liked or was excluded. */
export const PUBLIC_KINDS: readonly EventKind[] = [
  'profile.created',
  'follow.created',
  'follow.ended',
  'tip.created',
  'tip.deactivated',
  'tip.removed',
  'tip.restored',
  'tip.settled',
  'tip.corrected',
  'market.settled',
]
