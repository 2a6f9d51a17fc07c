import { actorOf } from '../../identity/operators/person.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { depositById } from '../../wallets/deposits/store.ts'
import { leftOf } from '../../wallets/refunds/claims.ts'
import { type ClaimRow, claimOfDeposit } from '../../wallets/refunds/claims-store.ts'
import { approveRefund, refuseApproval, requestRefund, returnedOf } from '../../wallets/refunds/refund.ts'
import * as sql from '../../wallets/refunds/store.ts'
import { resolveRefund } from '../../wallets/reviews/refunds.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { notFound, notValid } from '../server/problem.ts'
import { refund, refundState, showRefund, showRefunds } from './refund-view.ts'
import { waitsForQuery } from './withdrawal-schemas.ts'

const PAYMENT_ID = '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'

const depositRefunds = s.namedObject('DepositRefunds', {
  items: s.list(refund, 'Oldest first.'),
  returned: s.amount('10.00', 'What went back to the card, by refunds, withdrawals or disputes, or is on its way.'),
  left: s.amount('15.00', 'How much of it can be refunded at most; what the customer has available may be less.'),
})

const refundBody = s.object(
  {
    amount: s.money('10.00', 'At most what was captured and not returned, and what the customer has available.'),
    reason: s.reason,
  },
  {
    returned: s.money(
      '0.00',
      'What had been returned when you looked at the deposit. If that has changed, the refund is refused with 409: a repeated request refunds nothing twice.',
    ),
  },
)
const resolutionBody = s.object(
  {
    outcome: s.oneOf(['done', 'failed'], 'done', 'Whether the gateway returned the money.'),
  },
  { note: s.note },
)
const NOT_WAITING = 'The refund does not wait for approval'

export const refundOperations = [
  operatorOperation({
    name: 'refundDeposit',
    summary: 'Refund a captured deposit, whole or in part',
    description:
      'The amount leaves the customer’s account at once and is sent to the gateway. Where the refunds of the customer’s day add up to more ' +
      'than REFUND_FOUR_EYES_ABOVE, or a withdrawal has returned money of the deposit before, it is sent when another person has approved it. ' +
      'The same Idempotency-Key again, also from another operator, is answered 200 and refunds nothing.',
    route: 'POST /deposits/{paymentId}/refunds',
    role: 'cashier',
    decides: true,
    takesKey: true,
    audit: 'refunded {body.amount} of deposit {paymentId}',
    body: refundBody,
    answer: { 200: refund, 201: refund },
    problems: {
      409: 'The deposit is not captured or is disputed, less is left of it or available, `returned` has changed, or the Idempotency-Key was used for another refund.',
      422: 'The amount is 0.',
    },
    example: { path: { paymentId: PAYMENT_ID }, body: { amount: '5.00', reason: 'Deposited twice' } },
    async handle(context, { path, body, operator, idempotencyKey }) {
      const amount = parseMoney(body.amount) as bigint
      if (amount === 0n) throw notValid([{ pointer: '/amount', detail: 'must be more than 0' }])
      const returned = body.returned === undefined ? undefined : (parseMoney(body.returned) as bigint)
      const order = {
        paymentId: path.paymentId,
        amount,
        reason: body.reason,
        by: actorOf(operator),
        idempotencyKey,
        returned,
      }
      const requested = await requestRefund(context, order)
      const shown = await showRefund(context.database, requested.refund.id, operator)
      return { status: requested.replayed ? 200 : 201, body: shown } as const
    },
  }),
  operatorOperation({
    name: 'listDepositRefunds',
    summary: 'List the refunds of a deposit',
    route: 'GET /deposits/{paymentId}/refunds',
    role: 'cashier',
    audit: 'listed the refunds of deposit {paymentId}',
    answer: { 200: depositRefunds },
    example: { path: { paymentId: PAYMENT_ID } },
    async handle({ database }, { path, operator }) {
      const deposit = await database.one(depositById, { id: path.paymentId })
      if (deposit === undefined) throw notFound('such deposit')
      const { id: depositId } = deposit
      const claim = (await database.one(claimOfDeposit, { id: depositId })) as ClaimRow
      return {
        items: await showRefunds(database, await database.query(sql.refundsOfDeposit, { depositId }), operator),
        returned: formatMoney(returnedOf(claim)),
        left: formatMoney(deposit.state === 'CAPTURED' ? leftOf(claim) : 0n),
      }
    },
  }),
  operatorOperation({
    name: 'listRefunds',
    summary: 'List refunds, newest first',
    description:
      'Of a customer, in a state, or all. With several filters the others are applied to each page, which may be short. With `waitsFor` the ' +
      'state is REQUESTED or REVIEW: read one after the other.',
    route: 'GET /refunds',
    role: 'cashier',
    audit: 'listed refunds',
    query: s.allOptional({ state: refundState, waitsFor: waitsForQuery, customerId: s.id('1'), ...paging }),
    answer: { 200: s.page(refund) },
    example: { query: { state: 'REQUESTED', limit: 20 } },
    async handle({ database }, { operator, query: { state, waitsFor, customerId, cursor, limit } }) {
      const [before] = positionOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      const page = { before, limit: limit + 1 }
      const read =
        customerId !== undefined
          ? await database.query(sql.refundsOfCustomerBefore, { ...page, customerId: Number(customerId) })
          : state !== undefined
            ? await database.query(sql.refundsInStateBefore, { ...page, state })
            : await database.query(sql.refundsBefore, page)
      const { rows, cursor: next } = pageOf(read, limit, ({ id }) => [id])
      const items = await showRefunds(database, rows, operator)
      const isShown = (item: (typeof items)[number]) =>
        (state === undefined || item.state === state) && (waitsFor === undefined || item.waitsFor === waitsFor)
      return { items: items.filter(isShown), cursor: next }
    },
  }),
  operatorOperation({
    name: 'approveRefund',
    summary: 'Approve a refund that another person requested',
    route: 'POST /refunds/{id}/approval',
    role: 'cashier-lead',
    decides: true,
    audit: 'approved refund {id}',
    answer: { 200: refund },
    problems: { 409: `${NOT_WAITING}, or you have requested it.` },
    async handle(context, { path: { id }, operator }) {
      await approveRefund(context, id, actorOf(operator))
      return showRefund(context.database, id, operator)
    },
  }),
  operatorOperation({
    name: 'refuseRefund',
    summary: 'Refuse a refund that waits for approval',
    description:
      'Nothing is sent, and the amount is credited to the customer again. Who requested it may refuse it too.',
    route: 'POST /refunds/{id}/refusal',
    role: 'cashier',
    decides: true,
    audit: 'refused refund {id}',
    body: s.object({ reason: s.reason }),
    answer: { 200: refund },
    problems: { 409: `${NOT_WAITING}.` },
    example: { body: { reason: 'The customer has played with it' }, answer: { state: 'FAILED' } },
    async handle(context, { path: { id }, body: { reason }, operator }) {
      await refuseApproval(context, id, reason)
      return showRefund(context.database, id, operator)
    },
  }),
  operatorOperation({
    name: 'resolveRefund',
    summary: 'Decide a refund whose result did not arrive',
    description:
      'Only a refund in state SENT or REVIEW, after looking at the gateway; one that is part of a withdrawal is resolved there. When the ' +
      'resolutions of the customer on one day add up to more than RESOLUTION_FOUR_EYES_ABOVE it stays as it is, with a `proposal`, until another person decides the same.',
    route: 'POST /refunds/{id}/resolution',
    role: 'cashier-lead',
    decides: true,
    audit: 'resolved refund {id} as {body.outcome}',
    body: resolutionBody,
    answer: { 200: refund },
    problems: {
      409: 'The refund is not in state SENT or REVIEW, is part of a withdrawal, or you have proposed this outcome.',
    },
    example: { body: { outcome: 'done', note: 'The gateway shows it' }, answer: { state: 'DONE' } },
    async handle(context, { path: { id }, body, operator }) {
      await resolveRefund(context, id, { ...body, by: actorOf(operator) })
      return showRefund(context.database, id, operator)
    },
  }),
]
