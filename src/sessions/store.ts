import { statement } from '../database/database.ts'

export type SessionRow = { customer_id: number; used_at: number; expires_at: number; idle_ms: number | null }

export const sessionByHash = statement<[ticketHash: string], SessionRow>(
  'sessionByHash',
  'select customer_id, used_at, expires_at, idle_ms from session where ticket_hash = $1',
)

export const insertSession = statement<
  [ticketHash: string, customerId: number, now: number, expiresAt: number, idleMs: number | null]
>(
  'insertSession',
  `insert into session (ticket_hash, customer_id, created_at, used_at, expires_at, idle_ms)
   values ($1, $2, $3, $3, $4, $5) on conflict (ticket_hash) do nothing`,
)

export const touchSession = statement<[ticketHash: string, now: number]>(
  'touchSession',
  'update session set used_at = $2 where ticket_hash = $1 and used_at < $2',
)

export const deleteSession = statement<[ticketHash: string]>(
  'deleteSession',
  'delete from session where ticket_hash = $1',
)

/** Sessions past their longest life. Those that ended by being idle wait here until then. */
export const deleteExpiredSessions = statement<[now: number]>(
  'deleteExpiredSessions',
  'delete from session where expires_at <= $1',
)

export const credentialsByUsername = statement<[username: string], { id: number; password_hash: string | null }>(
  'credentialsByUsername',
  'select id, password_hash from customer where username = $1',
)
