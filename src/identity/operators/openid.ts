// Signs people in through an OpenID provider (OpenID Connect Core 1.0, authorisation code with PKCE). openid-client checks
// what the provider sends.

import * as openId from 'openid-client'
import type { OpenIdSettings } from '../../platform/config/config.ts'
import { boundedFetch } from '../../platform/runtime/bounded-answer.ts'
import { tracedFetch } from '../../platform/tracing/calls.ts'
import type { Person } from './console-sessions.ts'

const TIMEOUT_SECONDS = 5
/** New endpoints and keys of a provider take effect within this time. */
const METADATA_CACHED_MS = 600_000
/** A provider that fails is called again after this time, however many people sign in. */
const FAILURE_CACHED_MS = 5_000
/** The longest answer read: metadata, keys (with their certificates) and tokens. */
const ANSWER_BYTES = 524_288
/** The longest that the standard allows, printable ASCII. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
const CLOCK_TOLERANCE_SECONDS = 5
const MAX_NAME_LENGTH = 100

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

export function openIdProvider(settings: OpenIdSettings, now: () => number) {
  let cached: { configuration: Promise<openId.Configuration>; until: number } | undefined

  /** One discovery at a time; its failure is everybody's, for some seconds. */
  function configuration(): Promise<openId.Configuration> {
    if (cached !== undefined && now() < cached.until) return cached.configuration
    const discovery = { configuration: discover(settings), until: now() + METADATA_CACHED_MS }
    discovery.configuration.catch(() => {
      discovery.until = now() + FAILURE_CACHED_MS
    })
    cached = discovery
    return discovery.configuration
  }

  return {
    async signInAddress({ state, nonce, verifier }: Attempt): Promise<string> {
      const address = openId.buildAuthorizationUrl(await configuration(), {
        redirect_uri: settings.redirectUrl,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return address.href
    },
    /** `query`: with which the browser came back. */
    async personByAnswer(query: string, { state, nonce, verifier }: Attempt): Promise<Person> {
      const address = new URL(settings.redirectUrl)
      address.search = query
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const tokens = await openId
        .authorizationCodeGrant(await configuration(), address, checks)
        .catch(refuse('not-valid', 'The provider did not confirm the person'))
      const claims = tokens.claims() as openId.IDToken
      if (claims.azp !== undefined && claims.azp !== settings.clientId) {
        throw new SignInRefused('not-valid', 'The ID token was made for another client (azp)')
      }
      return personFromClaims(claims, settings)
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<openId.Configuration> {
  const found = await openId
    .discovery(
      new URL(issuer),
      clientId,
      { [openId.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      withSecret(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [openId.customFetch]: fetchAnswer,
        execute: [
          openId.enableNonRepudiationChecks,
          // A provider over HTTPS must not send people, codes or us to plain HTTP.
          ...(issuer.startsWith('https:') ? [] : [openId.allowInsecureRequests]),
        ],
      },
    )
    .catch(refuse('unavailable', 'The metadata of the provider cannot be used'))
  const metadata = found.serverMetadata()
  // The library lets providers of many tenants name another issuer.
  if (metadata.issuer !== issuer) {
    throw new SignInRefused('unavailable', `The provider calls itself ${metadata.issuer}, not OIDC_ISSUER`)
  }
  return found
}

/** Sends the secret in the header, unless the provider takes it only in the form. */
function withSecret(secret: string | null): openId.ClientAuth {
  if (secret === null) return openId.None()
  const [basic, post] = [openId.ClientSecretBasic(secret), openId.ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const posts = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    return (posts ? post : basic)(server, ...request)
  }
}

const boundedAnswer = tracedFetch('OpenID provider', boundedFetch(ANSWER_BYTES))

/** Redirects are not followed: they would carry the code and our secret to an address that nobody configured. */
async function fetchAnswer(address: string, request: openId.CustomFetchOptions): Promise<Response> {
  const { origin } = new URL(address)
  const answer = await boundedAnswer(address, request as RequestInit).catch((error: unknown) => {
    throw new SignInRefused('unavailable', `${origin} cannot be reached`, error)
  })
  const isRefusal = request.method === 'POST' && answer.status >= 400 && answer.status < 500
  if (answer.ok || isRefusal) return answer
  throw new SignInRefused('unavailable', `${origin} answered ${answer.status}`)
}

/** The library wraps what `fetchAnswer` throws. */
function refuse(reason: Refusal, message: string): (error: Error) => never {
  return (error) => {
    throw error.cause instanceof SignInRefused ? error.cause : new SignInRefused(reason, message, error)
  }
}

function personFromClaims(claims: openId.IDToken, { nameClaim, roleClaim, roles }: OpenIdSettings): Person {
  if (typeof claims.sub !== 'string' || !SUBJECT.test(claims.sub)) {
    throw new SignInRefused('not-valid', 'The claim sub is not a text of 1 to 255 printable characters')
  }
  const name = claimAt(claims, nameClaim)
  // Some providers write it as a text, some do not send it.
  const isUnverified = nameClaim === 'email' && ![undefined, true, 'true'].includes(claims.email_verified as boolean)
  if (typeof name !== 'string' || !/^[^\p{C}]+$/u.test(name) || name.length > MAX_NAME_LENGTH || isUnverified) {
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
function claimAt(claims: openId.IDToken, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const step of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<string, unknown>)[step]
  }
  return found
}
