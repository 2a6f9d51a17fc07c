import { livePrice } from '../../catalogue/outcome.ts'
import { type Operation, operationWith } from '../../http/operations/operation.ts'
import { type Parameter, parseDigits, queryYesNo, UNKNOWN_ID } from '../../http/requests/parameters.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { ensureProfile } from '../../profiles/profile.ts'
import { eventFrame, FIRST_LINES, greeting, stateFrame } from './frames.ts'
import { STREAMED_EVENTS } from './kinds.ts'
import type { Streams } from './streams.ts'

export type StreamsContext = ProfilesContext & {
  /** The event streams that this process serves. They read the primary. */
  readonly streams: Streams
}

function lastEventId(from: 'header' | 'query', meaning: string): Parameter<number | null> {
  return {
    from,
    meaning,
    absent: null,
    parse: parseDigits,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  }
}

const MAX_OUTCOMES = 100

const outcomes: Parameter<readonly number[]> = {
  from: 'query',
  meaning: `the outcomes whose prices, starts, results and new tips are reported too: up to ${MAX_OUTCOMES} ids, separated by commas`,
  absent: [],
  parse(raw) {
    const ids = raw.split(',').map(parseDigits)
    if (ids.length > MAX_OUTCOMES || ids.includes(undefined)) return undefined
    return [...new Set(ids as number[])].filter((id) => id !== UNKNOWN_ID)
  },
  schema: { type: 'string', pattern: '^[0-9]*(,[0-9]+)*$' },
}

const EXAMPLE_AT = Date.UTC(2026, 10, 15, 9, 30)
const EXAMPLE = [
  FIRST_LINES,
  greeting('ready', 1041),
  eventFrame({
    position: 1042,
    kind: 'like.created',
    subject_type: 'comment',
    subject_id: '14',
    profile_id: 1,
    at: EXAMPLE_AT,
    data: '{"byProfileId":"2"}',
  }),
  stateFrame('outcome', {
    outcomeId: '80033',
    eventId: '502',
    livePrice: livePrice(5, 2),
    displayStatus: 'A',
    result: null,
    deadHeat: null,
    placeDeadHeat: null,
    rule4: null,
  }),
].join('')

const operation = operationWith<StreamsContext>()

export const streamOperations: Operation<StreamsContext>[] = [
  operation({
    name: 'openStream',
    summary: 'What concerns the customer, as it happens, as server-sent events',
    route: 'GET /v1/stream',
    mayBeStale: false,
    extension: true,
    ticket: 'required',
    parameters: {
      'Last-Event-ID': lastEventId('header', 'the id of the last event received: the stream resumes after it'),
      lastEventId: lastEventId('query', 'the same, for clients that cannot send the header with their first request'),
      outcomes,
      account: queryYesNo('Y: the customer’s balance is reported too, and the newest unread notification'),
    },
    answer: { status: 200, document: null, stream: { events: STREAMED_EVENTS, example: EXAMPLE } },
    async handle(context, { caller, parameters, response }) {
      const { apiKey: application, customerId } = caller
      const ticket = String(response.req.headers['who-ticket']).trim()
      await context.streams.refuseEnded({ application, customerId, ticket })
      const profileId = (await ensureProfile(context, customerId)).id
      const viewer = { application, customerId, profileId, ticket }
      const { outcomes, account } = parameters
      const wanted = { lastEventId: parameters['Last-Event-ID'] ?? parameters.lastEventId, outcomes, account }
      return { begin: (response, headers) => context.streams.begin(viewer, wanted, response, headers) }
    },
  }),
]
