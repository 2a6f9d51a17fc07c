import { APPEAL_STATES, PARTIES } from '../../moderation/appeals/appeal-store.ts'
import { MOVEMENT_KINDS } from '../../wallets/account/movement-store.ts'
import type { SafeguardKind } from '../../wallets/limits/safeguard-store.ts'
import { safeguardKinds } from '../../wallets/limits/safeguards.ts'
import { event } from '../events/operations.ts'
import { reason } from '../moderation/review-schemas.ts'
import * as s from '../server/fields.ts'
import { cashOut, leg } from '../sportsbook/schemas.ts'

const follow = s.object({ profileId: s.id('3'), since: s.time() })
export const comment = s.object({
  id: s.id('1'),
  at: s.time(),
  outcomeId: s.id('80061'),
  betId: s.id('70100'),
  text: s.string({ examples: ['Derby have not won away since August'] }),
  state: s.string({ examples: ['live'] }),
})
const flag = s.object({
  kind: s.oneOf(['profile', 'comment']),
  id: s.id('15'),
  at: s.time(),
  reason: s.orNull(reason),
  note: s.string({ examples: [''] }),
})
const bet = s.object(
  { id: s.id('70012'), placedAt: s.time(), outcomeIds: s.list(s.id('80021')) },
  { legs: s.list(leg, { description: 'The outcomes with known terms.' }), cashOut: s.list(cashOut) },
)

export const movement = s.object(
  {
    reference: s.string({ examples: ['bet-70012-stake'] }),
    kind: s.oneOf(MOVEMENT_KINDS, { examples: ['stake'] }),
    amount: s.amount('5.00'),
    currency: s.string({ examples: ['GBP'] }),
    at: s.time(),
  },
  { betId: s.id('70012') },
)

export const notification = s.object({
  id: s.id('17'),
  type: s.oneOf(['followed', 'liked', 'settled', 'decision', 'report', 'appeal', 'card']),
  at: s.time(),
  isRead: s.boolean({ examples: [false] }),
  numActors: s.count({ description: 'How many profiles followed or liked.', examples: [13] }),
  commentId: s.orNull(s.id('1')),
  action: s.orNull(s.string({ examples: ['remove'] }), {
    description: 'What a moderator decided, or what was done with the card.',
  }),
  decisionId: s.orNull(s.id('7')),
  cardId: s.orNull(s.id('103')),
})
export const appeal = s.object({
  id: s.id('3'),
  decisionId: s.id('7'),
  party: s.oneOf(PARTIES),
  text: s.string({ examples: ['It was a joke between friends.'] }),
  at: s.time(),
  state: s.oneOf(APPEAL_STATES),
  reply: s.string({ examples: [''] }),
  decidedAt: s.orNull(s.time()),
})
const formerContent = s.object({
  decisionId: s.id('7'),
  action: s.string({ examples: ['reset-name'] }),
  value: s.string({ description: 'The name, the biography, or the key of the picture.', examples: ['Lucky Larry'] }),
  at: s.time(),
})
const { type, timestamp, subject, data } = event.properties
const safeguard = s.object({
  type: s.oneOf(Object.keys(safeguardKinds) as SafeguardKind[], { examples: ['limit.changed'] }),
  at: s.time(),
  data: s.anyOf(Object.values(safeguardKinds).map(({ data }) => data)),
})

export const listFields = {
  safeguards: s.list(safeguard, {
    description: 'The limits, time-outs and self-exclusions that the customer has set or requested, oldest first.',
  }),
  movements: s.list(movement, {
    description: 'What the sportsbook reported of the customer’s money, oldest first.',
  }),
  bets: s.list(bet),
  followings: s.list(follow, { description: 'Whom the customer follows.' }),
  followers: s.list(follow),
  mutes: s.list(s.object({ ...follow.properties, until: s.orNull(s.time()) }), {
    description: 'Whom the customer has muted; `until` is null where it lasts until it is taken back.',
  }),
  blocks: s.list(follow, { description: 'Whom the customer has blocked.' }),
  comments: s.list(comment),
  likes: s.list(s.object({ commentId: s.id('1'), at: s.time() })),
  flags: s.list(flag, { description: 'What the customer flagged.' }),
  appeals: s.list(appeal, { description: 'The customer’s appeals against moderators’ decisions.' }),
  formerContent: s.list(formerContent, {
    description: 'What moderators have reset, as long as an appeal can put it back.',
  }),
  notifications: s.list(notification),
  events: s.list(s.object({ type, timestamp, subject, data }), {
    description: 'The log of events about the customer and the profile. It is stored for EVENT_DAYS.',
  }),
}
