// Identifies the application by key and secret, and the customer by ticket, in the order of ruling R1.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Fault } from '../../faults.ts'
import { andThen, type MaybePromise } from '../../platform/runtime/maybe-promise.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { WrongSecrets } from '../limits/wrong-secrets.ts'
import { LINE_END, MALFORMED } from './parameters.ts'

/** A program that calls the public API. */
export type Application = {
  readonly apiKey: string
  readonly rateLimit: RateLimit
  /** Takes the same time whatever the secret is. */
  accepts(secret: string): boolean
}

export type ApplicationSource = {
  /** Returns without a promise for a key seen in the last seconds. */
  find(apiKey: string): MaybePromise<Application | undefined>
}

/** A live session: its customer and its latest end (milliseconds since 1970). */
export type Session = { readonly customerId: number; readonly until: number }

export type SessionSource = {
  /** Returns without a promise for a ticket seen in the last seconds; null: unknown, expired or ended. */
  identify(ticket: string): MaybePromise<Session | null>
}

export type TicketRule = 'required' | 'optional' | 'none'

export type Pairs = Map<string, string | typeof MALFORMED>

/** The query parameters that may hold the key where an operation allows it; names are compared in lower case. */
const KEY_PARAMETERS = new Map([
  ['who-apikey', 'who-apiKey'],
  ['apikey', 'apiKey'],
])

/** Returns without a promise for an application seen in the last seconds. */
export function identifyApplication(
  applications: ApplicationSource,
  request: IncomingMessage,
  query: Pairs | null,
  wrongSecrets: WrongSecrets,
): MaybePromise<Application> {
  const { headers } = request
  const apiKey = trimmed(headers['who-apikey']) || (query === null ? '' : keyInQuery(query))
  if (apiKey === '') throw new Fault('apiKeyMissing', '')
  const secret = trimmed(headers['who-secret'])
  return andThen(applications.find(apiKey), (application) => {
    if (application === undefined) throw new Fault('apiKeyInvalid', '')
    if (secret === '') throw new Fault('secretMissing', '')
    wrongSecrets.refuseWhileThrottled(apiKey, request)
    if (application.accepts(secret)) return application
    wrongSecrets.count(apiKey, request)
    throw new Fault('secretInvalid', '')
  })
}

/** The customer id, or null where no ticket was sent and none is needed; without a promise for a ticket of the last seconds. */
export function identifyCustomer(
  tickets: SessionSource,
  headers: IncomingHttpHeaders,
  rule: TicketRule,
): MaybePromise<number | null> {
  if (rule === 'none') return null
  const ticket = trimmed(headers['who-ticket'])
  if (ticket === '') {
    if (rule === 'required') throw new Fault('missing', 'who-ticket')
    return null
  }
  return andThen(tickets.identify(ticket), customerOf)
}

function customerOf(session: Session | null): number {
  if (session === null) throw new Fault('ticketInvalid', 'who-ticket')
  return session.customerId
}

function trimmed(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** Both spellings are one parameter, which must not be given twice. */
function keyInQuery(query: Pairs): string {
  let found: string | undefined
  for (const [written, value] of query) {
    const name = KEY_PARAMETERS.get(written.toLowerCase())
    if (name === undefined) continue
    if (found !== undefined || value === MALFORMED || LINE_END.test(value)) throw new Fault('invalid', name)
    found = value.trim()
  }
  return found ?? ''
}
