import { type NoParameters, reading, writing } from '../../platform/database/database.ts'
import { inTextList } from '../../platform/database/row-list-store.ts'

export type ApplicationRow = {
  api_key: string
  name: string
  secret_hash: string
  previous_secret_hash: string | null
  previous_secret_until: number | null
  rate_per_second: number | null
  rate_per_minute: number | null
  created_at: number
  revoked_at: number | null
  /** A JSON array of addresses. */
  return_addresses: string
}

export const applicationByKey = reading<{ apiKey: string }, ApplicationRow>('applicationByKey')`
  select * from application where api_key = :apiKey`

export const unrevokedApplications = reading<{ apiKeys: string }, { api_key: string }>('unrevokedApplications')`
  select api_key from application where api_key ${inTextList('apiKeys')} and revoked_at is null`

/** Bounded: operators create applications one by one. */
export const allApplications = reading<NoParameters, ApplicationRow>('allApplications')`
  select * from application order by created_at, api_key`

export const insertApplication = writing<{
  apiKey: string
  name: string
  secretHash: string
  perSecond: number | null
  perMinute: number | null
  now: number
}>('insertApplication')`
  insert into application (api_key, name, secret_hash, rate_per_second, rate_per_minute, created_at)
  values (:apiKey, :name, :secretHash, :perSecond, :perMinute, :now)`

export const revokeApplication = writing<{ apiKey: string; now: number }>('revokeApplication')`
  update application set revoked_at = :now where api_key = :apiKey and revoked_at is null`

export const replaceReturnAddresses = writing<{ apiKey: string; addresses: string }>('replaceReturnAddresses')`
  update application set return_addresses = :addresses where api_key = :apiKey and revoked_at is null`

export const replaceSecret = writing<{ apiKey: string; secretHash: string; previousUntil: number }>('replaceSecret')`
  update application set previous_secret_hash = secret_hash, previous_secret_until = :previousUntil, secret_hash = :secretHash
  where api_key = :apiKey and revoked_at is null`
