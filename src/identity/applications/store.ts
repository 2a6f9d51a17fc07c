import { type NoParameters, reading, writing } from '../../platform/database/database.ts'
import { inTextList } from '../../platform/database/row-list-store.ts'
import type { ParametersOf, RowOf } from '../../platform/database/table-store.ts'
import { bigint, integer, orNull, table, text } from '../../platform/database/table-store.ts'

export const applications = table('application', {
  api_key: text,
  name: text,
  secret_hash: text,
  previous_secret_hash: orNull(text),
  previous_secret_until: orNull(bigint),
  rate_per_second: orNull(integer),
  rate_per_minute: orNull(integer),
  created_at: bigint,
  revoked_at: orNull(bigint),
  /** A JSON array of addresses. */
  return_addresses: text,
})
export type ApplicationRow = RowOf<typeof applications>

export const applicationByKey = reading<{ apiKey: string }, ApplicationRow>('applicationByKey')`
  select * from application where api_key = :apiKey`

export const unrevokedApplications = reading<{ apiKeys: string }, { api_key: string }>('unrevokedApplications')`
  select api_key from application where api_key ${inTextList('apiKeys')} and revoked_at is null`

/** Bounded: operators create applications one by one. */
export const allApplications = reading<NoParameters, ApplicationRow>('allApplications')`
  select * from application order by created_at, api_key`

const newApplications = applications.pick('api_key, name, secret_hash, rate_per_second, rate_per_minute, created_at')
export const insertApplication = writing<ParametersOf<typeof newApplications>>(
  'insertApplication',
  newApplications.insert(),
)

export const revokeApplication = writing<{ apiKey: string; now: number }>('revokeApplication')`
  update application set revoked_at = :now where api_key = :apiKey and revoked_at is null`

export const replaceReturnAddresses = writing<{ apiKey: string; addresses: string }>('replaceReturnAddresses')`
  update application set return_addresses = :addresses where api_key = :apiKey and revoked_at is null`

export const replaceSecret = writing<{ apiKey: string; secretHash: string; previousUntil: number }>('replaceSecret')`
  update application set previous_secret_hash = secret_hash, previous_secret_until = :previousUntil, secret_hash = :secretHash
  where api_key = :apiKey and revoked_at is null`
