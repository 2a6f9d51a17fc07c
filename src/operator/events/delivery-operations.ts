import { isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { listDeliveries, readDelivery } from '../../webhooks/delivery-list.ts'
import type { DeliveryRow } from '../../webhooks/delivery-store.ts'
import { endpointById } from '../../webhooks/endpoint-store.ts'
import { noEndpoint } from '../../webhooks/endpoints.ts'
import { eventIdOf, TEST } from '../../webhooks/message.ts'
import { MAX_WAITING, resendRange, sendAgain, sendTest } from '../../webhooks/send-again.ts'
import { operatorOperation } from '../server/operation.ts'
import { positionOf, searchedPageOf } from '../server/pages.ts'
import { timeOfQuery } from '../server/query-days.ts'
import { shown } from '../server/shown.ts'
import { PUBLIC_KINDS, PUSHED_KINDS } from './event-kinds.ts'
import * as schemas from './webhook-schemas.ts'

const NO_WEBHOOK = 'There is no webhook with this id.'
const NO_DELIVERY = 'There is no webhook with this id, or no such delivery of it.'
const REFUSED = `The webhook is disabled, or ${MAX_WAITING} of its deliveries wait.`
const LAST = Number.MAX_SAFE_INTEGER

const deliveryOf = shown(schemas.delivery)
const attemptOf = shown(schemas.attempt)

export const deliveryOperations = [
  operatorOperation({
    name: 'testWebhook',
    summary: 'Send a test event to a webhook',
    description: 'Once, with the type `test`. The list of deliveries shows the result.',
    route: 'POST /webhooks/{id}/test',
    role: 'admin',
    audit: 'sent a test to webhook {id}',
    answer: { 201: schemas.delivery },
    problems: { 404: NO_WEBHOOK, 409: REFUSED },
    example: { answer: { type: 'test', state: 'waiting', attempts: 0 } },
    async handle({ database, now }, { path }) {
      return showDelivery(await sendTest(database, path.id, now()), now())
    },
  }),
  operatorOperation({
    name: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description:
      'Deliveries that have ended are stored as long as events (EVENT_DAYS). A filter that few deliveries pass may answer short ' +
      'pages: `searchedUntil` states how far they go.',
    route: 'GET /webhooks/{id}/deliveries',
    role: 'admin',
    query: schemas.deliveriesQuery,
    answer: { 200: schemas.deliveries },
    problems: { 404: NO_WEBHOOK },
    example: { query: { limit: 20 } },
    async handle({ database, now }, { path: { id }, query: { cursor, limit, state, type, from, until } }) {
      const after = positionOf(cursor, [LAST, LAST])
      if ((await database.one(endpointById, { id })) === undefined) throw noEndpoint(id)
      const kinds = type === undefined ? [...PUSHED_KINDS, TEST] : [type]
      const filter = { state, kinds, from: timeOr('from', from, 0), until: timeOr('until', until, LAST) }
      const page = await listDeliveries(database, id, filter, { after, limit })
      return searchedPageOf(page, (row) => showDelivery(row, now()))
    },
  }),
  operatorOperation({
    name: 'getWebhookDelivery',
    summary: 'Read a delivery with its payload and what each attempt was answered',
    description:
      'Of an answer its headers and the beginning of its body are stored, as long as the delivery, without secrets and card numbers. ' +
      'Reads of events that not everybody can see are in the audit trail.',
    route: 'GET /webhooks/{id}/deliveries/{deliveryId}',
    role: 'admin',
    audit: 'read delivery {deliveryId} of webhook {id}',
    personalData: (body) => !SHOWN_TO_ALL.includes((body as { type: string }).type),
    answer: { 200: schemas.deliveryDetails },
    problems: { 404: NO_DELIVERY },
    example: { path: { id: '1', deliveryId: '1' } },
    async handle(context, { path }) {
      const { delivery, message, attempts } = await readDelivery(context, path.id, path.deliveryId)
      const answers = attempts.map((row) => attemptOf(row))
      return { ...showDelivery(delivery, context.now()), payload: message, answers }
    },
  }),
  operatorOperation({
    name: 'resendWebhookDelivery',
    summary: 'Send a delivery again',
    description:
      'One that has ended is sent as another delivery of the same event, after those of its subject that wait (201). One ' +
      'that waits for its next attempt is tried at once (200).',
    route: 'POST /webhooks/{id}/deliveries/{deliveryId}/resend',
    role: 'admin',
    audit: 'resent delivery {deliveryId} of webhook {id}',
    answer: { 200: schemas.delivery, 201: schemas.delivery },
    problems: { 404: NO_DELIVERY, 409: REFUSED },
    example: { path: { id: '1', deliveryId: '1' } },
    async handle({ database, now }, { path }) {
      const again = await sendAgain(database, path.id, path.deliveryId, now())
      return { status: again.isNew ? 201 : 200, body: showDelivery(again.delivery, now()) } as const
    },
  }),
  operatorOperation({
    name: 'resendWebhookDeliveries',
    summary: 'Send the deliveries of a range again',
    description:
      'Those that failed, or were delivered, and were not sent again before. What was sent again is itself left out, so that a repeated call sends nothing twice: each event once, oldest first, after those of its ' +
      `subject that wait. At most ${MAX_WAITING} deliveries of a webhook wait because of it, and 8 are sent at once: repeat it ` +
      'with `continueFrom` for the rest of the range.',
    route: 'POST /webhooks/{id}/resend',
    role: 'admin',
    audit: 'resent {body.state} deliveries of webhook {id} from {body.from} on',
    body: schemas.resendBody,
    answer: { 200: schemas.resentRange },
    problems: { 404: NO_WEBHOOK, 409: REFUSED, 422: 'The range does not exist.' },
    example: { body: { from: '2026-03-14', until: '2026-03-15', state: 'failed', types: ['tip.settled'] } },
    async handle({ database, now }, { path, body: { from, until, state, types = PUSHED_KINDS } }) {
      const range = { from: timeOr('from', from, 0), until: timeOr('until', until, LAST) }
      const done = await resendRange(database, path.id, { ...range, state, kinds: types }, now())
      return { resent: done.resent, continueFrom: isoTimeOrNull(done.continueFrom) }
    },
  }),
]

const SHOWN_TO_ALL: readonly string[] = [...PUBLIC_KINDS, TEST]

function timeOr(name: string, text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : timeOfQuery(name, text)
}

function showDelivery(row: DeliveryRow, now: number): schemas.WebhookDelivery {
  const isSending = row.sending_until !== null && row.sending_until > now
  return deliveryOf(row, {
    eventId: eventIdOf(row),
    type: row.kind as schemas.WebhookDelivery['type'],
    subject: { type: row.subject_type, id: row.subject_id },
    nextAttemptAt: isSending ? null : isoTimeOrNull(row.due_at),
  })
}
