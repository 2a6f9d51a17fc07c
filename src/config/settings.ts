// The table of settings: name, default, meaning, valid values. config.ts reads them and checks them together.

import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { addressList } from '../runtime/addresses.ts'
import { parseMoney } from '../runtime/money.ts'
import { serversOf, splitUrls } from '../runtime/postgres-url.ts'
import { ROLES, type Role } from './roles.ts'

/** All settings, in the order of .env.example, which a test compares with this table. */
export const settings = {
  MODE: choice('sandbox', ['sandbox', 'production'], 'production refuses sandbox credentials and plain HTTP'),
  HOST: text('127.0.0.1', 'address of the public API'),
  PORT: integer(8080, 0, 65_535, 'port of the public API'),
  OPERATOR_HOST: text('127.0.0.1', 'address of the operator listener: operator API, console, metrics, health'),
  OPERATOR_PORT: integer(8081, 0, 65_535, 'port of the operator listener'),
  WORKERS: integerOrAuto(1, 1, 256, 'processes that serve the public API on one port; auto: one per core'),
  PUBLIC_URL: url(null, ['http:', 'https:'], 'where clients reach the public API; makes picture addresses absolute'),
  DATA_DIR: text('./data', 'folder of the embedded database, pictures and the operator token created at first start'),
  DATABASE_URL: postgresUrl(
    'postgres://user:password@host/name, or several hosts: a,b,c/name?target_session_attrs=read-write; unset: the embedded database',
  ),
  DATABASE_WAIT_SECONDS: integer(30, 0, 86_400, 'how long a start waits for the database of DATABASE_URL'),
  DATABASE_REPLICA_URLS: postgresUrls(
    'read replicas of DATABASE_URL, comma-separated, never a balancer; each host is one replica; unset: none',
  ),
  DATABASE_REPLICA_MAX_LAG_MS: integer(
    2000,
    500,
    600_000,
    'a replica that is further behind is left out until it has caught up',
  ),
  OPERATOR_TOKEN: text(
    null,
    'bootstrap token with the role admin: 20 characters or more, in production 32 random ones; unset: created in DATA_DIR',
  ),
  OPERATOR_TLS_CERT: text(null, 'certificate file (PEM) of the operator listener'),
  OPERATOR_TLS_KEY: text(null, 'key file (PEM) of the operator listener'),
  OPERATOR_URL: url(
    null,
    ['http:', 'https:'],
    'where browsers reach the console, https:// or a loopback address; needed for OIDC_ISSUER',
  ),
  OIDC_ISSUER: url(
    null,
    ['http:', 'https:'],
    'OpenID provider for signing in to the console; unset: operator tokens only',
  ),
  OIDC_CLIENT_ID: text(null, 'openid: client id at the provider'),
  OIDC_CLIENT_SECRET: text(null, 'openid: client secret at the provider; unset: a public client, with PKCE alone'),
  OIDC_SCOPES: text('openid profile email', 'openid: requested scopes'),
  OIDC_NAME_CLAIM: text('email', 'openid: claim of the ID token that names the person in the audit trail'),
  OIDC_ROLE_CLAIM: text(
    'roles',
    'openid: claim that decides the role, a text or a list; a dot reads nested objects: realm_access.roles',
  ),
  OIDC_ROLES: roles('openid: roles by value of the claim, VALUE=ROLE, comma-separated; the first match applies'),
  TLS_CERT: text(null, 'certificate file (PEM) of the public listener'),
  TLS_KEY: text(null, 'key file (PEM) of the public listener'),
  TRUST_PROXY: proxies(
    'addresses or networks (10.0.0.0/8) of trusted proxies, comma-separated: their x-forwarded-proto and -for are used',
  ),
  RATE_LIMIT_PER_SECOND: integer(
    null,
    0,
    1_000_000,
    'requests per second and application; 0: off; unset: off in sandbox, 100 in production',
  ),
  RATE_LIMIT_PER_MINUTE: integer(null, 0, 60_000_000, 'the same per minute; unset: off in sandbox, 3000 in production'),
  MAX_IN_FLIGHT: integer(1000, 1, 100_000, 'concurrent requests; more are answered 503'),
  MAX_IN_FLIGHT_PER_APPLICATION: integer(
    null,
    1,
    100_000,
    'concurrent requests of one application; more are answered 429; unset: half of MAX_IN_FLIGHT',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    1000,
    0,
    1_000_000,
    'connections of one address (IPv6: of one /64), except proxies of TRUST_PROXY; 0: off',
  ),
  REQUEST_HEAD_TIMEOUT_MS: integer(10_000, 50, 600_000, 'time for the request line and headers to arrive'),
  REQUEST_BODY_TIMEOUT_MS: integer(30_000, 50, 600_000, 'time for a body to arrive'),
  RESPONSE_TIMEOUT_MS: integer(
    30_000,
    50,
    600_000,
    'a client that reads nothing of its answer for this time is disconnected',
  ),
  BODY_MEMORY_MB: integer(128, 24, 100_000, 'memory for request bodies, mostly pictures; one application may use half'),
  RAW_RESPONSES: choice(
    'on',
    ['on', 'off'],
    'off lets Node write every answer, which costs a tenth of a short request; the bytes are the same',
  ),
  LOG_LEVEL: choice('info', ['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'info logs one line per request'),
  SANDBOX_SEED: choice('on', ['on', 'off'], 'sandbox only: off creates the application and no customers'),
  TICKETS: choice('builtin', ['builtin', 'jwt', 'introspection'], 'who issues and checks who-ticket'),
  TICKET_CUSTOMER_CLAIM: text('sub', 'jwt, introspection: claim with the customer id'),
  JWT_ISSUER: url(null, ['http:', 'https:'], 'jwt: required issuer of tokens'),
  JWT_AUDIENCE: text(null, 'jwt: required audience of tokens; unset: any, which production refuses'),
  JWT_JWKS_URL: url(null, ['http:', 'https:'], 'jwt: address of the keys of the issuer'),
  INTROSPECTION_URL: url(null, ['http:', 'https:'], 'introspection: RFC 7662 endpoint'),
  INTROSPECTION_CLIENT_ID: text(null, 'introspection: client id at the endpoint'),
  INTROSPECTION_CLIENT_SECRET: text(null, 'introspection: client secret at the endpoint'),
  BET_CHECK: choice(
    'strict',
    ['strict', 'trust'],
    'strict: the bet of a tip must exist and be of its author; trust: any well-formed bet id is accepted',
  ),
  GATEWAY: choice('sandbox', ['sandbox', 'adyen'], 'payment gateway of new deposits; production refuses the sandbox'),
  GATEWAY_TIMEOUT_MS: integer(10_000, 50, 60_000, 'timeout of one call to the gateway'),
  SANDBOX_GATEWAY_PORT: integer(8082, 0, 65_535, 'port of `paddock gateway`'),
  SANDBOX_GATEWAY_URL: url(
    null,
    ['http:', 'https:'],
    'sandbox: address of `paddock gateway`; unset: the gateway runs in this process',
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
    'daily deposit limit (UTC days) of customers without their own, in their currency',
  ),
  FUNDS_STATEMENT_VERSION: integer(
    1,
    1,
    1_000_000,
    'funds statement: customers must have accepted this version or a later one',
  ),
  CREDIT_CARD_BAN_COUNTRIES: text('GB', 'countries whose credit cards are refused, comma-separated; none: no ban'),
  DEPOSIT_LEASE_SECONDS: integer(60, 1, 3_600, 'a deposit without a result is voided after this time'),
  VOID_GRACE_SECONDS: integer(
    300,
    1,
    86_400,
    'how long cancels are repeated for a payment that the gateway does not know',
  ),
  REVIEW_AFTER_SECONDS: integer(
    86_400,
    1,
    2_592_000,
    'captures and cancels without a result need manual review after this time',
  ),
  PICTURES: choice('disk', ['disk', 's3'], 'where profile pictures are stored: under DATA_DIR or in a bucket'),
  DEFAULT_PICTURE: path('/pictures/default.png', 'path of the picture of profiles without one; the service serves it'),
  PICTURES_PER_MINUTE: integer(10, 0, 100_000, 'uploads of one customer per minute; more are answered 429; 0: off'),
  S3_ENDPOINT: url(null, ['http:', 'https:'], 's3: address of the store, without the bucket'),
  S3_BUCKET: text(null, 's3: bucket'),
  S3_REGION: text('us-east-1', 's3: region'),
  S3_ACCESS_KEY_ID: text(null, 's3: access key id'),
  S3_SECRET_ACCESS_KEY: text(null, 's3: secret access key'),
}

type Setting<T> = { defaultValue: T; meaning: string; parse: (raw: string) => T }

function text<T extends string | null>(defaultValue: T, meaning: string): Setting<string | T> {
  return { defaultValue, meaning, parse: (raw) => raw }
}

/** A path that answers show and the service serves. */
function path(defaultValue: string, meaning: string): Setting<string> {
  return {
    defaultValue,
    meaning,
    parse(raw) {
      if (!/^(\/[\w.~-]+)+$/.test(raw)) throw new Error(`write a path of plain characters, such as ${defaultValue}`)
      return raw
    },
  }
}

function choice(defaultValue: string, allowed: string[], meaning: string): Setting<string> {
  return {
    defaultValue,
    meaning: `${allowed.join(' | ')}: ${meaning}`,
    parse(raw) {
      if (!allowed.includes(raw)) throw new Error(`write one of ${allowed.join(', ')}`)
      return raw
    },
  }
}

function amount(defaultValue: string, meaning: string): Setting<string> {
  return {
    defaultValue,
    meaning,
    parse(raw) {
      if (parseMoney(raw) === undefined) throw new Error('write an amount such as 5000.00')
      return raw
    },
  }
}

function integer<T extends number | null>(
  defaultValue: T,
  min: number,
  max: number,
  meaning: string,
): Setting<number | T> {
  return {
    defaultValue,
    meaning,
    parse(raw) {
      const value = Number(raw)
      if (!/^\d+$/.test(raw) || value < min || value > max)
        throw new Error(`write a whole number from ${min} to ${max}`)
      return value
    },
  }
}

function integerOrAuto(defaultValue: number, min: number, max: number, meaning: string): Setting<number> {
  const plain = integer(defaultValue, min, max, meaning)
  return { ...plain, parse: (raw) => (raw === 'auto' ? availableParallelism() : plain.parse(raw)) }
}

function url(defaultValue: string | null, protocols: string[], meaning: string): Setting<string | null> {
  return {
    defaultValue,
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

/** The first invalid address is reported by its position, because an address may contain a password. */
function postgresUrl(meaning: string): Setting<string | null> {
  return {
    defaultValue: null,
    meaning,
    parse(raw) {
      serversOf(raw)
      return raw
    },
  }
}

/** One URL for each server. */
function postgresUrls(meaning: string): Setting<string[] | null> {
  return {
    defaultValue: null,
    meaning,
    parse: (raw) =>
      splitUrls(raw).flatMap((url, index) => {
        try {
          return serversOf(url).urls
        } catch (error) {
          throw new Error(`address ${index + 1}: ${(error as Error).message}`)
        }
      }),
  }
}

function proxies(meaning: string): Setting<BlockList | null> {
  return {
    defaultValue: null,
    meaning,
    parse: (raw) => addressList(raw.split(',').map((address) => address.trim())),
  }
}

function roles(meaning: string): Setting<(readonly [value: string, role: Role])[] | null> {
  return {
    defaultValue: null,
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
