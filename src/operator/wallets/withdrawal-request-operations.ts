// Withdrawals that operators begin for customers, and payments that they record.

import { Fault, faultTable } from '../../faults.ts'
import { actorOf } from '../../identity/operators/person.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { readProposal } from '../../wallets/proposals.ts'
import { nowhereReason } from '../../wallets/withdrawals/option-reasons.ts'
import { recordOutsidePayment, recordOutsideReturn } from '../../wallets/withdrawals/outside.ts'
import { type Options, readOptions } from '../../wallets/withdrawals/read.ts'
import { requestWithdrawal } from '../../wallets/withdrawals/withdrawal.ts'
import { existing } from '../customers/activity-operations.ts'
import { noCustomer } from '../customers/operations.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { conflict, notValid } from '../server/problem.ts'
import { shown } from '../server/shown.ts'
import { proof, toProposal } from './persons.ts'
import * as schemas from './withdrawal-schemas.ts'
import { showWithdrawal } from './withdrawal-view.ts'

export const withdrawalRequestOperations = [
  operatorOperation({
    name: 'readWithdrawalOptions',
    summary: 'Read how much a customer can withdraw to which card, and why',
    route: 'GET /customers/{id}/withdrawal-options',
    role: 'cashier',
    audit: 'read the withdrawal options of customer {id}',
    answer: { 200: schemas.withdrawalOptions },
    async handle(context, { path }) {
      const options = await readOptions(context, path.id)
      if (options === undefined) throw noCustomer(path.id)
      return toOptions(options)
    },
  }),
  operatorOperation({
    name: 'requestWithdrawal',
    summary: 'Request a withdrawal for a customer',
    description:
      'For customers without a session, such as self-excluded ones, who requested their money. Another person must approve it, whatever the ' +
      'amount. The same Idempotency-Key again, also from another operator, is answered 200 and requests nothing.',
    route: 'POST /customers/{id}/withdrawals',
    role: 'cashier',
    decides: true,
    audit: 'requested a withdrawal of {body.amount} for customer {id}',
    takesKey: true,
    body: schemas.requestBody,
    answer: { 200: schemas.withdrawal, 201: schemas.withdrawal },
    problems: { 409: 'The options do not allow it, or the Idempotency-Key was used for another amount or card.' },
    example: { body: { amount: '5.00', paymentMethodId: '101', reason: 'Requested by telephone' } },
    async handle(context, { path, body, operator, idempotencyKey }) {
      await existing(context.database, path.id)
      const amount = parseMoney(body.amount) as bigint
      const terms = { customerId: path.id, methodId: Number(body.paymentMethodId), amount }
      try {
        const requested = await requestWithdrawal(context, { ...terms, by: actorOf(operator), idempotencyKey })
        const shown = await showWithdrawal(context.database, requested.withdrawal.id, operator)
        return { status: requested.replayed ? 200 : 201, body: shown } as const
      } catch (error) {
        if (error instanceof Fault) throw conflict(reasonOf(error))
        throw error
      }
    },
  }),
  operatorOperation({
    name: 'recordOutsidePayment',
    summary: 'Record that money of a customer was paid to their bank account',
    description:
      'Only where no card can take it: the bank account must be in the customer’s name. When another person records the same, it is booked ' +
      'as a withdrawal; until then the answer has a `proposal`, and nothing has moved.',
    route: 'POST /customers/{id}/outside-payments',
    role: 'cashier-lead',
    decides: true,
    audit: 'recorded that {body.amount} was paid to customer {id} by {body.bankReference}',
    body: schemas.outsideBody,
    answer: { 200: schemas.outsidePayment, 201: schemas.outsidePayment },
    problems: {
      409: 'Cards can take it, it was recorded before, or you have recorded it: another person confirms it.',
      422: 'The amount is 0.',
    },
    example: {
      path: { id: '2' },
      body: { amount: '5.00', bankReference: 'FT-2026-03-0042', note: 'Letter of the bank of 3 March' },
      answer: { withdrawal: null },
    },
    async handle(context, { path, body: { bankReference, note, ...body }, operator }) {
      await existing(context.database, path.id)
      const amount = parseMoney(body.amount) as bigint
      if (amount === 0n) throw notValid([{ pointer: '/amount', detail: 'must be more than 0' }])
      const order = { customerId: path.id, amount, bankReference, note, by: actorOf(operator) }
      const booked = await recordOutsidePayment(context, order)
      if (booked === null) {
        const decided = await readProposal(context.database, `outside-payment ${path.id}`)
        return { status: 200, body: { withdrawal: null, proposal: toProposal(decided, operator) } } as const
      }
      const shown = await showWithdrawal(context.database, booked.id, operator)
      return { status: 201, body: { withdrawal: shown, proposal: null } } as const
    },
  }),
  operatorOperation({
    name: 'recordOutsideReturn',
    summary: 'Record that a payment outside came back',
    description:
      'The bank has returned the transfer. When another person has recorded it too, the amount is credited to the customer again, a debt ' +
      'first; until then the withdrawal has a `proposal`, and nothing has moved.',
    route: 'POST /withdrawals/{id}/outside-return',
    role: 'cashier-lead',
    decides: true,
    audit: 'recorded that payment outside {id} came back',
    body: s.object({ note: proof }),
    answer: { 200: schemas.withdrawal },
    problems: {
      404: 'There is no such withdrawal.',
      409: 'Nothing of it was paid outside, it has come back already, or you have recorded it: another person confirms it.',
    },
    example: { body: { note: 'Returned by the bank on 5 March: account closed' } },
    async handle(context, { path: { id }, body: { note }, operator }) {
      await recordOutsideReturn(context, id, { note, by: actorOf(operator) })
      return showWithdrawal(context.database, id, operator)
    },
  }),
]

const keptBackOf = shown(schemas.keptBack)
const optionOf = shown(schemas.withdrawalOption)

function toOptions({ funds, options }: Options) {
  return {
    available: formatMoney(funds.available),
    reason: nowhereReason(funds, options),
    keptBack: funds.keptBack.map((kept) => keptBackOf(kept)),
    items: options.map(({ card, ...option }) =>
      optionOf({ ...card, ...option }, { paymentMethodId: `${card.id}`, lastFour: card.card_number.slice(-4) }),
    ),
  }
}

function reasonOf({ kind, faultName }: Fault): string {
  if (faultName === 'Idempotency-Key')
    return 'The Idempotency-Key was used for another amount or card. Send another key.'
  return faultTable[kind].text
}
