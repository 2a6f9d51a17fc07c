// The client of an OpenID provider (OpenID Connect Core 1.0, authorisation code with PKCE). A token of the provider is
// accepted only when its signature, issuer, audience and nonce are right.

import { createHash } from 'node:crypto'
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import type { OpenIdSettings } from '../../platform/config/config.ts'
import { basicAuthorization } from '../../platform/runtime/basic-authorization.ts'
import { boundedFetch, boundedText } from '../../platform/runtime/bounded-answer.ts'
import { SIGNATURE_ALGORITHMS } from '../sessions/signature-algorithms.ts'
import type { Person } from './console-sessions.ts'

const TIMEOUT_MS = 5_000
/** New endpoints and keys of a provider take effect within this time. */
const METADATA_CACHED_MS = 600_000
/** A provider that fails is asked again after this time, however many people sign in. */
const FAILURE_CACHED_MS = 5_000
/** Of metadata, keys (with their certificates) and tokens. */
const ANSWER_BYTES = 524_288
/** The longest that the standard allows, printable ASCII. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
const CLOCK_TOLERANCE_SECONDS = 5
const LONGEST_NAME = 100

type Refusal = 'unavailable' | 'denied' | 'expired' | 'not-valid' | 'no-role' | 'no-name'

/** `message` is for the log, `reason` for the person. */
export class SignInRefused extends Error {
  readonly reason: Refusal
  constructor(reason: Refusal, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The secrets of one attempt to sign in. */
export type Attempt = { readonly state: string; readonly nonce: string; readonly verifier: string }

type Metadata = {
  readonly authorization: URL
  readonly token: URL
  readonly postsSecret: boolean
  readonly keys: ReturnType<typeof createRemoteJWKSet>
}

export function openIdProvider(settings: OpenIdSettings, now: () => number) {
  let cached: { metadata: Promise<Metadata>; until: number } | undefined

  /** One discovery at a time; its failure is everybody's, for some seconds. */
  function metadata(): Promise<Metadata> {
    if (cached !== undefined && now() < cached.until) return cached.metadata
    const discovery = { metadata: discover(settings.issuer), until: now() + METADATA_CACHED_MS }
    discovery.metadata.catch(() => {
      discovery.until = now() + FAILURE_CACHED_MS
    })
    cached = discovery
    return discovery.metadata
  }

  return {
    async signInAddress({ state, nonce, verifier }: Attempt): Promise<string> {
      const address = new URL((await metadata()).authorization)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const parameters = {
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: settings.redirectUrl,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      return address.href
    },
    async personByCode(code: string, attempt: Attempt): Promise<Person> {
      const provider = await metadata()
      const idToken = await exchangeCode(code, attempt.verifier, provider, settings)
      const claims = await verifyIdToken(idToken, provider, settings, now())
      if (claims.nonce !== attempt.nonce) {
        throw new SignInRefused('not-valid', 'The ID token was made for another attempt (nonce)')
      }
      return personFromClaims(claims, settings)
    },
  }
}

async function discover(issuer: string): Promise<Metadata> {
  const document = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {})
  if (document.issuer !== issuer) {
    throw new SignInRefused('unavailable', `The provider calls itself ${document.issuer}, not OIDC_ISSUER`)
  }
  const endpoint = (name: string): URL => {
    const address = document[name]
    const isRight = typeof address === 'string' && URL.canParse(address)
    // A provider over HTTPS must not send people, codes or us to plain HTTP.
    if (!isRight || (issuer.startsWith('https:') && !address.startsWith('https:'))) {
      throw new SignInRefused('unavailable', `The provider's ${name} is not an address over HTTPS`)
    }
    return new URL(address)
  }
  const methods = document.token_endpoint_auth_methods_supported
  return {
    authorization: endpoint('authorization_endpoint'),
    token: endpoint('token_endpoint'),
    postsSecret:
      Array.isArray(methods) && !methods.includes('client_secret_basic') && methods.includes('client_secret_post'),
    keys: createRemoteJWKSet(endpoint('jwks_uri'), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: boundedFetch(ANSWER_BYTES),
    }),
  }
}

async function exchangeCode(
  code: string,
  verifier: string,
  { token, postsSecret }: Metadata,
  settings: OpenIdSettings,
): Promise<string> {
  const { clientId, clientSecret, redirectUrl } = settings
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUrl,
    code_verifier: verifier,
  })
  const headers: Record<string, string> = {}
  if (clientSecret === null || postsSecret) body.set('client_id', clientId)
  if (clientSecret !== null && postsSecret) body.set('client_secret', clientSecret)
  if (clientSecret !== null && !postsSecret) headers.authorization = basicAuthorization(clientId, clientSecret)
  const answer = await fetchJson(token.href, { method: 'POST', headers, body })
  if (typeof answer.id_token !== 'string') throw new SignInRefused('not-valid', 'The provider sent no ID token')
  return answer.id_token
}

async function fetchJson(address: string, request: RequestInit): Promise<Record<string, unknown>> {
  let response: Response
  let answer: unknown
  try {
    // A redirect would carry the code and our secret to an address that nobody configured.
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    response = await fetch(address, { ...request, redirect: 'error', signal })
    answer = parseJson(await boundedText(response, ANSWER_BYTES))
  } catch (error) {
    throw new SignInRefused('unavailable', `${new URL(address).origin} cannot be reached`, error)
  }
  if (response.ok && typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>
  const { error } = (answer ?? {}) as { error?: string }
  const isRefusal = response.status >= 400 && response.status < 500
  throw new SignInRefused(
    isRefusal && request.method === 'POST' ? 'not-valid' : 'unavailable',
    `${new URL(address).origin} answered ${response.status} ${error ?? ''}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function verifyIdToken(
  idToken: string,
  { keys }: Metadata,
  { issuer, clientId }: OpenIdSettings,
  now: number,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(idToken, keys, {
    algorithms: SIGNATURE_ALGORITHMS,
    issuer,
    audience: clientId,
    requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(now),
  }).catch((error: unknown) => {
    const isTheirMistake = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
    throw new SignInRefused(isTheirMistake ? 'not-valid' : 'unavailable', 'The ID token cannot be verified', error)
  })
  const hasOtherAudiences = Array.isArray(payload.aud) && payload.aud.length > 1
  if ((hasOtherAudiences || payload.azp !== undefined) && payload.azp !== clientId) {
    throw new SignInRefused('not-valid', 'The ID token was made for another client (azp)')
  }
  return payload
}

function personFromClaims(claims: JWTPayload, { nameClaim, roleClaim, roles }: OpenIdSettings): Person {
  if (typeof claims.sub !== 'string' || !SUBJECT.test(claims.sub)) {
    throw new SignInRefused('not-valid', 'The claim sub is not a text of 1 to 255 printable characters')
  }
  const name = claimAt(claims, nameClaim)
  // Some providers write it as a text, some do not send it.
  const isUnverified = nameClaim === 'email' && ![undefined, true, 'true'].includes(claims.email_verified as boolean)
  if (typeof name !== 'string' || !/^[^\p{C}]+$/u.test(name) || name.length > LONGEST_NAME || isUnverified) {
    throw new SignInRefused('no-name', `The claim ${nameClaim} holds no usable name, or one that is not verified`)
  }
  const held = [claimAt(claims, roleClaim)].flat()
  const role = roles.find(([value]) => held.includes(value))?.[1]
  if (role === undefined) {
    throw new SignInRefused('no-role', `The person has no role: nothing in the claim ${roleClaim} is in OIDC_ROLES`)
  }
  return { name, role, subject: claims.sub }
}

/** A claim of this name, since names may contain dots (https://example.com/roles); else the path (realm_access.roles). */
function claimAt(claims: JWTPayload, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const step of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string, unknown>)[step]
  }
  return found
}
