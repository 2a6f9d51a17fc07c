// The table of settings: name, default, meaning, and what is valid. config.ts reads and judges them together.

import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { trustedProxies } from '../http/proxies.ts'
import { ROLES, type Role } from '../operator-access/roles.ts'
import { parseMoney } from '../wallets/money.ts'

/** All settings, in the order of .env.example, which a test compares with this table. */
export const settings = {
  MODE: choice('sandbox', ['sandbox', 'production'], 'production refuses sandbox credentials and plain HTTP'),
  HOST: text('127.0.0.1', 'address of the public API'),
  PORT: integer(8080, 0, 65_535, 'port of the public API'),
  OPERATOR_HOST: text('127.0.0.1', 'address of the operator listener: operator API, metrics, health'),
  OPERATOR_PORT: integer(8081, 0, 65_535, 'port of the operator listener'),
  WORKERS: integerOrAuto(1, 1, 256, 'processes that serve the public API on one port; auto: one for each core'),
  PUBLIC_URL: url(null, ['http:', 'https:'], 'where clients reach the public API; makes picture addresses absolute'),
  DATA_DIR: text('./data', 'embedded database, pictures, the operator token made at first start'),
  DATABASE_URL: url(
    null,
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host/name; unset: the embedded database',
  ),
  DATABASE_REPLICA_URLS: urls(
    ['postgres:', 'postgresql:'],
    'replicas of DATABASE_URL that reads go to, comma-separated; unset: none',
  ),
  DATABASE_REPLICA_MAX_LAG_MS: integer(2000, 500, 600_000, 'a replica further behind is left out until it caught up'),
  OPERATOR_TOKEN: text(
    null,
    'bootstrap token with role admin, 20 characters or more, 32 random ones in production; unset: made and kept in DATA_DIR',
  ),
  OPERATOR_TLS_CERT: text(null, 'certificate file (PEM) of the operator listener'),
  OPERATOR_TLS_KEY: text(null, 'key file (PEM) of the operator listener'),
  OPERATOR_URL: url(
    null,
    ['http:', 'https:'],
    'where browsers reach the console, https:// or a loopback address; for OIDC_ISSUER',
  ),
  OIDC_ISSUER: url(
    null,
    ['http:', 'https:'],
    'OpenID provider that people sign in to the console with; unset: only with tokens',
  ),
  OIDC_CLIENT_ID: text(null, 'openid: our client id there'),
  OIDC_CLIENT_SECRET: text(null, 'openid: our client secret there; unset: a public client, with PKCE alone'),
  OIDC_SCOPES: text('openid profile email', 'openid: what is asked for'),
  OIDC_NAME_CLAIM: text('email', 'openid: the claim of the ID token that names the person in the audit trail'),
  OIDC_ROLE_CLAIM: text(
    'roles',
    'openid: the claim that decides the role, a text or a list; realm_access.roles goes into objects',
  ),
  OIDC_ROLES: roles(
    'openid: VALUE=ROLE, comma-separated: what the claim must hold for which role; the first that fits counts',
  ),
  TLS_CERT: text(null, 'certificate file (PEM) of the public listener'),
  TLS_KEY: text(null, 'key file (PEM) of the public listener'),
  TRUST_PROXY: proxies(
    'addresses or networks (10.0.0.0/8) of the proxies whose x-forwarded-proto counts, comma-separated',
  ),
  RATE_LIMIT_PER_SECOND: integer(
    null,
    0,
    1_000_000,
    'requests per second and application, 0 is off; unset: off in sandbox, 100 in production',
  ),
  RATE_LIMIT_PER_MINUTE: integer(null, 0, 60_000_000, 'the same per minute; unset: off in sandbox, 3000 in production'),
  MAX_IN_FLIGHT: integer(1000, 1, 100_000, 'requests served at the same time; one more is answered 503'),
  MAX_IN_FLIGHT_PER_APPLICATION: integer(
    null,
    1,
    100_000,
    'requests of one application at the same time; one more is answered 429; unset: half of MAX_IN_FLIGHT',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    1000,
    0,
    1_000_000,
    'connections of one address (IPv6: of one /64) at the same time, proxies of TRUST_PROXY apart; 0 is off',
  ),
  REQUEST_HEAD_TIMEOUT_MS: integer(10_000, 50, 600_000, "how long a request's line and headers may take to arrive"),
  REQUEST_BODY_TIMEOUT_MS: integer(30_000, 50, 600_000, 'how long a body may take to arrive'),
  RESPONSE_TIMEOUT_MS: integer(30_000, 50, 600_000, 'how long a client may take nothing of its answer'),
  BODY_MEMORY_MB: integer(
    128,
    24,
    100_000,
    'bodies held at the same time, pictures above all; one application may use half',
  ),
  LOG_LEVEL: choice('info', ['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'one line per request at info'),
  SANDBOX_SEED: choice('on', ['on', 'off'], 'sandbox only: off starts with the application alone'),
  TICKETS: choice('builtin', ['builtin', 'jwt', 'introspection'], 'who vouches for who-ticket'),
  TICKET_CUSTOMER_CLAIM: text('sub', 'jwt, introspection: the claim that holds the customer id'),
  JWT_ISSUER: url(null, ['http:', 'https:'], 'jwt: the issuer that tokens must name'),
  JWT_AUDIENCE: text(null, 'jwt: the audience that tokens must name; unset: any, which production refuses'),
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
    'adyen: address of the Checkout API, without the version; production refuses the test address',
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
  DEFAULT_PICTURE: path('/pictures/default.png', 'picture of profiles without one; this path is served by the service'),
  PICTURES_PER_MINUTE: integer(
    10,
    0,
    100_000,
    'uploads of one customer in a minute; one more is answered 429; 0 is off',
  ),
  S3_ENDPOINT: url(null, ['http:', 'https:'], 's3: address of the store, without the bucket'),
  S3_BUCKET: text(null, 's3: bucket'),
  S3_REGION: text('us-east-1', 's3: region'),
  S3_ACCESS_KEY_ID: text(null, 's3: access key id'),
  S3_SECRET_ACCESS_KEY: text(null, 's3: secret access key'),
}

type Setting<T> = { absent: T; meaning: string; parse: (raw: string) => T }

function text<T extends string | null>(absent: T, meaning: string): Setting<string | T> {
  return { absent, meaning, parse: (raw) => raw }
}

/** Shown to clients and served. */
function path(absent: string, meaning: string): Setting<string> {
  return {
    absent,
    meaning,
    parse(raw) {
      if (!/^(\/[\w.~-]+)+$/.test(raw)) throw new Error(`write a path of plain characters, such as ${absent}`)
      return raw
    },
  }
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

function integerOrAuto(absent: number, least: number, most: number, meaning: string): Setting<number> {
  const plain = integer(absent, least, most, meaning)
  return { ...plain, parse: (raw) => (raw === 'auto' ? availableParallelism() : plain.parse(raw)) }
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

/** Each as `url` judges it; the first that is wrong is reported by its place, as an address may carry a password. */
function urls(protocols: string[], meaning: string): Setting<string[] | null> {
  const one = url(null, protocols, '')
  return {
    absent: null,
    meaning,
    parse: (raw) =>
      raw.split(',').map((address, index) => {
        try {
          return one.parse(address.trim()) as string
        } catch (error) {
          throw new Error(`address ${index + 1}: ${(error as Error).message}`)
        }
      }),
  }
}

function proxies(meaning: string): Setting<BlockList | null> {
  return { absent: null, meaning, parse: (raw) => trustedProxies(raw.split(',').map((address) => address.trim())) }
}

function roles(meaning: string): Setting<(readonly [value: string, role: Role])[] | null> {
  return {
    absent: null,
    meaning,
    parse: (raw) =>
      raw.split(',').map((pair) => {
        const [, value = '', role = ''] = /^\s*(.+?)\s*=\s*(\w+)\s*$/.exec(pair) ?? []
        if (!ROLES.includes(role as Role)) {
          throw new Error(`write pairs such as paddock-admins=admin, with one of ${ROLES.join(', ')}`)
        }
        return [value, role as Role] as const
      }),
  }
}
