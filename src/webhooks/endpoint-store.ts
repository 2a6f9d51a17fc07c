// The SQL of endpoints. Whoever changes the deliveries of an endpoint locks its row first: the order of a subject's
// deliveries and the number of attempts at once depend on it.

import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { bigint, integer, orNull, type RowOf, table, text } from '../platform/database/table-store.ts'

export const endpoints = table('webhook_endpoint', {
  id: bigint,
  url: text,
  /** Comma-separated; null: all. */
  kinds: orNull(text),
  enabled: integer,
  disabled_reason: orNull(text),
  secret: text,
  previous_secret: orNull(text),
  previous_secret_until: orNull(bigint),
  failing_since: orNull(bigint),
  created_at: bigint,
})
export type EndpointRow = RowOf<typeof endpoints>
const COLUMNS = endpoints.columns()

export const allEndpoints = reading<NoParameters, EndpointRow>('allWebhookEndpoints')`
  select ${COLUMNS} from webhook_endpoint where deleted_at is null order by id`

export const endpointById = reading<{ id: number }, EndpointRow>('webhookEndpoint')`
  select ${COLUMNS} from webhook_endpoint where id = :id and deleted_at is null`

export const lockEndpoint = locking<{ id: number }, EndpointRow>('lockWebhookEndpoint')`
  select ${COLUMNS} from webhook_endpoint where id = :id and deleted_at is null for update`

/** It begins with the next event. */
export const insertEndpoint = writing<{ url: string; kinds: string | null; secret: string; now: number }, EndpointRow>(
  'insertWebhookEndpoint',
)`
  insert into webhook_endpoint (url, kinds, enabled, secret, read_position, created_at)
  values (:url, :kinds, 1, :secret, (select coalesce(max(position), 0) from event_log), :now)
  returning ${COLUMNS}`

type Changed = {
  id: number
  url: string
  kinds: string | null
  enabled: number
  disabledReason: string | null
  failingSince: number | null
}

export const setEndpoint = writing<Changed>('setWebhookEndpoint')`
  update webhook_endpoint set url = :url, kinds = :kinds, enabled = :enabled, disabled_reason = :disabledReason,
    failing_since = :failingSince
  where id = :id`

export const setEndpointHealth = writing<Omit<Changed, 'url' | 'kinds'>>('setWebhookEndpointHealth')`
  update webhook_endpoint set enabled = :enabled, disabled_reason = :disabledReason, failing_since = :failingSince
  where id = :id`

export const replaceSecret = writing<{ id: number; secret: string; previousUntil: number }>('replaceWebhookSecret')`
  update webhook_endpoint set previous_secret = secret, previous_secret_until = :previousUntil, secret = :secret
  where id = :id`

export const removeEndpoint = writing<{ id: number; now: number }>('removeWebhookEndpoint')`
  update webhook_endpoint set deleted_at = :now, enabled = 0, secret = '', previous_secret = null,
    previous_secret_until = null
  where id = :id and deleted_at is null`

// ---- Housekeeping

export const forgetPreviousSecrets = writing<{ now: number }>('forgetPreviousWebhookSecrets')`
  update webhook_endpoint set previous_secret = null, previous_secret_until = null where previous_secret_until <= :now`

export const removedEndpoints = reading<NoParameters, { id: number }>('removedWebhookEndpoints')`
  select id from webhook_endpoint where deleted_at is not null`

export const deleteEndpoint = writing<{ id: number }>('deleteWebhookEndpoint')`
  delete from webhook_endpoint where id = :id and deleted_at is not null`
