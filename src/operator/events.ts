import { readEvents, toEvent } from '../events/event.ts'
import type { EventKind } from '../events/kinds.ts'
import { oldestPosition } from '../events/store.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'
import { events, eventsQuery } from './schemas/events.ts'

export const eventOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'listEvents',
    summary: 'Read the log of events',
    description:
      'In the order of their positions. Read on with `after` = `next`: no event is ever missed. An answer may have fewer ' +
      'events than `limit`, or none, before the end of the log: there is nothing more to read when `next` no longer grows. ' +
      '`next` goes back when the database was restored from a backup.',
    method: 'GET',
    path: '/events',
    role: 'feed',
    query: eventsQuery,
    answer: { 200: events },
    example: { query: { after: 0, limit: 20 } },
    async handle({ database }, { query: { after, kinds, limit } }) {
      const { events, next } = await readEvents(database, {
        after,
        limit,
        ...(kinds === undefined ? {} : { kinds: kinds.split(',') as EventKind[] }),
      })
      const oldest = (await database.one(oldestPosition, {}))?.position ?? 0
      return { status: 200, body: { events: events.map(toEvent), next, oldest } }
    },
  }),
]
