// Terminology. A *ticket* is the text a client sends as who-ticket. A *ticket source* vouches for tickets: the built-in
// session service (builtin.ts), an identity provider's signature (jwt.ts) or its introspection endpoint
// (introspection.ts). What a source says is remembered for some seconds.

import type { Database } from '../database/database.ts'
import { boundedCache } from '../runtime/cache.ts'
import type { MaybePromise } from '../runtime/maybe-promise.ts'
import { activeCustomer } from './store.ts'

/** A live session: whose it is, and until when at the latest (milliseconds since 1970). */
export type Session = { readonly customerId: number; readonly until: number }

export type TicketSource = {
  /** null: unknown, expired or ended. Throws TicketSourceUnavailable when it cannot tell now. */
  identify(ticket: string): Promise<Session | null>
}

export class TicketSourceUnavailable extends Error {}

export type Tickets = {
  /** Answers at once, without a promise, for a ticket seen in the last seconds. */
  identify(ticket: string): MaybePromise<Session | null>
  forget(ticket: string): void
}

/** Ending a session must take effect on every process within 5 seconds. */
const REMEMBERED_MS = 3_000
const REMEMBERED_TICKETS = 50_000

/**
 * The ticket itself is the key, for the seconds that it is remembered: hashing it took as long as the rest of knowing a
 * caller. How long a look-up takes tells nothing of other tickets: a Map compares hashes of 30 bits with a seed of this
 * process, and texts only where those are equal.
 */
export function cachedTickets(source: TicketSource, now: () => number): Tickets {
  const remembered = boundedCache<string, Session>(REMEMBERED_TICKETS, REMEMBERED_MS, now)

  async function ask(ticket: string): Promise<Session | null> {
    const session = await source.identify(ticket)
    if (session) remembered.set(ticket, session, session.until)
    return session
  }

  return {
    identify: (ticket) => remembered.get(ticket) ?? ask(ticket),
    forget(ticket) {
      remembered.forget(ticket)
    },
  }
}

/** An identity provider may know people who are no customers here, or whom the operator suspended. */
export function onlyActiveCustomers(source: TicketSource, database: Database): TicketSource {
  return {
    async identify(ticket) {
      const session = await source.identify(ticket)
      if (session === null) return null
      return (await database.one(activeCustomer, { id: session.customerId })) === undefined ? null : session
    },
  }
}
