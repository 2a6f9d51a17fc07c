import { statement } from '../database/database.ts'

export type SessionRow = { customer_id: number; used_at: number; expires_at: number; idle_ms: number | null }

export const sessionByHash = statement<[ticketHash: string], SessionRow>(
  'sessionByHash',
  'select customer_id, used_at, expires_at, idle_ms from session where ticket_hash = $1',
)

/**
 * Only for a customer who is active and, after a log-in, still has the password that was compared. The lock lets a change
 * of either wait, which then ends this session, or waits for the change, and opens none.
 */
export const insertSession = statement<
  [
    ticketHash: string,
    customerId: number,
    now: number,
    expiresAt: number,
    idleMs: number | null,
    passwordHash: string | null,
  ]
>(
  'insertSession',
  `insert into session (ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms)
   select cast($1 as text), id, cast($3 as bigint), cast($3 as bigint), cast($4 as bigint), cast($5 as bigint)
   from customer
   where id = $2 and status = 'active' and (cast($6 as text) is null or password_hash = cast($6 as text)) for share
   on conflict (ticket_hash) do nothing`,
)

export const touchSession = statement<[ticketHash: string, now: number]>(
  'touchSession',
  'update session set used_at = $2 where ticket_hash = $1 and used_at < $2',
)

export const deleteSession = statement<[ticketHash: string]>(
  'deleteSession',
  'delete from session where ticket_hash = $1',
)

export const deleteSessionsOf = statement<[customerId: number]>(
  'deleteSessionsOf',
  'delete from session where customer_id = $1',
)

/** Bounded by what one customer opens within the longest life of a session. */
export const sessionsOfCustomer = statement<[customerId: number], SessionRow & { created_at: number }>(
  'sessionsOfCustomer',
  `select customer_id, created_at, used_at, expires_at, idle_ms from session where customer_id = $1
   order by created_at desc, ticket_hash`,
)

/** Sessions past their longest life. Those that ended by being idle wait here until then. */
export const deleteExpiredSessions = statement<[now: number]>(
  'deleteExpiredSessions',
  'delete from session where expires_at <= $1',
)

export type CredentialsRow = { id: number; password_hash: string | null }

export const credentialsByUsername = statement<[username: string], CredentialsRow>(
  'credentialsByUsername',
  'select id, password_hash from customer where username = $1',
)

// ---- Failed log-ins

export type FailedLogInRow = { subject: string; clear_at: number; blocked_until: number }

const FAILED_LOG_INS = 'select subject, clear_at, blocked_until from failed_log_in where subject in ($1, $2)'

export const failedLogIns = statement<[application: string, name: string], FailedLogInRow>(
  'failedLogIns',
  FAILED_LOG_INS,
)

export const createFailedLogIns = statement<[application: string, name: string]>(
  'createFailedLogIns',
  `insert into failed_log_in (subject, clear_at, blocked_until) values ($1, 0, 0), ($2, 0, 0)
   on conflict (subject) do nothing`,
)

/** Always in the same order, so that two attempts cannot wait for each other. */
export const lockFailedLogIns = statement<[application: string, name: string], FailedLogInRow>(
  'lockFailedLogIns',
  `${FAILED_LOG_INS} order by subject for update`,
)

export const writeFailedLogIns = statement<[subject: string, clearAt: number, blockedUntil: number]>(
  'writeFailedLogIns',
  'update failed_log_in set clear_at = $2, blocked_until = $3 where subject = $1',
)

/** What one attempt added is taken off again; a pause that another one began stays. */
export const forgiveFailedLogIn = statement<[subject: string, milliseconds: number, ownBlockedUntil: number]>(
  'forgiveFailedLogIn',
  `update failed_log_in set clear_at = clear_at - $2,
     blocked_until = case when blocked_until = $3 then 0 else blocked_until end
   where subject = $1`,
)

export const deleteFailedLogIns = statement<[subject: string]>(
  'deleteFailedLogIns',
  'delete from failed_log_in where subject = $1',
)

/** Pauses are over before the failures are forgotten. */
export const deleteForgottenLogIns = statement<[now: number]>(
  'deleteForgottenLogIns',
  'delete from failed_log_in where clear_at <= $1',
)
