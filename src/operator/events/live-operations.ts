import { recordPresence } from '../../streams/console/presence.ts'
import type { PresenceKind } from '../../streams/console/store.ts'
import { mayRead } from '../server/call-roles.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'

const KINDS = ['profile', 'comment', 'deposit'] as const satisfies PresenceKind[]

const kind = s.oneOf(KINDS, 'profile')
const itemId = s.stringOf({ pattern: '^[0-9A-Za-z-]{1,40}$' }, '15')
const waiting = s.count(3, 'Counted up to 1000.')
const failing = s.count(0, 'Endpoints whose last delivery failed, or that were disabled because of failures.')
const queue = s.object({
  waiting,
  newest: s.list(s.time(), 'When the newest 20 were first flagged, latest first.'),
})

const held = s.object({ waiting }, {}, 'Comments that a rule holds back.')

const appeals = s.object({
  waiting,
  newest: s.list(s.time(), 'When the newest 20 were made, latest first.'),
})

const deposits = s.object({
  waiting,
  newest: s.list(s.time(), 'When the newest 20 were put into review, latest first.'),
})

const withdrawals = s.object({ waiting }, {}, 'Withdrawals that wait for approval or have no result.')
const disputes = s.object({ waiting }, {}, 'Disputes whose evidence has a deadline.')
const unapplied = s.object({ waiting }, {}, 'Notifications of the gateway that were not applied.')

/** The data of each event, by its type. */
export const liveEvents = s.object({
  counts: s.namedObject('LiveCounts', {
    profiles: queue,
    comments: queue,
    held,
    appeals,
    deposits,
    withdrawals,
    disputes,
    unapplied,
    webhooks: s.object({ failing }),
  }),
  viewers: s.list(
    s.namedObject('Viewer', {
      operator: s.string('ann', 'The name of the token or person.'),
      kind,
      id: itemId,
    }),
    'Who looks at which item now.',
  ),
})
export type LiveCounts = s.ValueOf<typeof liveEvents>['counts']
export type Viewer = s.ValueOf<typeof liveEvents>['viewers'][number]

export const presenceBody = s.object({
  tab: s.stringOf(
    { pattern: '^[0-9A-Za-z-]{8,40}$' },
    '1f0c2f8e-5d0b-4a57',
    'Chosen by the tab: one tab shows one item.',
  ),
  item: s.orNull(s.object({ kind, id: itemId }), 'What it shows; null when it shows no item any more.'),
})

export const liveOperations = [
  operatorOperation({
    name: 'openConsoleStream',
    summary: 'What waits and who looks at what, as it changes',
    description:
      'Server-sent events: `counts` (subjects in both review queues, appeals, deposits that need manual review, withdrawals that wait, notifications of the gateway that were not ' +
      'applied, endpoints of webhooks that fail) and `viewers` (of items that the role may read). Each is sent at the beginning and within a second after it has changed. A comment line every STREAM_HEARTBEAT_SECONDS shows that the ' +
      'connection lives. The stream ends with the credentials of its operator.',
    route: 'GET /stream',
    role: 'cashier or moderator',
    background: true,
    sendsEvents: true,
    answer: { 200: liveEvents },
    handle: ({ consoleStreams }, { operator, stillAllowed }) => ({
      begin: (response, headers) =>
        consoleStreams.begin(response, headers, { stillAllowed, shows: (kind) => mayRead(operator, kind) }),
    }),
  }),
  operatorOperation({
    name: 'setPresence',
    summary: 'Report which item a tab of the console shows',
    description:
      'Repeat it every 15 seconds: after 30 seconds without it the tab shows nothing any more. Not in the audit trail, and ' +
      'no use of a console session: a tab that is left open does not keep its person signed in.',
    route: 'PUT /presence',
    role: 'cashier or moderator',
    background: true,
    body: presenceBody,
    answer: { 204: null },
    example: { body: { tab: '1f0c2f8e-5d0b-4a57', item: { kind: 'profile', id: '15' } } },
    async handle({ database, now }, { operator, body }) {
      if (body.item !== null && !mayRead(operator, body.item.kind)) {
        throw new Problem(403, 'Forbidden', `The role ${operator.role} may not look at a ${body.item.kind}.`)
      }
      await recordPresence(database, { ...body, operator: operator.name }, now())
    },
  }),
]
