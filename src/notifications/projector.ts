// Writes notifications from the log of events. Every service runs a projector, and one at a time is at work. A batch and
// the position up to which it has read are one transaction, so that each event counts exactly once.

import { setTimeout as pause, setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Logger } from 'pino'
import { dataOf, readEvents } from '../event-log/event.ts'
import type { EventRow } from '../event-log/store.ts'
import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { type PeriodicTask, startPeriodicTask } from '../platform/runtime/periodic-task.ts'
import { foldEvents, PROJECTED_KINDS, type ProjectedEvent } from './fold.ts'
import {
  advanceNotificationCursor,
  hiddenInteractions,
  type Interaction,
  interactionList,
  lockNotificationCursor,
  profilesOfCustomers,
  projectorProgress,
} from './projector-store.ts'
import { writeBatch } from './write-batch.ts'

/** How long an event waits for its notification, at most. */
const EVERY_MS = 250

/** In the embedded engine every other writer waits for a batch: 3 ms, or 15 where each event is about another tip. */
const BATCH: Record<Database['engine'], number> = { sqlite: 200, postgres: 500 }

/**
 * How much longer than a batch the pause after it is. Without it the projector made likes and follows 20 % slower in
 * the embedded engine; under such a load notifications come later.
 */
const PAUSES: Record<Database['engine'], number> = { sqlite: 9, postgres: 0 }

export function startProjector(database: Database, log: Logger): PeriodicTask {
  return startPeriodicTask((closing) => projectEvents(database, closing), {
    everyMs: EVERY_MS,
    afterFailureMs: 1_000,
    onFailure: (error) => log.warn({ err: error }, 'writing notifications failed; it will be retried'),
  })
}

/** Until nothing is left, or another process is at work. `closing`: it runs in the background, and makes pauses. */
export async function projectEvents(database: Database, closing?: AbortSignal): Promise<void> {
  while (closing?.aborted !== true) {
    const begin = performance.now()
    const progress = await database.one(projectorProgress, {})
    if (progress === undefined || progress.position === progress.newest) return
    if (!(await database.transaction(projectBatch))) return
    if (closing === undefined) await yieldToRequests()
    else await pause(PAUSES[database.engine] * (performance.now() - begin), undefined, { signal: closing })
  }
}

/** false: another process is at work. */
async function projectBatch(transaction: Database): Promise<boolean> {
  const cursor = await transaction.one(lockNotificationCursor, {})
  if (cursor === undefined) return false
  const { events, next } = await readEvents(transaction, {
    after: cursor.position,
    limit: BATCH[transaction.engine],
    kinds: PROJECTED_KINDS,
  })
  const heard = await withoutHidden(transaction, events)
  if (heard.length > 0) await writeBatch(transaction, foldEvents(heard, await erasedProfiles(transaction, heard)))
  await transaction.run(advanceNotificationCursor, { position: next }, 'last')
  return true
}

/** Drops interactions by profiles that the recipient has muted or cannot see. */
async function withoutHidden(
  transaction: Database,
  events: readonly ProjectedEvent[],
): Promise<readonly ProjectedEvent[]> {
  const interactions = events.filter(isInteraction).map(interactionOf)
  if (interactions.length === 0) return events
  const hidden = new Set(
    (await transaction.query(hiddenInteractions, { rows: interactionList.of(interactions) })).map(keyOf),
  )
  return hidden.size === 0
    ? events
    : events.filter((event) => !isInteraction(event) || !hidden.has(keyOf(interactionOf(event))))
}

const isInteraction = (event: ProjectedEvent) => event.kind === 'follow.created' || event.kind === 'like.created'
const keyOf = ({ recipient_id, actor_id, at }: Interaction) => `${recipient_id} ${actor_id} ${at}`

function interactionOf(event: EventRow<'follow.created' | 'like.created'>): Interaction {
  return { recipient_id: event.profile_id as number, actor_id: Number(dataOf(event).byProfileId), at: event.at }
}

async function erasedProfiles(transaction: Database, events: readonly ProjectedEvent[]): Promise<Map<number, number>> {
  const erased = events.filter(({ kind }) => kind === 'customer.erased').map(({ customer_id }) => customer_id as number)
  if (erased.length === 0) return new Map()
  const profiles = await transaction.query(profilesOfCustomers, { customerIds: idListOf(new Set(erased)) })
  return new Map(profiles.map(({ id, customer_id }) => [customer_id, id]))
}
