import { Readable } from 'node:stream'
import { findCustomer } from '../../identity/customers/customer.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { sessionsOfCustomer } from '../../identity/sessions/store.ts'
import { readLabels } from '../../moderation/assignments/assignments.ts'
import { readDecisions, readDecisionsOnComments } from '../../moderation/decisions/decisions.ts'
import { profileForReview } from '../../moderation/decisions/store.ts'
import { profileContent } from '../../moderation/decisions/subjects.ts'
import { readReporter } from '../../moderation/reporters/reporters.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { NO_PROFILE } from '../../profiles/profile.ts'
import { profileById, profileOfCustomer } from '../../profiles/store.ts'
import type { OperatorContext } from '../context.ts'
import { noCustomer, showAccount } from '../customers/operations.ts'
import { customerAccount } from '../customers/schemas.ts'
import { reporterFigures } from '../moderation/reporter-operations.ts'
import {
  decision,
  decisionColumns,
  decisionReasons,
  premoderated,
  profileContentFields,
} from '../moderation/review-schemas.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { problemFields } from '../server/problem-schema.ts'
import { shown } from '../server/shown.ts'
import { erasePersonalData } from './erase.ts'
import { listFields } from './list-schemas.ts'
import { jsonWithLists } from './lists.ts'
import { readWallet, wallet } from './wallet.ts'

const session = s.object({ createdAt: s.time(), lastUsedAt: s.time(), expiresAt: s.time() })

const sessionOf = shown(session)
const reporterFiguresOf = shown(reporterFigures)

const headFields = {
  customer: customerAccount,
  sessions: s.object({ count: s.count(1), items: s.list(session) }),
  wallet,
  profile: s.orNull(s.object({ id: s.id('1'), ...profileContentFields, premoderated, createdAt: s.time() })),
  reporter: s.orNull(reporterFigures, 'How often the customer’s flags were right. null: there is no profile.'),
  decisions: s.list(decision, 'Moderators’ decisions on the profile.'),
  labels: s.list(
    s.object({
      kind: s.oneOf(['profile', 'comment'], 'profile'),
      id: s.id('1'),
      label: s.string('watch'),
      at: s.time(),
    }),
    'What moderators call the profile and its comments.',
  ),
  decisionsOnComments: s.list(s.object({ commentId: s.id('1'), ...decisionColumns }, decisionReasons)),
}

export const personalData = s.namedObject('PersonalData', { ...headFields, ...listFields })
const head = s.object(headFields)
/** Read at once; the lists after it are written while they are read. */
export type PersonalDataHead = s.ValueOf<typeof head>

const erasureProblem = s.namedObject('ErasureProblem', {
  ...problemFields,
  inTheWay: s.list(s.string('a balance of 12.50 GBP'), 'In words.'),
})

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
      items: sessions.map((row) => sessionOf(row, { lastUsedAt: isoTime(row.used_at) })),
    },
    wallet: await readWallet(context, customer, operator),
    profile: profileId === null ? null : await readProfile(context, profileId),
    reporter: profileId === null ? null : reporterFiguresOf(await readReporter(database, profileId)),
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
