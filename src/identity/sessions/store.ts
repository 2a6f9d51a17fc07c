import { locking, reading, writing } from '../../platform/database/database.ts'
import { inList, inTextList } from '../../platform/database/row-list-store.ts'

/** Operators see sessions by this much of the hash of their ticket: enough to distinguish them, useless as a ticket. */
export const SESSION_ID_LENGTH = 16

export type SessionRow = { customer_id: number; used_at: number; expires_at: number; idle_ms: number | null }

export const sessionByHash = reading<{ ticketHash: string }, SessionRow>('sessionByHash')`
  select customer_id, used_at, expires_at, idle_ms from session where ticket_hash = :ticketHash`

export const sessionsByHashes = reading<{ ticketHashes: string }, SessionRow & { ticket_hash: string }>(
  'sessionsByHashes',
)`
  select ticket_hash, customer_id, used_at, expires_at, idle_ms from session
  where ticket_hash ${inTextList('ticketHashes')}`

/**
 * Inserts only for a customer who is active, not locked out by themselves (exclusion.ts) and, after a log-in, still has the password that was compared. The lock orders it with
 * a change of either: a later change ends this session, and after an earlier one nothing is inserted.
 */
export const insertSession = writing<{
  ticketHash: string
  customerId: number
  now: number
  expiresAt: number
  idleMs: number | null
  passwordHash: string | null
}>('insertSession')`
  insert into session (ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms)
  select cast(:ticketHash as text), id, cast(:now as bigint), cast(:now as bigint), cast(:expiresAt as bigint), cast(:idleMs as bigint)
  from customer
  where id = :customerId and status = 'active' and play_from <= :now and (cast(:passwordHash as text) is null or password_hash = cast(:passwordHash as text)) for share
  on conflict (ticket_hash) do nothing`

// Several sessions are locked in the order of their hashes: two processes may store the uses of the same ones while they end.

export const touchSessions = writing<{ ticketHashes: string; now: number }>('touchSessions')`
  update session set used_at = :now where used_at < :now and ticket_hash in (
    select ticket_hash from session where ticket_hash ${inTextList('ticketHashes')}
    order by ticket_hash for no key update)`

export const deleteSession = writing<{ ticketHash: string }>('deleteSession')`
  delete from session where ticket_hash = :ticketHash`

export const deleteSessionsOf = writing<{ customerId: number }>('deleteSessionsOf')`
  delete from session where ticket_hash in (
    select ticket_hash from session where customer_id = :customerId order by ticket_hash for update)`

/** `id`: the beginning of the hash (builtin.ts). */
export const deleteSessionOf = writing<{ customerId: number; id: string }>('deleteSessionOf')`
  delete from session where customer_id = :customerId and substr(ticket_hash, 1, ${SESSION_ID_LENGTH}) = :id`

/** Bounded by what one customer opens within the longest life of a session. */
export const sessionsOfCustomer = reading<
  { customerId: number },
  SessionRow & { ticket_hash: string; created_at: number }
>('sessionsOfCustomer')`
  select ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms from session where customer_id = :customerId
  order by created_at desc, ticket_hash`

/** Deletes sessions past their longest life; those that ended by being idle stay until then. */
export const deleteExpiredSessions = writing<{ now: number }>('deleteExpiredSessions')`
  delete from session where expires_at <= :now`

type CredentialsRow = { id: number; password_hash: string | null }

export const credentialsByUsername = reading<{ username: string }, CredentialsRow>('credentialsByUsername')`
  select id, password_hash from customer where username = :username`

export const activeCustomer = reading<{ id: number; now: number }, { id: number }>('activeCustomer')`
  select id from customer where id = :id and status = 'active' and play_from <= :now`

export const activeCustomers = reading<{ ids: string; now: number }, { id: number }>('activeCustomers')`
  select id from customer where id ${inList('ids')} and status = 'active' and play_from <= :now`

// ---- Failed log-ins

export type FailedLogInRow = { subject: string; clear_at: number; blocked_until: number }

const FAILED_LOG_INS =
  'select subject, clear_at, blocked_until from failed_log_in where subject in (:application, :name)'

export const failedLogIns = reading<{ application: string; name: string }, FailedLogInRow>(
  'failedLogIns',
  FAILED_LOG_INS,
)

export const createFailedLogIns = writing<{ application: string; name: string }>('createFailedLogIns')`
  insert into failed_log_in (subject, clear_at, blocked_until) values (:application, 0, 0), (:name, 0, 0)
  on conflict (subject) do nothing`

/** Always in the same order, so that two attempts cannot deadlock. */
export const lockFailedLogIns = locking<{ application: string; name: string }, FailedLogInRow>('lockFailedLogIns')`
  ${FAILED_LOG_INS} order by subject for update`

export const writeFailedLogIns = writing<{ subject: string; clearAt: number; blockedUntil: number }>(
  'writeFailedLogIns',
)`
  update failed_log_in set clear_at = :clearAt, blocked_until = :blockedUntil where subject = :subject`

/** Subtracts what one attempt added; a pause that another attempt began stays. */
export const forgiveFailedLogIn = writing<{ subject: string; milliseconds: number; ownBlockedUntil: number }>(
  'forgiveFailedLogIn',
)`
  update failed_log_in set clear_at = clear_at - :milliseconds,
    blocked_until = case when blocked_until = :ownBlockedUntil then 0 else blocked_until end
  where subject = :subject`

export const deleteFailedLogIns = writing<{ subject: string }>('deleteFailedLogIns')`
  delete from failed_log_in where subject = :subject`

/** A pause always ends before its failures expire. */
export const deleteExpiredFailedLogIns = writing<{ now: number }>('deleteExpiredFailedLogIns')`
  delete from failed_log_in where clear_at <= :now`
