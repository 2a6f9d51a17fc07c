// A customer's cards as operators see them. Adding and removing them: method-operations.ts.

import { findCustomer } from '../../identity/customers/customer.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { actorOf } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { type CardMoneyRow, cardMoney } from '../../wallets/cards/money-store.ts'
import { allMethodsOfCustomer, type MethodRow, methodsOfCustomer } from '../../wallets/cards/store.ts'
import { readProposals, type Subject } from '../../wallets/proposals.ts'
import { closeCard, recordClosedAccount, reopenCard } from '../../wallets/reviews/cards.ts'
import { noCustomer } from '../customers/operations.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { notFound } from '../server/problem.ts'
import { shown } from '../server/shown.ts'
import { accountClosureBody, type Card, card, cards, closureBody } from './card-schemas.ts'
import { methodState } from './method-operations.ts'
import { toProposal } from './persons.ts'

const NO_CARD = 'The customer has no such payment method.'

export const cardOperations = [
  operatorOperation({
    name: 'listPaymentMethods',
    summary: 'List the cards of a customer',
    description: 'With masked numbers, limits, what each paid in and got back, and whether they are closed.',
    route: 'GET /customers/{id}/payment-methods',
    role: 'accounts or cashier',
    audit: 'listed the cards of customer {id}',
    answer: { 200: cards },
    async handle({ database }, { path, operator }) {
      const customerId = path.id
      if ((await findCustomer(database, customerId)) === undefined) throw noCustomer(customerId)
      const rows = await database.query(methodsOfCustomer, { customerId })
      return singlePage(await showCards(database, rows, operator))
    },
  }),
  operatorOperation({
    name: 'closePaymentMethod',
    summary: 'Close a card of a customer',
    description:
      'The public API no longer lists it and refuses deposits with it; withdrawals to it wait for two persons. Adding the card again does not ' +
      'open it: only reopening does.',
    route: 'POST /customers/{id}/payment-methods/{methodId}/closure',
    role: 'accounts or cashier',
    audit: 'closed card {methodId} of customer {id}',
    body: closureBody,
    answer: { 200: card },
    problems: { 404: NO_CARD },
    example: { path: { id: '2', methodId: '201' }, body: { reason: 'Reported stolen' }, answer: { id: '201' } },
    subjectState: methodState,
    async handle(context, { path, operator }) {
      const method = { id: path.methodId, customerId: path.id }
      if (!(await closeCard(context, method))) throw noCard()
      return readCard(context.database, method, operator)
    },
  }),
  operatorOperation({
    name: 'reopenPaymentMethod',
    summary: 'Reopen a closed card of a customer',
    description:
      'Also clears its count of wrong cv2. Withdrawals to a card that an operator had closed still wait for two persons.',
    route: 'DELETE /customers/{id}/payment-methods/{methodId}/closure',
    role: 'accounts or cashier-lead',
    audit: 'reopened card {methodId} of customer {id}',
    answer: { 200: card },
    problems: { 404: NO_CARD },
    example: { path: { id: '2', methodId: '201' }, answer: { id: '201', closedAt: null } },
    subjectState: methodState,
    async handle(context, { path, operator }) {
      const method = { id: path.methodId, customerId: path.id }
      if (!(await reopenCard(context, method))) throw noCard()
      return readCard(context.database, method, operator)
    },
  }),
  operatorOperation({
    name: 'recordAccountClosure',
    summary: 'Record that the account behind a card is closed',
    description:
      'Also of a card that was removed. When another person has recorded it too, with the proof, what the card paid in can go elsewhere, and ' +
      'withdrawals to it are credited again; until then the card has a `proposal`.',
    route: 'POST /customers/{id}/payment-methods/{methodId}/account-closure',
    role: 'cashier-lead',
    decides: true,
    audit: 'recorded that the account behind card {methodId} of customer {id} is closed',
    body: accountClosureBody,
    answer: { 200: card },
    problems: { 404: NO_CARD, 409: 'You have recorded it: another person confirms it.' },
    example: { path: { id: '2', methodId: '201' }, body: { note: 'Letter of the bank of 3 March' } },
    async handle(context, { path, body: { note }, operator }) {
      const method = { id: path.methodId, customerId: path.id }
      const result = await recordClosedAccount(context, method, { note, by: actorOf(operator) })
      if (result === 'no such card') throw noCard()
      return readCard(context.database, method, operator)
    },
  }),
]

async function readCard(
  database: Database,
  { id, customerId }: { id: number; customerId: number },
  operator: Operator,
): Promise<Card> {
  const row = (await database.query(allMethodsOfCustomer, { customerId })).find((one) => one.id === id)
  if (row === undefined) throw noCard()
  const [one] = await showCards(database, [row], operator)
  return one as Card
}

const cardOf = shown(card)

const subjectOf = ({ id }: MethodRow): Subject => `account-closure ${id}`

async function showCards(database: Database, rows: readonly MethodRow[], operator: Operator): Promise<Card[]> {
  const proposalOf = await readProposals(database, rows.map(subjectOf))
  const customerId = rows[0]?.customer_id
  const money = customerId === undefined ? [] : await database.query(cardMoney, { customerId })
  return rows.map((row) => {
    const moved = money.find(({ id }) => id === row.id) as CardMoneyRow
    return cardOf(
      { ...row, paid_in: moved.paid_in, paid_out: moved.paid_out },
      {
        number: row.card_number,
        registeredAt: isoTime(moved.created_at),
        proposal: toProposal(proposalOf(subjectOf(row)), operator),
      },
    )
  })
}

function noCard() {
  return notFound('such payment method of this customer')
}
