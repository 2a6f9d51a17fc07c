// Tickets that only the identity provider can read: each is sent to its introspection endpoint (OAuth 2.0, RFC 7662).

import type { Session } from '../../http/requests/credentials.ts'
import type { Config } from '../../platform/config/config.ts'
import { basicAuthorization } from '../../platform/runtime/basic-authorization.ts'
import { AnswerTooLong, boundedText } from '../../platform/runtime/bounded-answer.ts'
import { boundedCache } from '../../platform/runtime/cache.ts'
import { hashOf } from '../../platform/runtime/secrets.ts'
import { tracedFetch } from '../../platform/tracing/calls.ts'
import { type Claims, sessionOf } from './claims.ts'
import { type TicketProvider, TicketSourceUnavailable } from './tickets.ts'

export type IntrospectionSettings = Config['tickets']['introspection'] & { readonly customerClaim: string }

const introspectionFetch = tracedFetch('introspection')

const TIMEOUT_MS = 3_000
const ANSWER_BYTES = 65_536

/**
 * How long refusals are cached, so that a client that keeps using an ended ticket does not cause a call with each request, and how
 * many, as anybody can invent tickets.
 */
const REFUSED_MS = 3_000
const REFUSALS = 10_000

/** How long an answer without "exp", which is optional, is valid. */
const UNTIL_WITHOUT_EXP_MS = 60_000

export function introspectionTickets(settings: IntrospectionSettings, now: () => number): TicketProvider {
  const authorization = basicAuthorization(settings.clientId, settings.clientSecret)
  const refused = boundedCache<string, true>(REFUSALS, REFUSED_MS, now)
  const underWay = new Map<string, Promise<Session | null>>()

  async function introspect(ticket: string): Promise<Session | null> {
    const claims = parseClaims(await callEndpoint(ticket, settings.url, authorization))
    const until = claims.active === true ? untilOf(claims, now()) : null
    return until === null ? null : sessionOf(claims, settings.customerClaim, until)
  }

  /** Requests with the same ticket share one call. */
  async function introspectOnce(ticket: string, key: string): Promise<Session | null> {
    const calling = underWay.get(key) ?? introspect(ticket).finally(() => underWay.delete(key))
    underWay.set(key, calling)
    const session = await calling
    if (session === null) refused.set(key, true)
    return session
  }

  return {
    async identify(ticket) {
      // Endpoints answer an empty token with an error, which would count as unavailable.
      if (ticket === '') return null
      // A ticket may be as long as the headers may be; its hash is short.
      const key = hashOf(ticket)
      return refused.get(key) ? null : introspectOnce(ticket, key)
    },
  }
}

async function callEndpoint(ticket: string, url: string, authorization: string): Promise<string> {
  try {
    const response = await introspectionFetch(url, {
      method: 'POST',
      headers: { authorization, accept: 'application/json' },
      body: new URLSearchParams({ token: ticket, token_type_hint: 'access_token' }),
      // A redirect would carry the ticket to an address that nobody configured.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new TicketSourceUnavailable(`The introspection endpoint answered with status ${response.status}`)
    }
    return await boundedText(response, ANSWER_BYTES)
  } catch (error) {
    if (error instanceof TicketSourceUnavailable) throw error
    const what = error instanceof AnswerTooLong ? 'answers with too much' : 'cannot be reached'
    throw new TicketSourceUnavailable(`The introspection endpoint ${what}`, { cause: error })
  }
}

function parseClaims(answer: string): Claims {
  const claims = parseJson(answer)
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw new TicketSourceUnavailable('The answer of the introspection endpoint is not a JSON object')
  }
  return claims as Claims
}

/** undefined for what is not JSON. The parser's error is dropped: it quotes the answer, which may contain the ticket. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** null before and after the time in which the ticket is valid, and when that time cannot be read. */
function untilOf(claims: Claims, now: number): number | null {
  const from = millisecondsOf(claims.nbf ?? 0)
  const until = claims.exp == null ? now + UNTIL_WITHOUT_EXP_MS : millisecondsOf(claims.exp)
  return from <= now && until > now ? until : null
}

/** NaN, with which every comparison is false, for what is not a time. */
function millisecondsOf(seconds: unknown): number {
  return typeof seconds === 'number' ? seconds * 1000 : Number.NaN
}
