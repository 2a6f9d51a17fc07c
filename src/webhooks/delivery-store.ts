// The SQL of deliveries. Only the first waiting delivery of an endpoint and subject has `due_at`.

import type { SubjectType } from '../event-log/kind.ts'
import { isBehindEvents } from '../event-log/store.ts'
import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList, inTextList } from '../platform/database/row-list-store.ts'
import type { Column, RowOf } from '../platform/database/table-store.ts'
import { bigint, integer, oneOf, orNull, rowList, table, text } from '../platform/database/table-store.ts'

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export const deliveries = table('webhook_delivery', {
  id: bigint,
  /** null: a test. */
  position: orNull(bigint),
  kind: text,
  subject_type: text as Column<SubjectType | 'test'>,
  subject_id: text,
  event_at: bigint,
  created_at: bigint,
  state: oneOf(DELIVERY_STATES),
  attempts: integer,
  due_at: orNull(bigint),
  sending_until: orNull(bigint),
  finished_at: orNull(bigint),
  /** The result of the last attempt, with the next two columns. */
  status: orNull(integer),
  duration_ms: orNull(integer),
  error: orNull(text),
  resent_at: orNull(bigint),
})
export type DeliveryRow = RowOf<typeof deliveries>
export const COLUMNS = deliveries.columns()

/** The first waiting delivery of `row`'s subject. */
export const firstWaiting = (row: string, endpoint: string) =>
  `(select w.id from webhook_delivery w
    where w.endpoint_id = ${endpoint} and w.subject_type = ${row}.subject_type and w.subject_id = ${row}.subject_id
      and w.state = 'waiting'
    order by w.id limit 1)`

// ---- What is to be done

/** For the check of all background tasks: whether `endpointWork` has an endpoint that is behind or has a delivery due. */
export const HAS_ENDPOINT_WORK = `exists (
  select 1 from webhook_endpoint e where e.enabled = 1 and (${isBehindEvents('e.read_position')}
    or exists (select 1 from webhook_delivery d where d.endpoint_id = e.id and d.due_at <= :now)))`

export type EndpointWork = { id: number; is_behind: number; has_due: number }

export const endpointWork = reading<{ now: number }, EndpointWork>('webhookEndpointWork')`
  select e.id,
    case when e.read_position < (select coalesce(max(position), 0) from event_log) then 1 else 0 end as is_behind,
    case when (select d.id from webhook_delivery d where d.endpoint_id = e.id and d.due_at <= :now limit 1) is null
      then 0 else 1 end as has_due
  from webhook_endpoint e where e.enabled = 1`

export const waitingDeliveries = reading<NoParameters, { waiting: number; oldest: number | null }>(
  'waitingWebhookDeliveries',
)`
  select count(*) as waiting, min(d.created_at) as oldest
  from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
  where e.enabled = 1 and d.state = 'waiting'`

// ---- From events to deliveries

/** No row: another process is at work, or the endpoint was disabled. */
export const lockReadPosition = locking<{ id: number }, { read_position: number; kinds: string | null }>(
  'lockWebhookReadPosition',
)`
  select read_position, kinds from webhook_endpoint where id = :id and enabled = 1 for update skip locked`

type Batch = { endpointId: number; after: number; upTo: number; kinds: string; now: number }

export const insertDeliveries = writing<Batch>('insertWebhookDeliveries')`
  insert into webhook_delivery (endpoint_id, position, kind, subject_type, subject_id, event_at, created_at, due_at)
  select cast(:endpointId as bigint), e.position, e.kind, e.subject_type, e.subject_id, e.at, cast(:now as bigint),
    case when e.number_in_subject = 1 and ${firstWaiting('e', ':endpointId')} is null then cast(:now as bigint) end
  from (select position, kind, subject_type, subject_id, at,
          row_number() over (partition by subject_type, subject_id order by position) as number_in_subject
        from event_log where position > :after and position <= :upTo and kind ${inTextList('kinds')}) e
  order by e.position`

export const setReadPosition = writing<{ id: number; position: number }>('setWebhookReadPosition')`
  update webhook_endpoint set read_position = :position where id = :id`

// ---- Attempts

export const MAX_AT_ONCE = 8

const claimed = deliveries.pick('id, position, kind, event_at, attempts')
export type ClaimedDelivery = RowOf<typeof claimed>

/**
 * Claims deliveries until `until`; if the process dies, others claim them then. Deliveries that another process sends
 * count among those at once. The constant limit lets the planner know how few rows there are.
 */
export const claimDeliveries = writing<{ endpointId: number; now: number; until: number }, ClaimedDelivery>(
  'claimWebhookDeliveries',
)`
  with due as materialized (
    select id from (
      select id from webhook_delivery where endpoint_id = :endpointId and due_at <= :now order by due_at, id
      limit (select case when count(*) > ${MAX_AT_ONCE} then 0 else ${MAX_AT_ONCE} - count(*) end
             from webhook_delivery where endpoint_id = :endpointId and sending_until > :now)
      for update skip locked) first_due
    limit ${MAX_AT_ONCE})
  update webhook_delivery set attempts = attempts + 1, due_at = :until, sending_until = :until
  where id in (select id from due)
  returning ${claimed.columns()}`

/** `attempts`: as claimed; if it has changed, another process has claimed the delivery since. */
export const attemptList = rowList({
  delivery_id: bigint,
  attempts: integer,
  counted: integer,
  state: text,
  due_at: orNull(bigint),
  finished_at: orNull(bigint),
  status: orNull(integer),
  duration_ms: orNull(integer),
  error: orNull(text),
  at: bigint,
  head: orNull(text),
  body: orNull(text),
})
export type AttemptRow = RowOf<typeof attemptList> & { state: DeliveryState }

export const recordAttempts = writing<{ rows: string }, { id: number }>('recordWebhookAttempts')`
  update webhook_delivery as d set state = g.state, attempts = g.counted, due_at = g.due_at, sending_until = null,
    finished_at = g.finished_at, status = g.status, duration_ms = g.duration_ms, error = g.error
  from (${attemptList.select}) as g
  where d.id = g.delivery_id and d.attempts = g.attempts and d.finished_at is null
  returning id`

export const insertAttempts = writing<{ rows: string }>('insertWebhookAttempts')`
  insert into webhook_attempt (delivery_id, number, at, status, duration_ms, error, head, body)
  select delivery_id, attempts, at, status, duration_ms, error, head, body from (${attemptList.select}) as g`

/** Makes due the next delivery of each subject whose deliveries have ended. */
export const makeNextDue = writing<{ ids: string; now: number }>('makeNextWebhookDeliveriesDue')`
  update webhook_delivery set due_at = :now
  where due_at is null and id in (
    select ${firstWaiting('f', 'f.endpoint_id')} from webhook_delivery f where f.id ${inList('ids')})`

// ---- Retention

const MAX_DELETED = 1000

export const deleteFinishedDeliveries = writing<{ before: number }>('deleteFinishedWebhookDeliveries')`
  delete from webhook_delivery where id in (
    select id from webhook_delivery where finished_at < :before order by finished_at limit ${MAX_DELETED})`

export const deleteDeliveriesOfEndpoint = writing<{ endpointId: number }>('deleteDeliveriesOfWebhookEndpoint')`
  delete from webhook_delivery where id in (
    select id from webhook_delivery where endpoint_id = :endpointId order by created_at, id limit ${MAX_DELETED})`
