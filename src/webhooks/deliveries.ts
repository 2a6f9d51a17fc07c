// The two transactions that move deliveries forward. Both lock the endpoint, so that any number of processes may work:
//
// 1. `addDeliveries` reads the log of events on and creates the endpoint's deliveries.
// 2. `nextAttempts` records attempts that have ended and claims the deliveries to be tried next.

import { requestTrail } from '../audit/trail.ts'
import { eventsAt, newestPosition, oldestPosition } from '../event-log/store.ts'
import { SERVICE } from '../identity/operators/operator.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf, textListOf } from '../platform/database/row-list-store.ts'
import { type Attempt, attemptRow, healthAfter } from './attempts.ts'
import type { WebhooksContext } from './context.ts'
import * as sql from './delivery-store.ts'
import { type EndpointRow, lockEndpoint, setEndpointHealth } from './endpoint-store.ts'
import { kindsOf } from './endpoints.ts'
import { type Message, messageOf } from './message.ts'

/** Positions of one transaction, in which SQLite writes nothing else. */
const EVENTS_AT_ONCE = 1_000

/** true: there are more events to read. */
export function addDeliveries({ database, now, pushedEvents }: WebhooksContext, endpointId: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const endpoint = await transaction.one(sql.lockReadPosition, { id: endpointId })
    if (endpoint === undefined) return false
    const newest = (await transaction.one(newestPosition, {}))?.position ?? 0
    // Events may have been deleted while the endpoint was disabled.
    const oldest = (await transaction.one(oldestPosition, {}))?.position ?? 0
    const after = Math.max(endpoint.read_position, oldest - 1)
    if (after >= newest) return false
    const upTo = Math.min(after + EVENTS_AT_ONCE, newest)
    const kinds = textListOf(kindsOf(endpoint) ?? pushedEvents.kinds)
    await transaction.run(sql.insertDeliveries, { endpointId, after, upTo, kinds, now: now() })
    await transaction.run(sql.setReadPosition, { id: endpointId, position: upTo }, 'last')
    return upTo < newest
  })
}

/** `message` is undefined if the event was deleted. */
export type Claimed = { readonly delivery: sql.ClaimedDelivery; readonly message: Message | undefined }

type Turn = { readonly endpoint: EndpointRow | undefined; readonly claimed: readonly Claimed[] }

type Work = Pick<WebhooksContext, 'database' | 'now' | 'pushedEvents'> & {
  readonly endpointId: number
  /** When other processes may try what is claimed. undefined: nothing is to be claimed. */
  readonly claimUntil: number | undefined
}

export function nextAttempts(work: Work, ended: readonly Attempt[]): Promise<Turn> {
  const { endpointId, claimUntil } = work
  const now = work.now()
  return work.database.transaction(async (transaction): Promise<Turn> => {
    const endpoint = await transaction.one(lockEndpoint, { id: endpointId })
    if (endpoint === undefined) return { endpoint, claimed: [] }
    await record(transaction, ended, now)
    const health = healthAfter(endpoint, ended, now)
    if (health !== undefined) await transaction.run(setEndpointHealth, { id: endpointId, ...health })
    if (health?.enabled === 0) {
      await auditDisabling(work, transaction, health.disabledReason)
      return { endpoint, claimed: [] }
    }
    if (endpoint.enabled === 0 || claimUntil === undefined) return { endpoint, claimed: [] }
    const claimed = await transaction.query(sql.claimDeliveries, { endpointId, now, until: claimUntil })
    return { endpoint, claimed: await withMessages(work, transaction, endpoint, claimed) }
  })
}

async function record(transaction: Database, ended: readonly Attempt[], now: number): Promise<void> {
  if (ended.length === 0) return
  const rows = ended.map((attempt) => attemptRow(attempt, now))
  const recorded = await transaction.query(sql.recordAttempts, { rows: sql.attemptList.of(rows) })
  const ids = new Set(recorded.map(({ id }) => id))
  // An attempt that was interrupted does not count: the next one has its number.
  const counted = rows.filter((row) => ids.has(row.delivery_id) && row.counted === row.attempts)
  if (counted.length > 0) await transaction.run(sql.insertAttempts, { rows: sql.attemptList.of(counted) })
  const finished = new Set(rows.filter((row) => row.finished_at !== null).map((row) => row.delivery_id))
  const over = [...ids].filter((id) => finished.has(id))
  if (over.length > 0) await transaction.run(sql.makeNextDue, { ids: idListOf(over), now })
}

/** The last step of its transaction. */
function auditDisabling(work: Work, transaction: Database, reason: string | null): Promise<void> {
  const entry = { action: 'disableWebhook', subject: String(work.endpointId), detail: { reason } }
  return requestTrail(work, { operator: SERVICE, address: '' }, entry).record(transaction, entry)
}

async function withMessages(
  { pushedEvents }: Work,
  transaction: Database,
  endpoint: EndpointRow,
  claimed: readonly sql.ClaimedDelivery[],
): Promise<Claimed[]> {
  const positions = claimed.map(({ position }) => position).filter((position) => position !== null)
  const events = positions.length === 0 ? [] : await transaction.query(eventsAt, { positions: idListOf(positions) })
  return claimed.map((delivery) => ({ delivery, message: messageOf(delivery, endpoint, events, pushedEvents.toEvent) }))
}
