// An *application* is a program that calls the public API, known by its key and secret.

import type { RateLimit } from '../../http/limits/rate-limit.ts'
import type { Application, ApplicationSource } from '../../http/requests/credentials.ts'
import { type Database, DatabaseUnavailable } from '../../platform/database/database.ts'
import type { CredentialReads } from '../../platform/database/replicas/credential-reads.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import { boundedCache } from '../../platform/runtime/cache.ts'
import { hashOf, matcherOf, randomAlphanumeric, randomSecret } from '../../platform/runtime/secrets.ts'
import { applicationKey, secretKey } from '../ended-keys.ts'
import * as sql from './store.ts'

export type Applications = ApplicationSource & {
  /** Which of these keys are not revoked; never from the cache. */
  stillAllowed(apiKeys: Iterable<string>): Promise<ReadonlySet<string>>
  /** `through`: the audited database of an operator. */
  create(given: NewApplication, through?: Database): Promise<{ apiKey: string; secret: string }>
  /** false: no such application. */
  revoke(apiKey: string, through?: Database): Promise<boolean>
  /** The old secret stays valid for the grace period; undefined: no such application. */
  newSecret(apiKey: string, graceSeconds: number, through?: Database): Promise<string | undefined>
}

type NewApplication = {
  name: string
  perSecond: number | null
  perMinute: number | null
  /** The sandbox has fixed ones; absent: random ones. */
  fixed?: { apiKey: string; secret: string }
}

export function newCredentials(): { apiKey: string; secret: string } {
  return { apiKey: randomAlphanumeric(24), secret: randomSecret() }
}

/** A revoked key must stop working in every process within 5 seconds while the primary is there. */
const CACHED_MS = 3_000
const CACHED_APPLICATIONS = 10_000

type Sources = { readonly database: Database; readonly credentials: CredentialReads; readonly now: () => number }

export function applications({ database, credentials, now }: Sources, defaultLimit: RateLimit): Applications {
  const cache = boundedCache<string, Application>(CACHED_APPLICATIONS, CACHED_MS, now)

  async function load(apiKey: string): Promise<Application | undefined> {
    const { row, stale } = await credentials.one(sql.applicationByKey, { apiKey })
    if (stale?.isEnded(applicationKey(apiKey))) return undefined
    const isUnknown = row === undefined || row.revoked_at !== null
    if (stale !== null && (isUnknown || stale.isEnded(secretKey(apiKey)))) throw unconfirmed()
    if (isUnknown) return undefined
    const known = toApplication(row, now, defaultLimit)
    const application = stale === null ? known : { ...known, accepts: (secret: string) => acceptsStale(known, secret) }
    cache.set(apiKey, application)
    return application
  }

  return {
    find: (apiKey) => cache.get(apiKey) ?? load(apiKey),
    async stillAllowed(apiKeys) {
      const rows = await database.query(sql.unrevokedApplications, { apiKeys: textListOf(apiKeys) })
      return new Set(rows.map(({ api_key }) => api_key))
    },
    async create({ name, perSecond, perMinute, fixed }, through = database) {
      const { apiKey, secret } = fixed ?? newCredentials()
      await through.run(sql.insertApplication, {
        api_key: apiKey,
        name,
        secret_hash: hashOf(secret),
        rate_per_second: perSecond,
        rate_per_minute: perMinute,
        created_at: now(),
      })
      return { apiKey, secret }
    },
    async revoke(apiKey, through = database) {
      const changed = await through.run(sql.revokeApplication, { apiKey, now: now() })
      cache.forget(apiKey)
      return changed > 0
    },
    async newSecret(apiKey, graceSeconds, through = database) {
      const secret = randomSecret()
      const changed = await through.run(sql.replaceSecret, {
        apiKey,
        secretHash: hashOf(secret),
        previousUntil: now() + graceSeconds * 1000,
      })
      cache.forget(apiKey)
      return changed > 0 ? secret : undefined
    },
  }
}

/** A replica may lack a key, or its new secret. */
const unconfirmed = () => new DatabaseUnavailable('the primary is away, and no replica shows this key')

function acceptsStale(application: Application, secret: string): true {
  if (!application.accepts(secret)) throw unconfirmed()
  return true
}

function toApplication(row: sql.ApplicationRow, now: () => number, defaultLimit: RateLimit): Application {
  const isSecret = matcherOf(row.secret_hash)
  const isPrevious = row.previous_secret_hash === null ? null : matcherOf(row.previous_secret_hash)
  return {
    apiKey: row.api_key,
    rateLimit: {
      perSecond: row.rate_per_second ?? defaultLimit.perSecond,
      perMinute: row.rate_per_minute ?? defaultLimit.perMinute,
    },
    accepts(secret) {
      if (isSecret(secret)) return true
      return isPrevious !== null && now() < (row.previous_secret_until ?? 0) && isPrevious(secret)
    },
  }
}
