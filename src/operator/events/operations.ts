import { type LoggedEvent, positionSince, readEvents, toEvent } from '../../event-log/event.ts'
import { type EventKinds, pick, SUBJECT_TYPES } from '../../event-log/kind.ts'
import type { EventRow } from '../../event-log/store.ts'
import { oldestPosition } from '../../event-log/store.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { mayCall } from '../server/call-roles.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { dayField, timeOfQuery } from '../server/query-days.ts'
import { EVENT_KINDS, type EventKind, eventKinds, PUBLIC_KINDS, publicKinds, pushedEvents } from './event-kinds.ts'

/** Numbers of a query have 15 digits at most, as ids. */
const LAST_POSITION = 999_999_999_999_999

const dataOfKinds = EVENT_KINDS.map((kind) => {
  const names = Object.keys((eventKinds[kind].data as { properties?: object }).properties ?? {})
  return `- \`${kind}\` (${names.length === 0 ? 'no data' : names.map((name) => `\`${name}\``).join(', ')}): ${eventKinds[kind].meaning}`
})

const dataSchema = {
  // Several kinds have the same data.
  ...s.anyOf([...new Set(EVENT_KINDS.map((kind) => eventKinds[kind].data))]),
  description: `Ids and figures, by type:\n${dataOfKinds.join('\n')}`,
  examples: [{ outcomeId: '1103', result: 'win' }],
} as s.Schema<{ [name: string]: unknown }>

export const event = s.namedObject('LoggedEvent', {
  position: s.integer(1, LAST_POSITION, 17, 'Dense, and in the order in which changes were committed.'),
  id: s.string('evt_17_lqz1x8k0', 'The same in every delivery of the event.'),
  type: s.oneOf<EventKind>(EVENT_KINDS, 'tip.settled'),
  timestamp: s.time(),
  subject: s.object({
    type: s.oneOf(SUBJECT_TYPES, 'comment'),
    id: s.string('28'),
  }),
  profileId: s.orNull(s.id('1'), 'The profile that it concerns: the author of the tip, the profile followed.'),
  customerId: s.orNull(s.id('1'), 'The customer whom it concerns. Always null for the role feed.'),
  data: dataSchema,
})

export const events = s.object({
  events: s.list(event),
  next: s.count(17, 'Send it as `after` to read on.'),
  oldest: s.count(
    1,
    'The oldest position that is stored. Events after `after` and before it were deleted after EVENT_DAYS.',
  ),
})

const kindList = `(${EVENT_KINDS.join('|').replaceAll('.', '\\.')})`

export const eventsQuery = s.allOptional({
  after: s.withDefault(s.integer(0, LAST_POSITION, 0, 'The position of the last event that was read.'), 0),
  from: dayField('Starts with the first event of this day (UTC) or later, if that is after `after`.'),
  kinds: s.stringOf(
    { pattern: `^${kindList}(,${kindList})*$` },
    'tip.settled,tip.corrected',
    'Only events of these types, comma-separated.',
  ),
  limit: s.withDefault(s.integer(1, 1000, 100, 'How many events at most.'), 100),
})

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
    problems: { 422: '`from` is a day that does not exist.' },
    example: { query: { after: 0, limit: 20 } },
    async handle({ database }, { operator, query: { kinds, limit, from, ...given } }) {
      const readsAll = mayCall(operator, { role: 'events', method: 'GET' })
      const requested = kinds === undefined ? undefined : kinds.split(',')
      if (!readsAll) refusePersonalKinds(requested, operator)
      const readable: EventKinds = readsAll ? eventKinds : publicKinds
      const since = from === undefined ? 0 : (await positionSince(database, timeOfQuery('from', from))) - 1
      const after = Math.max(given.after, since)
      const { events, next } = await readEvents(database, {
        after,
        limit,
        kinds: requested === undefined ? readable : pick(readable, ...requested),
      })
      const oldest = (await database.one(oldestPosition, {}))?.position ?? 0
      const shown = events.map(readsAll ? pushedEvents.toEvent : withoutCustomer) as LoggedEvent<EventKind>[]
      return { events: shown, next, oldest }
    },
  }),
]

function refusePersonalKinds(requested: readonly string[] = [], { name, role }: Operator): void {
  const refused = requested.filter((kind) => !PUBLIC_KINDS.includes(kind))
  if (refused.length === 0) return
  throw new Problem(
    403,
    'Forbidden',
    `Events of the types ${refused.join(', ')} need the role events; the token "${name}" has ${role}.`,
  )
}

/** Which customer a profile belongs to is not public. */
function withoutCustomer(row: EventRow): LoggedEvent {
  return { ...toEvent(row), customerId: null }
}
