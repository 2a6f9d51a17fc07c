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
  text: s.string('Derby have not won away since August'),
  state: s.string('live'),
})
const flag = s.object({
  kind: s.oneOf(['profile', 'comment']),
  id: s.id('15'),
  at: s.time(),
  reason: s.orNull(reason),
  note: s.string(''),
})
const bet = s.object(
  { id: s.id('70012'), placedAt: s.time(), outcomeIds: s.list(s.id('80021')) },
  { legs: s.list(leg, 'The outcomes with known terms.'), cashOut: s.list(cashOut) },
)

export const movement = s.object(
  {
    reference: s.string('bet-70012-stake'),
    kind: s.oneOf(MOVEMENT_KINDS, 'stake'),
    amount: s.amount('5.00'),
    currency: s.string('GBP'),
    at: s.time(),
  },
  { betId: s.id('70012') },
)

export const notification = s.object({
  id: s.id('17'),
  type: s.oneOf(['followed', 'liked', 'settled', 'decision', 'report', 'appeal', 'card']),
  at: s.time(),
  isRead: s.boolean(false),
  numActors: s.count(13, 'How many profiles followed or liked.'),
  commentId: s.orNull(s.id('1')),
  action: s.orNull(s.string('remove'), 'What a moderator decided, or what was done with the card.'),
  decisionId: s.orNull(s.id('7')),
  cardId: s.orNull(s.id('103')),
})
export const appeal = s.object({
  id: s.id('3'),
  decisionId: s.id('7'),
  party: s.oneOf(PARTIES),
  text: s.string('It was a joke between friends.'),
  at: s.time(),
  state: s.oneOf(APPEAL_STATES),
  reply: s.string(''),
  decidedAt: s.orNull(s.time()),
})
const formerContent = s.object({
  decisionId: s.id('7'),
  action: s.string('reset-name'),
  value: s.string('Lucky Larry', 'The name, the biography, or the key of the picture.'),
  at: s.time(),
})
const { type, timestamp, subject, data } = event.properties
const safeguard = s.object({
  type: s.oneOf(Object.keys(safeguardKinds) as SafeguardKind[], 'limit.changed'),
  at: s.time(),
  data: s.anyOf(Object.values(safeguardKinds).map(({ data }) => data)),
})

export const listFields = {
  safeguards: s.list(
    safeguard,
    'The limits, time-outs and self-exclusions that the customer has set or requested, oldest first.',
  ),
  movements: s.list(movement, 'What the sportsbook reported of the customer’s money, oldest first.'),
  bets: s.list(bet),
  followings: s.list(follow, 'Whom the customer follows.'),
  followers: s.list(follow),
  mutes: s.list(
    s.object({ ...follow.properties, until: s.orNull(s.time()) }),
    'Whom the customer has muted; `until` is null where it lasts until it is taken back.',
  ),
  blocks: s.list(follow, 'Whom the customer has blocked.'),
  comments: s.list(comment),
  likes: s.list(s.object({ commentId: s.id('1'), at: s.time() })),
  flags: s.list(flag, 'What the customer flagged.'),
  appeals: s.list(appeal, 'The customer’s appeals against moderators’ decisions.'),
  formerContent: s.list(formerContent, 'What moderators have reset, as long as an appeal can put it back.'),
  notifications: s.list(notification),
  events: s.list(
    s.object({ type, timestamp, subject, data }),
    'The log of events about the customer and the profile. It is stored for EVENT_DAYS.',
  ),
}
