// Environment → Config. Every problem is reported at once, with what to write instead.

import { parseMoney } from './wallets/money.ts'

export type Config = ReturnType<typeof decide>

/** All settings, in the order of .env.example, which a test compares with this table. */
export const settings = {
  MODE: choice('sandbox', ['sandbox', 'production'], 'production refuses sandbox credentials and plain HTTP'),
  HOST: text('127.0.0.1', 'address of the public API'),
  PORT: integer(8080, 0, 65_535, 'port of the public API'),
  OPERATOR_HOST: text('127.0.0.1', 'address of the operator listener: operator API, metrics, health'),
  OPERATOR_PORT: integer(8081, 0, 65_535, 'port of the operator listener'),
  PUBLIC_URL: url(null, ['http:', 'https:'], 'where clients reach the public API; makes picture addresses absolute'),
  DATA_DIR: text('./data', 'embedded database, pictures, the operator token made at first start'),
  DATABASE_URL: url(
    null,
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host/name; unset: the embedded database',
  ),
  OPERATOR_TOKEN: text(
    null,
    'bootstrap token with role admin, 20 characters or more; unset: made and kept in DATA_DIR',
  ),
  TLS_CERT: text(null, 'certificate file (PEM) of the public listener'),
  TLS_KEY: text(null, 'key file (PEM) of the public listener'),
  TRUST_PROXY: text(null, 'addresses of the proxies whose x-forwarded-* headers count, comma-separated'),
  RATE_LIMIT_PER_SECOND: integer(
    null,
    0,
    1_000_000,
    'requests per second and application, 0 is off; unset: off in sandbox, 100 in production',
  ),
  RATE_LIMIT_PER_MINUTE: integer(null, 0, 60_000_000, 'the same per minute; unset: off in sandbox, 3000 in production'),
  MAX_IN_FLIGHT: integer(1000, 1, 100_000, 'requests served at the same time; one more is answered 503'),
  LOG_LEVEL: choice('info', ['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'one line per request at info'),
  SANDBOX_SEED: choice('on', ['on', 'off'], 'sandbox only: off starts with the application alone'),
  TICKETS: choice('builtin', ['builtin', 'jwt', 'introspection'], 'who vouches for who-ticket'),
  TICKET_CUSTOMER_CLAIM: text('sub', 'jwt, introspection: the claim that holds the customer id'),
  JWT_ISSUER: url(null, ['http:', 'https:'], 'jwt: the issuer that tokens must name'),
  JWT_AUDIENCE: text(null, 'jwt: the audience that tokens must name; unset: any'),
  JWT_JWKS_URL: url(null, ['http:', 'https:'], 'jwt: where the issuer publishes its keys'),
  INTROSPECTION_URL: url(null, ['http:', 'https:'], 'introspection: the RFC 7662 endpoint'),
  INTROSPECTION_CLIENT_ID: text(null, 'introspection: our client id there'),
  INTROSPECTION_CLIENT_SECRET: text(null, 'introspection: our client secret there'),
  BET_CHECK: choice(
    'strict',
    ['strict', 'trust'],
    'trust lets a tip name any bet id; strict knows the bet and its owner',
  ),
  GATEWAY: choice('sandbox', ['sandbox', 'adyen'], 'who authorises card payments; production refuses the sandbox'),
  GATEWAY_TIMEOUT_MS: integer(10_000, 50, 60_000, 'how long one call to the gateway may take'),
  SANDBOX_GATEWAY_PORT: integer(8082, 0, 65_535, '`paddock gateway`: the port it listens on'),
  SANDBOX_GATEWAY_URL: url(
    null,
    ['http:', 'https:'],
    'sandbox: a gateway run by `paddock gateway`; unset: in this process',
  ),
  ADYEN_URL: url(
    'https://checkout-test.adyen.com',
    ['http:', 'https:'],
    'adyen: address of the Checkout API, without the version',
  ),
  ADYEN_API_KEY: text(null, 'adyen: API key'),
  ADYEN_MERCHANT_ACCOUNT: text(null, 'adyen: merchant account'),
  ADYEN_HMAC_KEY: text(null, 'adyen: key that signs notifications, 64 hexadecimal digits'),
  DAILY_DEPOSIT_LIMIT: amount(
    '10000.00',
    'what a customer without a limit of their own may deposit in a day (UTC), in their currency',
  ),
  FUNDS_STATEMENT_VERSION: integer(1, 1, 1_000_000, 'customers must have accepted this version or a later one'),
  CREDIT_CARD_BAN_COUNTRIES: text('GB', 'countries whose credit cards are refused, comma-separated; none: no country'),
  DEPOSIT_LEASE_SECONDS: integer(60, 1, 3_600, 'a deposit without a result after this time is voided'),
  VOID_GRACE_SECONDS: integer(300, 1, 86_400, 'how long a payment that the gateway does not know is still cancelled'),
  REVIEW_AFTER_SECONDS: integer(
    86_400,
    1,
    2_592_000,
    'captures and cancels without a result go to a person after this',
  ),
  PICTURES: choice('disk', ['disk', 's3'], 'where profile pictures are kept: under DATA_DIR or in a bucket'),
  DEFAULT_PICTURE: text('/pictures/default.png', 'picture of profiles without one; this path is served by the service'),
  S3_ENDPOINT: url(null, ['http:', 'https:'], 's3: address of the store, without the bucket'),
  S3_BUCKET: text(null, 's3: bucket'),
  S3_REGION: text('us-east-1', 's3: region'),
  S3_ACCESS_KEY_ID: text(null, 's3: access key id'),
  S3_SECRET_ACCESS_KEY: text(null, 's3: secret access key'),
}

export class ConfigProblems extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(
      `The settings have ${problems.length} problem${problems.length === 1 ? '' : 's'}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const values = read(environment, problems)
  checkTogether(values, problems)
  if (problems.length > 0) throw new ConfigProblems(problems)
  return decide(values)
}

type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> }

function read(environment: Record<string, string | undefined>, problems: string[]): Values {
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const raw = environment[name]
    try {
      values[name] = raw === undefined || raw === '' ? setting.absent : setting.parse(raw)
    } catch (error) {
      problems.push(`${name}=${secretive(name) ? '…' : raw}: ${(error as Error).message}`)
      values[name] = setting.absent
    }
  }
  return values as Values
}

/** An address may carry a password. */
function secretive(name: string): boolean {
  return /SECRET|TOKEN|URL|ENDPOINT|ISSUER|_KEY$/.test(name)
}

function checkTogether(values: Values, problems: string[]): void {
  const need = (when: string, names: (keyof Values)[]) => {
    for (const name of names) if (values[name] === null) problems.push(`${name} is not set: ${when} needs it`)
  }
  if (values.TLS_CERT !== null || values.TLS_KEY !== null) need('TLS', ['TLS_CERT', 'TLS_KEY'])
  if (values.TICKETS === 'jwt') need('TICKETS=jwt', ['JWT_ISSUER', 'JWT_JWKS_URL'])
  if (values.TICKETS === 'introspection') {
    need('TICKETS=introspection', ['INTROSPECTION_URL', 'INTROSPECTION_CLIENT_ID', 'INTROSPECTION_CLIENT_SECRET'])
  }
  if (values.PICTURES === 's3')
    need('PICTURES=s3', ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  checkGateway(values, need, problems)
  if (values.OPERATOR_TOKEN !== null && values.OPERATOR_TOKEN.length < 20) {
    problems.push(
      'OPERATOR_TOKEN=…: too short to be safe; write 20 random characters or more, or leave it out and one is made',
    )
  }
  if (values.MODE === 'production' && values.TLS_CERT === null && values.TRUST_PROXY === null) {
    problems.push(
      'MODE=production: secrets must not travel over plain HTTP. Set TLS_CERT and TLS_KEY, or TRUST_PROXY with the address of the proxy that ends TLS',
    )
  }
}

function checkGateway(values: Values, need: (when: string, names: (keyof Values)[]) => void, problems: string[]): void {
  if (values.GATEWAY === 'adyen') {
    need('GATEWAY=adyen', ['ADYEN_API_KEY', 'ADYEN_MERCHANT_ACCOUNT', 'ADYEN_HMAC_KEY'])
    if (values.ADYEN_HMAC_KEY !== null && !/^[0-9a-f]{64}$/i.test(values.ADYEN_HMAC_KEY)) {
      problems.push('ADYEN_HMAC_KEY=…: write the 64 hexadecimal digits that the Customer Area shows')
    }
  } else if (values.MODE === 'production') {
    problems.push('GATEWAY=sandbox: production needs a gateway that moves money; write GATEWAY=adyen')
  }
  // Two tries of a call must fit into the lease, and a call that is still on its way into the grace period.
  for (const name of ['DEPOSIT_LEASE_SECONDS', 'VOID_GRACE_SECONDS'] as const) {
    if ((values[name] as number) * 1000 < 2 * (values.GATEWAY_TIMEOUT_MS as number)) {
      problems.push(
        `${name}=${values[name]}: write at least twice GATEWAY_TIMEOUT_MS (${values.GATEWAY_TIMEOUT_MS} ms)`,
      )
    }
  }
}

function walletSettings(values: Values) {
  const banned = (values.CREDIT_CARD_BAN_COUNTRIES as string).split(',').map((country) => country.trim().toUpperCase())
  return {
    gateway: values.GATEWAY as 'sandbox' | 'adyen',
    gatewayTimeoutMs: values.GATEWAY_TIMEOUT_MS as number,
    sandboxGatewayPort: values.SANDBOX_GATEWAY_PORT as number,
    sandboxGatewayUrl: values.SANDBOX_GATEWAY_URL,
    adyen: {
      url: values.ADYEN_URL as string,
      apiKey: values.ADYEN_API_KEY ?? '',
      merchantAccount: values.ADYEN_MERCHANT_ACCOUNT ?? '',
      hmacKey: values.ADYEN_HMAC_KEY ?? '',
    },
    dailyDepositLimit: parseMoney(values.DAILY_DEPOSIT_LIMIT) as bigint,
    fundsStatementVersion: values.FUNDS_STATEMENT_VERSION as number,
    creditCardBanCountries: new Set(banned),
    leaseMs: (values.DEPOSIT_LEASE_SECONDS as number) * 1000,
    voidGraceMs: (values.VOID_GRACE_SECONDS as number) * 1000,
    reviewAfterMs: (values.REVIEW_AFTER_SECONDS as number) * 1000,
  }
}

function decide(values: Values) {
  const production = values.MODE === 'production'
  return {
    mode: values.MODE as 'sandbox' | 'production',
    public: {
      host: values.HOST as string,
      port: values.PORT as number,
      url: values.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    },
    operator: {
      host: values.OPERATOR_HOST as string,
      port: values.OPERATOR_PORT as number,
      token: values.OPERATOR_TOKEN,
    },
    dataFolder: values.DATA_DIR as string,
    databaseUrl: values.DATABASE_URL,
    tls: values.TLS_CERT !== null && values.TLS_KEY !== null ? { cert: values.TLS_CERT, key: values.TLS_KEY } : null,
    trustProxy: values.TRUST_PROXY?.split(',').map((address) => address.trim()) ?? null,
    rateLimit: {
      perSecond: values.RATE_LIMIT_PER_SECOND ?? (production ? 100 : 0),
      perMinute: values.RATE_LIMIT_PER_MINUTE ?? (production ? 3000 : 0),
    },
    maxInFlight: values.MAX_IN_FLIGHT as number,
    logLevel: values.LOG_LEVEL as string,
    sandboxSeed: !production && values.SANDBOX_SEED === 'on',
    tickets: {
      source: values.TICKETS as 'builtin' | 'jwt' | 'introspection',
      customerClaim: values.TICKET_CUSTOMER_CLAIM as string,
      jwt: { issuer: values.JWT_ISSUER ?? '', audience: values.JWT_AUDIENCE, jwksUrl: values.JWT_JWKS_URL ?? '' },
      introspection: {
        url: values.INTROSPECTION_URL ?? '',
        clientId: values.INTROSPECTION_CLIENT_ID ?? '',
        clientSecret: values.INTROSPECTION_CLIENT_SECRET ?? '',
      },
    },
    betCheck: values.BET_CHECK as 'strict' | 'trust',
    wallets: walletSettings(values),
    pictures: {
      store: values.PICTURES as 'disk' | 's3',
      default: values.DEFAULT_PICTURE as string,
      s3: {
        endpoint: values.S3_ENDPOINT ?? '',
        bucket: values.S3_BUCKET ?? '',
        region: values.S3_REGION as string,
        accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
      },
    },
  }
}

type Setting<T> = { absent: T; meaning: string; parse: (raw: string) => T }

function text<T extends string | null>(absent: T, meaning: string): Setting<string | T> {
  return { absent, meaning, parse: (raw) => raw }
}

function choice(absent: string, allowed: string[], meaning: string): Setting<string> {
  return {
    absent,
    meaning: `${allowed.join(' or ')}: ${meaning}`,
    parse(raw) {
      if (!allowed.includes(raw)) throw new Error(`write one of ${allowed.join(', ')}`)
      return raw
    },
  }
}

function amount(absent: string, meaning: string): Setting<string> {
  return {
    absent,
    meaning,
    parse(raw) {
      if (parseMoney(raw) === undefined) throw new Error('write an amount such as 5000.00')
      return raw
    },
  }
}

function integer<T extends number | null>(
  absent: T,
  least: number,
  most: number,
  meaning: string,
): Setting<number | T> {
  return {
    absent,
    meaning,
    parse(raw) {
      const value = Number(raw)
      if (!/^\d+$/.test(raw) || value < least || value > most)
        throw new Error(`write a whole number from ${least} to ${most}`)
      return value
    },
  }
}

function url(absent: string | null, protocols: string[], meaning: string): Setting<string | null> {
  return {
    absent,
    meaning,
    parse(raw) {
      const parsed = URL.canParse(raw) ? new URL(raw) : null
      if (parsed?.protocol.startsWith('http') && parsed.username + parsed.password !== '') {
        throw new Error('write the address without a user name and password')
      }
      if (parsed === null || !protocols.includes(parsed.protocol)) {
        throw new Error(
          `write an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
        )
      }
      return raw
    },
  }
}
