import { statement } from '../database/database.ts'

export type ConsoleSessionRow = {
  id: number
  name: string
  role: string
  subject: string
  created_at: number
  used_at: number
  expires_at: number
}

const COLUMNS = 'id, name, role, subject, created_at, used_at, expires_at'

export const insertConsoleSession = statement<
  [cookieHash: string, name: string, role: string, subject: string, now: number, expiresAt: number],
  { id: number }
>(
  'insertConsoleSession',
  `insert into console_session (cookie_hash, name, role, subject, created_at, used_at, expires_at)
   values ($1, $2, $3, $4, $5, $5, $6) returning id`,
)

export const liveConsoleSession = statement<[cookieHash: string, now: number, idleSince: number], ConsoleSessionRow>(
  'liveConsoleSession',
  `select ${COLUMNS} from console_session where cookie_hash = $1 and expires_at > $2 and used_at > $3`,
)

export const useConsoleSession = statement<[id: number, now: number]>(
  'useConsoleSession',
  'update console_session set used_at = $2 where id = $1',
)

/** Bounded: people sign in one by one, and what is over is deleted. */
export const liveConsoleSessions = statement<[now: number, idleSince: number], ConsoleSessionRow>(
  'liveConsoleSessions',
  `select ${COLUMNS} from console_session where expires_at > $1 and used_at > $2 order by expires_at desc, id desc`,
)

export const deleteConsoleSession = statement<[id: number]>(
  'deleteConsoleSession',
  'delete from console_session where id = $1',
)

export const deleteExpiredConsoleSessions = statement<[now: number]>(
  'deleteExpiredConsoleSessions',
  'delete from console_session where expires_at <= $1',
)
