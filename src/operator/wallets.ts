import type { SubjectState } from '../audit/trail.ts'
import type { Context } from '../context.ts'
import { findCustomer, refuseErased } from '../customers/customer.ts'
import type { Database } from '../database/database.ts'
import { type FaultKind, faultTable } from '../faults.ts'
import type { DatedCheck } from '../wallets/ledger-checks.ts'
import { formatMoney, parseMoney } from '../wallets/money.ts'
import { registerMethod, removeMethod } from '../wallets/register-method.ts'
import {
  depositsBefore,
  depositsInStateBefore,
  depositsOfCustomerBefore,
  depositsOfCustomerInStateBefore,
  eventsOfDeposit,
  lockMethodState,
} from '../wallets/reports-store.ts'
import { type Resolution, resolveReview } from '../wallets/resolution.ts'
import { type DepositRow, depositById } from '../wallets/store.ts'
import { id, money, note, type OperatorOperation, object, operatorOperation, text } from './frame/operation.ts'
import { type Paging, pageOf, paging, placeOf } from './frame/pages.ts'
import { notFound, Problem } from './frame/problem.ts'

const monthYear = { type: 'string', pattern: '^(0[1-9]|1[0-2])/[0-9]{2}$' }

/** First 6 and last 4 digits around a mask: a full card number does not match and is refused unread. */
const maskedNumber = { type: 'string', pattern: '^[0-9]{6}[*xX•]{2,9}[0-9]{4}$' }

type MethodBody = {
  type: string
  token: string
  limits: { minDeposit: string; maxDeposit: string }
  card: {
    number: string
    issueDate?: string
    expiryDate: string
    country: string
    scheme: string
    funding: 'debit' | 'credit' | 'prepaid' | 'unknown'
  }
}

const methodBody = object(
  {
    type: text(1, 20),
    token: text(1, 200),
    limits: object({ minDeposit: money, maxDeposit: money }, ['minDeposit', 'maxDeposit']),
    card: object(
      {
        number: maskedNumber,
        issueDate: monthYear,
        expiryDate: monthYear,
        country: { type: 'string', pattern: '^[A-Z]{2}$' },
        scheme: text(1, 40),
        funding: { type: 'string', enum: ['debit', 'credit', 'prepaid', 'unknown'], default: 'unknown' },
      },
      ['number', 'expiryDate', 'country', 'scheme'],
    ),
  },
  ['type', 'token', 'limits', 'card'],
)

const STATES = ['AUTHORISING', 'AUTHORISED', 'CAPTURED', 'DECLINED', 'VOIDING', 'VOIDED', 'REVIEW']

export const walletOperatorOperations: OperatorOperation[] = [
  operatorOperation<MethodBody>({
    name: 'putPaymentMethod',
    summary: 'Register or replace a card; also clears its count of wrong cv2',
    method: 'PUT',
    path: '/customers/{id}/payment-methods/{methodId}',
    role: 'accounts',
    body: methodBody,
    subjectState: (transaction, { methodId }) => methodState(transaction, Number(methodId)),
    handle: (context, { path, body }) => putPaymentMethod(context, Number(path.id), Number(path.methodId), body),
  }),
  operatorOperation({
    name: 'removePaymentMethod',
    summary: 'Remove a card; its deposits stay',
    method: 'DELETE',
    path: '/customers/{id}/payment-methods/{methodId}',
    role: 'accounts',
    async handle({ database, now }, { path }) {
      const removed = await removeMethod(database, Number(path.methodId), Number(path.id), now())
      if (!removed) throw notFound('such payment method of this customer')
      return { status: 204 }
    },
  }),
  operatorOperation<undefined, DepositQuery>({
    name: 'listDeposits',
    summary: 'Deposits, newest first',
    method: 'GET',
    path: '/deposits',
    role: 'admin',
    personalData: true,
    query: { customerId: id, state: { type: 'string', enum: STATES }, ...paging },
    async handle(context, { query }) {
      const { rows, cursor } = pageOf(await depositPage(context, query), query.limit, (row) => [row.number])
      return { status: 200, body: { items: rows.map(toDeposit), cursor } }
    },
  }),
  operatorOperation({
    name: 'getDeposit',
    summary: 'A deposit with its event trail',
    method: 'GET',
    path: '/deposits/{paymentId}',
    role: 'admin',
    personalData: true,
    handle: async ({ database }, { path }) => {
      const row = await database.one(depositById, { id: path.paymentId ?? '' })
      if (row === undefined) throw notFound('such deposit')
      const events = await database.query(eventsOfDeposit, { depositId: row.id })
      const trail = events.map(({ at, event, detail }) => ({ at: new Date(at).toISOString(), event, detail }))
      return { status: 200, body: { ...toDeposit(row), events: trail } }
    },
  }),
  operatorOperation<Pick<Resolution, 'outcome' | 'note'>>({
    name: 'resolveDeposit',
    summary: 'Decide a deposit in REVIEW, after looking at the gateway',
    method: 'POST',
    path: '/deposits/{paymentId}/resolution',
    role: 'admin',
    body: object({ outcome: { type: 'string', enum: ['captured', 'voided'] }, note }, ['outcome']),
    async handle({ database, now }, { path, body, operator }) {
      const resolution = { outcome: body.outcome, note: body.note, by: operator.name }
      const result = await resolveReview(database, path.paymentId ?? '', resolution, now())
      if (result === 'no such deposit') throw notFound('such deposit')
      if (result !== 'resolved') throw new Problem(409, 'Conflict', `The deposit is ${result}.`)
      const row = (await database.one(depositById, { id: path.paymentId ?? '' })) as DepositRow
      return { status: 200, body: toDeposit(row) }
    },
  }),
  operatorOperation({
    name: 'checkLedger',
    summary: 'Reads the whole ledger and says what does not add up',
    method: 'GET',
    path: '/ledger/check',
    role: 'admin',
    handle: async ({ ledgerChecks }) => ({ status: 200, body: toCheck(await ledgerChecks.run()) }),
  }),
  operatorOperation({
    name: 'readLastLedgerCheck',
    summary: 'The result of the last check of the ledger, which runs by itself every hour; `checkedAt` null: none yet',
    method: 'GET',
    path: '/ledger/last-check',
    role: 'admin',
    async handle({ ledgerChecks }) {
      const last = ledgerChecks.last()
      return { status: 200, body: last === null ? { checkedAt: null } : toCheck(last) }
    },
  }),
]

/** For the audit trail. Locks the method, as every change of one does first. */
async function methodState(transaction: Database, methodId: number): Promise<SubjectState | undefined> {
  const row = await transaction.one(lockMethodState, { id: methodId })
  if (row === undefined || row.removed_at !== null) return undefined
  const { min_deposit, max_deposit, expiry_date, token, card_number } = row
  return {
    shown: {
      minDeposit: formatMoney(BigInt(min_deposit)),
      maxDeposit: formatMoney(BigInt(max_deposit)),
      expiryDate: expiry_date,
    },
    hidden: { card: `${token}\n${card_number}` },
  }
}

function toCheck({ checkedAt, ...check }: DatedCheck) {
  return { ...check, checkedAt: new Date(checkedAt).toISOString() }
}

async function putPaymentMethod({ database, now }: Context, customerId: number, methodId: number, body: MethodBody) {
  const { card, limits, type, token } = body
  const minDeposit = parseMoney(limits.minDeposit) as bigint
  const maxDeposit = parseMoney(limits.maxDeposit) as bigint
  if (minDeposit > maxDeposit) {
    const errors = [{ pointer: '/limits/maxDeposit', detail: 'must not be less than minDeposit' }]
    throw new Problem(422, 'The request is not valid', '/limits/maxDeposit must not be less than minDeposit', {
      errors,
    })
  }
  const customer = await findCustomer(database, customerId)
  if (customer === undefined) throw notFound('such customer')
  refuseErased(customerId, customer)
  const method = {
    type,
    token,
    minDeposit,
    maxDeposit,
    cardNumber: card.number.replace(/[xX•]/g, '*'),
    issueDate: card.issueDate ?? null,
    expiryDate: card.expiryDate,
    country: card.country,
    scheme: card.scheme,
    funding: card.funding,
  }
  const result = await registerMethod(database, { id: methodId, customerId }, method, now())
  if (result === 'taken') throw new Problem(409, 'Conflict', 'This id is the payment method of another customer.')
  return { status: result === 'created' ? 201 : 200, body: { id: `${methodId}`, customerId: `${customerId}` } } as const
}

type DepositQuery = Paging & { customerId?: string; state?: string }

function depositPage({ database }: Context, { customerId: customer, state, cursor, limit }: DepositQuery) {
  const customerId = customer === undefined ? undefined : Number(customer)
  const [before = 0] = placeOf(cursor, [Number.MAX_SAFE_INTEGER])
  const rows = limit + 1
  if (customerId !== undefined && state !== undefined) {
    return database.query(depositsOfCustomerInStateBefore, { customerId, state, before, limit: rows })
  }
  if (customerId !== undefined) return database.query(depositsOfCustomerBefore, { customerId, before, limit: rows })
  if (state !== undefined) return database.query(depositsInStateBefore, { state, before, limit: rows })
  return database.query(depositsBefore, { before, limit: rows })
}

export function toDeposit(row: DepositRow) {
  return {
    paymentId: row.id,
    customerId: `${row.customer_id}`,
    idempotencyKey: row.idempotency_key,
    paymentMethodId: `${row.payment_method_id}`,
    amount: formatMoney(BigInt(row.amount)),
    currency: row.currency,
    state: row.state,
    fault: row.fault === null ? null : faultTable[row.fault as FaultKind].code,
    review: row.review,
    gateway: row.gateway,
    gatewayReference: row.gateway_reference,
    createdAt: new Date(row.created_at).toISOString(),
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
  }
}
