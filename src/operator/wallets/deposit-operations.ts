import { faultTable } from '../../faults.ts'
import { allOptional } from '../../http/representation/json-schema.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { actorOf } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { parseMoney } from '../../platform/runtime/money.ts'
import { readGatewayView } from '../../wallets/deposits/gateway-view.ts'
import { allDeposits, type DepositFilters, NEWEST, readDeposits } from '../../wallets/deposits/list.ts'
import * as sql from '../../wallets/deposits/list-store.ts'
import { REFUSALS_BY_CODE, type RefusalCode } from '../../wallets/deposits/reasons.ts'
import { type DepositRow, depositById, eventsOfDeposit } from '../../wallets/deposits/store.ts'
import { whyOfDeposit } from '../../wallets/deposits/why.ts'
import type { DepositFault } from '../../wallets/faults.ts'
import { readProposals, type Subject } from '../../wallets/proposals.ts'
import { resolveDeposit } from '../../wallets/reviews/deposits.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf, searchedPageOf } from '../server/pages.ts'
import { conflict, notFound } from '../server/problem.ts'
import { timeOfQuery } from '../server/query-days.ts'
import { csvOf, shown } from '../server/shown.ts'
import * as schemas from './deposit-schemas.ts'
import { depositOf, listedDepositOf } from './deposit-view.ts'
import { toProposal, waitsForOf } from './persons.ts'

const PAYMENT_ID = '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'
const NO_WORDS = { title: null, meaning: null, customerMessage: null, nextStep: null }
const NO_DAY = '`from` or `to` is a day that does not exist.'

export const depositOperations = [
  operatorOperation({
    name: 'listDeposits',
    summary: 'List deposits, newest first',
    description: 'A filter that few deposits pass may answer short pages: `searchedUntil` states how far they go.',
    route: 'GET /deposits',
    role: 'cashier',
    audit: 'listed deposits',
    query: allOptional({ ...schemas.depositFilters, ...paging }),
    answer: { 200: schemas.depositsPage },
    problems: { 422: NO_DAY },
    example: { query: { customerId: '1', state: 'CAPTURED', limit: 20 } },
    async handle({ database }, { query: { cursor, limit, ...filters } }) {
      const after = positionOf(cursor, NEWEST)
      return searchedPageOf(await readDeposits(database, toFilters(filters), { after, limit }), listedDepositOf)
    },
  }),
  operatorOperation({
    name: 'exportDeposits',
    summary: 'Export deposits as CSV, newest first',
    description:
      'All that pass the filters. Texts that a spreadsheet would take for a formula begin with an apostrophe.',
    route: 'GET /deposits.csv',
    role: 'cashier',
    audit: 'exported deposits',
    sendsCsv: true,
    query: allOptional(schemas.depositFilters),
    answer: { 200: schemas.depositColumns },
    problems: { 422: NO_DAY },
    example: { query: { state: 'CAPTURED' } },
    async handle({ database }, { query }) {
      return csvOf(schemas.depositColumns, allDeposits(database, toFilters(query)), (row) => {
        const { why, ...listed } = listedDepositOf(row)
        return { ...listed, ...(why ?? NO_WORDS), why: why?.title ?? null }
      })
    },
  }),
  operatorOperation({
    name: 'readDepositReview',
    summary: 'List the deposits that need manual review, oldest first',
    route: 'GET /deposit-review',
    role: 'cashier',
    audit: 'listed the deposits in review',
    query: allOptional(paging),
    answer: { 200: schemas.depositReview },
    example: { query: { limit: 20 } },
    async handle({ database }, { operator, query: { cursor, limit } }) {
      const [afterAt, after] = positionOf(cursor, [-1, -1]) as [number, number]
      const read = await database.query(sql.depositsInReview, { afterAt, after, limit: limit + 1 })
      const page = pageOf(read, limit, (row) => [row.review_at, row.number])
      const decisionsOf = await decisionsOn(database, page.rows, operator)
      const items = page.rows.map((row) => ({
        ...listedDepositOf(row),
        reviewSince: isoTime(row.review_at),
        ...decisionsOf(row),
      }))
      const counts = await database.one(sql.waitingDeposits, {})
      return { items, cursor: page.cursor, waiting: counts?.in_review ?? 0 }
    },
  }),
  operatorOperation({
    name: 'readWaitingDeposits',
    summary: 'Read how many deposits wait, and the oldest of them',
    description: 'Deposits that need manual review, and deposits whose capture is not done yet.',
    route: 'GET /statistics/waiting-deposits',
    role: 'cashier',
    answer: { 200: schemas.waitingDeposits },
    async handle({ database }) {
      const counts = await database.one(sql.waitingDeposits, {})
      const [reviewed] = await database.query(sql.depositsInReview, { afterAt: -1, after: -1, limit: 1 })
      const authorised = await database.one(sql.oldestAuthorised, {})
      return {
        review: { waiting: counts?.in_review ?? 0, oldest: oldestOf(reviewed, reviewed?.review_at) },
        captures: { waiting: counts?.authorised ?? 0, oldest: oldestOf(authorised, authorised?.decided_at) },
      }
    },
  }),
  operatorOperation({
    name: 'getDeposit',
    summary: 'Read a deposit with its events',
    route: 'GET /deposits/{paymentId}',
    role: 'cashier',
    audit: 'read deposit {paymentId}',
    answer: { 200: schemas.depositWithEvents },
    example: { path: { paymentId: PAYMENT_ID } },
    async handle({ database }, { path, operator }) {
      const row = await database.one(sql.listedDeposit, { id: path.paymentId })
      if (row === undefined) throw notFound('such deposit')
      const rows = await database.query(eventsOfDeposit, { depositId: row.id })
      const events = rows.map(({ at, event, detail }) => ({ at: isoTime(at), event, detail }))
      const decisionsOf = await decisionsOn(database, [row], operator)
      return { ...listedDepositOf(row), ...decisionsOf(row), events }
    },
  }),
  operatorOperation({
    name: 'readGatewayView',
    summary: 'Query the gateway for its view of a deposit',
    description:
      'Beside ours, with the differences. A gateway that does not answer in time is no refusal: `theirs` is then unknown.',
    route: 'GET /deposits/{paymentId}/gateway',
    role: 'cashier',
    audit: 'read the gateway’s view of deposit {paymentId}',
    answer: { 200: schemas.gatewayView },
    example: { path: { paymentId: PAYMENT_ID } },
    async handle(context, { path }) {
      const row = await context.database.one(depositById, { id: path.paymentId })
      if (row === undefined) throw notFound('such deposit')
      const events = await context.database.query(eventsOfDeposit, { depositId: row.id })
      return readGatewayView(context, row, events)
    },
  }),
  operatorOperation({
    name: 'resolveDeposit',
    summary: 'Decide a deposit that needs manual review',
    description:
      'Only a deposit in state REVIEW, after looking at the gateway. When the resolutions of the customer on one day add up to more than RESOLUTION_FOUR_EYES_ABOVE it stays in REVIEW, with a `proposal`, until another person decides the same.',
    route: 'POST /deposits/{paymentId}/resolution',
    role: 'cashier-lead',
    decides: true,
    audit: 'resolved deposit {paymentId} as {body.outcome}',
    body: schemas.resolutionBody,
    answer: { 200: schemas.resolvedDeposit },
    problems: {
      409: 'The deposit is not in state REVIEW, may no longer be credited, or you have proposed this outcome.',
    },
    example: {
      path: { paymentId: PAYMENT_ID },
      body: { outcome: 'captured', note: 'The gateway shows the capture' },
      answer: { state: 'CAPTURED' },
    },
    async handle(context, { path, body, operator }) {
      const { database } = context
      const resolution = { outcome: body.outcome, note: body.note, by: actorOf(operator) }
      const result = await resolveDeposit(context, path.paymentId, resolution)
      if (result === 'no such deposit') throw notFound('such deposit')
      if (typeof result === 'object') throw conflict(noLongerAllowed(result.fault))
      if (result !== 'resolved' && result !== 'proposed')
        throw conflict('Only a deposit in state REVIEW can be decided.')
      const row = (await database.one(depositById, { id: path.paymentId })) as DepositRow
      const decisionsOf = await decisionsOn(database, [row], operator)
      return { ...depositOf(row), why: whyOfDeposit(row), ...decisionsOf(row) }
    },
  }),
]

/** Only a deposit in review is decided. */
async function decisionsOn(database: Database, rows: readonly DepositRow[], operator: Operator) {
  const subjectOf = ({ id }: DepositRow): Subject => `deposit ${id}`
  const isReviewed = ({ state }: DepositRow) => state === 'REVIEW'
  const proposalOf = await readProposals(database, rows.filter(isReviewed).map(subjectOf))
  return (row: DepositRow) => {
    const proposal = toProposal(proposalOf(subjectOf(row)), operator)
    const waitsFor = isReviewed(row) ? (proposal?.waitsFor ?? waitsForOf(operator, [])) : null
    return { waitsFor, proposal }
  }
}

function noLongerAllowed(fault: DepositFault): string {
  const { code, text } = faultTable[fault]
  return `The rules no longer allow this deposit to be credited (${code}, ${text}). Return the payment at the gateway, then resolve it as voided.`
}

function toFilters(query: schemas.DepositQuery): DepositFilters {
  const { from, to, minAmount, maxAmount, reason, paymentMethodId, customerId, ...same } = query
  const isRefusal = reason !== undefined && Object.hasOwn(REFUSALS_BY_CODE, reason)
  return {
    ...same,
    from: from === undefined ? undefined : timeOfQuery('from', from),
    until: to === undefined ? undefined : timeOfQuery('to', to) + (isDay(to) ? DAY_MS : 0),
    minAmount: minAmount === undefined ? undefined : parseMoney(minAmount),
    maxAmount: maxAmount === undefined ? undefined : parseMoney(maxAmount),
    fault: isRefusal ? REFUSALS_BY_CODE[reason as RefusalCode] : undefined,
    review: isRefusal ? undefined : reason,
    methodId: paymentMethodId === undefined ? undefined : Number(paymentMethodId),
    customerId: customerId === undefined ? undefined : Number(customerId),
  }
}

const isDay = (text: string) => !text.includes('T')

const waitingOf = shown(schemas.waitingDeposit)

function oldestOf(row: DepositRow | undefined, since: number | null | undefined) {
  if (row === undefined) return null
  return waitingOf(row, { paymentId: row.id, since: isoTime(since ?? row.created_at) })
}
