// Reads the environment into a Config. All problems are reported together, each with what to write instead.

import { DAY_MS, HOUR_MS } from '../runtime/durations.ts'
import { parseMoney } from '../runtime/money.ts'
import { withoutTrailingSlashes } from '../runtime/trailing-slashes.ts'
import { adyenSettings } from './adyen-settings.ts'
import { unknownIn } from './env-file.ts'
import { productionProblems, type Values } from './production-checks.ts'
import { replicaSettings } from './replica-settings.ts'
import { settings } from './settings.ts'
import { tracingSettings } from './tracing-settings.ts'

/** `unknownSettings`: names that look like settings, each with why. */
export type Config = ReturnType<typeof configFrom> & { readonly unknownSettings: readonly string[] }

export class InvalidSettings extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(
      `The settings have ${problems.length} problem${problems.length === 1 ? '' : 's'}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

type Environment = Record<string, string | undefined>

export function readConfig(environment: Environment): Config {
  const { config, problems } = readSettings(environment)
  if (problems.length > 0) throw new InvalidSettings(problems)
  return config
}

export type ReadSettings = { readonly config: Config; readonly problems: string[] }

/** For a caller who goes on with what no service may start with: a setting that cannot be read has its default. */
export function readSettings(environment: Environment): ReadSettings {
  const problems: string[] = []
  const values = read(environment, problems)
  checkCombinations(values, problems)
  return { config: { ...configFrom(values), unknownSettings: unknownIn(environment) }, problems }
}

function read(environment: Environment, problems: string[]): Values {
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const raw = environment[name]
    try {
      values[name] = raw === undefined || raw === '' ? setting.defaultValue : setting.parse(raw)
    } catch (error) {
      problems.push(`${name}=${mayHoldSecret(name) ? '…' : raw}: ${(error as Error).message}`)
      values[name] = setting.defaultValue
    }
  }
  return values as Values
}

/** An address may contain a password. */
function mayHoldSecret(name: string): boolean {
  return /SECRET|TOKEN|URL|ENDPOINT|HEADERS|ISSUER|_KEY$/.test(name)
}

function checkCombinations(values: Values, problems: string[]): void {
  const need = (when: string, names: (keyof Values)[]) => {
    for (const name of names) if (values[name] === null) problems.push(`${name} is not set: ${when} needs it`)
  }
  if (values.TLS_CERT !== null || values.TLS_KEY !== null) need('TLS', ['TLS_CERT', 'TLS_KEY'])
  if (values.OPERATOR_TLS_CERT !== null || values.OPERATOR_TLS_KEY !== null) {
    need('TLS of the operator listener', ['OPERATOR_TLS_CERT', 'OPERATOR_TLS_KEY'])
  }
  if (values.OIDC_ISSUER !== null) {
    need('OIDC_ISSUER', ['OIDC_CLIENT_ID', 'OIDC_ROLES', 'OPERATOR_URL'])
    if (values.OPERATOR_URL !== null && !isSecureForCookies(values.OPERATOR_URL)) {
      problems.push(
        'OPERATOR_URL=…: write an address that begins with https://; browsers store the session cookie for no other',
      )
    }
  }
  if (values.DATABASE_REPLICA_URLS !== null) need('DATABASE_REPLICA_URLS', ['DATABASE_URL'])
  if (values.TICKETS === 'jwt') need('TICKETS=jwt', ['JWT_ISSUER', 'JWT_JWKS_URL'])
  if (values.TICKETS === 'introspection') {
    need('TICKETS=introspection', ['INTROSPECTION_URL', 'INTROSPECTION_CLIENT_ID', 'INTROSPECTION_CLIENT_SECRET'])
  }
  if (values.PICTURES === 's3')
    need('PICTURES=s3', ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  if (values.EXCLUSIONS === 'http') need('EXCLUSIONS=http', ['EXCLUSIONS_URL'])
  checkGateway(values, need, problems)
  if (isSamePort(values)) {
    problems.push(`OPERATOR_PORT=${values.OPERATOR_PORT}: PORT has it already; write another for one of them`)
  }
  if (values.OPERATOR_TOKEN !== null && values.OPERATOR_TOKEN.length < 20) {
    problems.push(
      'OPERATOR_TOKEN=…: too short to be safe; write 20 random characters or more, or leave it out and one is created',
    )
  }
  if (values.MODE === 'production') problems.push(...productionProblems(values))
}

/** 0: any free port. Different addresses of a machine can have the same port. */
function isSamePort({ HOST, PORT, OPERATOR_HOST, OPERATOR_PORT }: Values): boolean {
  const hosts = [HOST, OPERATOR_HOST].map((host) => (host === 'localhost' ? '127.0.0.1' : host))
  return (
    PORT === OPERATOR_PORT && PORT !== 0 && (hosts[0] === hosts[1] || hosts.includes('0.0.0.0') || hosts.includes('::'))
  )
}

/** Browsers accept Secure cookies over plain HTTP from this machine only. */
function isSecureForCookies(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || hostname === 'localhost' || /^127\./.test(hostname) || hostname === '[::1]'
}

function checkGateway(values: Values, need: (when: string, names: (keyof Values)[]) => void, problems: string[]): void {
  // All of them or none. With another GATEWAY they are for earlier deposits through Adyen.
  const adyen = ['ADYEN_API_KEY', 'ADYEN_MERCHANT_ACCOUNT', 'ADYEN_HMAC_KEY'] as const
  const present = adyen.find((name) => values[name] !== null)
  if (values.GATEWAY === 'adyen') need('GATEWAY=adyen', [...adyen])
  else if (present !== undefined) need(present, [...adyen])
  for (const name of ['ADYEN_HMAC_KEY', 'ADYEN_TRANSFERS_HMAC_KEY'] as const) {
    if (values[name] !== null && !/^[0-9a-f]{64}$/i.test(values[name])) {
      problems.push(`${name}=…: write the 64 hexadecimal digits that the Customer Area shows`)
    }
  }
  const transfers = ['ADYEN_TRANSFERS_KEY', 'ADYEN_BALANCE_ACCOUNT', 'ADYEN_TRANSFERS_HMAC_KEY'] as const
  const ofTransfers = transfers.find((name) => values[name] !== null)
  if (ofTransfers !== undefined) need(ofTransfers, present === undefined ? [...transfers, ...adyen] : [...transfers])
  // Two tries of a call must fit into the lease, and a call still in progress into the grace period.
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
    adyen: adyenSettings(values),
    dailyDepositLimit: parseMoney(values.DAILY_DEPOSIT_LIMIT) as bigint,
    fundsStatementVersion: values.FUNDS_STATEMENT_VERSION as number,
    creditCardBanCountries: new Set(banned),
    leaseMs: (values.DEPOSIT_LEASE_SECONDS as number) * 1000,
    challengeLeaseMs: (values.CHALLENGE_LEASE_SECONDS as number) * 1000,
    voidGraceMs: (values.VOID_GRACE_SECONDS as number) * 1000,
    reviewAfterMs: (values.REVIEW_AFTER_SECONDS as number) * 1000,
    withdrawalApprovedUpTo: parseMoney(values.WITHDRAWAL_APPROVED_UP_TO) as bigint,
    refuseDepositsWithDebt: values.DEPOSITS_WITH_DEBT === 'refused',
    refundFourEyesAbove: parseMoney(values.REFUND_FOUR_EYES_ABOVE) as bigint,
    resolutionFourEyesAbove: parseMoney(values.RESOLUTION_FOUR_EYES_ABOVE) as bigint,
    adjustmentFourEyesAbove: parseMoney(values.ADJUSTMENT_FOUR_EYES_ABOVE) as bigint,
    tokensDecideMoney: values.MONEY_BY_TOKENS === 'yes',
    returnWithinMs: (values.RETURN_WITHIN_DAYS as number) * DAY_MS,
    payoutDelayMs: (values.PAYOUT_DELAY_HOURS ?? (values.MODE === 'production' ? 24 : 0)) * HOUR_MS,
    maxWithdrawalParts: values.MAX_WITHDRAWAL_PARTS as number,
    disputeEndsAfterMs: (values.DISPUTE_ENDS_AFTER_DAYS as number) * DAY_MS,
    paidIsFinalAfterMs: (values.PAID_IS_FINAL_AFTER_DAYS as number) * DAY_MS,
  }
}

/** Limits that keep one caller from stopping the others. */
function overloadLimits(values: Values) {
  const maxInFlight = values.MAX_IN_FLIGHT as number
  return {
    maxInFlight,
    maxInFlightPerApplication: values.MAX_IN_FLIGHT_PER_APPLICATION ?? Math.ceil(maxInFlight / 2),
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS as number,
    deadlines: {
      headMs: values.REQUEST_HEAD_TIMEOUT_MS as number,
      bodyMs: values.REQUEST_BODY_TIMEOUT_MS as number,
      answerMs: values.RESPONSE_TIMEOUT_MS as number,
    },
    bodyMemory: (values.BODY_MEMORY_MB as number) * 1024 * 1024,
  }
}

export type OpenIdSettings = ReturnType<typeof openIdSettings>

function openIdSettings(values: Values, issuer: string) {
  const consoleUrl = withoutTrailingSlashes(values.OPERATOR_URL ?? '')
  return {
    issuer,
    clientId: values.OIDC_CLIENT_ID ?? '',
    clientSecret: values.OIDC_CLIENT_SECRET,
    scopes: values.OIDC_SCOPES as string,
    nameClaim: values.OIDC_NAME_CLAIM as string,
    roleClaim: values.OIDC_ROLE_CLAIM as string,
    roles: values.OIDC_ROLES ?? [],
    consoleUrl,
    redirectUrl: `${consoleUrl}/sign-in/openid/callback`,
  }
}

export type TlsFiles = { readonly cert: string; readonly key: string }

function tlsFiles(cert: string | null, key: string | null): TlsFiles | null {
  return cert === null || key === null ? null : { cert, key }
}

function eventSettings(values: Values, production: boolean) {
  return {
    days: values.EVENT_DAYS as number,
    streamsPerApplication: values.STREAMS_PER_APPLICATION as number,
    heartbeatMs: 1_000 * (values.STREAM_HEARTBEAT_SECONDS as number),
    webhookTimeoutMs: values.WEBHOOK_TIMEOUT_MS as number,
    webhookPrivateAddresses: (values.WEBHOOK_PRIVATE_ADDRESSES ?? (production ? 'off' : 'loopback')) as
      | 'on'
      | 'loopback'
      | 'off',
  }
}

function configFrom(values: Values) {
  const production = values.MODE === 'production'
  return {
    mode: values.MODE as 'sandbox' | 'production',
    public: {
      host: values.HOST as string,
      port: values.PORT as number,
      // In ASCII, because it is part of answers.
      url: values.PUBLIC_URL === null ? null : withoutTrailingSlashes(new URL(values.PUBLIC_URL).href),
    },
    operator: {
      host: values.OPERATOR_HOST as string,
      port: values.OPERATOR_PORT as number,
      token: values.OPERATOR_TOKEN,
      url: values.OPERATOR_URL === null ? null : withoutTrailingSlashes(values.OPERATOR_URL),
      tls: tlsFiles(values.OPERATOR_TLS_CERT, values.OPERATOR_TLS_KEY),
      openId: values.OIDC_ISSUER === null ? null : openIdSettings(values, values.OIDC_ISSUER),
    },
    workers: values.WORKERS,
    dataFolder: values.DATA_DIR as string,
    databaseUrl: values.DATABASE_URL,
    backupBeforeUpgrade: values.BACKUP_BEFORE_UPGRADE === 'on',
    databaseWaitMs: 1_000 * (values.DATABASE_WAIT_SECONDS as number),
    replicas: replicaSettings(values),
    tls: tlsFiles(values.TLS_CERT, values.TLS_KEY),
    trustedProxies: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS ?? (production ? [] : ('localhost' as const)),
    compressAnswers: values.COMPRESS_ANSWERS === 'on',
    rateLimit: {
      perSecond: values.RATE_LIMIT_PER_SECOND ?? (production ? 100 : 0),
      perMinute: values.RATE_LIMIT_PER_MINUTE ?? (production ? 3000 : 0),
    },
    ...overloadLimits(values),
    rawResponses: values.RAW_RESPONSES === 'on',
    logLevel: values.LOG_LEVEL as string,
    tracing: tracingSettings(values),
    ...sandboxData(production ? 'off' : values.SANDBOX_SEED),
    extensions: values.EXTENSIONS === 'on',
    events: eventSettings(values, production),
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
    exclusions: { url: values.EXCLUSIONS === 'http' ? values.EXCLUSIONS_URL : null },
    betCheck: values.BET_CHECK as 'strict' | 'trust',
    wallets: walletSettings(values),
    reservedNames: values.RESERVED_NAMES === 'none' ? [] : (values.RESERVED_NAMES as string).split(','),
    pictures: pictureSettings(values),
  }
}

/** `sandboxHistory`: beside the people, 90 days of tips, results and money. */
function sandboxData(seed: Values['SANDBOX_SEED']) {
  return { sandboxSeed: seed !== 'off', sandboxHistory: seed === 'on' }
}

function pictureSettings(values: Values) {
  return {
    store: values.PICTURES as 'disk' | 's3',
    default: values.DEFAULT_PICTURE as string,
    perMinute: values.PICTURES_PER_MINUTE as number,
    s3: {
      endpoint: values.S3_ENDPOINT ?? '',
      bucket: values.S3_BUCKET ?? '',
      region: values.S3_REGION as string,
      accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
    },
  }
}
