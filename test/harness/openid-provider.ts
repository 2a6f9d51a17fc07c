// An OpenID provider over HTTP, as strict as a real one: codes work once, with the right client, address and PKCE
// verifier. It signs in everybody as the person that the test chose.

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { freePort } from './free-port.ts'
import type { Settings } from './service.ts'

export const CLIENT = { id: 'paddock-console', secret: 'a secret: with a colon' }

type AuthorizationRequest = { redirectUri: string; challenge: string; nonce: string }
type Json = (status: number, body: object) => void

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

export async function startOpenIdProvider() {
  const signingKeys = await newSigningKeys()
  const codes = new Map<string, AuthorizationRequest>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const json: Json = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const padded = (body: object, bytes: number) => json(200, bytes === 0 ? body : { ...body, x: 'x'.repeat(bytes) })
    if (url.pathname === '/.well-known/openid-configuration') {
      provider.discoveries++
      if (!provider.hangs) padded(metadataOf(provider), provider.padding.metadata)
    } else if (url.pathname === '/keys') padded(signingKeys.published, provider.padding.keys)
    else if (url.pathname === '/authorize') authorise(provider, codes, url.searchParams, response)
    else if (url.pathname === '/token') answerToken(request, json)
    else json(404, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function answerToken(request: IncomingMessage, json: Json): Promise<void> {
    let text = ''
    for await (const chunk of request) text += chunk
    const form = new URLSearchParams(text)
    const authorization = codes.get(form.get('code') ?? '')
    if (!provider.repeatsCodes) codes.delete(form.get('code') ?? '')
    if (!isClient(request, form)) return json(401, { error: 'invalid_client' })
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (authorization?.challenge !== challenge || form.get('redirect_uri') !== authorization.redirectUri) {
      return json(400, { error: 'invalid_grant' })
    }
    const idToken = await signedIdToken(provider, signingKeys, authorization.nonce)
    json(200, { access_token: 'unused', token_type: 'Bearer', id_token: idToken })
  }

  const provider = {
    ...CORRECT_BEHAVIOUR,
    discoveries: 0,
    issuer: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    /** Back to a person who may sign in, and a provider that behaves. */
    reset(claims: Record<string, unknown> = { email: 'ann@example.com', roles: ['staff', 'paddock-moderators'] }) {
      Object.assign(provider, CORRECT_BEHAVIOUR, { claims })
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return provider
}

type Behaviour = {
  /** Claims added to the ID token, or replacing those that are right. */
  claims: Record<string, unknown>
  signs: 'rightly' | 'not at all' | 'with the public key' | 'with a stranger’s key'
  denies: boolean
  sentIssuer: string | undefined
  /** Accepts a code more than once. */
  repeatsCodes: boolean
  /** Sends this much more with its metadata or keys. */
  padding: { metadata: number; keys: number }
  /** Does not answer discoveries. */
  hangs: boolean
  otherMetadata: Record<string, unknown>
}
type Provider = Behaviour & { issuer: string }

const CORRECT_BEHAVIOUR: Behaviour = {
  claims: {},
  signs: 'rightly',
  denies: false,
  sentIssuer: undefined,
  repeatsCodes: false,
  padding: { metadata: 0, keys: 0 },
  hangs: false,
  otherMetadata: {},
}

type SigningKeys = Awaited<ReturnType<typeof newSigningKeys>>

async function newSigningKeys() {
  const own = await generateKeyPair('ES256')
  const strangers = await generateKeyPair('ES256')
  return { own, strangers, published: { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256' }] } }
}

function metadataOf({ issuer, otherMetadata }: Provider): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize?tenant=1`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['ES256'],
    ...otherMetadata,
  }
}

function authorise(
  { issuer, denies, sentIssuer }: Provider,
  codes: Map<string, AuthorizationRequest>,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const back = new URL(query.get('redirect_uri') ?? '')
  back.searchParams.set('state', query.get('state') ?? '')
  const isRight =
    query.get('client_id') === CLIENT.id &&
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === 'S256' &&
    query.get('tenant') === '1' &&
    (query.get('scope') ?? '').split(' ').includes('openid')
  if (!isRight) back.searchParams.set('error', 'invalid_request')
  else if (denies) back.searchParams.set('error', 'access_denied')
  else {
    const code = randomBytes(16).toString('hex')
    const challenge = query.get('code_challenge') ?? ''
    codes.set(code, { redirectUri: back.origin + back.pathname, challenge, nonce: query.get('nonce') ?? '' })
    back.searchParams.set('code', code)
    back.searchParams.set('iss', sentIssuer ?? issuer)
  }
  response.writeHead(302, { location: back.href }).end()
}

async function signedIdToken({ issuer, signs, claims: chosen }: Provider, keys: SigningKeys, nonce: string) {
  const seconds = Math.floor(Date.now() / 1000)
  const claims = {
    ...{ iss: issuer, aud: CLIENT.id, sub: 'subject-1', nonce, iat: seconds, exp: seconds + 300 },
    ...chosen,
  }
  if (signs === 'not at all') return new UnsecuredJWT(claims).encode()
  if (signs === 'with the public key') {
    const secret = Buffer.from(JSON.stringify(keys.published.keys[0]))
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
  }
  const { privateKey } = signs === 'with a stranger’s key' ? keys.strangers : keys.own
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey)
}

function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
  const posted = form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret
  const encoded = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
  const [id, secret] = encoded.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x'))
  return posted || (id === CLIENT.id && secret === CLIENT.secret)
}

/** Settings of a service that signs in with this provider; its own address must be known before it starts. */
export async function openIdSettings({ issuer }: OpenIdProvider): Promise<Settings> {
  const port = await freePort()
  return {
    OPERATOR_PORT: `${port}`,
    OPERATOR_URL: `http://127.0.0.1:${port}/`,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ROLES: 'paddock-admins=admin, paddock-moderators=moderator,paddock-auditors = auditor',
  }
}
