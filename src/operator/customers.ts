import type { SubjectState } from '../audit/trail.ts'
import type { Context } from '../context.ts'
import {
  CUSTOMER_STATUSES,
  type CustomerStatus,
  findCustomer,
  putCustomer,
  reinstateCustomer,
} from '../customers/customer.ts'
import { type CustomerRow, lockCustomerState } from '../customers/store.ts'
import { type Database, UniqueViolation } from '../database/database.ts'
import { profileOfCustomer } from '../profiles/store.ts'
import { Refused } from '../runtime/refused.ts'
import type { BuiltinSessions, LiveSession } from '../sessions/builtin.ts'
import { formatMoney, parseMoney } from '../wallets/money.ts'
import { walletSummary } from '../wallets/wallet-summary.ts'
import { money, type OperatorOperation, object, operatorOperation, reason, text } from './frame/operation.ts'
import { wholeList } from './frame/pages.ts'
import { conflict, notFound } from './frame/problem.ts'

export type CustomerBody = {
  username?: string
  password?: string
  status?: CustomerStatus
  verified?: boolean
  currency?: string
  dailyDepositLimit?: string | null
  fundsStatementVersion?: number
}

const LONGEST_TICKET_SECONDS = 60 * 86_400

export const customerBody = object({
  username: text(1, 100),
  password: { type: 'string', minLength: 8, maxLength: 200, description: 'not the user name' },
  status: { type: 'string', enum: CUSTOMER_STATUSES, description: 'a new customer is active' },
  verified: { type: 'boolean', description: 'a new customer is verified' },
  currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217; a new customer has GBP' },
  dailyDepositLimit: { ...money, type: ['string', 'null'], description: 'null: the limit of the service' },
  fundsStatementVersion: { type: 'integer', minimum: 0, maximum: 1_000_000 },
})

export const customerOperations: OperatorOperation[] = [
  operatorOperation<CustomerBody>({
    name: 'putCustomer',
    summary:
      'Create or change a customer. What is left out stays as it was, or takes its default when the customer is new. A new password and every status but active end all sessions. A closed or self-excluded customer is not made active here (409)',
    method: 'PUT',
    path: '/customers/{id}',
    role: 'accounts',
    body: customerBody,
    subjectState: (transaction, { id }) => customerState(transaction, Number(id)),
    async handle(context, { path, body }) {
      const id = Number(path.id)
      const done = await putOrRefuse(context, id, body)
      return { status: done === 'made' ? 201 : 200, body: await readCustomer(context, id) }
    },
  }),
  operatorOperation({
    name: 'getCustomer',
    summary: 'A customer, with the id of its profile, its balance and what it deposited today',
    method: 'GET',
    path: '/customers/{id}',
    role: 'accounts',
    personalData: true,
    handle: async (context, { path }) => ({ status: 200, body: await readCustomer(context, Number(path.id)) }),
  }),
  operatorOperation<{ reason: string }>({
    name: 'reinstateCustomer',
    summary: 'Make a closed or self-excluded customer active again; the audit trail keeps the reason',
    method: 'POST',
    path: '/customers/{id}/reinstatement',
    role: 'admin',
    body: object({ reason }, ['reason']),
    subjectState: (transaction, { id }) => customerState(transaction, Number(id)),
    async handle(context, { path }) {
      const id = Number(path.id)
      if ((await reinstateCustomer(context.database, id)) === undefined) throw noCustomer(id)
      return { status: 200, body: await readCustomer(context, id) }
    },
  }),
  operatorOperation<{ ttlSeconds?: number }>({
    name: 'issueTicket',
    summary:
      'A session ticket for an active customer: as after a log-in, or for the time given, however much it is used',
    method: 'POST',
    path: '/customers/{id}/tickets',
    role: 'accounts',
    body: object({ ttlSeconds: { type: 'integer', minimum: 1, maximum: LONGEST_TICKET_SECONDS } }),
    async handle(context, { path, body: { ttlSeconds } }) {
      const sessions = builtinSessionsOf(context)
      const id = Number(path.id)
      const customer = await findCustomer(context.database, id)
      if (customer === undefined) throw noCustomer(path.id)
      const lifeMs = ttlSeconds === undefined ? null : ttlSeconds * 1000
      const issued = await sessions.issue(id, lifeMs, { through: context.database })
      if (issued === null) throw conflict(`Customer ${id} is ${customer.status}: only active customers have sessions.`)
      const { ticket, expiresAt } = issued
      return { status: 201, body: { ticket, expiresAt: new Date(expiresAt).toISOString() } }
    },
  }),
  operatorOperation({
    name: 'listSessions',
    summary: 'The sessions of a customer that are alive, newest first, without their tickets',
    method: 'GET',
    path: '/customers/{id}/sessions',
    role: 'accounts',
    personalData: true,
    async handle(context, { path }) {
      const sessions = builtinSessionsOf(context)
      if ((await findCustomer(context.database, Number(path.id))) === undefined) throw noCustomer(path.id)
      return { status: 200, body: wholeList((await sessions.ofCustomer(Number(path.id))).map(toSession)) }
    },
  }),
  operatorOperation({
    name: 'endSessions',
    summary: 'End all sessions of a customer; they are over everywhere within 5 seconds',
    method: 'DELETE',
    path: '/customers/{id}/sessions',
    role: 'accounts',
    async handle(context, { path, trail }) {
      const { database } = context
      const sessions = builtinSessionsOf(context)
      if ((await findCustomer(database, Number(path.id))) === undefined) throw noCustomer(path.id)
      const ended = await database.transaction(async (transaction) => {
        const count = await sessions.endAllOf(Number(path.id), transaction)
        trail.note(`${count} ended`)
        return count
      })
      return { status: 200, body: { ended } }
    },
  }),
]

function builtinSessionsOf({ sessions, config }: Context): BuiltinSessions {
  if (sessions !== null) return sessions
  throw conflict(
    `Tickets are vouched for elsewhere (TICKETS=${config.tickets.source}): get them there, or set TICKETS=builtin.`,
  )
}

function toSession({ createdAt, lastUsedAt, endsAt }: LiveSession) {
  return {
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
  }
}

/** Another customer's user name throws UniqueViolation. */
export async function tellCustomer(
  { config, database, now }: Context,
  id: number,
  { dailyDepositLimit, ...rest }: CustomerBody,
): Promise<'made' | 'changed'> {
  await refuseNameAsPassword(database, id, rest)
  const limit =
    dailyDepositLimit === undefined
      ? {}
      : { dailyDepositLimit: dailyDepositLimit === null ? null : (parseMoney(dailyDepositLimit) as bigint) }
  const currentFundsStatement = config.wallets.fundsStatementVersion
  return putCustomer(database, id, { ...rest, ...limit, currentFundsStatement }, now())
}

/** The first that is guessed. */
async function refuseNameAsPassword(database: Database, id: number, { username, password }: CustomerBody) {
  if (password === undefined) return
  const name = username ?? (await findCustomer(database, id))?.username ?? ''
  if (folded(name) === folded(password)) throw new Refused('invalid', '/password must not be the user name.')
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

async function putOrRefuse(context: Context, id: number, body: CustomerBody): Promise<'made' | 'changed'> {
  try {
    return await tellCustomer(context, id, body)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw conflict('Another customer has this username: choose another.')
  }
}

/** For the audit trail. Locks the customer, as every change of one does first. */
export async function customerState(transaction: Database, id: number): Promise<SubjectState | undefined> {
  const row = await transaction.one(lockCustomerState, { id })
  if (row === undefined) return undefined
  const { username, password_hash } = row
  return {
    shown: {
      status: row.status,
      verified: row.verified === 1,
      currency: row.currency,
      dailyDepositLimit: row.daily_deposit_limit === null ? null : formatMoney(BigInt(row.daily_deposit_limit)),
      fundsStatementVersion: row.funds_statement_version,
    },
    hidden: { logIn: username === null && password_hash === null ? null : `${username}\n${password_hash}` },
  }
}

async function readCustomer(context: Context, id: number) {
  const { database } = context
  const row = await findCustomer(database, id)
  if (row === undefined) throw noCustomer(id)
  const profile = await database.one(profileOfCustomer, { customerId: id })
  const profileId = profile === undefined ? null : String(profile.id)
  return { ...toCustomer(row), profileId, ...(await walletSummary(context, row)) }
}

export function toCustomer(row: CustomerRow) {
  return {
    id: String(row.id),
    username: row.username,
    status: row.status,
    verified: row.verified === 1,
    currency: row.currency,
    dailyDepositLimit: row.daily_deposit_limit === null ? null : formatMoney(BigInt(row.daily_deposit_limit)),
    fundsStatementVersion: row.funds_statement_version,
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.erased_at === null ? {} : { erasedAt: new Date(row.erased_at).toISOString() }),
  }
}

export function noCustomer(id: string | number | undefined) {
  return notFound(`customer ${Number(id)}: tell it with PUT /operator/v1/customers/${Number(id)}`)
}
