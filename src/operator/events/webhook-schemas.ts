import * as s from '../server/fields.ts'
import { paging } from '../server/pages.ts'
import { PUSHED_KINDS, type PushedKind } from './event-kinds.ts'

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

export const webhookBody = s.namedObject('NewWebhook', { url }, { kinds })
export type NewWebhook = s.SentOf<typeof webhookBody>

export const webhookChange = s.named(
  'WebhookChange',
  s.allOptional({
    url,
    kinds,
    enabled: s.boolean({
      description:
        'false: events wait. true: they are sent, as far as they are still stored; the endpoint counts as healthy.',
      examples: [true],
    }),
  }),
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

export const webhook = s.namedObject('Webhook', webhookFields)
export type Webhook = s.ValueOf<typeof webhook>
export const webhooks = s.page(webhook)

const secret = s.string({
  description: 'Verifies the signatures. Shown this once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const createdWebhook = s.namedObject('CreatedWebhook', { ...webhookFields, secret })
export type CreatedWebhook = s.ValueOf<typeof createdWebhook>

export const rotatedSecret = s.namedObject('RotatedWebhookSecret', {
  id: s.id('1'),
  secret,
  previousSecretUntil: s.time({ description: 'Until then messages are also signed with the previous secret.' }),
})
export type RotatedWebhookSecret = s.ValueOf<typeof rotatedSecret>

const deliveryFields = {
  id: s.id('1'),
  eventId: s.string({
    description: 'The `webhook-id` of every attempt.',
    examples: ['evt_17_lqz1x8k0'],
  }),
  type: s.string({ description: 'The type of the event, or `test`.', examples: ['tip.settled'] }),
  subject: s.object({ type: s.string({ examples: ['comment'] }), id: s.string({ examples: ['28'] }) }),
  state: s.oneOf(['waiting', 'delivered', 'failed'], { examples: ['delivered'] }),
  attempts: s.count({ description: 'Attempts that have begun.', examples: [1] }),
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
  resentAt: s.orNull(s.time(), { description: 'When it was sent again, as another delivery.', examples: [null] }),
}

export const delivery = s.namedObject('WebhookDelivery', deliveryFields)
export type WebhookDelivery = s.ValueOf<typeof delivery>

export const deliveries = s.searchedPage(
  delivery,
  'Not null: the page may have fewer items than its limit, or none, because only deliveries created since then were ' +
    'looked at. The next page goes on from there.',
)

const DAY_OR_TIME = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?Z)?$'
const from = s.string({
  pattern: DAY_OR_TIME,
  description: 'Created at this day or time, or later.',
  examples: ['2026-03-14'],
})
const until = s.string({
  pattern: DAY_OR_TIME,
  description: 'Created before this day or time.',
  examples: ['2026-03-15'],
})

export const deliveriesQuery = s.allOptional({
  ...paging,
  state: s.oneOf(['waiting', 'delivered', 'failed'], { examples: ['failed'] }),
  type: s.oneOf<PushedKind | 'test'>([...PUSHED_KINDS, 'test'], {
    description: 'The type of the event, or `test`.',
    examples: ['tip.settled'],
  }),
  from,
  until,
})

export const attempt = s.object({
  number: s.count({ examples: [1] }),
  at: s.time({ description: 'When it had ended.' }),
  status: s.orNull(s.count(), { description: 'null: no answer.', examples: [500] }),
  durationMs: s.count({ examples: [35] }),
  error: s.orNull(s.string(), { description: 'null: delivered.', examples: ['Answered 500.'] }),
  head: s.orNull(s.string(), {
    description: 'The headers of the answer, up to 2000 characters. “…” stands for secrets. null: no answer.',
    examples: ['content-type: text/plain'],
  }),
  body: s.orNull(s.string(), {
    description: 'The beginning of the answer, up to 4000 characters. “…” stands for secrets and card numbers.',
    examples: ['Internal Server Error'],
  }),
})

export const deliveryDetails = s.namedObject('WebhookDeliveryDetails', {
  ...deliveryFields,
  payload: s.orNull(s.string(), {
    description: 'What is sent, as it is signed. null: the event was deleted after EVENT_DAYS.',
    examples: ['{"type":"tip.settled","timestamp":"2026-03-14T15:00:00.000Z","data":{}}'],
  }),
  answers: s.list(attempt, { description: 'Each attempt that has ended, the first one first.' }),
})
export type WebhookDeliveryDetails = s.ValueOf<typeof deliveryDetails>

export const resendBody = s.namedObject(
  'WebhookResend',
  { from },
  {
    until,
    state: s.withDefault(s.oneOf(['failed', 'delivered'], { examples: ['failed'] }), 'failed'),
    types: s.list(s.oneOf<PushedKind>(PUSHED_KINDS, { examples: ['tip.settled'] }), {
      description: 'Only events of these types.',
      minItems: 1,
      maxItems: PUSHED_KINDS.length,
    }),
  },
)

export const resentRange = s.namedObject('WebhookResent', {
  resent: s.count({ description: 'Further deliveries that now wait.', examples: [12] }),
  continueFrom: s.orNull(s.time(), {
    description: 'Send it as `from` for the rest of the range. null: nothing is left.',
    examples: [null],
  }),
})
