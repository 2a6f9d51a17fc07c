import { randomInt } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { hashOf, randomAlphanumeric } from '../secrets.ts'
import { isPassword } from './password.ts'
import {
  credentialsByUsername,
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  type SessionRow,
  sessionByHash,
  touchSession,
} from './store.ts'
import type { TicketSource } from './tickets.ts'

const IDLE_MS = 7_200_000
const LIFE_MS = 28_800_000
const EXTENDED_LIFE_MS = 60 * 24 * 3_600_000

/** How exactly idleness is measured: a session in use costs one small write in this time, not one per request. */
const TOUCH_EVERY_MS = 30_000

/** Password checks under way or waiting, each some 200 ms of a core: beyond this, better refuse than queue. */
const MOST_LOGINS = 64

export type IssuedTicket = { ticket: string; expiresAt: number }

export type BuiltinSessions = TicketSource & {
  logIn(username: string, password: string, extended: boolean): Promise<IssuedTicket>
  /** `lifeMs` makes a session that ends then, however much it is used. */
  issue(customerId: number, lifeMs: number | null, ticket?: string): Promise<IssuedTicket>
  isAlive(ticket: string): Promise<boolean>
  end(ticket: string): Promise<void>
  forgetExpired(): Promise<void>
}

export function builtinSessions(database: Database, now: () => number): BuiltinSessions {
  let loginsUnderWay = 0

  async function open(customerId: number, life: { lifeMs: number; idleMs: number | null }, ticket = newTicket()) {
    const expiresAt = now() + life.lifeMs
    await database.run(insertSession, [hashOf(ticket), customerId, now(), expiresAt, life.idleMs])
    return { ticket, expiresAt }
  }

  return {
    async identify(ticket) {
      const hash = hashOf(ticket)
      const row = await database.one(sessionByHash, [hash])
      const time = now()
      if (row === undefined || endOf(row) <= time) return null
      if (time - row.used_at >= TOUCH_EVERY_MS) {
        await database.run(touchSession, [hash, time])
        row.used_at = time
      }
      return { customerId: row.customer_id, until: endOf(row) }
    },
    async logIn(username, password, extended) {
      if (loginsUnderWay >= MOST_LOGINS) throw new Fault('unavailable', undefined, { retryAfter: 2 })
      loginsUnderWay++
      try {
        const customer = await database.one(credentialsByUsername, [username])
        const right = await isPassword(password, customer?.password_hash ?? null)
        if (!right || customer === undefined) throw new Fault('credentialsWrong', '')
        return await open(customer.id, extended ? EXTENDED : ORDINARY)
      } finally {
        loginsUnderWay--
      }
    },
    issue: (customerId, lifeMs, ticket) =>
      open(customerId, lifeMs === null ? ORDINARY : { lifeMs, idleMs: null }, ticket),
    async isAlive(ticket) {
      const row = await database.one(sessionByHash, [hashOf(ticket)])
      return row !== undefined && endOf(row) > now()
    },
    async end(ticket) {
      await database.run(deleteSession, [hashOf(ticket)])
    },
    async forgetExpired() {
      await database.run(deleteExpiredSessions, [now()])
    },
  }
}

const ORDINARY = { lifeMs: LIFE_MS, idleMs: IDLE_MS }
const EXTENDED = { lifeMs: EXTENDED_LIFE_MS, idleMs: null }

function endOf(row: SessionRow): number {
  return row.idle_ms === null ? row.expires_at : Math.min(row.expires_at, row.used_at + row.idle_ms)
}

function newTicket(): string {
  return `TGT-${randomInt(1_000_000)}-${randomAlphanumeric(50)}-paddock`
}
