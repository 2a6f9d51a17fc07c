// The SQL of what operators do with deliveries: lists, one with its attempts, sending again.

import { reading, writing } from '../platform/database/database.ts'
import { inList, inTextList } from '../platform/database/row-list-store.ts'
import { COLUMNS, type DeliveryRow, firstWaiting } from './delivery-store.ts'

// ---- Lists. A page ends when it is full or when its window was looked through, so that a filter that hardly any delivery
// passes costs a bounded time.

const WINDOW = 5_000

export type PositionRow = { created_at: number; id: number }

/** From `from` on, and before the position. */
type Window = { endpointId: number; from: number; beforeAt: number; beforeId: number }

const NEWEST_FIRST = `from webhook_delivery
    where endpoint_id = :endpointId and created_at >= :from and (created_at, id) < (:beforeAt, :beforeId)
    order by created_at desc, id desc`

/** No row: the window reaches to the end of the list. */
export const listWindowEnd = reading<Window, PositionRow>('webhookDeliveryListWindowEnd')`
  select created_at, id ${NEWEST_FIRST} limit 1 offset ${WINDOW - 1}`

export const deliveriesBefore = reading<Window & { states: string; kinds: string; limit: number }, DeliveryRow>(
  'webhookDeliveriesBefore',
)`
  select ${COLUMNS} from (select ${COLUMNS} ${NEWEST_FIRST} limit ${WINDOW}) looked_at
  where state ${inTextList('states')} and kind ${inTextList('kinds')}
  order by created_at desc, id desc limit :limit`

type DeliveryKey = { endpointId: number; id: number }

export const deliveryById = reading<DeliveryKey, DeliveryRow>('webhookDelivery')`
  select ${COLUMNS} from webhook_delivery where id = :id and endpoint_id = :endpointId`

export type AttemptOfDelivery = {
  number: number
  at: number
  status: number | null
  duration_ms: number
  error: string | null
  head: string | null
  body: string | null
}

/** Ten at most. */
export const attemptsOfDelivery = reading<{ id: number }, AttemptOfDelivery>('attemptsOfWebhookDelivery')`
  select number, at, status, duration_ms, error, head, body from webhook_attempt where delivery_id = :id order by number`

// ---- Sending again

/** Unless it is being sent, or waits for an earlier one of its subject. */
export const makeDue = writing<DeliveryKey & { now: number }>('makeWebhookDeliveryDue')`
  update webhook_delivery set due_at = :now
  where id = :id and endpoint_id = :endpointId and due_at > :now and sending_until is null`

/** Up to `limit`. */
export const countWaiting = reading<{ endpointId: number; limit: number }, { waiting: number }>(
  'countWaitingWebhookDeliveries',
)`
  select count(*) as waiting from (
    select 1 from webhook_delivery where endpoint_id = :endpointId and state = 'waiting' limit :limit) counted`

/** The end of the range does not belong to it. */
type Range = { endpointId: number; from: number; until: number }

const OLDEST_FIRST = `from webhook_delivery
    where endpoint_id = :endpointId and created_at >= :from and created_at < :until
    order by created_at, id`

export const resendWindowEnd = reading<Range, PositionRow>('webhookResendWindowEnd')`
  select created_at, id ${OLDEST_FIRST} limit 1 offset ${WINDOW - 1}`

/** Deliveries that were not sent again before, without repeats and tests. */
export const deliveriesToResend = reading<Range & { state: string; kinds: string; limit: number }, PositionRow>(
  'webhookDeliveriesToResend',
)`
  select created_at, id from (
    select created_at, id, state, kind, position, resent_at, is_repeat ${OLDEST_FIRST} limit ${WINDOW}) looked_at
  where state = :state and kind ${inTextList('kinds')} and position is not null and resent_at is null
    and is_repeat = 0
  order by created_at, id limit :limit`

/** Further deliveries of the same events, each once, after those of their subjects that wait. */
export const insertRepeatedDeliveries = writing<{ ids: string; endpointId: number; now: number }, DeliveryRow>(
  'insertRepeatedWebhookDeliveries',
)`
  insert into webhook_delivery (endpoint_id, position, kind, subject_type, subject_id, event_at, is_repeat, created_at, due_at)
  select cast(:endpointId as bigint), e.position, e.kind, e.subject_type, e.subject_id, e.event_at, 1, cast(:now as bigint),
    case when e.number_in_subject = 1 and ${firstWaiting('e', ':endpointId')} is null then cast(:now as bigint) end
  from (select position, kind, subject_type, subject_id, event_at,
          row_number() over (partition by subject_type, subject_id order by position) as number_in_subject
        from webhook_delivery where id ${inList('ids')} and endpoint_id = :endpointId
        group by position, kind, subject_type, subject_id, event_at) e
  order by e.position
  returning ${COLUMNS}`

export const setResent = writing<{ ids: string; now: number }>('setWebhookDeliveriesResent')`
  update webhook_delivery set resent_at = :now where id ${inList('ids')}`

/** The subject is its own, so that it waits for nothing. */
export const insertTestDelivery = writing<{ endpointId: number; subjectId: string; now: number }, DeliveryRow>(
  'insertTestWebhookDelivery',
)`
  insert into webhook_delivery (endpoint_id, kind, subject_type, subject_id, event_at, created_at, due_at)
  values (:endpointId, 'test', 'test', :subjectId, :now, :now, :now)
  returning ${COLUMNS}`
