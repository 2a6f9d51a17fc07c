import type { SubjectState } from '../../audit/trail.ts'
import { findCustomer, putCustomer, reinstateCustomer } from '../../identity/customers/customer.ts'
import type { CustomerStatus } from '../../identity/customers/status.ts'
import { type CustomerRow, lockCustomerState } from '../../identity/customers/store.ts'
import { exclusionInForce, requestReturn } from '../../identity/exclusions/exclusion.ts'
import { type Database, UniqueViolation } from '../../platform/database/database.ts'
import { isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { profileOfCustomer } from '../../profiles/store.ts'
import { walletSummary } from '../../wallets/books/summary.ts'
import type { OperatorContext } from '../context.ts'
import { operatorOperation } from '../server/operation.ts'
import { conflict, notFound } from '../server/problem.ts'
import { shown } from '../server/shown.ts'
import * as schemas from './schemas.ts'

const STATUS_SENTENCES: Record<CustomerStatus, string> = {
  active: 'made customer {id} active',
  suspended: 'suspended customer {id}',
  closed: 'closed customer {id}',
  'self-excluded': 'self-excluded customer {id}',
}

function statusSentence(status: { from?: unknown; to?: unknown } | undefined): string | undefined {
  if (status?.from === null) return 'created customer {id}'
  return status === undefined ? undefined : STATUS_SENTENCES[status.to as CustomerStatus]
}

const accountOf = shown(schemas.customerAccount)

export const customerOperations = [
  operatorOperation({
    name: 'putCustomer',
    summary: 'Create or change a customer',
    description:
      'What is left out stays as it is, or takes its default where the customer is new. A new password, and every ' +
      'status but active, ends all sessions of the customer.',
    route: 'PUT /customers/{id}',
    role: 'accounts',
    audit: ({ changes: { status } }) => statusSentence(status) ?? 'changed customer {id}',
    body: schemas.customerBody,
    answer: { 200: schemas.customer, 201: schemas.customer },
    problems: {
      409:
        'Another customer has the user name; or the customer is closed or self-excluded, which only a reinstatement ' +
        'ends; or the customer’s personal data was erased; or the customer has deposits, movements or limits in another currency.',
      422: 'The password is the user name.',
    },
    example: {
      path: { id: '21' },
      body: { username: 'dave', password: 'correct horse battery', dailyDepositLimit: '250.00' },
      answer: {
        id: '21',
        username: 'dave',
        dailyDepositLimit: '250.00',
        profileId: null,
        dailyDepositLimitInForce: '250.00',
        depositableToday: '250.00',
      },
    },
    subjectState: (transaction, { id }) => customerState(transaction, id),
    async handle(context, { path: { id }, body }) {
      const result = await saveOrRefuse(context, id, body)
      return { status: result === 'created' ? 201 : 200, body: await readCustomer(context, id) } as const
    },
  }),
  operatorOperation({
    name: 'getCustomer',
    summary: 'Read a customer',
    description: 'With the id of its profile, its balance and what it deposited today.',
    route: 'GET /customers/{id}',
    role: 'accounts or cashier',
    audit: 'read customer {id}',
    answer: { 200: schemas.customer },
    handle: (context, { path }) => readCustomer(context, path.id),
  }),
  operatorOperation({
    name: 'setCustomerStatus',
    summary: 'Change the status of a customer, with a reason',
    description:
      'Suspends, closes or self-excludes the customer, or ends a suspension. Every status but active ends all ' +
      'sessions. The reason is shown with the customer until the status changes, and stored in the audit trail. ' +
      'PUT of the customer changes the status without a reason, as feeds do.',
    route: 'PUT /customers/{id}/status',
    role: 'accounts',
    audit: ({ body }) => STATUS_SENTENCES[body.status as CustomerStatus] ?? 'changed customer {id}',
    body: schemas.statusBody,
    answer: { 200: schemas.customer },
    problems: {
      409:
        'The customer is closed or self-excluded, which only a reinstatement ends; or the customer’s personal data ' +
        'was erased.',
    },
    example: {
      path: { id: '19' },
      body: { status: 'suspended', reason: 'Two accounts with one card' },
      answer: { id: '19', username: null, status: 'suspended', profileId: '19' },
    },
    subjectState: (transaction, { id }) => customerState(transaction, id),
    async handle(context, { path: { id }, body: { status, reason } }) {
      const { database, now } = context
      if ((await findCustomer(database, id)) === undefined) throw noCustomer(id)
      await putCustomer(database, id, { status, statusReason: reason }, now())
      return readCustomer(context, id)
    },
  }),
  operatorOperation({
    name: 'reinstateCustomer',
    summary: 'Make a closed or self-excluded customer active again',
    description: 'The reason is shown with the customer, and stored in the audit trail.',
    route: 'POST /customers/{id}/reinstatement',
    role: 'admin',
    audit: 'reinstated customer {id}',
    body: schemas.reinstatementBody,
    answer: { 200: schemas.customer },
    problems: {
      409: 'The customer is neither closed nor self-excluded; or has locked themselves out, which nobody shortens.',
    },
    example: {
      path: { id: '20' },
      body: { reason: 'Requested in writing' },
      answer: { id: '20', username: null, status: 'active', profileId: '20' },
    },
    subjectState: (transaction, { id }) => customerState(transaction, id),
    async handle(context, { path: { id }, body: { reason } }) {
      const { database, now } = context
      if ((await reinstateCustomer(database, id, { reason, now: now() })) === undefined) throw noCustomer(id)
      return readCustomer(context, id)
    },
  }),
  operatorOperation({
    name: 'recordReturn',
    summary: 'Record that a customer requests to return after a self-exclusion',
    description:
      'When the customer requests it, after the end of a self-exclusion that they began themselves: 24 hours later ' +
      'they may log in again. Asking again changes nothing.',
    route: 'POST /customers/{id}/return',
    role: 'accounts',
    audit: 'recorded that customer {id} requests to return',
    body: schemas.returnBody,
    answer: { 200: schemas.customer },
    problems: { 409: 'The customer has no self-exclusion of their own in force, or it has not ended yet.' },
    example: {
      path: { id: '17' },
      body: { reason: 'Requested by phone' },
      answer: { id: '17', username: null, profileId: '17' },
    },
    async handle(context, { path: { id } }) {
      const { database, now } = context
      if ((await requestReturn(database, id, now())) === undefined) throw noCustomer(id)
      return readCustomer(context, id)
    },
  }),
]

/** A user name that another customer has throws UniqueViolation. */
export async function saveCustomer(
  { config, database, now }: OperatorContext,
  id: number,
  { dailyDepositLimit, ...rest }: schemas.CustomerBody,
): Promise<'created' | 'changed'> {
  await refuseNameAsPassword(database, id, rest)
  const limit =
    dailyDepositLimit === undefined
      ? {}
      : { dailyDepositLimit: dailyDepositLimit === null ? null : (parseMoney(dailyDepositLimit) as bigint) }
  const currentFundsStatement = config.wallets.fundsStatementVersion
  return putCustomer(database, id, { ...rest, ...limit, currentFundsStatement }, now())
}

/** Attackers try the user name first. */
async function refuseNameAsPassword(database: Database, id: number, { username, password }: schemas.CustomerBody) {
  if (password === undefined) return
  const name = username ?? (await findCustomer(database, id))?.username ?? ''
  if (folded(name) === folded(password)) throw new Refused('invalid', '/password must not be the user name.')
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

async function saveOrRefuse(
  context: OperatorContext,
  id: number,
  body: schemas.CustomerBody,
): Promise<'created' | 'changed'> {
  try {
    return await saveCustomer(context, id, body)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw conflict('Another customer has this username: choose another.')
  }
}

/** For the audit trail. Locks the customer, as every change of one does first. */
export async function customerState(transaction: Database, id: number): Promise<SubjectState | undefined> {
  const row = await transaction.one(lockCustomerState, { id })
  if (row === undefined) return undefined
  const { username, password_hash, first_name, last_name } = row
  return {
    shown: {
      status: row.status,
      verified: row.verified === 1,
      currency: row.currency,
      dailyDepositLimit: row.daily_deposit_limit === null ? null : formatMoney(BigInt(row.daily_deposit_limit)),
      fundsStatementVersion: row.funds_statement_version,
    },
    hidden: {
      logIn: username === null && password_hash === null ? null : `${username}\n${password_hash}`,
      name: first_name === null && last_name === null ? null : `${first_name}\n${last_name}`,
    },
  }
}

async function readCustomer(context: OperatorContext, id: number): Promise<schemas.Customer> {
  const { database } = context
  const row = await findCustomer(database, id)
  if (row === undefined) throw noCustomer(id)
  const profile = await database.one(profileOfCustomer, { customerId: id })
  const profileId = profile === undefined ? null : String(profile.id)
  return { ...showAccount(row, context.now()), profileId, ...(await walletSummary(context, row)) }
}

export function showAccount(row: CustomerRow, now: number): schemas.CustomerAccount {
  return accountOf(row, { statusSince: isoTimeOrNull(row.status_at), exclusion: exclusionInForce(row, now) })
}

export function noCustomer(id: number) {
  return notFound(`customer ${id}`, `Create it with PUT /operator/v1/customers/${id}.`)
}
