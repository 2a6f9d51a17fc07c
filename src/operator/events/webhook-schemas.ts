import * as s from '../server/fields.ts'
import { paging } from '../server/pages.ts'
import { PUSHED_KINDS, type PushedKind } from './event-kinds.ts'

const EXAMPLE_URL = 'https://example.com/webhooks'

const url = s.text(
  1,
  2000,
  EXAMPLE_URL,
  'https:// in production; without user name and password; a public address, or one that WEBHOOK_PRIVATE_ADDRESSES allows: in the sandbox those of this machine.',
)
const kinds = s.orNull(
  s.list(s.oneOf<PushedKind>(PUSHED_KINDS, 'tip.settled'), {
    minItems: 1,
    maxItems: PUSHED_KINDS.length,
  }),
  'Only events of these types. null: all of them. Events of movements are only pulled.',
  ['tip.settled', 'tip.corrected'],
)

export const webhookBody = s.namedObject('NewWebhook', { url }, { kinds })
export type NewWebhook = s.SentOf<typeof webhookBody>

export const webhookChange = s.named(
  'WebhookChange',
  s.allOptional({
    url,
    kinds,
    enabled: s.boolean(
      true,
      'false: events wait. true: they are sent, as far as they are still stored; the endpoint counts as healthy.',
    ),
  }),
)

const webhookFields = {
  id: s.id('1'),
  url: s.string(EXAMPLE_URL),
  kinds,
  enabled: s.boolean(true),
  disabledReason: s.orNull(
    s.string(),
    'Why the service has disabled it. null: it is enabled, or an operator has disabled it.',
    null,
  ),
  failingSince: s.orNull(s.time(), 'The first failure since the last success.', null),
  previousSecretUntil: s.orNull(
    s.time(),
    'Until then messages are also signed with the secret before the last rotation.',
    null,
  ),
  createdAt: s.time(),
}

export const webhook = s.namedObject('Webhook', webhookFields)
export type Webhook = s.ValueOf<typeof webhook>
export const webhooks = s.page(webhook)

const secret = s.string(
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  'Verifies the signatures. Shown this once.',
)

export const createdWebhook = s.namedObject('CreatedWebhook', { ...webhookFields, secret })
export type CreatedWebhook = s.ValueOf<typeof createdWebhook>

export const rotatedSecret = s.namedObject('RotatedWebhookSecret', {
  id: s.id('1'),
  secret,
  previousSecretUntil: s.time('Until then messages are also signed with the previous secret.'),
})
export type RotatedWebhookSecret = s.ValueOf<typeof rotatedSecret>

const deliveryFields = {
  id: s.id('1'),
  eventId: s.string('evt_17_lqz1x8k0', 'The `webhook-id` of every attempt.'),
  type: s.string('tip.settled', 'The type of the event, or `test`.'),
  subject: s.object({ type: s.string('comment'), id: s.string('28') }),
  state: s.oneOf(['waiting', 'delivered', 'failed'], 'delivered'),
  attempts: s.count(1, 'Attempts that have begun.'),
  status: s.orNull(s.count(), 'The HTTP status of the last answer.', 200),
  durationMs: s.orNull(s.count(), 'How long the last attempt took.', 35),
  error: s.orNull(s.string(), 'Why the last attempt failed.', null),
  nextAttemptAt: s.orNull(
    s.time(),
    'null: an attempt is in progress, an earlier delivery of the same subject is waiting, or the delivery has ended.',
    null,
  ),
  createdAt: s.time(),
  finishedAt: s.orNull(s.time()),
  resentAt: s.orNull(s.time(), 'When it was sent again, as another delivery.', null),
}

export const delivery = s.namedObject('WebhookDelivery', deliveryFields)
export type WebhookDelivery = s.ValueOf<typeof delivery>

export const deliveries = s.searchedPage(
  delivery,
  'Not null: the page may have fewer items than its limit, or none, because only deliveries created since then were ' +
    'looked at. The next page goes on from there.',
)

const DAY_OR_TIME = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?Z)?$'
const from = s.stringOf({ pattern: DAY_OR_TIME }, '2026-03-14', 'Created at this day or time, or later.')
const until = s.stringOf({ pattern: DAY_OR_TIME }, '2026-03-15', 'Created before this day or time.')

export const deliveriesQuery = s.allOptional({
  ...paging,
  state: s.oneOf(['waiting', 'delivered', 'failed'], 'failed'),
  type: s.oneOf<PushedKind | 'test'>([...PUSHED_KINDS, 'test'], 'tip.settled', 'The type of the event, or `test`.'),
  from,
  until,
})

export const attempt = s.object({
  number: s.count(1),
  at: s.time('When it had ended.'),
  status: s.orNull(s.count(), 'null: no answer.', 500),
  durationMs: s.count(35),
  error: s.orNull(s.string(), 'null: delivered.', 'Answered 500.'),
  head: s.orNull(
    s.string(),
    'The headers of the answer, up to 2000 characters. “…” stands for secrets. null: no answer.',
    'content-type: text/plain',
  ),
  body: s.orNull(
    s.string(),
    'The beginning of the answer, up to 4000 characters. “…” stands for secrets and card numbers.',
    'Internal Server Error',
  ),
})

export const deliveryDetails = s.namedObject('WebhookDeliveryDetails', {
  ...deliveryFields,
  payload: s.orNull(
    s.string(),
    'What is sent, as it is signed. null: the event was deleted after EVENT_DAYS.',
    '{"type":"tip.settled","timestamp":"2026-03-14T15:00:00.000Z","data":{}}',
  ),
  answers: s.list(attempt, 'Each attempt that has ended, the first one first.'),
})
export type WebhookDeliveryDetails = s.ValueOf<typeof deliveryDetails>

export const resendBody = s.namedObject(
  'WebhookResend',
  { from },
  {
    until,
    state: s.withDefault(s.oneOf(['failed', 'delivered'], 'failed'), 'failed'),
    types: s.list(s.oneOf<PushedKind>(PUSHED_KINDS, 'tip.settled'), {
      description: 'Only events of these types.',
      minItems: 1,
      maxItems: PUSHED_KINDS.length,
    }),
  },
)

export const resentRange = s.namedObject('WebhookResent', {
  resent: s.count(12, 'Further deliveries that now wait.'),
  continueFrom: s.orNull(s.time(), 'Send it as `from` for the rest of the range. null: nothing is left.', null),
})
