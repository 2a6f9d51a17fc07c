import { findCustomer } from '../../identity/customers/customer.ts'
import type { CustomerRow } from '../../identity/customers/store.ts'
import { exclusionInForce } from '../../identity/exclusions/exclusion.ts'
import type { BuiltinSessions, LiveSession } from '../../identity/sessions/builtin.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import type { OperatorContext } from '../context.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { conflict, notFound } from '../server/problem.ts'
import { noCustomer } from './operations.ts'
import { type CustomerSession, endedSessions, sessions, ticket, ticketBody } from './schemas.ts'

const NOT_OUR_TICKETS = 'another system issues the tickets (the setting TICKETS)'

export const customerSessionOperations = [
  operatorOperation({
    name: 'issueTicket',
    summary: 'Issue a session ticket for an active customer',
    route: 'POST /customers/{id}/tickets',
    role: 'tickets',
    audit: 'issued a ticket for customer {id}',
    body: ticketBody,
    answer: { 201: ticket },
    problems: { 409: `The customer is not active, is in a time-out or self-exclusion, or ${NOT_OUR_TICKETS}.` },
    example: { body: { ttlSeconds: 3600 } },
    async handle(context, { path: { id }, body: { ttlSeconds } }) {
      const sessions = builtinSessionsOf(context)
      const customer = await findCustomer(context.database, id)
      if (customer === undefined) throw noCustomer(id)
      const lifeMs = ttlSeconds === undefined ? null : ttlSeconds * 1000
      const issued = await sessions.issue(id, lifeMs, { through: context.database })
      if (issued === null) throw conflict(whyNoSession(customer, context.now()))
      return { ticket: issued.ticket, expiresAt: isoTime(issued.expiresAt) }
    },
  }),
  operatorOperation({
    name: 'listSessions',
    summary: 'List the live sessions of a customer',
    description: 'Newest first, without their tickets.',
    route: 'GET /customers/{id}/sessions',
    role: 'accounts',
    audit: 'listed the sessions of customer {id}',
    answer: { 200: sessions },
    problems: { 409: `There are none here, because ${NOT_OUR_TICKETS}.` },
    async handle(context, { path: { id } }) {
      const sessions = builtinSessionsOf(context)
      if ((await findCustomer(context.database, id)) === undefined) throw noCustomer(id)
      return singlePage((await sessions.ofCustomer(id)).map(toSession))
    },
  }),
  operatorOperation({
    name: 'endSessions',
    summary: 'End all sessions of a customer',
    description:
      'They are over everywhere within 5 seconds; while the primary is away, with STALE_READS_UP_TO_SECONDS, on other machines within its limit and 3 seconds.',
    route: 'DELETE /customers/{id}/sessions',
    role: 'accounts',
    audit: 'ended all sessions of customer {id}',
    answer: { 200: endedSessions },
    problems: { 409: `There are none here, because ${NOT_OUR_TICKETS}.` },
    example: { path: { id: '19' }, answer: { ended: 0 } },
    async handle(context, { path: { id }, trail }) {
      const { database } = context
      const sessions = builtinSessionsOf(context)
      if ((await findCustomer(database, id)) === undefined) throw noCustomer(id)
      const ended = await database.transaction(async (transaction) => {
        const count = await sessions.endAllOf(id, transaction)
        trail.note(`${count} ended`)
        return count
      })
      return { ended }
    },
  }),
  operatorOperation({
    name: 'endSession',
    summary: 'End one session of a customer',
    description:
      'It is over everywhere within 5 seconds; while the primary is away, with STALE_READS_UP_TO_SECONDS, on other machines within its limit and 3 seconds.',
    route: 'DELETE /customers/{id}/sessions/{session}',
    role: 'accounts',
    audit: 'ended a session of customer {id}',
    answer: { 204: null },
    problems: { 404: 'The customer has no such session.', 409: `There are none here, because ${NOT_OUR_TICKETS}.` },
    example: { path: { id: '1', session: '9f86d081884c7d65' } },
    async handle(context, { path }) {
      const ended = await builtinSessionsOf(context).endOf(path.id, path.session, context.database)
      if (!ended) throw notFound('such session of this customer')
    },
  }),
]

function whyNoSession(customer: CustomerRow, now: number): string {
  const { id, status } = customer
  const exclusion = exclusionInForce(customer, now)
  if (status !== 'active' || exclusion === null) {
    return `Customer ${id} is ${status}: only active customers have sessions.`
  }
  const kind = exclusion.kind === 'time-out' ? 'a time-out' : 'a self-exclusion'
  return `Customer ${id} is in ${kind}, at least until ${exclusion.until}: customers have no sessions in it.`
}

function builtinSessionsOf({ sessions, config }: OperatorContext): BuiltinSessions {
  if (sessions !== null) return sessions
  throw conflict(
    `Another system issues the tickets (TICKETS=${config.tickets.source}): get them there, or set TICKETS=builtin.`,
  )
}

function toSession({ id, createdAt, lastUsedAt, endsAt }: LiveSession): CustomerSession {
  return { id, createdAt: isoTime(createdAt), lastUsedAt: isoTime(lastUsedAt), endsAt: isoTime(endsAt) }
}
