// Tickets that are tokens signed by an identity provider (JWT, RFC 7519). Nobody is asked per ticket: the provider's
// public keys (JWKS, RFC 7517) are fetched once and kept for a while.

import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { sessionOf } from './claims.ts'
import { SIGNATURE_ALGORITHMS } from './signature-algorithms.ts'
import { type TicketSource, TicketSourceUnavailable } from './tickets.ts'

export type JwtSettings = {
  readonly issuer: string
  /** null: any. */
  readonly audience: string | null
  readonly jwksUrl: string
  readonly customerClaim: string
}

/** The provider's clock and ours may differ by so much. */
const CLOCK_TOLERANCE_SECONDS = 5

/** Every request with a ticket waits for the keys when there are none. */
const KEYS_TIMEOUT_MS = 3_000

/** A key that the provider withdrew is trusted for so long at most; providers publish new ones ahead of their use. */
const KEYS_KEPT_MS = 600_000

/**
 * A ticket that names an unknown key fetches the keys anew, but not sooner than this after the last fetch: strangers can
 * make up key names, and must not make us flood the provider.
 */
const KEYS_COOLDOWN_MS = 10_000

/** Header, claims and signature, none of them empty. Other text is refused without a thought about keys. */
const LOOKS_LIKE_JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

export function jwtTickets(settings: JwtSettings, now: () => number): TicketSource {
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

/** Tells "the keys cannot be had" from "no such key", which is the ticket's fault. */
function publishedKeys(jwksUrl: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cacheMaxAge: KEYS_KEPT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
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

/** A ticket need not name its key, and while keys are being changed several may fit. */
async function claimsByAnyKey(
  ticket: string,
  fitting: errors.JWKSMultipleMatchingKeys,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  try {
    for await (const key of fitting) {
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

/** The library says with its own errors what is wrong with a ticket; any other is about a key that cannot be used. */
function refused(error: unknown): null {
  if (error instanceof errors.JOSEError) return null
  if (error instanceof TicketSourceUnavailable) throw error
  throw new TicketSourceUnavailable('The ticket cannot be verified with the key of its issuer', { cause: error })
}
