// A customer's cards as operators see them. Adding and removing them: wallets.ts.

import { findCustomer } from '../../identity/customers/customer.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { toMethod } from '../../wallets/method.ts'
import { closeMethod, type MethodRow, methodsOfCustomer, reopenMethod } from '../../wallets/store.ts'
import { noCustomer } from '../customers/operations.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { notFound } from '../server/problem.ts'
import { type Card, card, cards, closureBody } from './card-schemas.ts'
import { methodState } from './method-operations.ts'

const NO_CARD = 'The customer has no such payment method.'

export const cardOperations = [
  operatorOperation({
    name: 'listPaymentMethods',
    summary: 'List the cards of a customer',
    description: 'With masked numbers, limits, and whether they are closed.',
    route: 'GET /customers/{id}/payment-methods',
    role: 'accounts',
    audit: 'listed the cards of customer {id}',
    answer: { 200: cards },
    async handle({ database }, { path }) {
      const customerId = path.id
      if ((await findCustomer(database, customerId)) === undefined) throw noCustomer(customerId)
      const rows = await database.query(methodsOfCustomer, { customerId })
      return singlePage(rows.map(toCard))
    },
  }),
  operatorOperation({
    name: 'closePaymentMethod',
    summary: 'Close a card of a customer',
    description:
      'The public API no longer lists it and refuses deposits with it. Adding the card again does not open it: only ' +
      'reopening does.',
    route: 'POST /customers/{id}/payment-methods/{methodId}/closure',
    role: 'accounts',
    audit: 'closed card {methodId} of customer {id}',
    body: closureBody,
    answer: { 200: card },
    problems: { 404: NO_CARD },
    example: { path: { id: '2', methodId: '201' }, body: { reason: 'Reported stolen' }, answer: { id: '201' } },
    subjectState: (transaction, { methodId }) => methodState(transaction, methodId),
    async handle({ database, now }, { path }) {
      const method = { id: path.methodId, customerId: path.id }
      const closed = await database.run(closeMethod, { ...method, now: now() })
      if (closed === 0) throw noCard()
      return readCard(database, method)
    },
  }),
  operatorOperation({
    name: 'reopenPaymentMethod',
    summary: 'Reopen a closed card of a customer',
    description: 'Also clears its count of wrong cv2.',
    route: 'DELETE /customers/{id}/payment-methods/{methodId}/closure',
    role: 'accounts',
    audit: 'reopened card {methodId} of customer {id}',
    answer: { 200: card },
    problems: { 404: NO_CARD },
    example: { path: { id: '2', methodId: '201' }, answer: { id: '201', closedAt: null } },
    subjectState: (transaction, { methodId }) => methodState(transaction, methodId),
    async handle({ database }, { path }) {
      const method = { id: path.methodId, customerId: path.id }
      const reopened = await database.run(reopenMethod, method)
      if (reopened === 0) throw noCard()
      return readCard(database, method)
    },
  }),
]

async function readCard(database: Database, { id, customerId }: { id: number; customerId: number }): Promise<Card> {
  const row = (await database.query(methodsOfCustomer, { customerId })).find((one) => one.id === id)
  if (row === undefined) throw noCard()
  return toCard(row)
}

function noCard() {
  return notFound('such payment method of this customer')
}

function toCard(row: MethodRow): Card {
  const { limits, card } = toMethod(row)
  return {
    id: String(row.id),
    type: row.type,
    number: card.number,
    expiryDate: card.expiryDate,
    country: card.country,
    scheme: card.scheme,
    funding: row.funding,
    ...limits,
    wrongCv2: row.wrong_cv2,
    closedAt: isoTimeOrNull(row.closed_at),
  }
}
