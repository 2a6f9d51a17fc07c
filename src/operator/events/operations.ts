import { type LoggedEvent, readEvents, toEvent } from '../../event-log/event.ts'
import { EVENT_KINDS, type EventKind, PUBLIC_KINDS } from '../../event-log/kinds.ts'
import { oldestPosition } from '../../event-log/store.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { mayCall } from '../server/call-roles.ts'
import { operatorOperation } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { events, eventsQuery } from './schemas.ts'

export const eventOperations = [
  operatorOperation({
    name: 'listEvents',
    summary: 'Read the log of events',
    description:
      'In the order of their positions. Read on with `after` = `next`: no event is ever missed. An answer may have fewer ' +
      'events than `limit`, or none, before the end of the log: there is nothing more to read when `next` no longer grows. ' +
      '`next` goes back when the database was restored from a backup. The role feed reads the types that everybody can see ' +
      `(${PUBLIC_KINDS.join(', ')}), without \`customerId\`; the others read all. Reads of any other type are in the audit trail.`,
    route: 'GET /events',
    role: 'feed or events',
    audit: ({ query }) =>
      `read events after position {query.after}${query.kinds === undefined ? '' : ' of the types {query.kinds}'}`,
    personalData: (body) => (body as { events: LoggedEvent[] }).events.some(({ type }) => !PUBLIC_KINDS.includes(type)),
    query: eventsQuery,
    answer: { 200: events },
    example: { query: { after: 0, limit: 20 } },
    async handle({ database }, { operator, query: { after, kinds, limit } }) {
      const readsAll = mayCall(operator, { role: 'events', method: 'GET' })
      const asked = kinds === undefined ? undefined : (kinds.split(',') as EventKind[])
      if (!readsAll) refusePersonalKinds(asked, operator)
      const readable = readsAll ? EVENT_KINDS : PUBLIC_KINDS
      const { events, next } = await readEvents(database, { after, limit, kinds: asked ?? readable })
      const oldest = (await database.one(oldestPosition, {}))?.position ?? 0
      return { events: events.map(readsAll ? toEvent : withoutCustomer), next, oldest }
    },
  }),
]

function refusePersonalKinds(asked: readonly EventKind[] = [], { name, role }: Operator): void {
  const refused = asked.filter((kind) => !PUBLIC_KINDS.includes(kind))
  if (refused.length === 0) return
  throw new Problem(
    403,
    'Forbidden',
    `Events of the types ${refused.join(', ')} need the role events; the token "${name}" has ${role}.`,
  )
}

/** Which customer a profile belongs to is not public. */
function withoutCustomer(row: Parameters<typeof toEvent>[0]): LoggedEvent {
  return { ...toEvent(row), customerId: null }
}
