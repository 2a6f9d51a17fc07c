import type { DeclaredFaults } from '../faults.ts'
import { type Operation, operationWith } from '../http/operations/operation.ts'
import { type Parameter, pathId, queryDigits, queryInteger } from '../http/requests/parameters.ts'
import type { CommunitiesContext } from './context.ts'
import { eventList, oneEvent } from './event-shapes.ts'
import { EVENT_STATUSES, type EventStatus, getEvent, listEvents, listTipsOfEvent } from './events.ts'
import { commentBlock, details } from './operations.ts'
import { commentList } from './shapes.ts'

const id = pathId('id of the event')
const EVENT_FAULTS: DeclaredFaults = { noEvent: 'id' }

const status: Parameter<EventStatus | null> = {
  from: 'query',
  meaning:
    'only events that are live, upcoming, settled or (a day after the start) unsettled; without it the live ones, then the upcoming ones',
  required: false,
  absent: null,
  blank: 'absent',
  parse: (raw) => EVENT_STATUSES.find((one) => one === raw),
  schema: { type: 'string', enum: ['', ...EVENT_STATUSES] },
}

/** As of comments. */
const eventBlock = {
  blockSize: queryInteger('events per block', { absent: 20, least: 1, most: 20 }, 'blockSize|blockNum'),
  blockNum: queryInteger('which block, from 1', { absent: 1, least: 1, most: 100 }, 'blockSize|blockNum'),
}

const operation = operationWith<CommunitiesContext>()

export const eventOperations: Operation<CommunitiesContext>[] = [
  operation({
    name: 'getEvents',
    summary: 'Events, the one whose start is nearest to now first, each with its first market',
    method: 'GET',
    path: '/v1/communities/events',
    extension: true,
    ticket: 'optional',
    parameters: { status, sportId: queryDigits('only events of this sport', null), ...eventBlock },
    answer: { status: 200, document: eventList, mayBeEmpty: true },
    faults: {},
    handle: (context, { parameters }) => listEvents(context, parameters),
  }),
  operation({
    name: 'getEvent',
    summary: 'An event with its markets, prices, price history and results',
    method: 'GET',
    path: '/v1/communities/events/{id}',
    extension: true,
    ticket: 'optional',
    parameters: { id },
    answer: { status: 200, document: oneEvent },
    faults: EVENT_FAULTS,
    handle: async (context, { parameters }) => ({ event: await getEvent(context, parameters.id) }),
  }),
  operation({
    name: 'getCommentsByEventId',
    summary: 'All comments on an event, newest first: losing ones and the caller’s own too',
    method: 'GET',
    path: '/v1/communities/events/{id}/comments',
    extension: true,
    ticket: 'optional',
    parameters: { id, ...commentBlock, details },
    answer: { status: 200, document: commentList, mayBeEmpty: true },
    faults: EVENT_FAULTS,
    handle: (context, { caller, parameters }) =>
      listTipsOfEvent(context, { id: parameters.id, customerId: caller.customerId }, parameters),
  }),
]
