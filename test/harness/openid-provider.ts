// An OpenID provider over HTTP, as strict as a real one: codes work once, with the right client, address and PKCE
// verifier. It signs in everybody as the person that the test chose.

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { freePort } from './free-port.ts'
import type { Settings } from './service.ts'

export const CLIENT = { id: 'paddock-console', secret: 'a secret: with a colon' }

type AuthorizationRequest = { redirectUri: string; challenge: string; nonce: string }

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

export async function startOpenIdProvider() {
  const keys = await generateKeyPair('ES256')
  const strangers = await generateKeyPair('ES256')
  const published = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] }
  const codes = new Map<string, AuthorizationRequest>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') json(200, { ...metadata(), ...provider.otherMetadata })
    else if (url.pathname === '/keys') json(200, published)
    else if (url.pathname === '/authorize') authorise(url, response)
    else if (url.pathname === '/token') answerToken(request, json)
    else json(404, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize?tenant=1`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  })

  function authorise({ searchParams: asked }: URL, response: ServerResponse): void {
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('state', asked.get('state') ?? '')
    const isRight =
      asked.get('client_id') === CLIENT.id &&
      asked.get('response_type') === 'code' &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('tenant') === '1' &&
      (asked.get('scope') ?? '').split(' ').includes('openid')
    if (!isRight) back.searchParams.set('error', 'invalid_request')
    else if (provider.denies) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(16).toString('hex')
      const challenge = asked.get('code_challenge') ?? ''
      codes.set(code, { redirectUri: back.origin + back.pathname, challenge, nonce: asked.get('nonce') ?? '' })
      back.searchParams.set('code', code)
      back.searchParams.set('iss', provider.sentIssuer ?? issuer)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  async function answerToken(request: IncomingMessage, json: (status: number, body: object) => void): Promise<void> {
    let text = ''
    for await (const chunk of request) text += chunk
    const form = new URLSearchParams(text)
    const asked = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (!isClient(request, form)) return json(401, { error: 'invalid_client' })
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (asked?.challenge !== challenge || form.get('redirect_uri') !== asked.redirectUri) {
      return json(400, { error: 'invalid_grant' })
    }
    json(200, { access_token: 'unused', token_type: 'Bearer', id_token: await idToken(asked.nonce) })
  }

  async function idToken(nonce: string): Promise<string> {
    const seconds = Math.floor(Date.now() / 1000)
    const claims = {
      ...{ iss: issuer, aud: CLIENT.id, sub: 'subject-1', nonce, iat: seconds, exp: seconds + 300 },
      ...provider.claims,
    }
    if (provider.signs === 'not at all') return new UnsecuredJWT(claims).encode()
    if (provider.signs === 'with the public key') {
      const secret = Buffer.from(JSON.stringify(published.keys[0]))
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
    }
    const { privateKey } = provider.signs === 'with a stranger’s key' ? strangers : keys
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey)
  }

  const provider = {
    issuer,
    /** Claims added to the ID token, or replacing those that are right. */
    claims: {} as Record<string, unknown>,
    signs: 'rightly' as 'rightly' | 'not at all' | 'with the public key' | 'with a stranger’s key',
    denies: false,
    sentIssuer: undefined as string | undefined,
    otherMetadata: {} as Record<string, unknown>,
    /** Back to a person who may sign in, and a provider that behaves. */
    reset(claims: Record<string, unknown> = { email: 'ann@example.com', roles: ['staff', 'paddock-moderators'] }) {
      Object.assign(provider, { claims, signs: 'rightly', denies: false, sentIssuer: undefined, otherMetadata: {} })
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return provider
}

function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
  const posted = form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret
  const encoded = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
  const [id, secret] = encoded.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x'))
  return posted || (id === CLIENT.id && secret === CLIENT.secret)
}

/** Settings of a service that signs in with this provider; its own address must be known before it starts. */
export async function settingsWith({ issuer }: OpenIdProvider): Promise<Settings> {
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
