import { type Operation, operationWith } from '../http/operations/operation.ts'
import { type Parameter, pathId, queryDigits, queryInteger } from '../http/requests/parameters.ts'
import type { Context } from '../platform/context.ts'
import { eventList, oneEvent } from './event-shapes.ts'
import { EVENT_STATUSES, type EventStatus, getEvent, listEvents } from './events.ts'

const id = pathId('id of the event')

const status: Parameter<EventStatus | null> = {
  from: 'query',
  meaning:
    'only events that are live, upcoming, settled or (a day after the start) unsettled; without it the live ones, then the upcoming ones',
  absent: null,
  parse: (raw) => EVENT_STATUSES.find((one) => one === raw),
  schema: { type: 'string', enum: ['', ...EVENT_STATUSES] },
}

/** The same limits as for comments. */
const eventBlock = {
  blockSize: queryInteger('events per block', { absent: 20, least: 1, most: 20 }, 'blockSize|blockNum'),
  blockNum: queryInteger('which block, from 1', { absent: 1, least: 1, most: 100 }, 'blockSize|blockNum'),
}

const operation = operationWith<Context>()

export const eventOperations: Operation<Context>[] = [
  operation({
    name: 'getEvents',
    summary: 'Events, the one whose start is nearest to now first, each with its first market',
    route: 'GET /v1/communities/events',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: { status, sportId: queryDigits('only events of this sport', null), ...eventBlock },
    answer: { status: 200, document: eventList, mayBeEmpty: true },
    handle: (context, { parameters }) => listEvents(context, parameters),
  }),
  operation({
    name: 'getEvent',
    summary: 'An event with its markets, prices, price history and results',
    route: 'GET /v1/communities/events/{id}',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: { id },
    answer: { status: 200, document: oneEvent },
    faults: { noEvent: 'id' },
    handle: async (context, { parameters }) => ({ event: await getEvent(context, parameters.id) }),
  }),
]
