// The cookie of a console session, and the defence against pages of other sites that make a browser send it (CSRF).

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { type ConsoleSession, findConsoleSession, LIFETIME_MS } from '../../identity/operators/console-sessions.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import type { OperatorContext } from '../context.ts'
import { Problem } from './problem.ts'

/** `__Host-`: a neighbouring host of the same domain cannot set it, and it travels over TLS only. */
const SESSION_COOKIE = '__Host-paddock-console'
/** The link of a first start sets it over plain HTTP, where Safari takes no secure cookie. */
const LOCAL_COOKIE = 'paddock-console'

/**
 * Sent by the console with each call. Pages of other origins cannot send it: the browser would send a preflight request first (CORS), and we
 * never allow it. So the cookie alone is useless to them, even in a browser that ignores SameSite.
 */
const CONSOLE_HEADER = 'x-requested-by'
const CONSOLE = 'console'

/**
 * The operator who is signed in to the console; null for calls with a token, or with neither token nor cookie. `isUse`:
 * whether the session's idle time begins again.
 */
export async function signedInOperator(
  context: OperatorContext,
  headers: IncomingHttpHeaders,
  isUse: boolean,
): Promise<Operator | null> {
  if (!hasSessions(context) || headers.authorization !== undefined) return null
  if (secretOf(context, headers) === undefined && headers[CONSOLE_HEADER] !== CONSOLE) return null
  refuseForeignPages(headers)
  const session = await sessionOfCookie(context, headers, isUse)
  if (session === null) throw new Problem(401, 'Unauthorized', 'You are no longer signed in: sign in again.')
  return session.operator
}

function hasSessions({ config, startLink }: OperatorContext): boolean {
  return config.operator.openId !== null || startLink !== null
}

function secretOf({ startLink }: OperatorContext, headers: IncomingHttpHeaders): string | undefined {
  return cookieOf(headers, SESSION_COOKIE) ?? (startLink === null ? undefined : cookieOf(headers, LOCAL_COOKIE))
}

/** null: there is none. */
export async function sessionOfCookie(
  context: OperatorContext,
  headers: IncomingHttpHeaders,
  isUse = true,
): Promise<ConsoleSession | null> {
  const secret = hasSessions(context) ? secretOf(context, headers) : undefined
  return secret === undefined ? null : findConsoleSession(context, secret, isUse)
}

export function refuseForeignPages(headers: IncomingHttpHeaders): void {
  if (headers[CONSOLE_HEADER] === CONSOLE) return
  const advice = `The console’s cookie counts only with the header ${CONSOLE_HEADER}: ${CONSOLE}; programs send a token.`
  throw new Problem(403, 'Forbidden', advice)
}

/** The values of set-cookie headers. */
export function sessionCookie(secret: string): string {
  return setCookie(SESSION_COOKIE, secret, { sameSite: 'Strict', maxAgeSeconds: LIFETIME_MS / 1000 })
}

/** For a request from this machine. */
export function localSessionCookie({ socket }: IncomingMessage, secret: string): string {
  if ((socket as TLSSocket).encrypted) return sessionCookie(secret)
  return localCookie(secret, LIFETIME_MS / 1000)
}

export function removedSessionCookies(): string[] {
  return [setCookie(SESSION_COOKIE, '', { sameSite: 'Strict', maxAgeSeconds: 0 }), localCookie('', 0)]
}

function localCookie(value: string, maxAgeSeconds: number): string {
  return `${LOCAL_COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
}

type CookieOptions = { readonly sameSite: 'Strict' | 'Lax'; readonly maxAgeSeconds: number }

export function setCookie(name: string, value: string, { sameSite, maxAgeSeconds }: CookieOptions): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=${sameSite}`
}

export function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const found = cookie.split(';').find((one) => one.trim().startsWith(`${name}=`))
  return found?.trim().slice(name.length + 1)
}
