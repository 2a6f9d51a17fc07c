import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { maskedAddress } from '../../platform/runtime/masked-addresses.ts'
import { urlProblem } from '../../webhooks/addresses.ts'
import { type DeliveryRow, deliveriesBefore } from '../../webhooks/delivery-store.ts'
import { allEndpoints, type EndpointRow, endpointById, lockEndpoint } from '../../webhooks/endpoint-store.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import { eventIdOf } from '../../webhooks/message.ts'
import type { OperatorContext } from '../context.ts'
import { mayCall } from '../server/call-roles.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf, singlePage } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import * as schemas from './webhook-schemas.ts'

/** To those who may not change it: a path or query often has a secret of the receiver. */
const ADDRESS_SHOWN = 'Only admins see more of an address than its origin.'
const NO_WEBHOOK = 'There is no webhook with this id.'
const DISABLED = 'The webhook is disabled.'
const BAD_ADDRESS = 'The address may not be used.'

export const webhookOperations = [
  operatorOperation({
    name: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events from now on are posted to the address as `{"type", "timestamp", "data"}`, where `data` is the event as ' +
      '`GET /events` shows it, signed as Standard Webhooks says. The secret is shown this once. An answer of 2xx in time ' +
      '(WEBHOOK_TIMEOUT_MS, 10 s) is a success; otherwise the delivery is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. ' +
      'Events about one subject arrive in order. An event may arrive more than once: `webhook-id` is then the same.',
    route: 'POST /webhooks',
    role: 'admin',
    audit: 'created a webhook',
    body: schemas.webhookBody,
    answer: { 201: schemas.createdWebhook },
    problems: { 422: BAD_ADDRESS },
    example: { body: { url: 'https://example.com/webhooks', kinds: ['tip.settled', 'tip.corrected'] } },
    async handle({ database, config, now }, { body: { url, kinds = null }, trail }) {
      checkUrl(url, config)
      const row = await endpoints.createEndpoint(database, { url, kinds }, now(), trail.note)
      return { ...toWebhook(row, now()), secret: row.secret }
    },
  }),
  operatorOperation({
    name: 'listWebhooks',
    summary: 'List all webhooks',
    description: `Without their secrets. ${ADDRESS_SHOWN}`,
    route: 'GET /webhooks',
    role: 'admin',
    answer: { 200: schemas.webhooks },
    async handle({ database, now }, { operator }) {
      const rows = await database.query(allEndpoints, {})
      return singlePage(rows.map((row) => shownTo(operator, toWebhook(row, now()))))
    },
  }),
  operatorOperation({
    name: 'getWebhook',
    summary: 'Read a webhook',
    description: ADDRESS_SHOWN,
    route: 'GET /webhooks/{id}',
    role: 'admin',
    answer: { 200: schemas.webhook },
    problems: { 404: NO_WEBHOOK },
    async handle(context, { operator, path }) {
      return shownTo(operator, await readWebhook(context, path.id))
    },
  }),
  operatorOperation({
    name: 'changeWebhook',
    summary: 'Change the address or the events of a webhook, disable or enable it',
    description:
      'What is left out stays as it is. While a webhook is disabled its events wait; when it is enabled again they are ' +
      'sent, as far as they are still kept. Other event types apply to events from then on.',
    route: 'PATCH /webhooks/{id}',
    role: 'admin',
    audit: 'changed webhook {id}',
    body: schemas.webhookChange,
    answer: { 200: schemas.webhook },
    problems: { 404: NO_WEBHOOK, 422: BAD_ADDRESS },
    example: { body: { enabled: true } },
    subjectState: (transaction, { id }) => webhookState(transaction, id),
    async handle(context, { path, body }) {
      if (body.url !== undefined) checkUrl(body.url, context.config)
      await endpoints.changeEndpoint(context.database, path.id, body)
      return readWebhook(context, path.id)
    },
  }),
  operatorOperation({
    name: 'deleteWebhook',
    summary: 'Delete a webhook and its deliveries',
    route: 'DELETE /webhooks/{id}',
    role: 'admin',
    audit: 'deleted webhook {id}',
    answer: { 204: null },
    problems: { 404: NO_WEBHOOK },
    handle: ({ database, now }, { path }) => endpoints.deleteEndpoint(database, path.id, now()),
  }),
  operatorOperation({
    name: 'rotateWebhookSecret',
    summary: 'Give a webhook a new secret',
    description: 'It is shown this once. For 24 hours messages are signed with both the new and the previous secret.',
    route: 'POST /webhooks/{id}/secret',
    role: 'admin',
    audit: 'replaced the secret of webhook {id}',
    answer: { 201: schemas.rotatedSecret },
    problems: { 404: NO_WEBHOOK },
    async handle({ database, now }, { path: { id } }) {
      const { secret, previousUntil } = await endpoints.rotateSecret(database, id, now())
      return { id: String(id), secret, previousSecretUntil: isoTime(previousUntil) }
    },
  }),
  operatorOperation({
    name: 'testWebhook',
    summary: 'Send a test event to a webhook',
    description: 'Once, with the type `test`. The list of deliveries shows the result.',
    route: 'POST /webhooks/{id}/test',
    role: 'admin',
    audit: 'sent a test to webhook {id}',
    answer: { 201: schemas.delivery },
    problems: { 404: NO_WEBHOOK, 409: DISABLED },
    example: { answer: { type: 'test', state: 'waiting', attempts: 0 } },
    async handle({ database, now }, { path }) {
      return toDelivery(await endpoints.sendTest(database, path.id, now()), now())
    },
  }),
  operatorOperation({
    name: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Those that have ended are kept as long as events (EVENT_DAYS).',
    route: 'GET /webhooks/{id}/deliveries',
    role: 'admin',
    query: s.object({}, paging),
    answer: { 200: schemas.deliveries },
    problems: { 404: NO_WEBHOOK },
    example: { query: { limit: 20 } },
    async handle(context, { path, query: { cursor, limit } }) {
      const [before] = positionOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      await readWebhook(context, path.id)
      const read = await context.database.query(deliveriesBefore, { endpointId: path.id, before, limit: limit + 1 })
      const page = pageOf(read, limit, (row) => [row.id])
      const now = context.now()
      return { items: page.rows.map((row) => toDelivery(row, now)), cursor: page.cursor }
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
    problems: { 404: 'There is no webhook with this id, or no such delivery of it.', 409: DISABLED },
    example: { path: { id: '1', deliveryId: '1' } },
    async handle({ database, now }, { path }) {
      const again = await endpoints.sendAgain(database, path.id, path.deliveryId, now())
      return { status: again.isNew ? 201 : 200, body: toDelivery(again.delivery, now()) } as const
    },
  }),
]

function checkUrl(url: string, config: OperatorContext['config']): void {
  const problem = urlProblem(url, endpoints.addressRules(config))
  if (problem !== undefined) throw notValid([{ pointer: '/url', detail: problem }])
}

async function readWebhook({ database, now }: OperatorContext, id: number): Promise<schemas.Webhook> {
  const row = await database.one(endpointById, { id })
  if (row === undefined) throw endpoints.noEndpoint(id)
  return toWebhook(row, now())
}

async function webhookState(transaction: Database, id: number) {
  const row = await transaction.one(lockEndpoint, { id })
  return row && { shown: { url: row.url, kinds: row.kinds, enabled: row.enabled === 1 } }
}

function shownTo(operator: Operator, webhook: schemas.Webhook): schemas.Webhook {
  const mayChange = mayCall(operator, { role: 'admin', method: 'PATCH' })
  return mayChange ? webhook : { ...webhook, url: maskedAddress(webhook.url) }
}

function toWebhook(row: EndpointRow, now: number): schemas.Webhook {
  const { previous_secret_until: until } = row
  return {
    id: String(row.id),
    url: row.url,
    kinds: endpoints.kindsOf(row),
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    failingSince: isoTimeOrNull(row.failing_since),
    previousSecretUntil: until === null || until <= now ? null : isoTime(until),
    createdAt: isoTime(row.created_at),
  }
}

function toDelivery(row: DeliveryRow, now: number): schemas.WebhookDelivery {
  const isSending = row.sending_until !== null && row.sending_until > now
  return {
    id: String(row.id),
    eventId: eventIdOf(row),
    type: row.kind,
    subject: { type: row.subject_type, id: row.subject_id },
    state: row.state,
    attempts: row.attempts,
    status: row.status,
    durationMs: row.duration_ms,
    error: row.error,
    nextAttemptAt: isSending ? null : isoTimeOrNull(row.due_at),
    createdAt: isoTime(row.created_at),
    finishedAt: isoTimeOrNull(row.finished_at),
  }
}
