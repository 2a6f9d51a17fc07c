import { recordPresence } from '../../streams/console/presence.ts'
import { mayRead } from '../server/call-roles.ts'
import { operatorOperation } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { liveEvents, presenceBody } from './live-schemas.ts'

export const liveOperations = [
  operatorOperation({
    name: 'openConsoleStream',
    summary: 'What waits and who looks at what, as it changes',
    description:
      'Server-sent events: `counts` (subjects in both review queues, appeals, deposits that need manual review, endpoints ' +
      'of webhooks that fail) and `viewers` (of items that the role may read). Each is sent at the beginning and within a second after it has changed. A comment line every STREAM_HEARTBEAT_SECONDS shows that the ' +
      'connection lives. The stream ends with the credentials of its operator.',
    route: 'GET /stream',
    role: 'moderator',
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
    role: 'moderator',
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
