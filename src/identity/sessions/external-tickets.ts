import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CredentialReads } from '../../platform/database/replicas/credential-reads.ts'
import { onlyActiveCustomers, type TicketSource } from './tickets.ts'

type Sources = { readonly database: Database; readonly credentials: CredentialReads; readonly now: () => number }

/** null: our own sessions are the source. Loaded only when configured: the code that checks signatures takes a tenth of the start-up time. */
export async function externalTickets(config: Config, sources: Sources): Promise<TicketSource | null> {
  const { now } = sources
  if (config.tickets.source === 'builtin') return null
  const { source, jwt, introspection, customerClaim } = config.tickets
  const provider =
    source === 'jwt'
      ? (await import('./jwt.ts')).jwtTickets({ ...jwt, customerClaim }, now)
      : (await import('./introspection.ts')).introspectionTickets({ ...introspection, customerClaim }, now)
  return onlyActiveCustomers(provider, sources)
}
