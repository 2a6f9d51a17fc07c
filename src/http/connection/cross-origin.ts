// Lets pages of other origins call the API from the browser (CORS), as far as CORS_ORIGINS allows. Cookies are never part of
// it: callers send key, secret and ticket as headers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../platform/config/config.ts'
import { LOCAL_HOSTS } from './this-machine.ts'

/** What clients read of an answer besides its body. */
const EXPOSED = [
  'allow',
  'etag',
  'idempotent-replayed',
  'retry-after',
  'x-hint',
  'x-read-age',
  'x-request-id',
  'x-write-position',
].join(', ')
const REQUEST_HEADERS = [
  ...['accept', 'biography', 'content-type', 'idempotency-key', 'if-none-match', 'last-event-id', 'name'],
  ...['who-apikey', 'who-secret', 'who-ticket', 'x-write-position'],
].join(', ')
/** Browsers repeat the preflight request after this time. */
const PREFLIGHT_SECONDS = 600

export type CrossOrigin = ReturnType<typeof crossOrigin>

export function crossOrigin({ corsOrigins }: Pick<Config, 'corsOrigins'>) {
  const isAllowed = (origin: string): boolean =>
    corsOrigins === 'localhost' ? isLocal(origin) : corsOrigins.includes(origin)
  return {
    isOn: corsOrigins === 'localhost' || corsOrigins.length > 0,
    /** Sets the headers of an answer to an allowed origin; returns whether it is one. */
    allow({ headers: { origin } }: IncomingMessage, response: ServerResponse): boolean {
      if (origin === undefined || !isAllowed(origin)) return false
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('access-control-expose-headers', EXPOSED)
      return true
    },
    isPreflight({ method, headers }: IncomingMessage): boolean {
      return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    },
    answerPreflight(response: ServerResponse, methods: readonly string[], id: string): void {
      response.writeHead(204, {
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
        vary: 'origin',
        'cache-control': 'no-store',
        'x-request-id': id,
      })
      response.end()
    },
  }
}

/** A page of the developer's own machine, on any port. */
function isLocal(origin: string): boolean {
  const url = URL.parse(origin)
  return url !== null && url.origin === origin && LOCAL_HOSTS.includes(url.hostname)
}
