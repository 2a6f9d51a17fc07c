// Sessions of people who signed in to the console through an OpenID provider, or with the link of a first start. The browser holds a secret in a cookie, the
// database its hash, so that signing out, and an admin ending a session, take effect at once on every machine.

import type { Role } from '../../platform/config/roles.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { DAY_MS, HOUR_MS } from '../../platform/runtime/durations.ts'
import { hashOf, randomSecret } from '../../platform/runtime/secrets.ts'
import * as sql from './console-session-store.ts'
import { BOOTSTRAP, type Operator, personName } from './operator.ts'
import { personNamed } from './person.ts'

/** A working day; an hour without a call ends the session earlier. */
export const LIFETIME_MS = 8 * HOUR_MS
export const IDLE_MS = HOUR_MS
/** Much longer than any provider accepts a code: at most 10 minutes. */
const ATTEMPTS_KEPT_MS = DAY_MS
/** Recording each use would write to the database with each request. */
const RECORD_USE_EVERY_MS = 60_000

/** Somebody whom the provider vouches for. `name` is the one that the provider claims, `subject` the provider's own id. */
export type Person = { readonly name: string; readonly role: Role; readonly subject: string }
export type ConsoleSession = { readonly id: number; readonly operator: Operator }

export function operatorOfPerson({ name, role }: Person): Operator & { role: Role } {
  return { name: personName(name), role }
}

/** Returns the secret for the cookie. */
export function beginConsoleSession(database: Database, person: Person, now: number): Promise<string> {
  return database.transaction(async (transaction) => {
    await transaction.run(sql.insertPerson, { subject: person.subject, person: personNamed(person.name) })
    return insertSession(transaction, { ...operatorOfPerson(person), subject: person.subject }, now)
  })
}

/** As the token of the settings. Returns the secret for the cookie. */
export function beginBootstrapSession(database: Database, now: number): Promise<string> {
  return database.transaction((transaction) =>
    insertSession(transaction, { name: BOOTSTRAP, role: 'admin', subject: BOOTSTRAP }, now),
  )
}

async function insertSession(transaction: Database, who: Person, now: number): Promise<string> {
  const secret = randomSecret()
  await transaction.run(sql.deleteExpiredConsoleSessions, { now })
  await transaction.one(sql.insertConsoleSession, {
    cookieHash: hashOf(secret),
    ...{ name: who.name, role: who.role, subject: who.subject },
    ...{ now, expiresAt: now + LIFETIME_MS },
  })
  return secret
}

/**
 * Whether nobody has completed the attempt before. In the database, because the browser may come back to another process.
 * `state` is a secret, so its hash is stored.
 */
export async function useAttempt(database: Database, state: string, now: number): Promise<boolean> {
  await database.run(sql.deleteUsedAttemptsBefore, { before: now - ATTEMPTS_KEPT_MS })
  return (await database.run(sql.insertUsedAttempt, { attemptHash: hashOf(state), now })) === 1
}

/** false: there is no such session. */
export async function endConsoleSession(database: Database, id: number): Promise<boolean> {
  return (await database.run(sql.deleteConsoleSession, { id })) === 1
}

export async function findConsoleSession(
  { database, now }: Pick<Context, 'database' | 'now'>,
  secret: string,
  isUse = true,
): Promise<ConsoleSession | null> {
  const time = now()
  const row = await database.one(sql.liveConsoleSession, {
    cookieHash: hashOf(secret),
    now: time,
    idleSince: time - IDLE_MS,
  })
  if (row === undefined) return null
  const isRecorded = !isUse || time - row.used_at < RECORD_USE_EVERY_MS
  if (!isRecorded) await database.run(sql.setConsoleSessionUsed, { id: row.id, now: time })
  return {
    id: row.id,
    operator: { name: row.name, role: row.role, ...(row.person === null ? {} : { person: row.person }) },
  }
}

export function listConsoleSessions(database: Database, now: number): Promise<sql.ConsoleSessionRow[]> {
  return database.query(sql.liveConsoleSessions, { now, idleSince: now - IDLE_MS })
}
