// Deliveries as operators read them: lists, and one with its message and attempts.

import { eventsAt } from '../event-log/store.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf, textListOf } from '../platform/database/row-list-store.ts'
import { Refused } from '../platform/runtime/refused.ts'
import type { WebhooksContext } from './context.ts'
import * as sql from './delivery-list-store.ts'
import type { DeliveryRow, DeliveryState } from './delivery-store.ts'
import { endpointById } from './endpoint-store.ts'
import { noEndpoint } from './endpoints.ts'
import { messageOf } from './message.ts'

const STATES: readonly DeliveryState[] = ['waiting', 'delivered', 'failed']

export type DeliveryFilter = {
  readonly state: DeliveryState | undefined
  readonly kinds: readonly string[]
  readonly from: number
  readonly until: number
}

export type DeliveryPosition = { readonly at: number; readonly id: number }

type DeliveryPage = {
  readonly rows: readonly DeliveryRow[]
  /** Where the next page begins; null: this is the last. */
  readonly next: DeliveryPosition | null
  /** Not null: the page may be short, because only deliveries created since then were looked at. */
  readonly searchedUntil: number | null
}

/** Newest first. */
export async function listDeliveries(
  database: Database,
  endpointId: number,
  { state, kinds, from, until }: DeliveryFilter,
  { before, limit }: { before: DeliveryPosition; limit: number },
): Promise<DeliveryPage> {
  const [beforeAt, beforeId] = before.at < until ? [before.at, before.id] : [until, 0]
  const window = { endpointId, from, beforeAt, beforeId }
  const filter = {
    states: textListOf(state === undefined ? STATES : [state]),
    kinds: textListOf(kinds),
  }
  const end = await database.one(sql.listWindowEnd, window)
  const rows = await database.query(sql.deliveriesBefore, { ...window, ...filter, limit: limit + 1 })
  if (rows.length > limit) {
    const shown = rows.slice(0, limit)
    return { rows: shown, next: positionOf(shown.at(-1)), searchedUntil: null }
  }
  return { rows, next: positionOf(end), searchedUntil: end?.created_at ?? null }
}

function positionOf(row: sql.PositionRow | undefined): DeliveryPosition | null {
  return row === undefined ? null : { at: row.created_at, id: row.id }
}

/** `message`: null if its event was deleted. */
export async function readDelivery({ database, pushedEvents }: WebhooksContext, endpointId: number, id: number) {
  const endpoint = await database.one(endpointById, { id: endpointId })
  if (endpoint === undefined) throw noEndpoint(endpointId)
  const delivery = await database.one(sql.deliveryById, { endpointId, id })
  if (delivery === undefined) throw new Refused('unknown', `There is no delivery ${id} of webhook ${endpointId}.`)
  const { position } = delivery
  const events = position === null ? [] : await database.query(eventsAt, { positions: idListOf([position]) })
  return {
    delivery,
    message: messageOf(delivery, endpoint, events, pushedEvents.toEvent)?.body ?? null,
    attempts: await database.query(sql.attemptsOfDelivery, { id }),
  }
}
