import { actorOf } from '../../identity/operators/person.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DisputeRow } from '../../wallets/disputes/store.ts'
import * as sql from '../../wallets/disputes/store.ts'
import { endDisputeByPersons } from '../../wallets/reviews/disputes.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { type Dispute, dispute, disputeState, showDisputes } from './dispute-view.ts'
import { proof } from './persons.ts'

const paymentId = s.stringOf({ pattern: '^[0-9A-Za-z-]{1,40}$' }, '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60')

const disputeQuery = s.allOptional({
  due: s.oneOf(['yes'], 'yes', 'Only disputes that wait for evidence, the nearest deadline first.'),
  state: disputeState,
  customerId: s.id('1'),
  paymentId,
  ...paging,
})

export const disputeOperations = [
  operatorOperation({
    name: 'listDisputes',
    summary: 'List disputes, newest first, or by their deadline',
    description: 'One filter applies: `due`, `paymentId`, `customerId` or `state`, the first of these.',
    route: 'GET /disputes',
    role: 'cashier',
    audit: 'listed disputes',
    query: disputeQuery,
    answer: { 200: s.page(dispute) },
    example: { query: { due: 'yes', limit: 20 } },
    async handle({ database }, { operator, query }) {
      const { cursor, limit } = query
      if (query.due !== undefined) {
        const [afterTime, after] = positionOf(cursor, [-1, -1]) as [number, number]
        const read = await database.query(sql.disputesDue, { afterTime, after, limit: limit + 1 })
        const page = pageOf(read, limit, (row) => [row.answer_by ?? 0, row.id])
        return { items: await showDisputes(database, page.rows, operator), cursor: page.cursor }
      }
      const [before] = positionOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      const { rows, cursor: next } = pageOf(await readPage(database, query, before), limit, ({ id }) => [id])
      return { items: await showDisputes(database, rows, operator), cursor: next }
    },
  }),
  operatorOperation({
    name: 'endDispute',
    summary: 'End a dispute',
    description:
      'Where the gateway does not report its end. When another person has decided the same, what is left of the deposit can go back to its ' +
      'card; until then the dispute has a `proposal`. Later news of the gateway open it again.',
    route: 'POST /disputes/{id}/end',
    role: 'cashier-lead',
    decides: true,
    audit: 'ended dispute {id}',
    body: s.object({ note: proof }),
    answer: { 200: dispute },
    problems: { 409: 'The dispute has ended, or you have decided this: another person confirms it.' },
    example: { body: { note: 'The bank has closed the case' } },
    async handle(context, { path, body: { note }, operator }) {
      const { dispute: ended } = await endDisputeByPersons(context, path.id, { note, by: actorOf(operator) })
      const [shown] = await showDisputes(context.database, [ended], operator)
      return shown as Dispute
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
