// The projection that writes notifications.

import { dataOf, readEvents } from '../event-log/event.ts'
import type { Projection } from '../event-log/projection.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { type EventOf, foldEvents, isOfCard, type ProjectedEvent, projectedKinds } from './fold.ts'
import * as sql from './projection-store.ts'
import { writeBatch } from './write-batch.ts'

/** In the embedded engine every other writer waits for a batch: 3 ms, or 15 where each event is about another tip. */
const BATCH: Record<Database['engine'], number> = { sqlite: 200, postgres: 500 }

export const notificationsProjection: Projection<{ position: number }> = {
  work: 'writing notifications',
  everyMs: 250,
  progress: sql.projectorProgress,
  lock: sql.lockNotificationCursor,
  advance: sql.advanceNotificationCursor,
  async apply(transaction, { position }) {
    const limit = BATCH[transaction.engine]
    const { events, next } = await readEvents(transaction, { after: position, limit, kinds: projectedKinds })
    const heard = await withoutHidden(transaction, events)
    if (heard.length > 0) await writeBatch(transaction, foldEvents(heard, await profilesOf(transaction, heard)))
    return { position: next }
  },
}

/** Drops interactions by profiles that the recipient has muted or cannot see. */
async function withoutHidden(
  transaction: Database,
  events: readonly ProjectedEvent[],
): Promise<readonly ProjectedEvent[]> {
  const interactions = events.filter(isInteraction).map(interactionOf)
  if (interactions.length === 0) return events
  const hidden = new Set(
    (await transaction.query(sql.hiddenInteractions, { rows: sql.interactionList.of(interactions) })).map(keyOf),
  )
  return hidden.size === 0
    ? events
    : events.filter((event) => !isInteraction(event) || !hidden.has(keyOf(interactionOf(event))))
}

const isInteraction = (event: ProjectedEvent) => event.kind === 'follow.created' || event.kind === 'like.created'
const keyOf = ({ recipient_id, actor_id, at }: sql.Interaction) => `${recipient_id} ${actor_id} ${at}`

function interactionOf(event: EventOf<'follow.created' | 'like.created'>): sql.Interaction {
  return { recipient_id: event.profile_id as number, actor_id: Number(dataOf(event).byProfileId), at: event.at }
}

/** The profiles of customers who were erased, or whose cards changed. */
async function profilesOf(transaction: Database, events: readonly ProjectedEvent[]): Promise<Map<number, number>> {
  const concerned = events.filter((event) => event.kind === 'customer.erased' || isOfCard(event))
  if (concerned.length === 0) return new Map()
  const customers = new Set(concerned.map(({ customer_id }) => customer_id as number))
  const profiles = await transaction.query(sql.profilesOfCustomers, { customerIds: idListOf(customers) })
  return new Map(profiles.map(({ id, customer_id }) => [customer_id, id]))
}
