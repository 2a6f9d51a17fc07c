// The SQL of gateways' notifications: each is stored once, with what became of it.

import { type NoParameters, reading, writing } from '../../platform/database/database.ts'
import type { ParametersOf, RowOf } from '../../platform/database/table-store.ts'
import { bigint, integer, oneOf, orNull, table, text } from '../../platform/database/table-store.ts'
import { CONTRADICTIONS, type Contradiction, type Outcome } from '../outcome.ts'

export const STORED_OUTCOMES = [
  'applied',
  'already-applied',
  'not-ours',
  'contradiction',
  'failed',
] as const satisfies readonly (Outcome['outcome'] | 'failed')[]
export type StoredOutcome = (typeof STORED_OUTCOMES)[number]

export const notifications = table('gateway_notification', {
  id: bigint,
  gateway: text,
  notification_key: text,
  event: text,
  success: integer,
  reference: text,
  content: orNull(text),
  outcome: oneOf(STORED_OUTCOMES),
  contradiction: orNull(oneOf(CONTRADICTIONS)),
  subject: orNull(text),
  customer_id: orNull(bigint),
  attempts: integer,
  try_at: orNull(bigint),
  received_at: bigint,
})

const newNotifications = notifications.omit('id, contradiction, subject, customer_id, attempts')
/** 0 rows: it was received before. */
export const insertNotification = writing<ParametersOf<typeof newNotifications>>('insertNotification')`
  ${newNotifications.insert()} on conflict (gateway, notification_key) do nothing`

export const setOutcome = writing<{
  gateway: string
  key: string
  outcome: StoredOutcome
  contradiction: Contradiction | null
  subject: string | null
  customerId: number | null
}>('setOutcome')`
  update gateway_notification set outcome = :outcome, contradiction = cast(:contradiction as text), subject = cast(:subject as text),
    customer_id = cast(:customerId as bigint), try_at = null
  where gateway = :gateway and notification_key = :key`

/** The outcome of one. */
export const outcomeOf = reading<{ gateway: string; key: string }, Pick<UnappliedRow, 'outcome' | 'contradiction'>>(
  'outcomeOf',
)`
  select outcome, contradiction from gateway_notification where gateway = :gateway and notification_key = :key`

type RetryRow = { id: number; gateway: string; event: string; key: string; content: string; attempts: number }

/** Notifications that could not be applied. */
export const notificationsToRetry = reading<{ now: number; limit: number }, RetryRow>('notificationsToRetry')`
  select id, gateway, event, notification_key as key, coalesce(content, '') as content, attempts from gateway_notification
  where try_at is not null and try_at <= :now order by try_at limit :limit`

/** Locks it. 0 rows: another process was faster, or a person has settled it. */
export const takeNotification = writing<{ id: number }>('takeNotification')`
  update gateway_notification set attempts = attempts + 1 where id = :id and try_at is not null`

export const postponeNotification = writing<{ id: number; tryAt: number }>('postponeNotification')`
  update gateway_notification set attempts = attempts + 1, try_at = :tryAt where id = :id and try_at is not null`

export const erasureOf = reading<{ customerId: number }, { erased_at: number | null }>('erasureOf')`
  select erased_at from customer where id = :customerId`

/** A contradiction that later notifications have resolved. */
export const closeContradictions = writing<{ subject: string; contradiction: Contradiction; now: number }>(
  'closeContradictions',
)`
  update gateway_notification set settled_at = :now, settled_by = 'service', settled_note = 'later notifications agree'
  where subject = :subject and contradiction = :contradiction and settled_at is null`

/** Tries failures and reversals again that came before their refund was reported. */
export const retryUnknownRefunds = writing<{ customerId: number; now: number }>('retryUnknownRefunds')`
  update gateway_notification set try_at = :now where customer_id = :customerId and contradiction = 'unknown-refund'
    and outcome in ('contradiction', 'failed') and settled_at is null`

// ---- The list of what was not applied

const unapplied = notifications.omit('notification_key, try_at')
export type UnappliedRow = RowOf<typeof unapplied>

const UNAPPLIED = `outcome in ('contradiction', 'failed') and settled_at is null`

/** Oldest first. */
export const unappliedAfter = reading<{ after: number; limit: number }, UnappliedRow>('unappliedAfter')`
  select ${unapplied.columns()} from gateway_notification where ${UNAPPLIED} and id > :after order by id limit :limit`

export const countUnapplied = reading<NoParameters, { waiting: number; oldest: number | null }>('countUnapplied')`
  select count(*) as waiting, min(received_at) as oldest from gateway_notification where ${UNAPPLIED}`

/** 0 rows: there is no such one, or somebody was faster. */
export const settleNotification = writing<{ id: number; by: string; note: string; now: number }>('settleNotification')`
  update gateway_notification set settled_at = :now, settled_by = :by, settled_note = :note, try_at = null
  where id = :id and ${UNAPPLIED}`
