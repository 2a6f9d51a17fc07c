import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { approveRefund, refuseApproval, requestRefund, resolveRefund, returnedOf } from '../../wallets/refund.ts'
import type { ListedRefundRow, RefundRow } from '../../wallets/refund-store.ts'
import * as sql from '../../wallets/refund-store.ts'
import { depositById } from '../../wallets/store.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { notFound, notValid } from '../server/problem.ts'
import { toCardFields } from './method-operations.ts'
import { cardFields } from './method-schemas.ts'

const PAYMENT_ID = '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'

const refundState = s.oneOf(sql.REFUND_STATES, {
  description:
    '`REQUESTED`: debited, and not sent yet, or it waits for a second operator. `SENT`: the gateway has received it. `FAILED`: credited ' +
    'to the customer again. `REVIEW`: the gateway has not answered for long.',
  examples: ['REQUESTED'],
})
const refundChange = s.named('RefundChange', s.object({ id: s.id('5'), state: refundState }))
export const refund = s.named(
  'Refund',
  s.object({
    id: s.id('5'),
    paymentId: s.string({ examples: [PAYMENT_ID] }),
    customerId: s.id('1'),
    ...cardFields,
    amount: s.amount('10.00'),
    currency: s.string({ description: 'ISO 4217', examples: ['GBP'] }),
    state: refundState,
    reason: s.string({ examples: ['Deposited twice'] }),
    requestedBy: s.orNull(s.string({ examples: ['back-office'] }), {
      description: 'The operator. null: it was made at the gateway.',
    }),
    needsApproval: s.boolean({ description: 'It waits for a second operator.', examples: [false] }),
    approvedBy: s.orNull(s.string(), { description: 'The second operator.', examples: [null] }),
    gatewayReference: s.orNull(s.string(), { description: 'The gateway’s id of the refund.', examples: [null] }),
    createdAt: s.time(),
    changedAt: s.time(),
  }),
)
export type Refund = s.ValueOf<typeof refund>

const depositRefunds = s.named(
  'DepositRefunds',
  s.object({
    items: s.list(refund, { description: 'Oldest first.' }),
    returned: s.amount('10.00', {
      description: 'What went back to the card, by refunds or disputes, or is on its way.',
    }),
    left: s.amount('15.00', {
      description: 'How much of it can be refunded at most; the customer’s balance may be less.',
    }),
  }),
)

const refundBody = s.object(
  {
    amount: s.money('10.00', {
      description: 'At most what was captured and not returned, and the customer’s balance.',
    }),
    reason: s.reason,
  },
  {
    returned: s.money('0.00', {
      description:
        'What had been returned when you looked at the deposit. If that has changed, the refund is refused with 409: a repeated request refunds nothing twice.',
    }),
  },
)
const resolutionBody = s.object(
  {
    outcome: s.oneOf(['done', 'failed'], {
      description: 'Whether the gateway returned the money.',
      examples: ['done'],
    }),
  },
  { note: s.note },
)
const NOT_WAITING = 'The refund does not wait for approval'

export const refundOperations = [
  operatorOperation({
    name: 'refundDeposit',
    summary: 'Refund a captured deposit, whole or in part',
    description:
      'The amount leaves the customer’s account at once and is sent to the gateway. Above REFUND_FOUR_EYES_ABOVE it is sent when another operator has approved it.',
    route: 'POST /deposits/{paymentId}/refunds',
    role: 'admin',
    audit: 'refunded {body.amount} of deposit {paymentId}',
    body: refundBody,
    answer: { 201: refundChange },
    problems: {
      409: 'The deposit is not captured, less is left of it or of the customer’s balance, a refund of it is not sent yet, or `returned` has changed.',
      422: 'The amount is 0.',
    },
    example: { path: { paymentId: PAYMENT_ID }, body: { amount: '5.00', reason: 'Deposited twice' } },
    async handle(context, { path, body, operator }) {
      const amount = parseMoney(body.amount) as bigint
      if (amount === 0n) throw notValid([{ pointer: '/amount', detail: 'must be more than 0' }])
      const returned = body.returned === undefined ? undefined : (parseMoney(body.returned) as bigint)
      const order = { paymentId: path.paymentId, amount, reason: body.reason, by: operator.name, returned }
      return toChange(await requestRefund(context, order))
    },
  }),
  operatorOperation({
    name: 'listDepositRefunds',
    summary: 'List the refunds of a deposit',
    route: 'GET /deposits/{paymentId}/refunds',
    role: 'admin',
    audit: 'listed the refunds of deposit {paymentId}',
    answer: { 200: depositRefunds },
    example: { path: { paymentId: PAYMENT_ID } },
    async handle({ database }, { path }) {
      const deposit = await database.one(depositById, { id: path.paymentId })
      if (deposit === undefined) throw notFound('such deposit')
      const { id: depositId, customer_id: customerId, currency } = deposit
      const facts = (await database.one(sql.refundFacts, { depositId, customerId, currency })) as sql.RefundFacts
      const returned = returnedOf(facts)
      const left = deposit.state === 'CAPTURED' ? BigInt(deposit.amount) - returned : 0n
      return {
        items: (await database.query(sql.refundsOfDeposit, { depositId })).map(toRefund),
        returned: formatMoney(returned),
        left: formatMoney(left < 0n ? 0n : left),
      }
    },
  }),
  operatorOperation({
    name: 'listRefunds',
    summary: 'List refunds, newest first',
    description:
      'Of a customer, in a state, or all. With both filters the state is looked for among the newest of the customer.',
    route: 'GET /refunds',
    role: 'admin',
    audit: 'listed refunds',
    query: s.object({}, { state: refundState, customerId: s.id('1'), ...paging }),
    answer: { 200: s.page(refund) },
    example: { query: { state: 'REQUESTED', limit: 20 } },
    async handle({ database }, { query: { state, customerId, cursor, limit } }) {
      const [before] = positionOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      const page = { before, limit: limit + 1 }
      const read =
        customerId !== undefined
          ? await database.query(sql.refundsOfCustomerBefore, { ...page, customerId: Number(customerId) })
          : state !== undefined
            ? await database.query(sql.refundsInStateBefore, { ...page, state })
            : await database.query(sql.refundsBefore, page)
      const { rows, cursor: next } = pageOf(read, limit, ({ id }) => [id])
      const shown = rows.filter((row) => state === undefined || row.state === state)
      return { items: shown.map(toRefund), cursor: next }
    },
  }),
  operatorOperation({
    name: 'approveRefund',
    summary: 'Approve a refund that another operator requested',
    route: 'POST /refunds/{id}/approval',
    role: 'admin',
    audit: 'approved refund {id}',
    answer: { 200: refundChange },
    problems: { 409: `${NOT_WAITING}, or you have requested it.` },
    handle: async (context, { path, operator }) => toChange(await approveRefund(context, path.id, operator.name)),
  }),
  operatorOperation({
    name: 'refuseRefund',
    summary: 'Refuse a refund that waits for approval',
    description:
      'Nothing is sent, and the amount is credited to the customer again. Who requested it may refuse it too.',
    route: 'POST /refunds/{id}/refusal',
    role: 'admin',
    audit: 'refused refund {id}',
    body: s.object({ reason: s.reason }),
    answer: { 200: refundChange },
    problems: { 409: `${NOT_WAITING}.` },
    example: { body: { reason: 'The customer has played with it' }, answer: { state: 'FAILED' } },
    handle: async (context, { path, body }) => toChange(await refuseApproval(context, path.id, body.reason)),
  }),
  operatorOperation({
    name: 'resolveRefund',
    summary: 'Decide a refund whose result did not arrive',
    description: 'Only a refund in state SENT or REVIEW, after looking at the gateway.',
    route: 'POST /refunds/{id}/resolution',
    role: 'admin',
    audit: 'resolved refund {id} as {body.outcome}',
    body: resolutionBody,
    answer: { 200: refundChange },
    problems: { 409: 'The refund is not in state SENT or REVIEW.' },
    example: { body: { outcome: 'done', note: 'The gateway shows it' }, answer: { state: 'DONE' } },
    handle: async (context, { path, body }) => toChange(await resolveRefund(context, path.id, body)),
  }),
]

function toChange({ id, state }: RefundRow) {
  return { id: `${id}`, state }
}

export function toRefund(row: ListedRefundRow): Refund {
  return {
    id: `${row.id}`,
    paymentId: row.deposit_id,
    customerId: `${row.customer_id}`,
    ...toCardFields(row),
    amount: formatMoney(BigInt(row.amount)),
    currency: row.currency,
    state: row.state,
    reason: row.reason,
    requestedBy: row.origin === 'gateway' ? null : row.requested_by,
    needsApproval: row.state === 'REQUESTED' && row.needs_approval === 1 && row.approved_by === null,
    approvedBy: row.approved_by,
    gatewayReference: row.gateway_reference,
    createdAt: isoTime(row.created_at),
    changedAt: isoTime(row.changed_at),
  }
}
