import { type FaultKind, faultTable } from '../../faults.ts'
import { applicationByKey } from '../../identity/applications/store.ts'
import { erasedCustomers } from '../../identity/customers/store.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import type { RecentFilter, RecentRequest } from '../../platform/observability/recent-requests.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import type { OperatorContext } from '../context.ts'
import { operatorOperation } from '../server/operation.ts'
import { notFound } from '../server/problem.ts'
import { type RecentRequests, recentRequestList, requestsQuery } from './request-schemas.ts'

export const requestOperations = [
  operatorOperation({
    name: 'listApplicationRequests',
    summary: 'The last requests of an application',
    description:
      'What its developer needs to see what was sent: without secrets, texts, bodies and headers, and without customers whose ' +
      'personal data was erased. The last 200 of each process, for a day, in memory: a restart forgets them, and several ' +
      'services on one database each show their own. Requests that were refused for their key or secret are not among them.',
    route: 'GET /applications/{apiKey}/requests',
    role: 'admin',
    audit: 'read the last requests of application {apiKey}',
    query: requestsQuery,
    answer: { 200: recentRequestList },
    problems: { 404: 'There is no application with this key.' },
    example: { path: { apiKey: 'sandbox-key' }, query: { limit: 20, faultsOnly: 'true' } },
    async handle(context, { path: { apiKey }, query: { limit, operation, faultsOnly } }) {
      const application = await context.database.one(applicationByKey, { apiKey })
      if (application === undefined) throw notFound('application with this key')
      const filter = { limit, operation: operation ?? null, faultsOnly: faultsOnly === 'true' }
      const { items, unanswered } = await readRecent(context, apiKey, filter)
      const newest = (await withoutErased(context, items)).sort((one, other) => other.at - one.at).slice(0, limit)
      return { application: application.name, items: newest.map(shownRequest), unanswered }
    },
  }),
]

/** Asked when they are read, because several services and their workers each have some in memory. */
async function withoutErased({ database }: OperatorContext, items: RecentRequest[]): Promise<RecentRequest[]> {
  const customers = new Set(items.flatMap(({ customer }) => customer ?? []))
  const erased = await database.query(erasedCustomers, { ids: idListOf(customers) })
  const ids = new Set(erased.map(({ id }) => id))
  return items.filter(({ customer }) => customer === null || !ids.has(customer))
}

type Found = { items: RecentRequest[]; unanswered: number }

async function readRecent(
  { workers, recentRequests }: OperatorContext,
  apiKey: string,
  filter: RecentFilter,
): Promise<Found> {
  if (workers === null) return { items: recentRequests.read(apiKey, filter), unanswered: 0 }
  const answers = await workers.recentRequests(apiKey, filter)
  return { items: answers.flatMap((one) => one ?? []), unanswered: answers.filter((one) => one === undefined).length }
}

function shownRequest({
  at,
  target,
  kind,
  faultName,
  hint,
  customer,
  ms,
  ...same
}: RecentRequest): RecentRequests['items'][number] {
  const fault = kind === '' ? null : faultTable[kind as FaultKind]
  return {
    ...same,
    at: isoTime(at),
    path: target,
    fault: fault === null ? null : { code: fault.code, name: faultName, meaning: fault.text },
    hint: hint === '' ? null : hint,
    ms: Math.round(ms * 100) / 100,
    customerId: customer === null ? null : String(customer),
    representation: same.representation as 'xml' | 'json',
  }
}
