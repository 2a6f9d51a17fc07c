// Who calls: the application by key and secret, the customer by ticket, in the order of ruling R1.

import type { IncomingHttpHeaders } from 'node:http'
import type { Application, Applications } from '../applications/application.ts'
import { Fault } from '../faults.ts'
import type { Tickets } from '../sessions/tickets.ts'
import { MALFORMED } from './parameters.ts'

export type TicketRule = 'required' | 'optional' | 'none'

export type Pairs = Map<string, string | typeof MALFORMED>

/** The query parameters that may carry the key where an operation allows it; compared in lower case. */
const KEY_PARAMETERS = ['who-apikey', 'apikey']

export async function identifyApplication(
  applications: Applications,
  headers: IncomingHttpHeaders,
  query: Pairs | null,
): Promise<Application> {
  const apiKey = headerValue(headers, 'who-apikey') || (query === null ? '' : keyInQuery(query))
  if (apiKey === '') throw new Fault('apiKeyMissing', '')
  const found = applications.find(apiKey)
  const application = found instanceof Promise ? await found : found
  if (application === undefined) throw new Fault('apiKeyInvalid', '')
  const secret = headerValue(headers, 'who-secret')
  if (secret === '') throw new Fault('secretMissing', '')
  if (!application.accepts(secret)) throw new Fault('secretInvalid', '')
  return application
}

/** The customer id, or null where no ticket was sent and none is needed. */
export async function identifyCustomer(
  tickets: Tickets,
  headers: IncomingHttpHeaders,
  rule: TicketRule,
): Promise<number | null> {
  if (rule === 'none') return null
  const ticket = headerValue(headers, 'who-ticket')
  if (ticket === '') {
    if (rule === 'required') throw new Fault('missing', 'who-ticket')
    return null
  }
  const found = tickets.identify(ticket)
  const session = found instanceof Promise ? await found : found
  if (session === null) throw new Fault('ticketInvalid', 'who-ticket')
  return session.customerId
}

function headerValue(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : ''
}

function keyInQuery(query: Pairs): string {
  for (const [name, value] of query) {
    if (KEY_PARAMETERS.includes(name.toLowerCase()) && value !== MALFORMED) return value
  }
  return ''
}
