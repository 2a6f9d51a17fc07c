import { Readable } from 'node:stream'
import { findCustomer } from '../../identity/customers/customer.ts'
import type { CustomerRow } from '../../identity/customers/store.ts'
import { sessionsOfCustomer } from '../../identity/sessions/store.ts'
import { readDecisions, readDecisionsOnComments } from '../../moderation/decisions.ts'
import { readReporterFigures } from '../../moderation/reporters.ts'
import { profileContent } from '../../moderation/subjects.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { NO_PROFILE } from '../../profiles/profile.ts'
import { profileById, profileOfCustomer } from '../../profiles/store.ts'
import { toMethod } from '../../wallets/method.ts'
import { depositsOfCustomerBefore } from '../../wallets/reports-store.ts'
import { type MethodRow, methodsOfCustomer } from '../../wallets/store.ts'
import { walletSummary } from '../../wallets/wallet-summary.ts'
import type { OperatorContext } from '../context.ts'
import { noCustomer, toCustomer } from '../customers/operations.ts'
import { operatorOperation } from '../server/operation.ts'
import { toDeposit } from '../wallets/method-operations.ts'
import type { Deposit } from '../wallets/method-schemas.ts'
import { erasePersonalData } from './erase.ts'
import { jsonWithLists } from './lists.ts'
import { type PersonalDataHead, personalData } from './schemas.ts'

export const personalDataOperations = [
  operatorOperation({
    name: 'exportPersonalData',
    summary: 'Export the personal data of a customer',
    description: 'Everything that is stored about the customer, as one JSON object.',
    route: 'GET /customers/{id}/personal-data',
    role: 'admin',
    audit: 'exported the personal data of customer {id}',
    answer: { 200: personalData },
    async handle(context, { path: { id } }) {
      const profileId = (await context.database.one(profileOfCustomer, { customerId: id }))?.id ?? null
      const head = await readHead(context, id, profileId)
      const json = jsonWithLists(context.database, head, { customer: id, profile: profileId })
      return Readable.from(json)
    },
  }),
  operatorOperation({
    name: 'erasePersonalData',
    summary: 'Erase the personal data of a customer',
    description:
      'Erases log-in, cards, the profile’s text and picture, the text of comments, moderators’ notes on them, mutes, ' +
      'blocks and notifications; ends all sessions and closes the customer. Ids, follows, bets and money stay.',
    route: 'DELETE /customers/{id}/personal-data',
    role: 'admin',
    audit: 'erased the personal data of customer {id}',
    answer: { 204: null },
    example: { path: { id: '18' } },
    async handle(context, { path: { id } }) {
      if (!(await erasePersonalData(context, id))) throw noCustomer(id)
    },
  }),
]

async function readHead(
  context: OperatorContext,
  customerId: number,
  profileId: number | null,
): Promise<PersonalDataHead> {
  const { database } = context
  const customer = await findCustomer(database, customerId)
  if (customer === undefined) throw noCustomer(customerId)
  const sessions = await database.query(sessionsOfCustomer, { customerId })
  return {
    customer: toCustomer(customer),
    sessions: {
      count: sessions.length,
      items: sessions.map((row) => ({
        createdAt: isoTime(row.created_at),
        lastUsedAt: isoTime(row.used_at),
        expiresAt: isoTime(row.expires_at),
      })),
    },
    wallet: await readWallet(context, customer),
    profile: profileId === null ? null : await readProfile(context, profileId),
    reporter: profileId === null ? null : await readReporterFigures(database, profileId),
    decisions: profileId === null ? [] : await readDecisions(database, 'profile', profileId),
    decisionsOnComments: profileId === null ? [] : await readDecisionsOnComments(database, profileId),
  }
}

const BATCH = 1000

async function readWallet(context: OperatorContext, customer: CustomerRow): Promise<PersonalDataHead['wallet']> {
  const { database } = context
  const { balance } = await walletSummary(context, customer)
  const methods = await database.query(methodsOfCustomer, { customerId: customer.id })
  const deposits: Deposit[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await database.query(depositsOfCustomerBefore, { customerId: customer.id, before, limit: BATCH })
    deposits.push(...rows.map(toDeposit))
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH)
      return { balance, paymentMethods: methods.map(toPaymentMethod), deposits }
    before = last.number
  }
}

function toPaymentMethod(row: MethodRow) {
  const { card, ...method } = toMethod(row)
  const { issueDate, ...rest } = card
  const closedAt = isoTimeOrNull(row.closed_at)
  return { ...method, card: issueDate === undefined ? rest : { ...rest, issueDate }, closedAt }
}

async function readProfile({ config, database }: OperatorContext, id: number): Promise<PersonalDataHead['profile']> {
  const row = await database.one(profileById, { id, viewer: NO_PROFILE })
  if (row === undefined) return null
  return { id: String(row.id), ...profileContent(config, row), createdAt: isoTime(row.created_at) }
}
