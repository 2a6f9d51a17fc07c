import type { Context } from '../context.ts'
import { CUSTOMER_STATUSES, type CustomerStatus, findCustomer, putCustomer } from '../customers/customer.ts'
import type { CustomerRow } from '../customers/store.ts'
import { UniqueViolation } from '../database/database.ts'
import { profileOfCustomer } from '../profiles/store.ts'
import { formatMoney, parseMoney } from '../wallets/money.ts'
import { walletOf } from '../wallets/wallet.ts'
import { money, type OperatorOperation, object, operatorOperation, text } from './operation.ts'
import { conflict, notFound } from './problem.ts'

export type CustomerBody = {
  username?: string
  password?: string
  status: CustomerStatus
  verified: boolean
  currency: string
  dailyDepositLimit?: string
  fundsStatementVersion?: number
}

const LONGEST_TICKET_SECONDS = 60 * 86_400

export const customerBody = object({
  username: text(1, 100),
  password: { type: 'string', minLength: 1, maxLength: 200 },
  status: { type: 'string', enum: CUSTOMER_STATUSES, default: 'active' },
  verified: { type: 'boolean', default: true },
  currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217', default: 'GBP' },
  dailyDepositLimit: money,
  fundsStatementVersion: { type: 'integer', minimum: 0, maximum: 1_000_000 },
})

export const customerOperations: OperatorOperation[] = [
  operatorOperation<CustomerBody>({
    name: 'putCustomer',
    summary: 'Make or replace a customer; what is left out takes its default, except the log-in, which is kept',
    method: 'PUT',
    path: '/customers/{id}',
    role: 'feed',
    body: customerBody,
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
    role: 'feed',
    handle: async (context, { path }) => ({ status: 200, body: await readCustomer(context, Number(path.id)) }),
  }),
  operatorOperation<{ ttlSeconds?: number }>({
    name: 'issueTicket',
    summary: 'A session ticket for a customer: as after a log-in, or for the time given, however much it is used',
    method: 'POST',
    path: '/customers/{id}/tickets',
    role: 'feed',
    body: object({ ttlSeconds: { type: 'integer', minimum: 1, maximum: LONGEST_TICKET_SECONDS } }),
    async handle({ sessions, database, config }, { path, body: { ttlSeconds } }) {
      if (sessions === null) {
        throw conflict(
          `Tickets are vouched for elsewhere (TICKETS=${config.tickets.source}): get them there, or set TICKETS=builtin.`,
        )
      }
      const id = Number(path.id)
      if ((await findCustomer(database, id)) === undefined) throw noCustomer(path.id)
      const { ticket, expiresAt } = await sessions.issue(id, ttlSeconds === undefined ? null : ttlSeconds * 1000)
      return { status: 201, body: { ticket, expiresAt: new Date(expiresAt).toISOString() } }
    },
  }),
]

/** Another customer's user name throws UniqueViolation. */
export function tellCustomer(
  { config, database, now }: Context,
  id: number,
  body: CustomerBody,
): Promise<'made' | 'changed'> {
  const { dailyDepositLimit, fundsStatementVersion = config.wallets.fundsStatementVersion, ...rest } = body
  const limit = dailyDepositLimit === undefined ? {} : { dailyDepositLimit: parseMoney(dailyDepositLimit) as bigint }
  return putCustomer(database, id, { ...rest, ...limit, fundsStatementVersion }, now())
}

async function putOrRefuse(context: Context, id: number, body: CustomerBody): Promise<'made' | 'changed'> {
  try {
    return await tellCustomer(context, id, body)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw conflict('Another customer has this username: choose another.')
  }
}

async function readCustomer(context: Context, id: number) {
  const { database } = context
  const row = await findCustomer(database, id)
  if (row === undefined) throw noCustomer(id)
  const profile = await database.one(profileOfCustomer, [id])
  const profileId = profile === undefined ? null : String(profile.id)
  return { ...toCustomer(row), profileId, ...(await walletOf(context, row)) }
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
  }
}

export function noCustomer(id: string | number | undefined) {
  return notFound(`customer ${Number(id)}: tell it with PUT /operator/v1/customers/${Number(id)}`)
}
