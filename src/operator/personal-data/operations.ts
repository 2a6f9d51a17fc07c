import { Readable } from 'node:stream'
import { eventKinds } from '../../event-log/kinds.ts'
import { findCustomer } from '../../identity/customers/customer.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { sessionsOfCustomer } from '../../identity/sessions/store.ts'
import { APPEAL_STATES, PARTIES } from '../../moderation/appeals/appeal-store.ts'
import { readLabels } from '../../moderation/assignments/assignments.ts'
import { readDecisions, readDecisionsOnComments } from '../../moderation/decisions/decisions.ts'
import { profileForReview } from '../../moderation/decisions/store.ts'
import { profileContent } from '../../moderation/decisions/subjects.ts'
import { readReporterFigures } from '../../moderation/reporters/reporters.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { NO_PROFILE } from '../../profiles/profile.ts'
import { profileById, profileOfCustomer } from '../../profiles/store.ts'
import { MOVEMENT_KINDS } from '../../wallets/account/movement-store.ts'
import type { SafeguardKind } from '../../wallets/limits/safeguard-store.ts'
import type { OperatorContext } from '../context.ts'
import { noCustomer, showAccount } from '../customers/operations.ts'
import { customerAccount } from '../customers/schemas.ts'
import { event } from '../events/operations.ts'
import { reporterFigures } from '../moderation/reporter-operations.ts'
import {
  decision,
  decisionColumns,
  decisionReasons,
  premoderated,
  profileContentFields,
  reason,
} from '../moderation/review-schemas.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { problemFields } from '../server/problem-schema.ts'
import { cashOut, leg } from '../sportsbook/schemas.ts'
import { erasePersonalData } from './erase.ts'
import { jsonWithLists } from './lists.ts'
import { readWallet, wallet } from './wallet.ts'

const session = s.object({ createdAt: s.time(), lastUsedAt: s.time(), expiresAt: s.time() })

const follow = s.object({ profileId: s.id('3'), since: s.time() })
const comment = s.object({
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

const movement = s.object(
  {
    reference: s.string({ examples: ['bet-70012-stake'] }),
    kind: s.oneOf(MOVEMENT_KINDS, { examples: ['stake'] }),
    amount: s.amount('5.00'),
    currency: s.string({ examples: ['GBP'] }),
    at: s.time(),
  },
  { betId: s.id('70012') },
)

const notification = s.object({
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
const appeal = s.object({
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
const SAFEGUARDS = ['limit.changed', 'customer.excluded'] as const satisfies SafeguardKind[]
const safeguard = s.object({
  type: s.oneOf(SAFEGUARDS, { examples: ['limit.changed'] }),
  at: s.time(),
  data: s.anyOf(SAFEGUARDS.map((kind) => eventKinds[kind].data)),
})

const headFields = {
  customer: customerAccount,
  sessions: s.object({ count: s.count({ examples: [1] }), items: s.list(session) }),
  wallet,
  profile: s.orNull(s.object({ id: s.id('1'), ...profileContentFields, premoderated, createdAt: s.time() })),
  reporter: s.orNull(reporterFigures, {
    description: 'How often the customer’s flags were right. null: there is no profile.',
  }),
  decisions: s.list(decision, { description: 'Moderators’ decisions on the profile.' }),
  labels: s.list(
    s.object({
      kind: s.oneOf(['profile', 'comment'], { examples: ['profile'] }),
      id: s.id('1'),
      label: s.string({ examples: ['watch'] }),
      at: s.time(),
    }),
    {
      description: 'What moderators call the profile and its comments.',
    },
  ),
  decisionsOnComments: s.list(s.object({ commentId: s.id('1'), ...decisionColumns }, decisionReasons)),
}

const sectionFields = {
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
    description: 'The log of events about the customer and the profile. It is kept for EVENT_DAYS.',
  }),
}

export const personalData = s.named('PersonalData', s.object({ ...headFields, ...sectionFields }))
const head = s.object(headFields)
/** Read at once; the lists after it are written while they are read. */
export type PersonalDataHead = s.ValueOf<typeof head>

const erasureProblem = s.named(
  'ErasureProblem',
  s.object({
    ...problemFields,
    inTheWay: s.list(s.string({ examples: ['a balance of 12.50 GBP'] }), { description: 'In words.' }),
  }),
)

export const personalDataOperations = [
  operatorOperation({
    name: 'exportPersonalData',
    summary: 'Export the personal data of a customer',
    description: 'Everything that is stored about the customer, as one JSON object.',
    route: 'GET /customers/{id}/personal-data',
    role: 'admin',
    audit: 'exported the personal data of customer {id}',
    answer: { 200: personalData },
    async handle(context, { path: { id }, operator }) {
      const profileId = (await context.database.one(profileOfCustomer, { customerId: id }))?.id ?? null
      const head = await readHead(context, { customerId: id, profileId, operator })
      const json = jsonWithLists(context.database, head, { customer: id, profile: profileId })
      return Readable.from(json)
    },
  }),
  operatorOperation({
    name: 'erasePersonalData',
    summary: 'Erase the personal data of a customer',
    description:
      'Erases log-in, name, cards, the profile’s text and picture, the text of comments, moderators’ notes on them, mutes, ' +
      'blocks and notifications; ends all sessions and closes the customer. Ids, follows, bets and the ledger stay. What the gateway ' +
      'reports afterwards is the house’s, and is in the list of unapplied notifications.',
    route: 'DELETE /customers/{id}/personal-data',
    role: 'admin',
    audit: 'erased the personal data of customer {id}',
    answer: { 204: null },
    problems: {
      409: {
        when: 'The customer has a balance, a debt, or money that is not final; `inTheWay` lists it.',
        schema: erasureProblem,
      },
    },
    example: { path: { id: '18' } },
    async handle(context, { path: { id } }) {
      if (!(await erasePersonalData(context, id))) throw noCustomer(id)
    },
  }),
]

type Export = { readonly customerId: number; readonly profileId: number | null; readonly operator: Operator }

async function readHead(
  context: OperatorContext,
  { customerId, profileId, operator }: Export,
): Promise<PersonalDataHead> {
  const { database } = context
  const customer = await findCustomer(database, customerId)
  if (customer === undefined) throw noCustomer(customerId)
  const sessions = await database.query(sessionsOfCustomer, { customerId })
  return {
    customer: showAccount(customer, context.now()),
    sessions: {
      count: sessions.length,
      items: sessions.map((row) => ({
        createdAt: isoTime(row.created_at),
        lastUsedAt: isoTime(row.used_at),
        expiresAt: isoTime(row.expires_at),
      })),
    },
    wallet: await readWallet(context, customer, operator),
    profile: profileId === null ? null : await readProfile(context, profileId),
    reporter: profileId === null ? null : await readReporterFigures(database, profileId),
    decisions: profileId === null ? [] : await readDecisions(database, 'profile', profileId),
    labels: profileId === null ? [] : await readLabels(database, profileId),
    decisionsOnComments: profileId === null ? [] : await readDecisionsOnComments(database, profileId),
  }
}

async function readProfile({ config, database }: OperatorContext, id: number): Promise<PersonalDataHead['profile']> {
  const row = await database.one(profileById, { id, viewer: NO_PROFILE })
  if (row === undefined) return null
  const premoderated = (await database.one(profileForReview, { id }))?.premoderated === 1
  return { id: String(row.id), ...profileContent(config, row), premoderated, createdAt: isoTime(row.created_at) }
}
