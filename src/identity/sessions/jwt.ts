// Tickets that are tokens signed by an identity provider (JWT, RFC 7519). They are verified here, with the provider's public keys
// (JWKS, RFC 7517), which are fetched once and cached for 10 minutes.

import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import type { Config } from '../../platform/config/config.ts'
import { boundedFetch } from '../../platform/runtime/bounded-answer.ts'
import { tracedFetch } from '../../platform/tracing/calls.ts'
import { sessionOf } from './claims.ts'
import { SIGNATURE_ALGORITHMS } from './signature-algorithms.ts'
import { type TicketProvider, TicketSourceUnavailable } from './tickets.ts'

/** `audience` null: any. */
export type JwtSettings = Config['tickets']['jwt'] & { readonly customerClaim: string }

/** How much the provider's clock and ours may differ. */
const CLOCK_TOLERANCE_SECONDS = 5

/** Every request with a ticket waits while there are no keys. */
const KEYS_TIMEOUT_MS = 3_000

/** The keys of large providers, with their certificates, take some 50 KiB. */
const KEYS_BYTES = 524_288

/** A withdrawn key is trusted for at most this time; providers publish new keys before they use them. */
const KEYS_CACHED_MS = 600_000

/**
 * A ticket with an unknown key id fetches the keys again, but not sooner than this after the last fetch: strangers can invent key
 * ids, and must not make us flood the provider.
 */
const KEYS_COOLDOWN_MS = 10_000

/** Header, claims and signature, none of them empty. Other text is refused before any key is fetched. */
const LOOKS_LIKE_JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

export function jwtTickets(settings: JwtSettings, now: () => number): TicketProvider {
  const keys = publishedKeys(settings.jwksUrl)
  const rules: JWTVerifyOptions = {
    algorithms: SIGNATURE_ALGORITHMS,
    issuer: settings.issuer,
    ...(settings.audience === null ? {} : { audience: settings.audience }),
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }

  return {
    async identify(ticket) {
      if (!LOOKS_LIKE_JWT.test(ticket)) return null
      const claims = await verifiedClaims(ticket, keys, { ...rules, currentDate: new Date(now()) })
      return claims?.exp === undefined ? null : sessionOf(claims, settings.customerClaim, claims.exp * 1000)
    },
  }
}

/** Distinguishes keys that cannot be fetched from an unknown key, which is the ticket's fault. */
function publishedKeys(jwksUrl: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cacheMaxAge: KEYS_CACHED_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    [customFetch]: tracedFetch('keys of tickets', boundedFetch(KEYS_BYTES)),
  })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      throw new TicketSourceUnavailable('The keys of the ticket issuer cannot be fetched', { cause: error })
    }
  }
}

async function verifiedClaims(
  ticket: string,
  keys: JWTVerifyGetKey,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  try {
    return (await jwtVerify(ticket, keys, rules)).payload
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return await claimsByAnyKey(ticket, error, rules)
    return refused(error)
  }
}

/** A ticket need not name its key, and during a key change several may match. */
async function claimsByAnyKey(
  ticket: string,
  matching: errors.JWKSMultipleMatchingKeys,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  try {
    for await (const key of matching) {
      const verified = await jwtVerify(ticket, key, rules).catch((error: unknown) => {
        if (error instanceof errors.JWSSignatureVerificationFailed) return null
        throw error
      })
      if (verified) return verified.payload
    }
    return null
  } catch (error) {
    return refused(error)
  }
}

/** The library's own errors mean an invalid ticket; any other means a key that cannot be used. */
function refused(error: unknown): null {
  if (error instanceof errors.JOSEError) return null
  if (error instanceof TicketSourceUnavailable) throw error
  throw new TicketSourceUnavailable('The ticket cannot be verified with the key of its issuer', { cause: error })
}
