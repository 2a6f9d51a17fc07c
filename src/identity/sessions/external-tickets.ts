import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { onlyActiveCustomers, type TicketSource } from './tickets.ts'

/** Loaded only when configured: the code that checks signatures takes a tenth of the start-up time. */
export async function externalTickets(config: Config, database: Database, now: () => number): Promise<TicketSource> {
  const { source, jwt, introspection, customerClaim } = config.tickets
  const provider =
    source === 'jwt'
      ? (await import('./jwt.ts')).jwtTickets({ ...jwt, customerClaim }, now)
      : (await import('./introspection.ts')).introspectionTickets({ ...introspection, customerClaim }, now)
  return onlyActiveCustomers(provider, database, now)
}
