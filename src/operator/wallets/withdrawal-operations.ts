import { actorOf } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { resolveWithdrawal } from '../../wallets/reviews/withdrawals.ts'
import {
  approveWithdrawal,
  holdWithdrawal,
  refuseWithdrawal,
  releaseWithdrawal,
} from '../../wallets/withdrawals/decisions.ts'
import type { ListedWithdrawalRow, WithdrawalState } from '../../wallets/withdrawals/store.ts'
import * as sql from '../../wallets/withdrawals/store.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { notFound } from '../server/problem.ts'
import { beginOfDay, dayField, endOfDay } from '../server/query-days.ts'
import * as schemas from './withdrawal-schemas.ts'
import { showWithdrawal, showWithdrawals } from './withdrawal-view.ts'

const ABOVE_ALL = Number.MAX_SAFE_INTEGER
const NOT_WAITING = 'Nothing of the withdrawal waits for approval'

export const withdrawalOperatorOperations = [
  operatorOperation({
    name: 'listWithdrawals',
    summary: 'List withdrawals',
    description:
      'In a state, or with `waitsFor`: the one that waits longest first. Of a customer, or all: newest first. With `customerId` the other ' +
      'filters look at the customer’s withdrawals page by page.',
    route: 'GET /withdrawals',
    role: 'cashier',
    audit: 'listed withdrawals',
    query: s.allOptional({
      state: schemas.withdrawalState,
      waitsFor: schemas.waitsForQuery,
      customerId: s.id('1'),
      from: dayField('Only withdrawals requested on this day (UTC) or later.'),
      to: dayField('Only withdrawals requested on this day (UTC) or before.'),
      ...paging,
    }),
    answer: { 200: s.page(schemas.withdrawal) },
    problems: { 422: '`from` or `to` is a day that does not exist.' },
    example: { query: { state: 'REQUESTED', limit: 20 } },
    async handle({ database }, { operator, query: { from, to, waitsFor, ...query } }) {
      const days = { from: beginOfDay('from', from), until: endOfDay('to', to) }
      const page = await readPage(database, { ...query, ...days, isWaiting: waitsFor !== undefined })
      const items = await showWithdrawals(database, page.rows, operator)
      return {
        items: items.filter((item) => waitsFor === undefined || item.waitsFor === waitsFor),
        cursor: page.cursor,
      }
    },
  }),
  operatorOperation({
    name: 'getWithdrawal',
    summary: 'Read a withdrawal with its events',
    route: 'GET /withdrawals/{id}',
    role: 'cashier',
    audit: 'read withdrawal {id}',
    answer: { 200: schemas.withdrawalWithEvents },
    async handle({ database }, { path: { id }, operator }) {
      if ((await database.one(sql.withdrawalById, { id })) === undefined) throw notFound('such withdrawal')
      const events = await database.query(sql.eventsOfWithdrawal, { id })
      return {
        ...(await showWithdrawal(database, id, operator)),
        events: events.map(({ at, event, detail }) => ({ at: isoTime(at), event, detail })),
      }
    },
  }),
  operatorOperation({
    name: 'approveWithdrawal',
    summary: 'Approve a withdrawal',
    description:
      'When two different persons have approved it, it is sent. Who requested it for the customer is the first of them. The second is no cashier.',
    route: 'POST /withdrawals/{id}/approval',
    role: 'cashier',
    decides: true,
    audit: 'approved withdrawal {id}',
    answer: { 200: schemas.withdrawal },
    problems: {
      409: `${NOT_WAITING}, an operator holds it, you have approved or requested it, or a cashier would be the second.`,
    },
    async handle(context, { path: { id }, operator }) {
      await approveWithdrawal(context, id, actorOf(operator))
      return showWithdrawal(context.database, id, operator)
    },
  }),
  operatorOperation({
    name: 'refuseWithdrawal',
    summary: 'Refuse a withdrawal',
    description:
      'What of it is not being sent is credited to the customer again, who reads the reason. Parts that were sent before stay as they are.',
    route: 'POST /withdrawals/{id}/refusal',
    role: 'cashier',
    decides: true,
    audit: 'refused withdrawal {id}',
    body: s.object({ reason: schemas.shownReason }),
    answer: { 200: schemas.withdrawal },
    problems: { 409: 'All of the withdrawal is being sent, or decided.' },
    example: { body: { reason: 'The card is not yours.' }, answer: { state: 'REFUSED' } },
    async handle(context, { path: { id }, body: { reason }, operator }) {
      await refuseWithdrawal(context, id, { reason, by: actorOf(operator) })
      return showWithdrawal(context.database, id, operator)
    },
  }),
  operatorOperation({
    name: 'holdWithdrawal',
    summary: 'Hold a withdrawal that waits for approval',
    description: 'Nobody can approve it until it is released. The customer reads the reason.',
    route: 'PUT /withdrawals/{id}/hold',
    role: 'cashier',
    decides: true,
    audit: 'held withdrawal {id}',
    body: s.object({ reason: schemas.shownReason }),
    answer: { 200: schemas.withdrawal },
    problems: { 409: `${NOT_WAITING}.` },
    example: { body: { reason: 'Please send us a proof of your address.' } },
    async handle(context, { path: { id }, body: { reason }, operator }) {
      await holdWithdrawal(context, id, { reason, by: actorOf(operator) })
      return showWithdrawal(context.database, id, operator)
    },
  }),
  operatorOperation({
    name: 'releaseWithdrawal',
    summary: 'Release a withdrawal that an operator holds',
    description: 'It waits for approval again. Other holds end when two persons approve it.',
    route: 'DELETE /withdrawals/{id}/hold',
    role: 'cashier',
    decides: true,
    audit: 'released withdrawal {id}',
    answer: { 200: schemas.withdrawal },
    problems: { 409: `${NOT_WAITING}.` },
    async handle(context, { path: { id }, operator }) {
      await releaseWithdrawal(context, id, actorOf(operator))
      return showWithdrawal(context.database, id, operator)
    },
  }),
  operatorOperation({
    name: 'resolveWithdrawal',
    summary: 'Decide a part of a withdrawal that needs manual review',
    description:
      'After looking it up at the gateway. When the resolutions of the customer on one day add up to more than RESOLUTION_FOUR_EYES_ABOVE the part ' +
      'stays in REVIEW, with a `proposal`, until another person decides the same.',
    route: 'POST /withdrawals/{id}/resolution',
    role: 'cashier-lead',
    decides: true,
    audit: 'resolved withdrawal {id} as {body.outcome}',
    body: schemas.resolutionBody,
    answer: { 200: schemas.withdrawal },
    problems: {
      409: 'No such part is in state REVIEW, several are and none is named, or you have proposed this outcome.',
    },
    example: { body: { outcome: 'paid', note: 'The gateway shows it' }, answer: { state: 'PAID' } },
    async handle(context, { path: { id }, body: { outcome, note, partId }, operator }) {
      const part = partId === undefined ? null : Number(partId)
      await resolveWithdrawal(context, id, { outcome, note, partId: part, by: actorOf(operator) })
      return showWithdrawal(context.database, id, operator)
    },
  }),
]

type Query = {
  readonly state?: WithdrawalState | undefined
  readonly customerId?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly from: number
  readonly until: number
  /** Only withdrawals about which persons decide. */
  readonly isWaiting: boolean
}

/** A filter that the list is not read along is applied to the rows of the page. */
async function readPage(database: Database, query: Query) {
  const { state, customerId, cursor, limit, from, until, isWaiting } = query
  const bounds = { from, until, limit: limit + 1 }
  if (customerId !== undefined) {
    const [before] = positionOf(cursor, [ABOVE_ALL]) as [number]
    const of = { customerId: Number(customerId), before, limit: limit + 1 }
    const page = pageOf(await database.query(sql.withdrawalsOfCustomerBefore, of), limit, ({ id }) => [id])
    const isWithin = ({ created_at }: ListedWithdrawalRow) => created_at >= from && created_at < until
    return { rows: page.rows.filter((row) => isWithin(row) && isIn(state, row)), cursor: page.cursor }
  }
  if (isWaiting || state !== undefined) {
    const [after] = positionOf(cursor, [0]) as [number]
    const read = isWaiting
      ? await database.query(sql.withdrawalsThatWait, { ...bounds, after })
      : await database.query(sql.withdrawalsInState, { ...bounds, state: state as WithdrawalState, after })
    const page = pageOf(read, limit, ({ id }) => [id])
    return { rows: page.rows.filter((row) => isIn(state, row)), cursor: page.cursor }
  }
  const [beforeAt, before] = positionOf(cursor, [ABOVE_ALL, ABOVE_ALL]) as [number, number]
  const read = await database.query(sql.withdrawalsBetween, { ...bounds, beforeAt, before })
  return pageOf(read, limit, ({ created_at, id }) => [created_at, id])
}

function isIn(state: WithdrawalState | undefined, row: ListedWithdrawalRow): boolean {
  return state === undefined || row.state === state
}
