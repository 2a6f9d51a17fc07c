// Where an issuer may send an application's customers back to: addresses that an operator registered for the application.

import { isAmbiguous, isLoopback, returnAddressProblem } from '../../identity/applications/return-addresses.ts'
import { applicationByKey } from '../../identity/applications/store.ts'
import type { Database } from '../../platform/database/database.ts'

/** Whether the application has registered an address that this one begins with. */
export async function mayReturnTo(database: Database, apiKey: string, returnUrl: URL): Promise<boolean> {
  const application = await database.one(applicationByKey, { apiKey })
  const registered = JSON.parse(application?.return_addresses ?? '[]') as string[]
  return registered.some((address) => beginsWith(returnUrl, new URL(address)))
}

/** undefined: not an address that could be registered. It may have a query. */
export function parseReturnUrl(raw: string): URL | undefined {
  const url = URL.canParse(raw) ? new URL(raw) : undefined
  if (url === undefined || returnAddressProblem(url) !== null || isAmbiguous(raw, url)) return undefined
  return url
}

/**
 * The parts are compared, not the texts: https://shop.example.evil.com begins with the text https://shop.example, and
 * /cashier-copy with /cashier. The port of a loopback address is the machine's own affair (RFC 8252, 7.3).
 */
function beginsWith(url: URL, registered: URL): boolean {
  const samePort = url.port === registered.port || isLoopback(registered)
  if (url.protocol !== registered.protocol || url.hostname !== registered.hostname || !samePort) return false
  const folder = registered.pathname.endsWith('/') ? registered.pathname : `${registered.pathname}/`
  return url.pathname === registered.pathname || url.pathname.startsWith(folder)
}
