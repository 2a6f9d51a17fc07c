import { Fault, faultTable } from '../../faults.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { readOptions, requestWithdrawal } from '../../wallets/withdrawal.ts'
import {
  approveWithdrawal,
  holdWithdrawal,
  refuseWithdrawal,
  releaseWithdrawal,
  resolveWithdrawal,
} from '../../wallets/withdrawal-decisions.ts'
import type { ListedWithdrawalRow } from '../../wallets/withdrawal-store.ts'
import * as sql from '../../wallets/withdrawal-store.ts'
import { existing } from '../customers/activity-operations.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { conflict, notFound } from '../server/problem.ts'
import { beginOfDay, dayField, endOfDay } from '../server/query-days.ts'
import { toCardFields } from './method-operations.ts'
import {
  requestBody,
  resolutionBody,
  shownReason,
  type Withdrawal,
  withdrawal,
  withdrawalOptions,
  withdrawalState,
  withdrawalWithEvents,
} from './withdrawal-schemas.ts'

const ABOVE_ALL = Number.MAX_SAFE_INTEGER
const NOT_WAITING = 'The withdrawal does not wait for approval'

export const withdrawalOperatorOperations = [
  operatorOperation({
    name: 'listWithdrawals',
    summary: 'List withdrawals',
    description: 'In a state: the one that waits longest first. Of a customer, or all: newest first.',
    route: 'GET /withdrawals',
    role: 'admin',
    audit: 'listed withdrawals',
    query: s.object(
      {},
      {
        state: withdrawalState,
        customerId: s.id('1'),
        from: dayField('Only those requested on this day (UTC) or later.'),
        to: dayField('Only those requested on this day (UTC) or before.'),
        ...paging,
      },
    ),
    answer: { 200: s.page(withdrawal) },
    problems: { 422: '`from` or `to` is a day that does not exist.' },
    example: { query: { state: 'REQUESTED', limit: 20 } },
    async handle({ database }, { query: { state, customerId, from, to, cursor, limit } }) {
      const { low, high } = await idsBetween(database, beginOfDay('from', from), endOfDay('to', to))
      if (state !== undefined && customerId === undefined) {
        const [after] = positionOf(cursor, [low]) as [number]
        const read = await database.query(sql.withdrawalsInState, { state, after, before: high, limit: limit + 1 })
        const page = pageOf(read, limit, ({ id }) => [id])
        return { items: page.rows.map(toWithdrawal), cursor: page.cursor }
      }
      const [before] = positionOf(cursor, [high]) as [number]
      const bounds = { before, limit: limit + 1 }
      const read =
        customerId === undefined
          ? await database.query(sql.withdrawalsBefore, bounds)
          : await database.query(sql.withdrawalsOfCustomerBefore, { ...bounds, customerId: Number(customerId) })
      const page = pageOf(read, limit, ({ id }) => [id])
      const shown = page.rows.filter((row) => row.id > low && (state === undefined || row.state === state))
      const isOver = (page.rows.at(-1)?.id ?? 0) <= low
      return { items: shown.map(toWithdrawal), cursor: isOver ? null : page.cursor }
    },
  }),
  operatorOperation({
    name: 'getWithdrawal',
    summary: 'Read a withdrawal with its events',
    route: 'GET /withdrawals/{id}',
    role: 'admin',
    audit: 'read withdrawal {id}',
    answer: { 200: withdrawalWithEvents },
    async handle({ database }, { path }) {
      const row = await database.one(sql.withdrawalById, { id: path.id })
      if (row === undefined) throw notFound('such withdrawal')
      const events = await database.query(sql.eventsOfWithdrawal, { id: row.id })
      return {
        ...toWithdrawal(row),
        events: events.map(({ at, event, detail }) => ({ at: isoTime(at), event, detail })),
      }
    },
  }),
  operatorOperation({
    name: 'approveWithdrawal',
    summary: 'Approve a withdrawal',
    description:
      'When two different operators have approved it, it is sent. Who requested it for the customer is the first of them.',
    route: 'POST /withdrawals/{id}/approval',
    role: 'admin',
    audit: 'approved withdrawal {id}',
    answer: { 200: withdrawal },
    problems: { 409: `${NOT_WAITING}, is held, or you have approved or requested it.` },
    handle: async (context, { path, operator }) =>
      toWithdrawal(await approveWithdrawal(context, path.id, operator.name)),
  }),
  operatorOperation({
    name: 'refuseWithdrawal',
    summary: 'Refuse a withdrawal',
    description: 'Only one that is not being sent. The amount is credited to the customer again, who reads the reason.',
    route: 'POST /withdrawals/{id}/refusal',
    role: 'admin',
    audit: 'refused withdrawal {id}',
    body: s.object({ reason: shownReason }),
    answer: { 200: withdrawal },
    problems: { 409: 'The withdrawal is being sent, or decided.' },
    example: { body: { reason: 'The card is not yours.' }, answer: { state: 'REFUSED' } },
    handle: async (context, { path, body, operator }) =>
      toWithdrawal(await refuseWithdrawal(context, path.id, { reason: body.reason, by: operator.name })),
  }),
  operatorOperation({
    name: 'holdWithdrawal',
    summary: 'Hold a withdrawal that waits for approval',
    description: 'Nobody can approve it until it is released. The customer reads the reason.',
    route: 'PUT /withdrawals/{id}/hold',
    role: 'admin',
    audit: 'held withdrawal {id}',
    body: s.object({ reason: shownReason }),
    answer: { 200: withdrawal },
    problems: { 409: `${NOT_WAITING}.` },
    example: { body: { reason: 'Please send us a proof of your address.' } },
    handle: async (context, { path, body, operator }) =>
      toWithdrawal(await holdWithdrawal(context, path.id, { reason: body.reason, by: operator.name })),
  }),
  operatorOperation({
    name: 'releaseWithdrawal',
    summary: 'Release a withdrawal that is held',
    route: 'DELETE /withdrawals/{id}/hold',
    role: 'admin',
    audit: 'released withdrawal {id}',
    answer: { 200: withdrawal },
    problems: { 409: `${NOT_WAITING}.` },
    handle: async (context, { path, operator }) =>
      toWithdrawal(await releaseWithdrawal(context, path.id, operator.name)),
  }),
  operatorOperation({
    name: 'resolveWithdrawal',
    summary: 'Decide a withdrawal whose result is not known',
    description:
      'Only a withdrawal in state REVIEW, after looking at the gateway. Before it counts as returned, the gateway is told never to pay it.',
    route: 'POST /withdrawals/{id}/resolution',
    role: 'admin',
    audit: 'resolved withdrawal {id} as {body.outcome}',
    body: resolutionBody,
    answer: { 200: withdrawal },
    problems: {
      409: 'The withdrawal is not in state REVIEW, the gateway does not decline it, or the customer has spent what was credited back.',
    },
    example: { body: { outcome: 'paid', note: 'The gateway shows it' }, answer: { state: 'PAID' } },
    handle: async (context, { path, body, operator }) =>
      toWithdrawal(await resolveWithdrawal(context, path.id, { ...body, by: operator.name })),
  }),
  operatorOperation({
    name: 'readWithdrawalOptions',
    summary: 'Read how much a customer can withdraw to which card',
    route: 'GET /customers/{id}/withdrawal-options',
    role: 'admin',
    audit: 'read the withdrawal options of customer {id}',
    answer: { 200: withdrawalOptions },
    async handle(context, { path }) {
      await existing(context.database, path.id)
      const options = await readOptions(context, path.id)
      return { items: options.map(({ id, max }) => ({ paymentMethodId: `${id}`, max: formatMoney(max) })) }
    },
  }),
  operatorOperation({
    name: 'requestWithdrawal',
    summary: 'Request a withdrawal for a customer',
    description:
      'For customers without a session, such as self-excluded ones, who asked for their money. Another operator must approve it, whatever the amount. ' +
      'The same Idempotency-Key of the same operator again is answered 200 and requests nothing.',
    route: 'POST /customers/{id}/withdrawals',
    role: 'admin',
    audit: 'requested a withdrawal of {body.amount} for customer {id}',
    takesKey: true,
    body: requestBody,
    answer: { 200: withdrawal, 201: withdrawal },
    problems: { 409: 'The options do not allow it, or the Idempotency-Key was used for another amount or card.' },
    example: { body: { amount: '5.00', paymentMethodId: '101', reason: 'Asked for it by telephone' } },
    async handle(context, { path, body, operator, idempotencyKey }) {
      await existing(context.database, path.id)
      const amount = parseMoney(body.amount) as bigint
      const terms = { customerId: path.id, methodId: Number(body.paymentMethodId), amount }
      try {
        const requested = await requestWithdrawal(context, { ...terms, by: operator.name, idempotencyKey })
        const row = await context.database.one(sql.withdrawalById, { id: requested.withdrawal.id })
        return { status: requested.replayed ? 200 : 201, body: toWithdrawal(row as ListedWithdrawalRow) } as const
      } catch (error) {
        if (error instanceof Fault) throw conflict(reasonOf(error))
        throw error
      }
    },
  }),
]

/** The ids above `low` and below `high` are those of the time. */
async function idsBetween(database: Database, from: number, until: number) {
  const firstSince = async (at: number) => (await database.one(sql.withdrawalSince, { at }))?.id ?? ABOVE_ALL
  return {
    low: from === 0 ? 0 : (await firstSince(from)) - 1,
    high: until === ABOVE_ALL ? ABOVE_ALL : await firstSince(until),
  }
}

function reasonOf({ kind, faultName }: Fault): string {
  if (faultName === 'Idempotency-Key')
    return 'The Idempotency-Key was used for another amount or card. Send another key.'
  return faultTable[kind].text
}

export function toWithdrawal(row: ListedWithdrawalRow): Withdrawal {
  return {
    id: `${row.id}`,
    reference: row.reference,
    customerId: `${row.customer_id}`,
    paymentMethodId: `${row.payment_method_id}`,
    ...toCardFields(row),
    amount: formatMoney(BigInt(row.amount)),
    currency: row.currency,
    state: row.state,
    needsApproval: row.state === 'REQUESTED',
    requestedBy: row.requested_by,
    approvedBy: [row.approved_by, row.approved_again_by].filter((name) => name !== null),
    holdReason: row.hold_reason,
    heldBy: row.held_by,
    review: row.review,
    gateway: row.gateway,
    gatewayReference: row.gateway_reference,
    createdAt: isoTime(row.created_at),
    changedAt: isoTime(row.changed_at),
  }
}
