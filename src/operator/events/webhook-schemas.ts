import { PUSHED_KINDS, type PushedKind } from '../../event-log/kinds.ts'
import * as s from '../server/fields.ts'

const EXAMPLE_URL = 'https://example.com/webhooks'

const url = s.text(1, 2000, {
  description:
    'https:// in production; without user name and password; a public address, or one that WEBHOOK_PRIVATE_ADDRESSES allows: in the sandbox those of this machine.',
  examples: [EXAMPLE_URL],
})
const kinds = s.orNull(
  s.list(s.oneOf<PushedKind>(PUSHED_KINDS, { examples: ['tip.settled'] }), {
    minItems: 1,
    maxItems: PUSHED_KINDS.length,
  }),
  {
    description: 'Only events of these types. null: all of them. Events of movements are only pulled.',
    examples: [['tip.settled', 'tip.corrected']],
  },
)

export const webhookBody = s.named('NewWebhook', s.object({ url }, { kinds }))
export type NewWebhook = s.SentOf<typeof webhookBody>

export const webhookChange = s.named(
  'WebhookChange',
  s.object(
    {},
    {
      url,
      kinds,
      enabled: s.boolean({
        description:
          'false: events wait. true: they are sent, as far as they are still kept; the endpoint counts as healthy.',
        examples: [true],
      }),
    },
  ),
)

const webhookFields = {
  id: s.id('1'),
  url: s.string({ examples: [EXAMPLE_URL] }),
  kinds,
  enabled: s.boolean({ examples: [true] }),
  disabledReason: s.orNull(s.string(), {
    description: 'Why the service has disabled it. null: it is enabled, or an operator has disabled it.',
    examples: [null],
  }),
  failingSince: s.orNull(s.time(), { description: 'The first failure since the last success.', examples: [null] }),
  previousSecretUntil: s.orNull(s.time(), {
    description: 'Until then messages are also signed with the secret before the last rotation.',
    examples: [null],
  }),
  createdAt: s.time(),
}

export const webhook = s.named('Webhook', s.object(webhookFields))
export type Webhook = s.ValueOf<typeof webhook>
export const webhooks = s.page(webhook)

const secret = s.string({
  description: 'Verifies the signatures. Shown this once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const createdWebhook = s.named('CreatedWebhook', s.object({ ...webhookFields, secret }))
export type CreatedWebhook = s.ValueOf<typeof createdWebhook>

export const rotatedSecret = s.named(
  'RotatedWebhookSecret',
  s.object({
    id: s.id('1'),
    secret,
    previousSecretUntil: s.time({ description: 'Until then messages are also signed with the previous secret.' }),
  }),
)
export type RotatedWebhookSecret = s.ValueOf<typeof rotatedSecret>

export const delivery = s.named(
  'WebhookDelivery',
  s.object({
    id: s.id('1'),
    eventId: s.string({
      description: 'The `webhook-id` of every attempt.',
      examples: ['evt_17_lqz1x8k0'],
    }),
    type: s.string({ description: 'The type of the event, or `test`.', examples: ['tip.settled'] }),
    subject: s.object({ type: s.string({ examples: ['comment'] }), id: s.string({ examples: ['28'] }) }),
    state: s.oneOf(['waiting', 'delivered', 'failed'], { examples: ['delivered'] }),
    attempts: s.count({ description: 'Those that have begun.', examples: [1] }),
    status: s.orNull(s.count(), { description: 'The HTTP status of the last answer.', examples: [200] }),
    durationMs: s.orNull(s.count(), { description: 'How long the last attempt took.', examples: [35] }),
    error: s.orNull(s.string(), { description: 'Why the last attempt failed.', examples: [null] }),
    nextAttemptAt: s.orNull(s.time(), {
      description:
        'null: an attempt is in progress, an earlier delivery of the same subject is waiting, or the delivery has ended.',
      examples: [null],
    }),
    createdAt: s.time(),
    finishedAt: s.orNull(s.time()),
  }),
)
export type WebhookDelivery = s.ValueOf<typeof delivery>
export const deliveries = s.page(delivery)
