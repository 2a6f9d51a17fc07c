import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import type { Session } from '../../http/requests/credentials.ts'
import { type Database, DatabaseUnavailable } from '../../platform/database/database.ts'
import type { CredentialReads, StaleRow } from '../../platform/database/replicas/credential-reads.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { hashOf, randomAlphanumeric } from '../../platform/runtime/secrets.ts'
import { customerKey, sessionKey } from '../ended-keys.ts'
import type { ExclusionRegister } from '../exclusions/register.ts'
import { type IssuedTicket, type LogIn, type LogInResult, passwordLogIn } from './password-log-in.ts'
import { type SessionUses, sessionUses } from './session-uses.ts'
import * as sql from './store.ts'
import type { HeldTicket, TicketSource } from './tickets.ts'

const IDLE_MS = 7_200_000
const LIFE_MS = 28_800_000
const EXTENDED_LIFE_MS = 60 * DAY_MS

/** A session in use is stored as used once in this time, not with each request; its idle time is exact to this. */
const TOUCH_EVERY_MS = 30_000

export type LiveSession = { id: string; createdAt: number; lastUsedAt: number; endsAt: number }

export type BuiltinSessions = TicketSource & {
  /** Throws 429 after too many failures, 503 while too many log-ins wait. */
  logIn(given: LogIn): Promise<LogInResult>
  /**
   * `lifeMs` creates a session that ends then, however much it is used. Returns null when the customer is not active.
   * `through`: the audited database of an operator.
   */
  issue(
    customerId: number,
    lifeMs: number | null,
    given?: { ticket?: string; through?: Database },
  ): Promise<IssuedTicket | null>
  isAlive(ticket: string): Promise<boolean>
  end(ticket: string): Promise<void>
  /** Live sessions, newest first. */
  ofCustomer(customerId: number): Promise<LiveSession[]>
  /** false: the customer has no such session. */
  endOf(customerId: number, id: string, through: Database): Promise<boolean>
  endAllOf(customerId: number, through?: Database): Promise<number>
  deleteExpired(): Promise<void>
  close(): Promise<void>
}

type NewSession = { ticket?: string; passwordHash?: string; through?: Database }

type Parts = {
  readonly database: Database
  readonly credentials: CredentialReads
  readonly log: Logger
  readonly now: () => number
}

export function builtinSessions(
  { database, credentials, log, now }: Parts,
  register: ExclusionRegister,
): BuiltinSessions {
  const uses = sessionUses(database, log)
  async function open(customerId: number, { lifeMs, idleMs }: Life, more: NewSession): Promise<IssuedTicket | null> {
    const { ticket = newTicket(), passwordHash = null, through = database } = more
    const expiresAt = now() + lifeMs
    const session = { ticketHash: hashOf(ticket), customerId, now: now(), expiresAt, idleMs, passwordHash }
    return (await through.run(sql.insertSession, session)) === 0 ? null : { ticket, expiresAt }
  }

  return {
    identify: (ticket) => identify(ticket, { credentials, now, uses }),
    stillAllowed: (held) => stillAllowed(held, { database, now, uses }),
    logIn: passwordLogIn(database, now, async (customerId, extended, passwordHash) => {
      // While the register does not answer, customers log in, and deposit nothing (deposit-rules.ts).
      if ((await register.query(customerId)) === 'excluded') return null
      return open(customerId, extended ? EXTENDED : ORDINARY, { passwordHash })
    }),
    issue: (customerId, lifeMs, given = {}) =>
      open(customerId, lifeMs === null ? ORDINARY : { lifeMs, idleMs: null }, given),
    async isAlive(ticket) {
      const row = await database.one(sql.sessionByHash, { ticketHash: hashOf(ticket) })
      return row !== undefined && endOf(row) > now()
    },
    async end(ticket) {
      await database.run(sql.deleteSession, { ticketHash: hashOf(ticket) })
    },
    async ofCustomer(customerId) {
      const rows = await database.query(sql.sessionsOfCustomer, { customerId })
      return rows
        .filter((row) => endOf(row) > now())
        .map((row) => ({
          id: row.ticket_hash.slice(0, sql.SESSION_ID_LENGTH),
          createdAt: row.created_at,
          lastUsedAt: row.used_at,
          endsAt: endOf(row),
        }))
    },
    async endOf(customerId, id, through) {
      return (await through.run(sql.deleteSessionOf, { customerId, id })) > 0
    },
    endAllOf: (customerId, through = database) => through.run(sql.deleteSessionsOf, { customerId }),
    async deleteExpired() {
      await database.run(sql.deleteExpiredSessions, { now: now() })
      await database.run(sql.deleteExpiredFailedLogIns, { now: now() })
    },
    close: uses.close,
  }
}

type Sources = { readonly database: Database; readonly now: () => number; readonly uses: SessionUses }
type CredentialSources = Omit<Sources, 'database'> & { readonly credentials: CredentialReads }

async function identify(ticket: string, { credentials, now, uses }: CredentialSources): Promise<Session | null> {
  const ticketHash = hashOf(ticket)
  const unstoredUse = uses.unstoredUse(ticketHash)
  const { row, stale } = await credentials.one(sql.sessionByHash, { ticketHash })
  if (stale !== null && isEndedMeanwhile(stale, ticketHash, row)) return null
  if (row === undefined) return null
  const time = now()
  row.used_at = Math.max(row.used_at, unstoredUse)
  if (endOf(row) <= time) {
    if (stale !== null) throw unconfirmed()
    return null
  }
  if (time - row.used_at >= TOUCH_EVERY_MS) {
    uses.record(ticketHash, time)
    row.used_at = time
  }
  return { customerId: row.customer_id, until: endOf(row) }
}

/** Throws where a replica cannot show it: the customer may have logged in after their sessions were ended. */
function isEndedMeanwhile(stale: StaleRow, ticketHash: string, row: sql.SessionRow | undefined): boolean {
  if (stale.isEnded(sessionKey(ticketHash))) return true
  if (row === undefined || stale.isEnded(customerKey(row.customer_id))) {
    throw unconfirmed()
  }
  return false
}

/** A replica may lack the log-in, or the last use. */
const unconfirmed = () => new DatabaseUnavailable('the primary is away, and no replica shows that this ticket is alive')

async function stillAllowed(held: readonly HeldTicket[], { database, now, uses }: Sources): Promise<Set<string>> {
  const byHash = new Map(held.map(({ ticket }) => [hashOf(ticket), ticket]))
  const unstoredUses = new Map([...byHash.keys()].map((hash) => [hash, uses.unstoredUse(hash)]))
  const rows = await database.query(sql.sessionsByHashes, { ticketHashes: textListOf(byHash.keys()) })
  const alive = rows.filter((row) => {
    const usedAt = Math.max(row.used_at, unstoredUses.get(row.ticket_hash) as number)
    return endOf({ ...row, used_at: usedAt }) > now()
  })
  return new Set(alive.map((row) => byHash.get(row.ticket_hash) as string))
}

type Life = { lifeMs: number; idleMs: number | null }

const ORDINARY: Life = { lifeMs: LIFE_MS, idleMs: IDLE_MS }
const EXTENDED: Life = { lifeMs: EXTENDED_LIFE_MS, idleMs: null }

function endOf(row: sql.SessionRow): number {
  return row.idle_ms === null ? row.expires_at : Math.min(row.expires_at, row.used_at + row.idle_ms)
}

function newTicket(): string {
  return `TGT-${randomInt(1_000_000)}-${randomAlphanumeric(50)}-paddock`
}
