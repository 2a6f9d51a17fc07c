import { EVENT_KINDS, type EventKind } from '../../event-log/kinds.ts'
import {
  boolean,
  count,
  list,
  named,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { id, page, text, time } from '../server/fields.ts'

const EXAMPLE_URL = 'https://example.com/webhooks'

const url = text(1, 2000, {
  description:
    'https:// in production; without user name and password; a public address unless WEBHOOK_PRIVATE_ADDRESSES is on.',
  examples: [EXAMPLE_URL],
})
const kinds = orNull(
  list(oneOf<EventKind>(EVENT_KINDS, { examples: ['tip.settled'] }), {
    minItems: 1,
    maxItems: EVENT_KINDS.length,
  }),
  { description: 'Only events of these types. null: all.', examples: [['tip.settled', 'tip.corrected']] },
)

export const webhookBody = named('NewWebhook', object({ url }, { kinds }))
export type NewWebhook = SentOf<typeof webhookBody>

export const webhookChange = named(
  'WebhookChange',
  object(
    {},
    {
      url,
      kinds,
      enabled: boolean({
        description:
          'false: events wait. true: they are sent, as far as they are still kept; the endpoint counts as healthy.',
        examples: [true],
      }),
    },
  ),
)

const webhookFields = {
  id: id('1'),
  url: string({ examples: [EXAMPLE_URL] }),
  kinds,
  enabled: boolean({ examples: [true] }),
  disabledReason: orNull(string(), {
    description: 'Why the service has disabled it. null: it is enabled, or an operator has disabled it.',
    examples: [null],
  }),
  failingSince: orNull(time(), { description: 'The first failure since the last success.', examples: [null] }),
  previousSecretUntil: orNull(time(), {
    description: 'Until then messages are also signed with the secret before the last rotation.',
    examples: [null],
  }),
  createdAt: time(),
}

export const webhook = named('Webhook', object(webhookFields))
export type Webhook = ValueOf<typeof webhook>
export const webhooks = page(webhook)

const secret = string({
  description: 'Verifies the signatures. Shown this once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const createdWebhook = named('CreatedWebhook', object({ ...webhookFields, secret }))
export type CreatedWebhook = ValueOf<typeof createdWebhook>

export const rotatedSecret = named(
  'RotatedWebhookSecret',
  object({
    id: id('1'),
    secret,
    previousSecretUntil: time({ description: 'Until then messages are also signed with the previous secret.' }),
  }),
)
export type RotatedWebhookSecret = ValueOf<typeof rotatedSecret>

export const delivery = named(
  'WebhookDelivery',
  object({
    id: id('1'),
    eventId: string({
      description: 'The `webhook-id` of every attempt.',
      examples: ['evt_17_lqz1x8k0'],
    }),
    type: string({ description: 'The type of the event, or `test`.', examples: ['tip.settled'] }),
    subject: object({ type: string({ examples: ['comment'] }), id: string({ examples: ['28'] }) }),
    state: oneOf(['waiting', 'delivered', 'failed'], { examples: ['delivered'] }),
    attempts: count({ description: 'Those that have begun.', examples: [1] }),
    status: orNull(count(), { description: 'The HTTP status of the last answer.', examples: [200] }),
    durationMs: orNull(count(), { description: 'How long the last attempt took.', examples: [35] }),
    error: orNull(string(), { description: 'Why the last attempt failed.', examples: [null] }),
    nextAttemptAt: orNull(time(), {
      description:
        'null: an attempt is in progress, an earlier delivery of the same subject is waiting, or the delivery has ended.',
      examples: [null],
    }),
    createdAt: time(),
    finishedAt: orNull(time()),
  }),
)
export type WebhookDelivery = ValueOf<typeof delivery>
export const deliveries = page(delivery)
