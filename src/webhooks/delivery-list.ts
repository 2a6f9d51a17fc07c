// Deliveries as operators read them: lists, and one with its message and attempts.

import { eventsAt } from '../event-log/store.ts'
import type { Database } from '../platform/database/database.ts'
import { type FilteredPage, filteredPage, type PageRequest } from '../platform/database/filtered-list.ts'
import { idListOf, textListOf } from '../platform/database/row-list-store.ts'
import { Refused } from '../platform/runtime/refused.ts'
import type { WebhooksContext } from './context.ts'
import * as sql from './delivery-list-store.ts'
import { DELIVERY_STATES, type DeliveryRow, type DeliveryState } from './delivery-store.ts'
import { endpointById } from './endpoint-store.ts'
import { noEndpoint } from './endpoints.ts'
import { messageOf } from './message.ts'

export type DeliveryFilter = {
  readonly state: DeliveryState | undefined
  readonly kinds: readonly string[]
  readonly from: number
  readonly until: number
}

/** Newest first. */
export async function listDeliveries(
  database: Database,
  endpointId: number,
  { state, kinds, from, until }: DeliveryFilter,
  { after: [at = 0, id = 0], limit }: PageRequest,
): Promise<FilteredPage<DeliveryRow>> {
  const [beforeAt, beforeId] = at < until ? [at, id] : [until, 0]
  const window = { endpointId, from, beforeAt, beforeId }
  const filter = {
    states: textListOf(state === undefined ? DELIVERY_STATES : [state]),
    kinds: textListOf(kinds),
  }
  const end = await database.one(sql.listWindowEnd, window)
  const rows = await database.query(sql.deliveriesBefore, { ...window, ...filter, limit: limit + 1 })
  return filteredPage(rows, limit, end, ({ created_at, id }: sql.PositionRow) => [created_at, id])
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
