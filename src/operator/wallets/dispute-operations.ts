import type { Database } from '../../platform/database/database.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { DISPUTE_EVENT_NAMES, DISPUTE_STATES, EVIDENCE } from '../../wallets/dispute-events.ts'
import type { DisputeRow } from '../../wallets/dispute-store.ts'
import * as sql from '../../wallets/dispute-store.ts'
import { OTHER_SANDBOX_EVENTS, sandboxNotification } from '../../wallets/gateways/sandbox/notifications.ts'
import { applyNotification } from '../../wallets/notifications.ts'
import { refundsOfDeposit } from '../../wallets/refund-store.ts'
import { type DepositRow, depositById } from '../../wallets/store.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { conflict, notFound } from '../server/problem.ts'

const PAYMENT_ID = '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'

const disputeState = s.oneOf(DISPUTE_STATES, {
  description:
    '`TOLD`: nothing has moved. `CHARGED_BACK`, `CHARGED_BACK_AGAIN`, `LOST`: the bank has taken the money. `REVERSED`, `WON`: it has returned it.',
  examples: ['CHARGED_BACK'],
})
export const dispute = s.named(
  'Dispute',
  s.object({
    id: s.id('3'),
    paymentId: s.string({ examples: [PAYMENT_ID] }),
    customerId: s.id('1'),
    state: disputeState,
    amount: s.amount('25.00'),
    debited: s.amount('25.00', { description: 'What the customer’s account and debt were debited for it, now.' }),
    currency: s.string({ description: 'ISO 4217', examples: ['GBP'] }),
    evidence: s.oneOf(EVIDENCE, {
      description: '`open`: it may still be given. `over`: no longer.',
      examples: ['open'],
    }),
    answerBy: s.orNull(s.time(), { description: 'Until when evidence may be given at the gateway.' }),
    lastEvent: s.string({ description: 'What the gateway told last, by its name at Adyen.', examples: ['CHARGEBACK'] }),
    gatewayReference: s.string({ description: 'The gateway’s id of the dispute.', examples: ['sandbox-dispute-1'] }),
    createdAt: s.time(),
    changedAt: s.time(),
  }),
)
export type Dispute = s.ValueOf<typeof dispute>

const paymentId = s.string({ pattern: '^[0-9A-Za-z-]{1,40}$', examples: [PAYMENT_ID] })

const disputeQuery = s.object(
  {},
  {
    due: s.oneOf(['yes'], {
      description: 'Only those that wait for evidence, the nearest deadline first.',
      examples: ['yes'],
    }),
    state: disputeState,
    customerId: s.id('1'),
    paymentId,
    ...paging,
  },
)

const sandboxBody = s.object(
  {
    paymentId,
    event: s.oneOf([...DISPUTE_EVENT_NAMES, ...OTHER_SANDBOX_EVENTS], { examples: ['CHARGEBACK'] }),
  },
  { amount: s.money('25.00', { description: 'Without it: that of the refund, or of the deposit.' }) },
)

export const disputeOperations = [
  operatorOperation({
    name: 'listDisputes',
    summary: 'List disputes, newest first, or by their deadline',
    description: 'One filter applies: `due`, `paymentId`, `customerId` or `state`, the first of these.',
    route: 'GET /disputes',
    role: 'admin',
    audit: 'listed disputes',
    query: disputeQuery,
    answer: { 200: s.page(dispute) },
    example: { query: { due: 'yes', limit: 20 } },
    async handle({ database }, { query }) {
      const { cursor, limit } = query
      if (query.due !== undefined) {
        const [afterTime, after] = positionOf(cursor, [-1, -1]) as [number, number]
        const read = await database.query(sql.disputesDue, { afterTime, after, limit: limit + 1 })
        const page = pageOf(read, limit, (row) => [row.answer_by ?? 0, row.id])
        return { items: page.rows.map(toDispute), cursor: page.cursor }
      }
      const [before] = positionOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      const { rows, cursor: next } = pageOf(await readPage(database, query, before), limit, ({ id }) => [id])
      return { items: rows.map(toDispute), cursor: next }
    },
  }),
  operatorOperation({
    name: 'sendSandboxNotification',
    summary: 'Let the sandbox’s bank tell something about a deposit',
    description: 'Only for deposits with the sandbox gateway. Told twice, it is applied once.',
    route: 'POST /sandbox/disputes',
    role: 'admin',
    audit: 'let the sandbox’s bank tell {body.event} of deposit {body.paymentId}',
    body: sandboxBody,
    answer: { 200: s.page(dispute) },
    problems: { 404: 'There is no such deposit.', 409: 'The deposit was not made with the sandbox gateway.' },
    example: { body: { paymentId: PAYMENT_ID, event: 'CHARGEBACK' } },
    async handle(context, { body: { paymentId, event, amount } }) {
      const { database } = context
      const deposit = await database.one(depositById, { id: paymentId })
      if (deposit === undefined) throw notFound('such deposit')
      if (deposit.gateway !== 'sandbox') throw conflict('The deposit was not made with the sandbox gateway.')
      const told = await toldOf(database, deposit, { event, amount })
      await applyNotification(context, 'sandbox', sandboxNotification(told, context.now()))
      const rows = await database.query(sql.disputesOfDeposit, { depositId: deposit.id })
      return { items: rows.map(toDispute), cursor: null }
    },
  }),
]

function readPage(
  database: Database,
  { paymentId, customerId, state, limit }: Omit<s.ValueOf<typeof disputeQuery>, 'cursor'>,
  before: number,
): Promise<DisputeRow[]> {
  const page = { before, limit: limit + 1 }
  if (paymentId !== undefined) return database.query(sql.disputesOfDeposit, { depositId: paymentId })
  if (customerId !== undefined) {
    return database.query(sql.disputesOfCustomerBefore, { ...page, customerId: Number(customerId) })
  }
  if (state !== undefined) return database.query(sql.disputesInStateBefore, { ...page, state })
  return database.query(sql.disputesBefore, page)
}

/** A refund of ours is told with the bank's reference of it. */
async function toldOf(
  database: Database,
  { id: paymentId, amount, currency }: DepositRow,
  told: { event: string; amount: string | undefined },
) {
  const refund = (await database.query(refundsOfDeposit, { depositId: paymentId })).findLast(
    ({ origin }) => origin === 'operator',
  )
  const isOfRefund = told.event.startsWith('REFUND')
  const given =
    told.amount === undefined ? BigInt((isOfRefund ? refund?.amount : undefined) ?? amount) : parseMoney(told.amount)
  return {
    paymentId,
    event: told.event,
    amount: given as bigint,
    currency,
    refundReference: isOfRefund && refund !== undefined ? `sandbox-${refund.reference}` : null,
  }
}

export function toDispute(row: DisputeRow): Dispute {
  return {
    id: `${row.id}`,
    paymentId: row.deposit_id,
    customerId: `${row.customer_id}`,
    state: row.state,
    amount: formatMoney(BigInt(row.amount)),
    debited: formatMoney(BigInt(row.debited)),
    currency: row.currency,
    evidence: row.evidence,
    answerBy: isoTimeOrNull(row.answer_by),
    lastEvent: row.last_event ?? '',
    gatewayReference: row.gateway_reference,
    createdAt: isoTime(row.created_at),
    changedAt: isoTime(row.changed_at),
  }
}
