// What operators do with endpoints. Each function is one transaction: an entry of the audit trail ends it.

import type { Context } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import { DAY_MS } from '../platform/runtime/durations.ts'
import { Refused } from '../platform/runtime/refused.ts'
import type { AddressRules } from './addresses.ts'
import * as endpointStore from './endpoint-store.ts'
import { newSecret } from './signature.ts'

/** How long the previous secret signs too. */
export const PREVIOUS_SECRET_MS = DAY_MS

export function addressRules({ mode, events }: Context['config']): AddressRules {
  return { privateAddresses: events.webhookPrivateAddresses, httpsOnly: mode === 'production' }
}

type NewEndpoint = { readonly url: string; readonly kinds: readonly string[] | null }

/** `beforeCommit` gets the new id, for the entry that the transaction ends with. */
export function createEndpoint(
  database: Database,
  { url, kinds }: NewEndpoint,
  now: number,
  beforeCommit: (id: string) => void,
): Promise<endpointStore.EndpointRow> {
  return database.transaction(async (transaction) => {
    const endpoint = { url: new URL(url).href, kinds: kindsText(kinds), secret: newSecret(), now }
    const row = (await transaction.one(endpointStore.insertEndpoint, endpoint)) as endpointStore.EndpointRow
    beforeCommit(String(row.id))
    return row
  })
}

export type EndpointChange = {
  readonly url?: string
  readonly kinds?: readonly string[] | null
  readonly enabled?: boolean
}

export function changeEndpoint(database: Database, id: number, change: EndpointChange): Promise<void> {
  return database.transaction(async (transaction) => {
    const { url, kinds, enabled, disabled_reason, failing_since } = await lockedEndpoint(transaction, id)
    const startsAgain = change.enabled !== undefined
    await transaction.run(endpointStore.setEndpoint, {
      id,
      url: change.url === undefined ? url : new URL(change.url).href,
      kinds: change.kinds === undefined ? kinds : kindsText(change.kinds),
      enabled: startsAgain ? Number(change.enabled) : enabled,
      disabledReason: startsAgain ? null : disabled_reason,
      failingSince: startsAgain ? null : failing_since,
    })
  })
}

export async function deleteEndpoint(database: Database, id: number, now: number): Promise<void> {
  if ((await database.run(endpointStore.removeEndpoint, { id, now })) === 0) throw noEndpoint(id)
}

export function rotateSecret(
  database: Database,
  id: number,
  now: number,
): Promise<{ secret: string; previousUntil: number }> {
  return database.transaction(async (transaction) => {
    await lockedEndpoint(transaction, id)
    const secret = newSecret()
    const previousUntil = now + PREVIOUS_SECRET_MS
    await transaction.run(endpointStore.replaceSecret, { id, secret, previousUntil })
    return { secret, previousUntil }
  })
}

async function lockedEndpoint(transaction: Database, id: number): Promise<endpointStore.EndpointRow> {
  const row = await transaction.one(endpointStore.lockEndpoint, { id })
  if (row === undefined) throw noEndpoint(id)
  return row
}

/** Locks it too. */
export async function refuseDisabled(transaction: Database, id: number): Promise<void> {
  const { enabled } = await lockedEndpoint(transaction, id)
  if (enabled === 0) throw new Refused('conflict', `Webhook ${id} is disabled. Enable it first.`)
}

export function noEndpoint(id: number): Refused {
  return new Refused('unknown', `There is no webhook ${id}.`)
}

function kindsText(kinds: readonly string[] | null): string | null {
  return kinds === null ? null : [...new Set(kinds)].join(',')
}

export function kindsOf({ kinds }: Pick<endpointStore.EndpointRow, 'kinds'>): string[] | null {
  return kinds === null ? null : kinds.split(',')
}
