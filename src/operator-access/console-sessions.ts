// Sessions of people who signed in to the console through an OpenID provider. The browser holds a cookie, the database
// its hash, so that signing out, and an admin's end of a session, count at once on every machine.

import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { Operator } from '../operator/frame/credentials.ts'
import { Problem } from '../operator/frame/problem.ts'
import { hashOf, randomSecret } from '../runtime/secrets.ts'
import {
  deleteConsoleSession,
  deleteExpiredConsoleSessions,
  insertConsoleSession,
  liveConsoleSession,
  useConsoleSession,
} from './console-session-store.ts'
import type { Role } from './roles.ts'

/** A working day, and a break of it: who left is signed out. */
const LIFE_MS = 8 * 3_600_000
export const IDLE_MS = 3_600_000
/** Noting each use would write to the database with each request. */
const NOTE_USE_EVERY_MS = 60_000

/** `__Host-`: a neighbouring host of the same domain cannot set it, and it travels over TLS only. */
const COOKIE = '__Host-paddock-console'

/**
 * Sent by the console with each call. Pages of other origins cannot send it: a browser would ask us first (CORS), and we
 * never allow it. The cookie alone is thus worth nothing to them, whatever the browser makes of SameSite.
 */
const CONSOLE_HEADER = 'x-requested-by'
const CONSOLE = 'console'

/** Names of people in the audit trail; a token may not be named so. */
const PERSON_PREFIX = 'openid:'

export function isPersonName(name: string): boolean {
  return name.startsWith(PERSON_PREFIX)
}

export type Person = { readonly name: string; readonly role: Role; readonly subject: string }
export type ConsoleSession = { readonly id: number; readonly operator: Operator }

/** A database whose changes the audit trail has as this operator's (request-audit.ts). */
export type AuditedFor = (operator: Operator, action: string, detail: object) => Database

/** Answers the header that sets the cookie. */
export async function beginConsoleSession(
  { now }: Context,
  { name: claimed, role, subject }: Person,
  audited: AuditedFor,
): Promise<string> {
  const cookie = randomSecret()
  const name = PERSON_PREFIX + claimed
  await audited({ name, role }, 'signIn', { subject }).transaction(async (transaction) => {
    await transaction.run(deleteExpiredConsoleSessions, { now: now() })
    const session = { cookieHash: hashOf(cookie), name, role, subject, now: now(), expiresAt: now() + LIFE_MS }
    await transaction.one(insertConsoleSession, session)
  })
  return cookieHeader(COOKIE, cookie, { sameSite: 'Strict', maxAgeSeconds: LIFE_MS / 1000 })
}

/** Answers the header that removes the cookie. */
export async function endConsoleSession(session: ConsoleSession | null, audited: AuditedFor): Promise<string> {
  if (session !== null) await audited(session.operator, 'signOut', {}).run(deleteConsoleSession, { id: session.id })
  return cookieHeader(COOKIE, '', { sameSite: 'Strict', maxAgeSeconds: 0 })
}

export async function findConsoleSession(
  { database, now }: Context,
  headers: IncomingHttpHeaders,
): Promise<ConsoleSession | null> {
  const cookie = cookieOf(headers, COOKIE)
  if (cookie === undefined) return null
  const row = await database.one(liveConsoleSession, {
    cookieHash: hashOf(cookie),
    now: now(),
    idleSince: now() - IDLE_MS,
  })
  if (row === undefined) return null
  if (now() - row.used_at >= NOTE_USE_EVERY_MS) await database.run(useConsoleSession, { id: row.id, now: now() })
  return { id: row.id, operator: { name: row.name, role: row.role as Role } }
}

/** Who calls from the console; null for calls with a token, which are for programs, or without anything. */
export async function signedInOperator(context: Context, headers: IncomingHttpHeaders): Promise<Operator | null> {
  if (context.config.operator.openId === null || headers.authorization !== undefined) return null
  if (cookieOf(headers, COOKIE) === undefined && headers[CONSOLE_HEADER] !== CONSOLE) return null
  refuseForeignPages(headers)
  const session = await findConsoleSession(context, headers)
  if (session === null) throw new Problem(401, 'Unauthorized', 'You are no longer signed in: sign in again.')
  return session.operator
}

export function refuseForeignPages(headers: IncomingHttpHeaders): void {
  if (headers[CONSOLE_HEADER] === CONSOLE) return
  const advice = `The console’s cookie counts only with the header ${CONSOLE_HEADER}: ${CONSOLE}; programs send a token.`
  throw new Problem(403, 'Forbidden', advice)
}

// ---- Cookies

type CookieOptions = { readonly sameSite: 'Strict' | 'Lax'; readonly maxAgeSeconds: number }

export function cookieHeader(name: string, value: string, { sameSite, maxAgeSeconds }: CookieOptions): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=${sameSite}`
}

export function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const found = cookie.split(';').find((one) => one.trim().startsWith(`${name}=`))
  return found?.trim().slice(name.length + 1)
}
