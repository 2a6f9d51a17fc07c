import {
  boolean,
  count,
  integer,
  list,
  named,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { APPEAL_STATES, PARTIES } from '../../moderation/own-decision-store.ts'
import { customerAccount } from '../customers/schemas.ts'
import { event } from '../events/schemas.ts'
import { reporterFigures } from '../moderation/reporter-schemas.ts'
import {
  decision,
  decisionColumns,
  decisionReasons,
  profileContentFields,
  reason,
} from '../moderation/review-schemas.ts'
import { amount, id, time } from '../server/fields.ts'
import { cashOut, leg } from '../sportsbook/schemas.ts'
import { deposit } from '../wallets/method-schemas.ts'

const session = object({ createdAt: time(), lastUsedAt: time(), expiresAt: time() })

const paymentMethod = object({
  id: integer(0, Number.MAX_SAFE_INTEGER, { examples: [101] }),
  type: string({ examples: ['CARD'] }),
  limits: object({ minDeposit: amount('5.00'), maxDeposit: amount('1000.00') }),
  card: object(
    {
      number: string({ description: 'The first 6 and the last 4 digits.', examples: ['411111******1111'] }),
      expiryDate: string({ examples: ['12/49'] }),
      country: string({ examples: ['GB'] }),
      scheme: string({ examples: ['VISA'] }),
    },
    { issueDate: string({ examples: ['01/24'] }) },
  ),
  closedAt: orNull(time(), { description: 'When an operator closed it; null: open.', examples: [null] }),
})

const follow = object({ profileId: id('3'), since: time() })
const comment = object({
  id: id('1'),
  at: time(),
  outcomeId: id('80061'),
  betId: id('70100'),
  text: string({ examples: ['Derby have not won away since August'] }),
  state: string({ examples: ['live'] }),
})
const flag = object({
  kind: oneOf(['profile', 'comment']),
  id: id('15'),
  at: time(),
  reason: orNull(reason),
  note: string({ examples: [''] }),
})
const bet = object(
  { id: id('70012'), placedAt: time(), outcomeIds: list(id('80021')) },
  { legs: list(leg, { description: 'The outcomes with known terms.' }), cashOut: list(cashOut) },
)

const notification = object({
  id: id('17'),
  type: oneOf(['followed', 'liked', 'settled', 'decision', 'report', 'appeal']),
  at: time(),
  isRead: boolean({ examples: [false] }),
  numActors: count({ description: 'How many profiles followed or liked.', examples: [13] }),
  commentId: orNull(id('1')),
  action: orNull(string({ examples: ['remove'] }), { description: 'What a moderator decided.' }),
  decisionId: orNull(id('7')),
})
const appeal = object({
  id: id('3'),
  decisionId: id('7'),
  party: oneOf(PARTIES),
  text: string({ examples: ['It was a joke between friends.'] }),
  at: time(),
  state: oneOf(APPEAL_STATES),
  reply: string({ examples: [''] }),
  decidedAt: orNull(time()),
})
const formerContent = object({
  decisionId: id('7'),
  action: string({ examples: ['reset-name'] }),
  value: string({ description: 'The name, the biography, or the key of the picture.', examples: ['Lucky Larry'] }),
  at: time(),
})
const { type, timestamp, subject, data } = event.properties

const headFields = {
  customer: customerAccount,
  sessions: object({ count: count({ examples: [1] }), items: list(session) }),
  wallet: object({ balance: amount('0.00'), paymentMethods: list(paymentMethod), deposits: list(deposit) }),
  profile: orNull(object({ id: id('1'), ...profileContentFields, createdAt: time() })),
  reporter: orNull(reporterFigures, {
    description: 'How often the customer’s flags were right. null: there is no profile.',
  }),
  decisions: list(decision, { description: 'Moderators’ decisions on the profile.' }),
  decisionsOnComments: list(object({ commentId: id('1'), ...decisionColumns }, decisionReasons)),
}

const sectionFields = {
  bets: list(bet),
  followings: list(follow, { description: 'Whom the customer follows.' }),
  followers: list(follow),
  mutes: list(object({ ...follow.properties, until: orNull(time()) }), {
    description: 'Whom the customer has muted; `until` is null where it lasts until it is taken back.',
  }),
  blocks: list(follow, { description: 'Whom the customer has blocked.' }),
  comments: list(comment),
  likes: list(object({ commentId: id('1'), at: time() })),
  flags: list(flag, { description: 'What the customer flagged.' }),
  appeals: list(appeal, { description: 'The customer’s appeals against moderators’ decisions.' }),
  formerContent: list(formerContent, {
    description: 'What moderators have reset, as long as an appeal can put it back.',
  }),
  notifications: list(notification),
  events: list(object({ type, timestamp, subject, data }), {
    description: 'The log of events about the customer and the profile. It is kept for EVENT_DAYS.',
  }),
}

export const personalData = named('PersonalData', object({ ...headFields, ...sectionFields }))
const head = object(headFields)
/** Read at once; the lists after it are written while they are read. */
export type PersonalDataHead = ValueOf<typeof head>
