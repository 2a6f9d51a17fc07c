import type { Role } from '../../platform/config/roles.ts'
import { reading, writing } from '../../platform/database/database.ts'
import { BOOTSTRAP } from './operator.ts'

export type ConsoleSessionRow = {
  id: number
  name: string
  role: Role
  subject: string
  /** null: who signed in to an earlier version. */
  person: string | null
  created_at: number
  used_at: number
  expires_at: number
}

const COLUMNS = `id, name, role, subject, (select p.person from operator_person p where p.subject = console_session.subject) as person,
  created_at, used_at, expires_at`

export const insertConsoleSession = writing<
  { cookieHash: string; name: string; role: Role; subject: string; now: number; expiresAt: number },
  { id: number }
>('insertConsoleSession')`
  insert into console_session (cookie_hash, name, role, subject, created_at, used_at, expires_at)
  values (:cookieHash, :name, :role, :subject, :now, :now, :expiresAt) returning id`

export const liveConsoleSession = reading<{ cookieHash: string; now: number; idleSince: number }, ConsoleSessionRow>(
  'liveConsoleSession',
)`
  select ${COLUMNS} from console_session where cookie_hash = :cookieHash and expires_at > :now and used_at > :idleSince`

export const setConsoleSessionUsed = writing<{ id: number; now: number }>('setConsoleSessionUsed')`
  update console_session set used_at = :now where id = :id`

/** Bounded: people sign in one by one, and expired sessions are deleted. */
export const liveConsoleSessions = reading<{ now: number; idleSince: number }, ConsoleSessionRow>(
  'liveConsoleSessions',
)`
  select ${COLUMNS} from console_session where expires_at > :now and used_at > :idleSince order by expires_at desc, id desc`

/** Whether the operator of this name still has a token or a session. Needs `:now` and `:idleSince`. */
export const isSignedIn = (name: string) => `(${name} = '${BOOTSTRAP}'
  or (select count(*) from operator_token t
      where t.name = ${name} and t.revoked_at is null and (t.expires_at is null or t.expires_at > :now)) > 0
  or (select count(*) from console_session s
      where s.name = ${name} and s.expires_at > :now and s.used_at > :idleSince) > 0)`

export const deleteConsoleSession = writing<{ id: number }>('deleteConsoleSession')`
  delete from console_session where id = :id`

export const deleteExpiredConsoleSessions = writing<{ now: number }>('deleteExpiredConsoleSessions')`
  delete from console_session where expires_at <= :now`

/** Who signed in before keeps being the same person. */
export const insertPerson = writing<{ subject: string; person: string }>('insertPerson')`
  insert into operator_person (subject, person) values (:subject, :person) on conflict (subject) do nothing`

// ---- Attempts to sign in that were completed

/** 0 rows: it was completed before, here or by another process. */
export const insertUsedAttempt = writing<{ attemptHash: string; now: number }>('insertUsedAttempt')`
  insert into used_sign_in (attempt_hash, used_at) values (:attemptHash, :now) on conflict (attempt_hash) do nothing`

export const deleteUsedAttemptsBefore = writing<{ before: number }>('deleteUsedAttemptsBefore')`
  delete from used_sign_in where used_at < :before`
