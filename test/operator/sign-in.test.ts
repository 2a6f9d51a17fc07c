// Signing in to the console with an OpenID provider, as a browser does it: redirects and cookies over real HTTP.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { CLIENT, type OpenIdProvider, openIdSettings, startOpenIdProvider } from '../harness/openid-provider.ts'
import { type Json, newTestDatabase, startTestService, type TestService } from '../harness/service.ts'

let provider: OpenIdProvider
let service: TestService

beforeAll(async () => {
  provider = await startOpenIdProvider()
  service = await startTestService(await openIdSettings(provider))
})
beforeEach(() => provider.reset())
afterAll(async () => {
  await service?.close()
  provider?.close()
})

const SESSION = '__Host-paddock-console'
const ATTEMPT = '__Host-paddock-sign-in'
const CONSOLE = { 'x-requested-by': 'console' }

/** Stores cookies as a browser does, and records how they were set. */
function visitor(at: () => TestService = () => service) {
  const jar = new Map<string, string>()
  const set: string[] = []
  async function call(address: string, options: { method?: string; headers?: Record<string, string> } = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const ours = address.startsWith(at().operatorUrl) && cookie !== '' ? { cookie } : {}
    const reply = await fetch(address, { redirect: 'manual', ...options, headers: { ...ours, ...options.headers } })
    for (const line of reply.headers.getSetCookie()) {
      set.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return reply
  }
  const locationOf = async (address: string) => (await call(address)).headers.get('location') ?? ''
  const me = (headers: Record<string, string> = CONSOLE) => call(`${at().operatorUrl}/operator/v1/me`, { headers })
  const toProvider = () => locationOf(`${at().operatorUrl}/sign-in/openid`)
  /** Follows the redirects to the provider and back; returns the last address. */
  const signIn = async () => locationOf(await locationOf(await toProvider()))
  return { jar, set, call, locationOf, me, toProvider, signIn }
}

const home = (at = service) => `${at.operatorUrl}/`
const refusedFor = (reason: string) => `${home()}?refused=${reason}`

async function auditOf(name: string): Promise<string[]> {
  const { body } = await service.operator('GET', '/operator/v1/audit?limit=100')
  return body.items.filter((row: Json) => row.actor === name).map((row: Json) => `${row.action} ${row.role}`)
}

describe('a person signs in', () => {
  test('with the role of the claim; the audit trail names the person; signing out ends the session', async () => {
    provider.reset({ email: 'bea@example.com', roles: ['staff', 'paddock-moderators'] })
    const bea = visitor()
    expect(await bea.signIn()).toBe(home())
    expect(await (await bea.me()).json()).toMatchObject({ name: 'openid:bea@example.com', role: 'moderator' })
    const { profileId } = await service.member()
    const decided = await bea.call(`${service.operatorUrl}/operator/v1/moderation/profiles/${profileId}`, {
      method: 'POST',
      headers: { ...CONSOLE, 'content-type': 'application/json' },
      ...{ body: '{"action":"deactivate","note":"spam"}' },
    })
    expect(decided.status).toBe(200)
    expect((await bea.call(`${service.operatorUrl}/operator/v1/tokens`, { headers: CONSOLE })).status).toBe(403)
    const stolen = bea.jar.get(SESSION)
    expect((await bea.call(`${service.operatorUrl}/sign-in`, { method: 'DELETE', headers: CONSOLE })).status).toBe(204)
    expect(bea.jar.size).toBe(0)
    const again = await visitor().me({ ...CONSOLE, cookie: `${SESSION}=${stolen}` })
    expect(again.status).toBe(401)
    const trail = await auditOf('openid:bea@example.com')
    for (const row of ['signIn moderator', 'moderateProfile moderator', 'signOut moderator'])
      expect(trail).toContain(row)
  })

  test('with cookies hidden from scripts, other sites and plain HTTP', async () => {
    const ann = visitor()
    await ann.signIn()
    const [attempt, removed, session] = ann.set
    const safe = 'Path=/; Max-Age=\\d+; HttpOnly; Secure; SameSite'
    expect(attempt).toMatch(new RegExp(`^${ATTEMPT}=[\\w.-]{131}; ${safe}=Lax$`))
    expect(removed).toMatch(new RegExp(`^${ATTEMPT}=; ${safe}=Lax$`))
    expect(session).toMatch(new RegExp(`^${SESSION}=[\\w-]{32}; ${safe}=Strict$`))
    expect(service.logged()).not.toContain(ann.jar.get(SESSION))
  })

  test('with the first matching role of the setting, from a nested claim, with the secret in the form', async () => {
    provider.reset({ email: 'cy@example.com', roles: ['paddock-auditors', 'paddock-admins'] })
    const cy = visitor()
    await cy.signIn()
    expect(await (await cy.me()).json()).toMatchObject({ role: 'admin' })
    const settings = { OIDC_ROLE_CLAIM: 'realm_access.roles', OIDC_NAME_CLAIM: 'preferred_username' }
    provider.reset({ preferred_username: 'dee', realm_access: { roles: 'paddock-auditors' } })
    provider.otherMetadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    const other = await startTestService({ ...(await openIdSettings(provider)), ...settings })
    try {
      const dee = visitor(() => other)
      expect(await dee.signIn()).toBe(home(other))
      expect(await (await dee.me()).json()).toMatchObject({ name: 'openid:dee', role: 'auditor' })
    } finally {
      await other.close()
    }
  })

  test('and is signed out after an hour without a call, after eight hours in any case, or by an admin', async () => {
    const other = await startTestService(await openIdSettings(provider))
    const [idle, busy, ended] = [1, 2, 3].map(() => visitor(() => other)) as [Visitor, Visitor, Visitor]
    const statuses = () => Promise.all([idle, busy, ended].map(async (one) => (await one.me()).status))
    try {
      for (const one of [idle, busy, ended]) expect(await one.signIn()).toBe(home(other))
      expect(await statuses()).toEqual([200, 200, 200])
      const { body } = await other.operator('GET', '/operator/v1/console-sessions')
      expect(body.items[0]).toMatchObject({ name: 'openid:ann@example.com', role: 'moderator' })
      expect(JSON.stringify(body)).not.toContain(busy.jar.get(SESSION))
      await other.operator('DELETE', `/operator/v1/console-sessions/${body.items[0].id}`)
      expect(await statuses()).toEqual([200, 200, 401])
      for (let halfHours = 1; halfHours < 16; halfHours++) {
        other.clock.advance(1_799_000)
        expect((await busy.me()).status).toBe(200)
      }
      expect(await statuses()).toEqual([401, 200, 401])
      other.clock.advance(1_900_000)
      expect(await statuses()).toEqual([401, 401, 401])
    } finally {
      await other.close()
    }
  })
})

type Visitor = ReturnType<typeof visitor>

describe('nobody else does', () => {
  test('a link with a code of another browser’s attempt signs nobody in', async () => {
    const [attacker, victim] = [visitor(), visitor()]
    const link = await attacker.locationOf(await attacker.toProvider())
    expect(await victim.locationOf(link)).toBe(refusedFor('expired'))
    const [entry] = (await service.operator('GET', '/operator/v1/audit?limit=1')).body.items
    const detail = { refused: 403, reason: 'expired' }
    expect(entry).toMatchObject({ actor: 'nobody', action: 'signIn', address: '127.0.0.1', detail })
    await victim.toProvider()
    expect(await victim.locationOf(link)).toBe(refusedFor('expired'))
    expect(victim.jar.has(SESSION)).toBe(false)
  })

  test('an attempt can be completed once', async () => {
    const ann = visitor()
    const back = await ann.locationOf(await ann.toProvider())
    const attempt = ann.jar.get(ATTEMPT) as string
    expect(await ann.locationOf(back)).toBe(home())
    expect(await ann.locationOf(back)).toBe(refusedFor('expired'))
    ann.jar.set(ATTEMPT, attempt)
    expect(await ann.locationOf(back)).toBe(refusedFor('not-valid'))
  })

  test('an attempt can be completed once, at whichever process and provider', async () => {
    provider.repeatsCodes = true
    const settings = await openIdSettings(provider)
    const database = await newTestDatabase()
    const one = await startTestService(settings, database)
    const other = await startTestService({ ...settings, OPERATOR_PORT: `${await freePort()}` }, database)
    const ann = visitor(() => one)
    const back = await ann.locationOf(await ann.toProvider())
    const cookie = `${ATTEMPT}=${ann.jar.get(ATTEMPT)}`
    // On a busy machine the provider may be slower than the service waits. That uses no attempt up.
    const complete = async (address: string): Promise<string | null> => {
      const reply = await fetch(address, { redirect: 'manual', headers: { cookie } })
      const location = reply.headers.get('location')
      if (!location?.endsWith('refused=unavailable')) return location
      await new Promise((resolve) => setTimeout(resolve, 500))
      return complete(address)
    }
    const atOther = back.replace(one.operatorUrl, other.operatorUrl)
    try {
      const ends = await Promise.all([complete(back), complete(atOther), complete(back), complete(atOther)])
      expect(ends.sort()).toEqual([home(one), ...Array.from({ length: 3 }, () => `${home(one)}?refused=expired`)])
      expect((await one.operator('GET', '/operator/v1/console-sessions')).body.items).toHaveLength(1)
    } finally {
      await Promise.all([one.close(), other.close()])
      await database.remove()
    }
  })

  test('somebody without a role, whose e-mail address stays out of the log', async () => {
    provider.reset({ email: 'zoe@example.com', roles: ['staff'] })
    expect(await visitor().signIn()).toBe(refusedFor('no-role'))
    provider.reset({ email: 'zoe@example.com', roles: ['paddock-admins'], aud: 'other' })
    expect(await visitor().signIn()).toBe(refusedFor('not-valid'))
    expect(service.logged()).toContain('"reason":"no-role"')
    expect(service.logged()).not.toContain('zoe@example.com')
  })

  test.each<[string, string, (right: OpenIdProvider) => void]>([
    ['denies it', 'denied', (right) => Object.assign(right, { denies: true })],
    ['names no role of the setting', 'no-role', ({ claims }) => Object.assign(claims, { roles: ['staff'] })],
    ['names no role at all', 'no-role', ({ claims }) => Object.assign(claims, { roles: undefined })],
    [
      'names a property of every object',
      'no-role',
      ({ claims }) => Object.assign(claims, { roles: { constructor: 1 } }),
    ],
    ['names nobody', 'no-name', ({ claims }) => Object.assign(claims, { email: undefined })],
    ['has not verified the name', 'no-name', ({ claims }) => Object.assign(claims, { email_verified: false })],
    [
      'has not verified the name, in words',
      'no-name',
      ({ claims }) => Object.assign(claims, { email_verified: 'false' }),
    ],
    ['says nothing of it', 'no-name', ({ claims }) => Object.assign(claims, { email_verified: null })],
    ['sends an object as subject', 'not-valid', ({ claims }) => Object.assign(claims, { sub: { id: 1 } })],
    ['sends a number as subject', 'not-valid', ({ claims }) => Object.assign(claims, { sub: 1 })],
    ['sends no text as subject', 'not-valid', ({ claims }) => Object.assign(claims, { sub: '' })],
    ['sends an endless subject', 'not-valid', ({ claims }) => Object.assign(claims, { sub: 'x'.repeat(100_000) })],
    ['sends NUL in the subject', 'not-valid', ({ claims }) => Object.assign(claims, { sub: 'a\u0000b' })],
    ['sends control characters as a name', 'no-name', ({ claims }) => Object.assign(claims, { email: 'a\nb' })],
    ['issued the ID token for another attempt', 'not-valid', ({ claims }) => Object.assign(claims, { nonce: 'other' })],
    ['issued it without a nonce', 'not-valid', ({ claims }) => Object.assign(claims, { nonce: undefined })],
    ['issued it for another client', 'not-valid', ({ claims }) => Object.assign(claims, { aud: 'other' })],
    [
      'issued it for other clients too',
      'not-valid',
      ({ claims }) => Object.assign(claims, { aud: [CLIENT.id, 'other'] }),
    ],
    ['issued it to another client', 'not-valid', ({ claims }) => Object.assign(claims, { azp: 'other' })],
    ['is not its issuer', 'not-valid', ({ claims }) => Object.assign(claims, { iss: 'https://other.example' })],
    ['issued it long ago', 'not-valid', ({ claims }) => Object.assign(claims, { exp: 1_000_000_000 })],
    ['did not sign it', 'not-valid', (right) => Object.assign(right, { signs: 'not at all' })],
    [
      'signed with its public key as a secret',
      'not-valid',
      (right) => Object.assign(right, { signs: 'with the public key' }),
    ],
    ['did not publish the key', 'not-valid', (right) => Object.assign(right, { signs: 'with a stranger’s key' })],
    [
      'answers with another issuer',
      'not-valid',
      (right) => Object.assign(right, { sentIssuer: 'https://other.example' }),
    ],
  ])('when the provider %s', async (_what, reason, spoil) => {
    spoil(provider)
    const ann = visitor()
    expect(await ann.signIn()).toBe(refusedFor(reason))
    expect(ann.jar.size).toBe(0)
    expect((await ann.me()).status).toBe(401)
    expect(service.logged()).toContain(`"reason":"${reason}","address":"127.0.0.1"`)
  })

  test('with the cookie from a page of another origin, which cannot send the console’s header', async () => {
    const ann = visitor()
    await ann.signIn()
    expect((await ann.me({})).status).toBe(403)
    expect((await ann.me({ 'x-requested-by': 'evil' })).status).toBe(403)
    expect((await ann.call(`${service.operatorUrl}/sign-in`, { method: 'DELETE' })).status).toBe(403)
    const request = {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    }
    const preflight = await ann.call(`${service.operatorUrl}/operator/v1/me`, request)
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect((await ann.me()).status).toBe(200)
  })

  test('by a token that takes a person’s name', async () => {
    const created = await service.operator('POST', '/operator/v1/tokens', {
      name: 'openid:ann@example.com',
      role: 'feed',
    })
    expect(created.status).toBe(409)
  })
})

test('a token works beside a cookie, and without the provider', async () => {
  const ann = visitor()
  await ann.signIn()
  const { body } = await service.operator('POST', '/operator/v1/tokens', { name: 'A program', role: 'feed' })
  expect(await (await ann.me({ authorization: `Bearer ${body.token}` })).json()).toMatchObject({ name: 'A program' })
  expect((await ann.me({ authorization: 'Bearer wrong' })).status).toBe(401)
})

test('the console reports a provider with wrong metadata, or one that is down', async () => {
  const other = await startOpenIdProvider()
  other.reset()
  other.otherMetadata = { issuer: 'https://other.example' }
  const settings = await openIdSettings(other)
  const alone = await startTestService(settings)
  const begin = async () => {
    const reply = await fetch(`${alone.operatorUrl}/sign-in/openid`, { redirect: 'manual' })
    return reply.headers.get('location')
  }
  try {
    expect(await begin()).toBe(`${alone.operatorUrl}/?refused=unavailable`)
    other.close()
    alone.clock.advance(5_000)
    expect(await begin()).toBe(`${alone.operatorUrl}/?refused=unavailable`)
    expect(alone.logged()).toContain(`${other.issuer} cannot be reached`)
  } finally {
    await alone.close()
  }
})

describe('a provider that misbehaves', () => {
  let alone: TestService
  let other: OpenIdProvider
  beforeEach(async () => {
    other = await startOpenIdProvider()
    other.reset()
    alone = await startTestService(await openIdSettings(other))
  })
  afterEach(async () => {
    other.close()
    await alone.close()
  })
  const begin = async () => {
    const reply = await fetch(`${alone.operatorUrl}/sign-in/openid`, { redirect: 'manual' })
    return reply.headers.get('location') ?? ''
  }

  test('is asked once by many people who sign in, and once more some seconds after it failed', async () => {
    other.hangs = true
    const waiting = Array.from({ length: 20 }, begin)
    await expect.poll(() => other.discoveries).toBeGreaterThan(0)
    const refused = `${alone.operatorUrl}/?refused=unavailable`
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([refused]))
    expect(await begin()).toBe(refused)
    expect(other.discoveries).toBe(1)
    other.hangs = false
    alone.clock.advance(5_000)
    const addresses = await Promise.all([begin(), begin(), begin()])
    expect(addresses.map((address) => address.startsWith(`${other.issuer}/authorize`))).toEqual([true, true, true])
    expect(other.discoveries).toBe(2)
  })

  test('is not asked about each code that strangers invent', async () => {
    alone.clock.hold()
    const invented = async () => {
      const cookie = `${ATTEMPT}=state.nonce.${'v'.repeat(43)}`
      const query = new URLSearchParams({ state: 'state', code: 'code', iss: other.issuer })
      const address = `${alone.operatorUrl}/sign-in/openid/callback?${query}`
      const reply = await fetch(address, { redirect: 'manual', headers: { cookie } })
      return reply.headers.get('location')?.split('refused=')[1]
    }
    const first = await Promise.all(Array.from({ length: 200 }, invented))
    expect(new Set(first)).toEqual(new Set(['not-valid']))
    expect([await invented(), await invented()]).toEqual(['not-valid', 'unavailable'])
    alone.clock.advance(1_000)
    expect(await invented()).toBe('not-valid')
  })

  test.each(['metadata', 'keys'] as const)('whose %s are too long is refused', async (what) => {
    other.padding = { ...other.padding, [what]: 600_000 }
    const ann = visitor(() => alone)
    const target = await ann.toProvider()
    const end = what === 'metadata' ? target : await ann.locationOf(await ann.locationOf(target))
    expect(end).toBe(`${alone.operatorUrl}/?refused=unavailable`)
    expect(alone.logged()).toContain('longer than 524288 bytes')
  })
})

test('without a provider the sign-in does not exist', async () => {
  const plain = await startTestService()
  try {
    const options = await plain.operator('GET', '/sign-in', undefined, null)
    expect(options.body).toEqual({ openId: false, signedIn: false })
    expect((await plain.operator('GET', '/sign-in/openid', undefined, null)).status).toBe(404)
    const cookie = `${SESSION}=anything`
    const reply = await fetch(`${plain.operatorUrl}/operator/v1/me`, { headers: { cookie, ...CONSOLE } })
    expect(reply.status).toBe(401)
  } finally {
    await plain.close()
  }
})
