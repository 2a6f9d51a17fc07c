import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { maskedAddress } from '../../platform/masking/masked-addresses.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { urlProblem } from '../../webhooks/addresses.ts'
import { allEndpoints, type EndpointRow, endpointById, lockEndpoint } from '../../webhooks/endpoint-store.ts'
import * as endpoints from '../../webhooks/endpoints.ts'
import type { OperatorContext } from '../context.ts'
import { mayCall } from '../server/call-roles.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import { shown } from '../server/shown.ts'
import type { PushedKind } from './event-kinds.ts'
import * as schemas from './webhook-schemas.ts'

/** To those who may not change it: a path or query often has a secret of the receiver. */
const ADDRESS_SHOWN = 'Only admins see more of an address than its origin.'
const NO_WEBHOOK = 'There is no webhook with this id.'
const BAD_ADDRESS = 'The address may not be used.'

const webhookOf = shown(schemas.webhook)

export const webhookOperations = [
  operatorOperation({
    name: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events from now on are posted to the address as `{"type", "timestamp", "data"}`, where `data` is the event as ' +
      '`GET /events` shows it, signed as Standard Webhooks requires. The secret is shown this once. An answer of 2xx in time ' +
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
      return { ...showWebhook(row, now()), secret: row.secret }
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
      return singlePage(rows.map((row) => shownTo(operator, showWebhook(row, now()))))
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
      'sent, as far as they are still stored. Other event types apply to events from then on.',
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
]

function checkUrl(url: string, config: OperatorContext['config']): void {
  const problem = urlProblem(url, endpoints.addressRules(config))
  if (problem !== undefined) throw notValid([{ pointer: '/url', detail: problem }])
}

async function readWebhook({ database, now }: OperatorContext, id: number): Promise<schemas.Webhook> {
  const row = await database.one(endpointById, { id })
  if (row === undefined) throw endpoints.noEndpoint(id)
  return showWebhook(row, now())
}

async function webhookState(transaction: Database, id: number) {
  const row = await transaction.one(lockEndpoint, { id })
  return row && { shown: { url: row.url, kinds: row.kinds, enabled: row.enabled === 1 } }
}

function shownTo(operator: Operator, webhook: schemas.Webhook): schemas.Webhook {
  const mayChange = mayCall(operator, { role: 'admin', method: 'PATCH' })
  return mayChange ? webhook : { ...webhook, url: maskedAddress(webhook.url) }
}

function showWebhook(row: EndpointRow, now: number): schemas.Webhook {
  const { previous_secret_until: until } = row
  const previousSecretUntil = until === null || until <= now ? null : isoTime(until)
  return webhookOf(row, { kinds: endpoints.kindsOf(row) as PushedKind[] | null, previousSecretUntil })
}
