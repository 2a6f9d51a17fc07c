import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type InvalidSettings, readConfig } from '../../src/platform/config/config.ts'
import { settings } from '../../src/platform/config/settings.ts'

const problemsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as InvalidSettings).problems
  }
}

const GATEWAY = {
  GATEWAY: 'adyen',
  ADYEN_URL: 'https://1a2b-checkout-live.adyenpayments.com/checkout',
  ADYEN_API_KEY: 'key',
  ADYEN_MERCHANT_ACCOUNT: 'account',
  ADYEN_HMAC_KEY: '0f'.repeat(32),
}

describe('settings', () => {
  test('production needs a gateway that moves money, and the gateway its settings', () => {
    const TRUST_PROXY = '10.0.0.1'
    expect(problemsOf({ MODE: 'production', TRUST_PROXY })).toEqual([expect.stringContaining('GATEWAY=sandbox')])
    expect(problemsOf({ ...GATEWAY, ADYEN_API_KEY: '', ADYEN_HMAC_KEY: 'hunter2' })).toEqual([
      'ADYEN_API_KEY is not set: GATEWAY=adyen needs it',
      expect.stringMatching(/^ADYEN_HMAC_KEY=…: write the 64 hex/),
    ])
    expect(problemsOf({ GATEWAY_TIMEOUT_MS: '40000', VOID_GRACE_SECONDS: '79' })).toEqual([
      expect.stringMatching(/^DEPOSIT_LEASE_SECONDS=60: write at least twice/),
      expect.stringMatching(/^VOID_GRACE_SECONDS=79: write at least twice/),
    ])
  })

  test('amounts are exact, and no country is banned when the operator says so', () => {
    expect(readConfig({}).wallets.dailyDepositLimit).toBe(1_000_000n)
    expect(readConfig({ DAILY_DEPOSIT_LIMIT: '0.1' }).wallets.dailyDepositLimit).toBe(10n)
    expect(problemsOf({ DAILY_DEPOSIT_LIMIT: '1e3' })).toHaveLength(1)
    expect(readConfig({ CREDIT_CARD_BAN_COUNTRIES: 'none' }).wallets.creditCardBanCountries.has('GB')).toBe(false)
    expect([...readConfig({ CREDIT_CARD_BAN_COUNTRIES: 'gb, IE' }).wallets.creditCardBanCountries]).toEqual([
      'GB',
      'IE',
    ])
  })

  test('.env.example lists every setting with its meaning, its values if they are few, and its default, in order', () => {
    const file = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
    const body = file.split('\n').filter((line) => line !== '' && !line.startsWith('##'))
    const defaults = Object.entries(settings).map(([name, { defaultValue }]) => `#${name}=${defaultValue ?? ''}`)
    expect(body.filter((_, index) => index % 2 === 1)).toEqual(defaults)
    const meanings = body.filter((_, index) => index % 2 === 0)
    const values = Object.values(settings).map(({ allowed }) =>
      allowed === undefined ? '' : `${allowed.join(' | ')}: `,
    )
    expect(meanings.filter((meaning, index) => !/^\w/.test(meaning.replace(`# ${values[index]}`, '')))).toEqual([])
  })

  test('without settings the service is a sandbox on this machine', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ mode: 'sandbox', public: { host: '127.0.0.1', port: 8080 }, databaseUrl: null })
    expect(config.rateLimit).toEqual({ perSecond: 0, perMinute: 0 })
  })

  test('one port for both listeners is refused, unless they have addresses of their own', () => {
    const PORTS = { PORT: '9080', OPERATOR_PORT: '9080' }
    const taken = ['OPERATOR_PORT=9080: PORT has it already; write another for one of them']
    expect(problemsOf(PORTS)).toEqual(taken)
    expect(problemsOf({ ...PORTS, HOST: '0.0.0.0' })).toEqual(taken)
    expect(problemsOf({ ...PORTS, HOST: 'localhost' })).toEqual(taken)
    expect(problemsOf({ ...PORTS, OPERATOR_HOST: '10.0.0.1' })).toEqual([])
    expect(problemsOf({ PORT: '0', OPERATOR_PORT: '0' })).toEqual([])
  })

  test('an empty setting counts as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}))
  })

  test('all mistakes are reported together, each with the accepted values', () => {
    const problems = problemsOf({
      MODE: 'staging',
      PORT: '80a',
      DATABASE_URL: 'mysql://user:hunter2@host/x',
      OPERATOR_TOKEN: 'short',
      TICKETS: 'jwt',
      TLS_CERT: '/cert.pem',
      OPERATOR_TLS_KEY: '/key.pem',
      INTROSPECTION_URL: 'https://user:hunter2@idp.example/x',
    })
    expect(problems).toEqual([
      'MODE=staging: write one of sandbox, production',
      'PORT=80a: write a whole number from 0 to 65535',
      'DATABASE_URL=…: write an address that begins with postgres:// or postgresql://',
      'INTROSPECTION_URL=…: write the address without a user name and password',
      'TLS_KEY is not set: TLS needs it',
      'OPERATOR_TLS_CERT is not set: TLS of the operator listener needs it',
      'JWT_ISSUER is not set: TICKETS=jwt needs it',
      'JWT_JWKS_URL is not set: TICKETS=jwt needs it',
      expect.stringContaining('OPERATOR_TOKEN=…: too short'),
    ])
    expect(problems.join()).not.toContain('hunter2')
  })

  test('traces are off without a collector; its headers are read as OpenTelemetry writes them, and never shown', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318'
    expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: '1' }).tracing).toBeNull()
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toMatchObject({
      serviceName: 'paddock',
      headers: {},
      ratio: 0.1,
      statementsOverMs: 10,
    })
    const headersOf = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).tracing?.headers
    expect(headersOf('Authorization=Bearer%20x%2Cy, api-key = a=b==')).toEqual({
      authorization: 'Bearer x,y',
      'api-key': 'a=b==',
    })
    for (const wrong of ['hunter2', '=hunter2', 'a=', 'a b=hunter2', 'a=hunter2%0D%0Ab', 'a=%hunter2', 'a=x,hunter2']) {
      expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: wrong })).toEqual([
        'OTEL_EXPORTER_OTLP_HEADERS=…: write pairs such as name=value, comma-separated; in values write a comma as %2C',
      ])
    }
    expect([0, 0.25, 1].map((ratio) => problemsOf({ OTEL_TRACES_SAMPLER_ARG: `${ratio}` }))).toEqual([[], [], []])
    for (const wrong of ['2', '-1', '10%', '1e-1', '1.5', 'x']) {
      expect(problemsOf({ OTEL_TRACES_SAMPLER_ARG: wrong })).toEqual([
        `OTEL_TRACES_SAMPLER_ARG=${wrong}: write a number from 0 to 1, such as 0.1`,
      ])
    }
  })

  test('settings that appear in answers have no character that XML forbids', () => {
    for (const DEFAULT_PICTURE of ['/a\uffff.png', '/a\nb', 'a.png', '/a?b', '/:name', '/', '//a']) {
      expect(problemsOf({ DEFAULT_PICTURE })).toEqual([expect.stringMatching(/^DEFAULT_PICTURE=.*write a path/s)])
    }
    expect(readConfig({ DEFAULT_PICTURE: '/faces/no-one_1.png' }).pictures.default).toBe('/faces/no-one_1.png')
    expect(readConfig({ PUBLIC_URL: 'https://zoë.example/a\uffff/' }).public.url).toBe(
      'https://xn--zo-ija.example/a%EF%BF%BF',
    )
  })

  test('replicas need PostgreSQL addresses and a primary', () => {
    const DATABASE_URL = 'postgres://primary/x'
    const [one, two] = ['postgres://user:hunter2@one/x', 'postgresql://two/x']
    expect(readConfig({}).replicas.urls).toEqual([])
    expect(readConfig({ DATABASE_URL, DATABASE_REPLICA_URLS: `${one}, ${two}` }).replicas.urls).toEqual([one, two])
    const cluster = 'postgres://user:hunter2@a,b:5433/x?target_session_attrs=read-write'
    expect(readConfig({ DATABASE_URL: cluster }).databaseUrl).toBe(cluster)
    expect(readConfig({ DATABASE_URL, DATABASE_REPLICA_URLS: `${cluster},${two}` }).replicas.urls).toEqual([
      'postgres://user:hunter2@a/x',
      'postgres://user:hunter2@b:5433/x',
      two,
    ])
    const problems = problemsOf({
      DATABASE_REPLICA_URLS: 'postgres://user:hunter2@one/x, mysql://user:hunter2@two/x',
      DATABASE_REPLICA_MAX_LAG_MS: '0',
    })
    expect(problems).toEqual([
      'DATABASE_REPLICA_URLS=…: address 2: write an address that begins with postgres:// or postgresql://',
      'DATABASE_REPLICA_MAX_LAG_MS=0: write a whole number from 500 to 600000',
    ])
    expect(problemsOf({ DATABASE_REPLICA_URLS: one })).toEqual([
      'DATABASE_URL is not set: DATABASE_REPLICA_URLS needs it',
    ])
  })

  test('an OpenID provider needs a client, roles, and a console address that browsers accept cookies from', () => {
    const OIDC_ISSUER = 'https://idp.example/'
    expect(problemsOf({ OIDC_ISSUER })).toEqual([
      'OIDC_CLIENT_ID is not set: OIDC_ISSUER needs it',
      'OIDC_ROLES is not set: OIDC_ISSUER needs it',
      'OPERATOR_URL is not set: OIDC_ISSUER needs it',
    ])
    const whole = { OIDC_ISSUER, OIDC_CLIENT_ID: 'paddock', OIDC_ROLES: 'a=b = admin,c= auditor' }
    expect(problemsOf({ ...whole, OPERATOR_URL: 'http://10.0.0.1:8081' })).toEqual([
      expect.stringMatching(/^OPERATOR_URL=…: write an address that begins with https/),
    ])
    expect(problemsOf({ ...whole, OIDC_ROLES: 'a=king', OPERATOR_URL: 'http://localhost' })[0]).toContain('write pairs')
    expect(readConfig({ ...whole, OPERATOR_URL: 'https://ops.example/paddock/' }).operator.openId).toMatchObject({
      issuer: OIDC_ISSUER,
      roles: [
        ['a=b', 'admin'],
        ['c', 'auditor'],
      ],
      redirectUrl: 'https://ops.example/paddock/sign-in/openid/callback',
    })
  })

  test.each(['proxy.example', '10.0.0.1,', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0.0/x'])(
    'a proxy is an address or a network, not %s',
    (TRUST_PROXY) => {
      expect(problemsOf({ TRUST_PROXY })).toEqual([expect.stringMatching(/^TRUST_PROXY=.*write addresses/)])
    },
  )

  describe('production refuses', () => {
    const PRODUCTION = { MODE: 'production', TRUST_PROXY: '10.0.0.1', ...GATEWAY }
    const JWT = { TICKETS: 'jwt', JWT_ISSUER: 'https://idp.example', JWT_AUDIENCE: 'paddock' }
    const JWKS = { ...JWT, JWT_JWKS_URL: 'https://idp.example/keys' }
    const OWN_TLS = { TRUST_PROXY: '', TLS_CERT: '/cert.pem', TLS_KEY: '/key.pem' }
    const OPERATOR_TLS = { OPERATOR_TLS_CERT: '/cert.pem', OPERATOR_TLS_KEY: '/key.pem' }
    const GOOD_TOKEN = '3f9c0e7ab14d5286c8fe0a917d4b62e5'
    const refused = (settings: Record<string, string>) => problemsOf({ ...PRODUCTION, ...settings })

    test.each(['0.0.0.0', '::', '203.0.113.5', '2001:db8::1', 'paddock.example'])(
      'a plain-HTTP operator listener on %s without TLS or a trusted proxy',
      (OPERATOR_HOST) => {
        const problems = refused({ ...OWN_TLS, OPERATOR_HOST })
        expect(problems).toEqual([expect.stringContaining(`OPERATOR_HOST=${OPERATOR_HOST}: operator tokens must not`)])
        expect(refused({ ...OWN_TLS, ...OPERATOR_TLS, OPERATOR_HOST })).toEqual([])
        expect(refused({ OPERATOR_HOST })).toEqual([])
      },
    )

    test.each(['127.0.0.1', '127.3.2.1', 'localhost', '::1', '10.2.3.4', '172.31.0.1', '192.168.1.1', 'fd12::1'])(
      'no operator listener on %s',
      (OPERATOR_HOST) => expect(refused({ ...OWN_TLS, OPERATOR_HOST })).toEqual([]),
    )

    test.each([
      'test-operator-token-0123456789',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      'abcdefghijklmnopqrstuvwxyz0123456789',
      'changeme-changeme-changeme-changeme',
      'correct-horse-battery-staple',
      'SuperSecretPassword2026!',
    ])('the bootstrap token %s, which is easy to guess', (OPERATOR_TOKEN) => {
      const problems = refused({ OPERATOR_TOKEN })
      expect(problems).toEqual([expect.stringMatching(/^OPERATOR_TOKEN=…: too easy to guess; write 32 random/)])
      expect(problems.join()).not.toContain(OPERATOR_TOKEN)
      expect(problemsOf({ OPERATOR_TOKEN })).toEqual([])
      expect(refused({ OPERATOR_TOKEN: GOOD_TOKEN })).toEqual([])
    })

    test.each([
      ['ADYEN_URL', {}],
      ['ADYEN_TRANSFERS_URL', {}],
      ['JWT_JWKS_URL', JWKS],
      [
        'INTROSPECTION_URL',
        { TICKETS: 'introspection', INTROSPECTION_CLIENT_ID: 'paddock', INTROSPECTION_CLIENT_SECRET: 's' },
      ],
    ])('plain HTTP in %s', (name, more: Record<string, string>) => {
      expect(refused({ ...more, [name]: 'http://service.example/' })).toEqual([
        `${name}=…: production needs an address that begins with https://`,
      ])
      expect(refused({ ...more, [name]: 'https://service.example/' })).toEqual([])
    })

    test('Adyen’s test address, which is the default', () => {
      const advice = expect.stringMatching(/^ADYEN_URL: this is the test address/)
      expect(refused({ ADYEN_URL: '' })).toEqual([advice])
      expect(refused({ ADYEN_URL: 'https://pal-test.adyen.com/pal' })).toEqual([advice])
      const transfers = {
        ADYEN_TRANSFERS_KEY: 'a',
        ADYEN_BALANCE_ACCOUNT: 'BA1',
        ADYEN_TRANSFERS_HMAC_KEY: '0f'.repeat(32),
      }
      expect(refused(transfers)).toEqual([expect.stringMatching(/^ADYEN_TRANSFERS_URL: this is the test address/)])
      const live = { ADYEN_TRANSFERS_URL: 'https://balanceplatform-api-live.adyen.com' }
      expect(refused({ ...transfers, ...live })).toEqual([])
    })

    test('an OpenID provider over plain HTTP', () => {
      const OIDC = { OIDC_CLIENT_ID: 'x', OIDC_ROLES: 'a=admin', OPERATOR_URL: 'https://ops.example' }
      expect(refused({ ...OIDC, OIDC_ISSUER: 'http://idp.example' })).toEqual([
        'OIDC_ISSUER=…: production needs an address that begins with https://',
      ])
    })

    test('tickets by JWT without an audience', () => {
      expect(refused({ ...JWKS, JWT_AUDIENCE: '' })).toEqual([expect.stringMatching(/^JWT_AUDIENCE is not set/)])
      expect(refused(JWKS)).toEqual([])
    })
  })

  test('production needs TLS or a trusted proxy; it limits requests and refuses pages of other origins by default', () => {
    expect(problemsOf({ MODE: 'production', ...GATEWAY })).toEqual([expect.stringContaining('plain HTTP')])
    const config = readConfig({ MODE: 'production', ...GATEWAY, TRUST_PROXY: '10.0.0.1, 10.1.0.0/16' })
    expect(config.corsOrigins).toEqual([])
    const trusted = ['10.0.0.1', '10.1.2.3', '10.0.0.2'].map((address) => config.trustedProxies?.check(address))
    expect(trusted).toEqual([true, true, false])
    expect(config.rateLimit).toEqual({ perSecond: 100, perMinute: 3000 })
  })
})
