import { randomInt } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { hashOf, randomAlphanumeric } from '../runtime/secrets.ts'
import { logInThrottle } from './log-in-throttle.ts'
import { isPassword } from './password.ts'
import {
  credentialsByUsername,
  deleteExpiredSessions,
  deleteForgottenLogIns,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  type SessionRow,
  sessionByHash,
  sessionsOfCustomer,
  touchSession,
} from './store.ts'
import type { TicketSource } from './tickets.ts'

const IDLE_MS = 7_200_000
const LIFE_MS = 28_800_000
const EXTENDED_LIFE_MS = 60 * 24 * 3_600_000

/** How exactly idleness is measured: a session in use costs one small write in this time, not one per request. */
const TOUCH_EVERY_MS = 30_000

/**
 * Log-ins under way or waiting, each some 200 ms of a core, two at once: beyond this, better refuse than queue. One
 * application can take half, so that there is room for the others.
 */
const MOST_LOG_INS = 20
const MOST_LOG_INS_OF_APPLICATION = 10

export type LogIn = { username: string; password: string; extended: boolean; apiKey: string }

/** `issued` is null when the log-in is refused; `customerId` when no customer has the name. */
export type LogInResult = { customerId: number | null; issued: IssuedTicket | null }

export type LiveSession = { createdAt: number; lastUsedAt: number; endsAt: number }

export type IssuedTicket = { ticket: string; expiresAt: number }

export type BuiltinSessions = TicketSource & {
  /** Throws 429 where too many failed, 503 where too many wait. */
  logIn(given: LogIn): Promise<LogInResult>
  /**
   * `lifeMs` makes a session that ends then, however much it is used. null: the customer is not active. Changes are made
   * through the database given, if any: an operator's is audited.
   */
  issue(
    customerId: number,
    lifeMs: number | null,
    given?: { ticket?: string; through?: Database },
  ): Promise<IssuedTicket | null>
  isAlive(ticket: string): Promise<boolean>
  end(ticket: string): Promise<void>
  /** Those that are alive, newest first. */
  ofCustomer(customerId: number): Promise<LiveSession[]>
  endAllOf(customerId: number, through?: Database): Promise<number>
  forgetExpired(): Promise<void>
}

type NewSession = { ticket?: string; passwordHash?: string; through?: Database }

export function builtinSessions(database: Database, now: () => number): BuiltinSessions {
  const throttle = logInThrottle(database, now)
  const underWay = new Map<string, number>()

  async function open(customerId: number, { lifeMs, idleMs }: Life, more: NewSession) {
    const { ticket = newTicket(), passwordHash = null, through = database } = more
    const expiresAt = now() + lifeMs
    const session = { ticketHash: hashOf(ticket), customerId, now: now(), expiresAt, idleMs, passwordHash }
    return (await through.run(insertSession, session)) === 0 ? null : { ticket, expiresAt }
  }

  async function compare({ username, password, extended }: LogIn): Promise<LogInResult> {
    const customer = await database.one(credentialsByUsername, { username })
    const passwordHash = customer?.password_hash ?? null
    const right = await isPassword(password, passwordHash)
    if (customer === undefined) return { customerId: null, issued: null }
    if (!right || passwordHash === null) return { customerId: customer.id, issued: null }
    const issued = await open(customer.id, extended ? EXTENDED : ORDINARY, { passwordHash })
    return { customerId: customer.id, issued }
  }

  return {
    async identify(ticket) {
      const hash = hashOf(ticket)
      const row = await database.one(sessionByHash, { ticketHash: hash })
      const time = now()
      if (row === undefined || endOf(row) <= time) return null
      if (time - row.used_at >= TOUCH_EVERY_MS) {
        await database.run(touchSession, { ticketHash: hash, now: time })
        row.used_at = time
      }
      return { customerId: row.customer_id, until: endOf(row) }
    },
    async logIn(given) {
      const attempt = await throttle.attempt(given.username, given.apiKey)
      let compared = false
      const leave = enterLogIns(underWay, given.apiKey)
      try {
        if (leave === null) throw new Fault('unavailable', undefined, { retryAfter: 2 })
        const result = await compare(given)
        compared = true
        if (result.issued !== null) await attempt.succeeded()
        return result
      } finally {
        leave?.()
        if (!compared) await attempt.takeBack()
      }
    },
    issue: (customerId, lifeMs, given = {}) =>
      open(customerId, lifeMs === null ? ORDINARY : { lifeMs, idleMs: null }, given),
    async isAlive(ticket) {
      const row = await database.one(sessionByHash, { ticketHash: hashOf(ticket) })
      return row !== undefined && endOf(row) > now()
    },
    async end(ticket) {
      await database.run(deleteSession, { ticketHash: hashOf(ticket) })
    },
    async ofCustomer(customerId) {
      const rows = await database.query(sessionsOfCustomer, { customerId })
      return rows
        .filter((row) => endOf(row) > now())
        .map((row) => ({ createdAt: row.created_at, lastUsedAt: row.used_at, endsAt: endOf(row) }))
    },
    endAllOf: (customerId, through = database) => through.run(deleteSessionsOf, { customerId }),
    async forgetExpired() {
      await database.run(deleteExpiredSessions, { now: now() })
      await database.run(deleteForgottenLogIns, { now: now() })
    },
  }
}

type Life = { lifeMs: number; idleMs: number | null }

const ORDINARY: Life = { lifeMs: LIFE_MS, idleMs: IDLE_MS }
const EXTENDED: Life = { lifeMs: EXTENDED_LIFE_MS, idleMs: null }

function endOf(row: SessionRow): number {
  return row.idle_ms === null ? row.expires_at : Math.min(row.expires_at, row.used_at + row.idle_ms)
}

/** The function that makes room again; null: too many are under way. */
function enterLogIns(underWay: Map<string, number>, apiKey: string): (() => void) | null {
  const own = underWay.get(apiKey) ?? 0
  const all = [...underWay.values()].reduce((sum, count) => sum + count, 0)
  if (all >= MOST_LOG_INS || own >= MOST_LOG_INS_OF_APPLICATION) return null
  underWay.set(apiKey, own + 1)
  return () => {
    const left = (underWay.get(apiKey) ?? 1) - 1
    if (left === 0) underWay.delete(apiKey)
    else underWay.set(apiKey, left)
  }
}

function newTicket(): string {
  return `TGT-${randomInt(1_000_000)}-${randomAlphanumeric(50)}-paddock`
}
