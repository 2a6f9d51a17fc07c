import { type FaultKind, faultTable } from '../../faults.ts'
import { applicationByKey } from '../../identity/applications/store.ts'
import { erasedCustomers } from '../../identity/customers/store.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import type { RecentFilter } from '../../platform/observability/recent-requests.ts'
import { REQUESTS_KEPT, type RecentRequest } from '../../platform/observability/request-rings.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import type { OperatorContext } from '../context.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { notFound } from '../server/problem.ts'

export const requestsQuery = s.allOptional({
  limit: s.withDefault(s.integer(1, REQUESTS_KEPT, 20, 'How many, at most.'), 50),
  operation: s.text(1, 100, 'getProfile', 'Only requests of this operation.'),
  faultsOnly: s.withDefault(
    s.oneOf(['true', 'false'], 'true', 'Only requests that were answered with a fault.'),
    'false',
  ),
})

const request = s.namedObject('RecentRequest', {
  id: s.string('k3x9ab-17', 'As in the header `x-request-id` and in the log.'),
  at: s.time('When it was answered.'),
  method: s.string('GET'),
  path: s.string(
    '/v1/profiles/7',
    'With its query, as it was sent. “…” stands for parameters that are secret, that the operation does not have, or whose value is not ' +
      'what they declare, and for what is too long.',
  ),
  operation: s.string('getProfile'),
  status: s.integer(100, 599, 404),
  fault: s.orNull(
    s.object({
      code: s.string('30410'),
      name: s.string('7', 'The faultName: mostly the parameter at fault.'),
      meaning: s.string('No profile found for id'),
    }),
  ),
  hint: s.orNull(
    s.string(),
    'The header `x-hint` of the answer: why the body was not read.',
    'The body was not read, because it is JSON: send application/x-www-form-urlencoded.',
  ),
  ms: s.number(0, Number.MAX_SAFE_INTEGER, 1.32),
  customerId: s.orNull(s.string(), 'Whose ticket was sent; null: none.', '1'),
  representation: s.oneOf(['xml', 'json'], 'json', 'The representation of the answer.'),
  body: s.orNull(
    s.string(),
    'The form that was sent, in the sandbox only: “…” stands for what is left out, as in `path`. null: none.',
    null,
  ),
  answer: s.orNull(
    s.string(),
    'The body of the answer, in the sandbox only, up to 4000 characters: “…” stands for texts that may be what a customer wrote, ' +
      'tickets and card numbers, and for what is too long. null: none.',
    null,
  ),
})

export const recentRequestList = s.namedObject('RecentRequests', {
  application: s.string('Mobile app', 'Its name.'),
  items: s.list(request, 'The newest first.'),
  unanswered: s.count(0, 'Workers that did not answer; their requests are missing.'),
})
export type RecentRequests = s.ValueOf<typeof recentRequestList>

export const requestOperations = [
  operatorOperation({
    name: 'listApplicationRequests',
    summary: 'The last requests of an application',
    description:
      'What its developer needs to see what was sent: without secrets, texts and headers, and without customers whose personal ' +
      'data was erased. In the sandbox the last 200, with forms and answers, for a day: they are stored. In production the last 200 of each ' +
      'process, without bodies, for a day, in memory: a restart forgets them, and several services on one database each show ' +
      'their own. Requests that were refused for their key or secret are not among them.',
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

/** Collected when they are read, because several services and their workers each have some in memory. */
async function withoutErased({ database }: OperatorContext, items: RecentRequest[]): Promise<RecentRequest[]> {
  const customers = new Set(items.flatMap(({ customer }) => customer ?? []))
  const erased = await database.query(erasedCustomers, { ids: idListOf(customers) })
  const ids = new Set(erased.map(({ id }) => id))
  return items.filter(({ customer }) => customer === null || !ids.has(customer))
}

type Found = { items: RecentRequest[]; unanswered: number }

async function readRecent(
  { workers, recentRequests, savedRequests }: OperatorContext,
  apiKey: string,
  filter: RecentFilter,
): Promise<Found> {
  if (savedRequests !== null) return { items: await savedRequests.read(apiKey, filter), unanswered: 0 }
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
  body,
  answer,
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
    body: body === '' ? null : body,
    // Requests that an earlier version stored have none.
    answer: answer || null,
  }
}
