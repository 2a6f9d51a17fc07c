import type { SubjectState } from '../../audit/trail.ts'
import { findCustomer, refuseErased } from '../../identity/customers/customer.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { actorOf } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { methodById } from '../../wallets/cards/store.ts'
import { lockDepositor } from '../../wallets/limits/deposit-facts-store.ts'
import { readProposal } from '../../wallets/proposals.ts'
import { registerCard, removeCard } from '../../wallets/reviews/cards.ts'
import type { OperatorContext } from '../context.ts'
import { noCustomer } from '../customers/operations.ts'
import { operatorOperation } from '../server/operation.ts'
import { notFound, notValid } from '../server/problem.ts'
import { type MethodBody, methodBody, storedMethod } from './method-schemas.ts'
import { toProposal } from './persons.ts'

export const methodOperations = [
  operatorOperation({
    name: 'putPaymentMethod',
    summary: 'Add or replace a card of a customer',
    description:
      'Also clears its count of wrong cv2. Another token or number is another card, with an id of its own, once the id has a deposit, a ' +
      'withdrawal or a closure. While the customer has open withdrawals of more than WITHDRAWAL_APPROVED_UP_TO, a new card, or another holder, is stored ' +
      'when another person sends the same; until then the answer has a `proposal`. With another holder, withdrawals to the card wait for new approvals.',
    route: 'PUT /customers/{id}/payment-methods/{methodId}',
    role: 'accounts or cashier-lead',
    audit: 'added or replaced card {methodId} of customer {id}',
    body: methodBody,
    answer: { 200: storedMethod, 201: storedMethod },
    problems: {
      404: 'There is no such customer.',
      409: 'The id is the payment method of another customer, or another card with a history; the customer’s personal data was erased; or you have proposed it.',
      422: '`maxDeposit` is less than `minDeposit`.',
    },
    example: {
      path: { id: '1', methodId: '103' },
      body: {
        type: 'CARD',
        token: 'sandbox:approve',
        limits: { minDeposit: '5.00', maxDeposit: '1000.00' },
        card: {
          number: '411111******1111',
          expiryDate: '12/49',
          country: 'GB',
          scheme: 'VISA',
          funding: 'debit',
          firstName: 'Ann',
          lastName: 'Archer',
        },
      },
      answer: { id: '103', customerId: '1' },
    },
    subjectState: methodState,
    handle: (context, { path, body, operator }) =>
      putPaymentMethod(context, { id: path.methodId, customerId: path.id }, body, operator),
  }),
  operatorOperation({
    name: 'removePaymentMethod',
    summary: 'Remove a card of a customer',
    description:
      'Its deposits stay, and what it paid in still goes back to it. Withdrawals to it wait for new approvals.',
    route: 'DELETE /customers/{id}/payment-methods/{methodId}',
    role: 'accounts or cashier-lead',
    audit: 'removed card {methodId} of customer {id}',
    answer: { 204: null },
    problems: { 404: 'The customer has no such payment method.' },
    example: { path: { id: '2', methodId: '206' } },
    async handle(context, { path }) {
      if (!(await removeCard(context, { id: path.methodId, customerId: path.id })))
        throw notFound('such payment method of this customer')
    },
  }),
]

/** For the audit trail. Locks the customer, as every change of a card does first. */
export async function methodState(
  transaction: Database,
  { id: customerId, methodId }: { readonly id: number; readonly methodId: number },
): Promise<SubjectState | undefined> {
  await transaction.one(lockDepositor, { customerId })
  const row = await transaction.one(methodById, { id: methodId })
  if (row?.customer_id !== customerId || row.removed_at !== null) return undefined
  const { min_deposit, max_deposit, expiry_date, token, card_number } = row
  return {
    shown: {
      minDeposit: formatMoney(BigInt(min_deposit)),
      maxDeposit: formatMoney(BigInt(max_deposit)),
      expiryDate: expiry_date,
      closed: row.closed_at !== null,
    },
    hidden: { card: `${token}\n${card_number}`, holder: `${row.first_name}\n${row.last_name}` },
  }
}

async function putPaymentMethod(
  context: OperatorContext,
  { id: methodId, customerId }: { readonly id: number; readonly customerId: number },
  body: MethodBody,
  operator: Operator,
) {
  const { card, limits, type, token } = body
  const min_deposit = parseMoney(limits.minDeposit) as bigint
  const max_deposit = parseMoney(limits.maxDeposit) as bigint
  if (min_deposit > max_deposit) {
    throw notValid([{ pointer: '/limits/maxDeposit', detail: 'must not be less than minDeposit' }])
  }
  const customer = await findCustomer(context.database, customerId)
  if (customer === undefined) throw noCustomer(customerId)
  refuseErased(customerId, customer)
  const method = {
    ...{ type, token, min_deposit, max_deposit },
    ...{ country: card.country, scheme: card.scheme, funding: card.funding },
    card_number: card.number.replace(/[xX•]/g, '*'),
    issue_date: card.issueDate ?? null,
    expiry_date: card.expiryDate,
    first_name: card.firstName ?? null,
    last_name: card.lastName ?? null,
  }
  const result = await registerCard(context, { id: methodId, customerId }, method, actorOf(operator))
  const decided = result === 'proposed' ? await readProposal(context.database, `card ${methodId}`) : null
  const stored = { id: `${methodId}`, customerId: `${customerId}`, proposal: toProposal(decided, operator) }
  return { status: result === 'created' ? 201 : 200, body: stored } as const
}
