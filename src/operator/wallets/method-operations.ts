import type { SubjectState } from '../../audit/trail.ts'
import { findCustomer, refuseErased } from '../../identity/customers/customer.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import type { CardRow } from '../../wallets/card-store.ts'
import type { DatedCheck } from '../../wallets/ledger-checks.ts'
import { registerMethod, removeMethod } from '../../wallets/register-method.ts'
import { lockMethodState } from '../../wallets/reports-store.ts'
import type { DepositRow } from '../../wallets/store.ts'
import { codeOf } from '../../wallets/why.ts'
import type { OperatorContext } from '../context.ts'
import { noCustomer } from '../customers/operations.ts'
import { operatorOperation } from '../server/operation.ts'
import { conflict, notFound, notValid } from '../server/problem.ts'
import {
  type Deposit,
  type LedgerCheck,
  lastLedgerCheck,
  ledgerCheck,
  type MethodBody,
  methodBody,
  storedMethod,
} from './method-schemas.ts'

export const walletOperatorOperations = [
  operatorOperation({
    name: 'putPaymentMethod',
    summary: 'Add or replace a card of a customer',
    description: 'Also clears its count of wrong cv2.',
    route: 'PUT /customers/{id}/payment-methods/{methodId}',
    role: 'accounts',
    audit: 'added or replaced card {methodId} of customer {id}',
    body: methodBody,
    answer: { 200: storedMethod, 201: storedMethod },
    problems: {
      404: 'There is no such customer.',
      409: 'The id is the payment method of another customer, or the customer’s personal data was erased.',
      422: '`maxDeposit` is less than `minDeposit`.',
    },
    example: {
      path: { id: '1', methodId: '103' },
      body: {
        type: 'CARD',
        token: 'sandbox:approve',
        limits: { minDeposit: '5.00', maxDeposit: '1000.00' },
        card: { number: '411111******1111', expiryDate: '12/49', country: 'GB', scheme: 'VISA', funding: 'debit' },
      },
      answer: { id: '103', customerId: '1' },
    },
    subjectState: (transaction, { methodId }) => methodState(transaction, methodId),
    handle: (context, { path, body }) => putPaymentMethod(context, path.id, path.methodId, body),
  }),
  operatorOperation({
    name: 'removePaymentMethod',
    summary: 'Remove a card of a customer',
    description: 'Its deposits stay.',
    route: 'DELETE /customers/{id}/payment-methods/{methodId}',
    role: 'accounts',
    audit: 'removed card {methodId} of customer {id}',
    answer: { 204: null },
    problems: { 404: 'The customer has no such payment method.' },
    example: { path: { id: '2', methodId: '206' } },
    async handle({ database, now }, { path }) {
      const removed = await removeMethod(database, path.methodId, path.id, now())
      if (!removed) throw notFound('such payment method of this customer')
    },
  }),
  operatorOperation({
    name: 'checkLedger',
    summary: 'Check the whole ledger now',
    route: 'GET /ledger/check',
    role: 'admin',
    answer: { 200: ledgerCheck },
    handle: async ({ ledgerChecks }) => toCheck(await ledgerChecks.run()),
  }),
  operatorOperation({
    name: 'readLastLedgerCheck',
    summary: 'Read the result of the last check of the ledger',
    description: 'The ledger is checked every hour. `checkedAt` is null when this process has not checked it yet.',
    route: 'GET /ledger/last-check',
    role: 'admin',
    answer: { 200: lastLedgerCheck },
    async handle({ ledgerChecks }) {
      const last = ledgerChecks.last()
      return last === null ? { checkedAt: null } : toCheck(last)
    },
  }),
]

/** For the audit trail. Locks the method, as every change of one does first. */
export async function methodState(transaction: Database, methodId: number): Promise<SubjectState | undefined> {
  const row = await transaction.one(lockMethodState, { id: methodId })
  if (row === undefined || row.removed_at !== null) return undefined
  const { min_deposit, max_deposit, expiry_date, token, card_number } = row
  return {
    shown: {
      minDeposit: formatMoney(BigInt(min_deposit)),
      maxDeposit: formatMoney(BigInt(max_deposit)),
      expiryDate: expiry_date,
      closed: row.closed_at !== null,
    },
    hidden: { card: `${token}\n${card_number}` },
  }
}

function toCheck({ checkedAt, ...check }: DatedCheck): LedgerCheck {
  return { ...check, checkedAt: isoTime(checkedAt) }
}

async function putPaymentMethod(
  { database, now }: OperatorContext,
  customerId: number,
  methodId: number,
  body: MethodBody,
) {
  const { card, limits, type, token } = body
  const minDeposit = parseMoney(limits.minDeposit) as bigint
  const maxDeposit = parseMoney(limits.maxDeposit) as bigint
  if (minDeposit > maxDeposit) {
    throw notValid([{ pointer: '/limits/maxDeposit', detail: 'must not be less than minDeposit' }])
  }
  const customer = await findCustomer(database, customerId)
  if (customer === undefined) throw noCustomer(customerId)
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
  if (result === 'taken') throw conflict('This id is the payment method of another customer: use another id.')
  return { status: result === 'created' ? 201 : 200, body: { id: `${methodId}`, customerId: `${customerId}` } } as const
}

export function toCardFields({ last_four, scheme, expiry_date }: CardRow) {
  return { lastFour: last_four, scheme, expiryDate: expiry_date }
}

export function toDeposit(row: DepositRow): Deposit {
  return {
    paymentId: row.id,
    customerId: `${row.customer_id}`,
    idempotencyKey: row.idempotency_key,
    paymentMethodId: `${row.payment_method_id}`,
    amount: formatMoney(BigInt(row.amount)),
    currency: row.currency,
    state: row.state,
    fault: codeOf(row.fault),
    review: row.review,
    gateway: row.gateway,
    gatewayReference: row.gateway_reference,
    createdAt: isoTime(row.created_at),
    decidedAt: isoTimeOrNull(row.decided_at),
  }
}
