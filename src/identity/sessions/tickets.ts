// A *ticket* is the text that a client sends as who-ticket. A *ticket source* verifies tickets: the built-in sessions
// (builtin.ts), an identity provider's signature (jwt.ts) or its introspection endpoint (introspection.ts). Its results are cached
// for 3 seconds.

import type { Session, SessionSource } from '../../http/requests/credentials.ts'
import { type Database, DatabaseUnavailable } from '../../platform/database/database.ts'
import type { CredentialReads } from '../../platform/database/replicas/credential-reads.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { boundedCache } from '../../platform/runtime/cache.ts'
import { Unavailable } from '../../platform/runtime/unavailable.ts'
import { customerKey } from '../ended-keys.ts'
import { activeCustomer, activeCustomers } from './store.ts'

/** A ticket that is in use for longer than one request. */
export type HeldTicket = { readonly ticket: string; readonly customerId: number }

export type TicketProvider = {
  /** null: unknown, expired or ended. Throws TicketSourceUnavailable when the source cannot be reached. */
  identify(ticket: string): Promise<Session | null>
}

export type TicketSource = TicketProvider & {
  /** Which of these our own database still allows, in one statement. Does not count as a use. */
  stillAllowed(held: readonly HeldTicket[]): Promise<ReadonlySet<string>>
  /**
   * Which of these the identity provider still confirms; it may be called for each. Absent where our database knows
   * all.
   */
  stillConfirmed?(tickets: readonly string[]): Promise<ReadonlySet<string>>
}

export class TicketSourceUnavailable extends Unavailable {}

export type Tickets = SessionSource & {
  /** As in TicketSource, but never from the cache. */
  stillAllowed(held: readonly HeldTicket[]): Promise<ReadonlySet<string>>
  stillConfirmed(tickets: readonly string[]): Promise<ReadonlySet<string>>
  forget(ticket: string): void
}

/** An ended session must stop working in every process within 5 seconds while the primary is there. */
const CACHED_MS = 3_000
const CACHED_TICKETS = 50_000

/**
 * The ticket itself is the key of the cache: hashing it took as long as the rest of identifying a caller. The time of a look-up
 * reveals nothing about other tickets: a Map compares hashes of 30 bits with a seed of this process, and texts only where those
 * are equal.
 */
export function cachedTickets(source: TicketSource, now: () => number): Tickets {
  const cache = boundedCache<string, Session>(CACHED_TICKETS, CACHED_MS, now)

  async function load(ticket: string): Promise<Session | null> {
    const session = await source.identify(ticket)
    if (session) cache.set(ticket, session, session.until)
    return session
  }

  function forgetOthers(tickets: readonly string[], valid: ReadonlySet<string>): ReadonlySet<string> {
    for (const ticket of tickets) if (!valid.has(ticket)) cache.forget(ticket)
    return valid
  }

  return {
    identify: (ticket) => cache.get(ticket) ?? load(ticket),
    async stillAllowed(held) {
      const tickets = held.map(({ ticket }) => ticket)
      return forgetOthers(tickets, await source.stillAllowed(held))
    },
    async stillConfirmed(tickets) {
      return forgetOthers(tickets, (await source.stillConfirmed?.(tickets)) ?? new Set(tickets))
    },
    forget(ticket) {
      cache.forget(ticket)
    },
  }
}

/** An identity provider may have to be called for each. */
const IDENTIFIED_AT_ONCE = 10

async function confirmedBy(provider: TicketProvider, given: readonly string[]): Promise<Set<string>> {
  const valid = new Set<string>()
  // Several streams may have the same ticket.
  const tickets = [...new Set(given)]
  for (let from = 0; from < tickets.length; from += IDENTIFIED_AT_ONCE) {
    const some = tickets.slice(from, from + IDENTIFIED_AT_ONCE)
    const kept = await Promise.all(some.map((ticket) => mayBeValid(provider, ticket)))
    some.forEach((ticket, index) => {
      if (kept[index]) valid.add(ticket)
    })
  }
  return valid
}

/** A source that cannot be reached does not end what goes on. */
async function mayBeValid(provider: TicketProvider, ticket: string): Promise<boolean> {
  try {
    return (await provider.identify(ticket)) !== null
  } catch (error) {
    if (error instanceof TicketSourceUnavailable) return true
    throw error
  }
}

type Sources = { readonly database: Database; readonly credentials: CredentialReads; readonly now: () => number }

/** An identity provider may know people who are not customers here, or whom the operator suspended. */
export function onlyActiveCustomers(provider: TicketProvider, { database, credentials, now }: Sources): TicketSource {
  return {
    async identify(ticket) {
      const session = await provider.identify(ticket)
      if (session === null) return null
      const { row, stale } = await credentials.one(activeCustomer, { id: session.customerId, now: now() })
      if (stale !== null && (row === undefined || stale.isEnded(customerKey(session.customerId)))) {
        throw new DatabaseUnavailable('the primary is away, and no replica shows this customer as active')
      }
      return row === undefined ? null : session
    },
    async stillAllowed(held) {
      const ids = idListOf(new Set(held.map(({ customerId }) => customerId)))
      const active = new Set((await database.query(activeCustomers, { ids, now: now() })).map(({ id }) => id))
      return new Set(held.filter(({ customerId }) => active.has(customerId)).map(({ ticket }) => ticket))
    },
    stillConfirmed: (tickets) => confirmedBy(provider, tickets),
  }
}
