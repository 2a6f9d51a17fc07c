import type { Database } from '../platform/database/database.ts'
import { textListOf } from '../platform/database/row-list-store.ts'
import { isoTime } from '../platform/runtime/iso-time.ts'
import type { EventKinds, SubjectType } from './kind.ts'
import {
  type DataIn,
  type EventRow,
  eventFrom,
  eventsBetween,
  type JsonData,
  newestPosition,
  oldestPosition,
} from './store.ts'

/** An event as callers see it, by pull, webhook or stream. */
export type LoggedEvent<Kind extends string = string> = {
  position: number
  id: string
  type: Kind
  timestamp: string
  subject: { type: SubjectType; id: string }
  profileId: string | null
  customerId: string | null
  data: { [name: string]: unknown }
}

export function toEvent(row: EventRow): LoggedEvent {
  const { position, kind, subject_type, subject_id, profile_id, customer_id, at } = row
  return {
    position,
    id: eventId(row),
    type: kind,
    timestamp: isoTime(at),
    subject: { type: subject_type, id: subject_id },
    profileId: profile_id === null ? null : String(profile_id),
    customerId: customer_id === null ? null : String(customer_id),
    data: dataOf(row) as LoggedEvent['data'],
  }
}

export function dataOf<Json extends JsonData<unknown>>({ data }: { data: Json }): DataIn<Json> {
  return JSON.parse(data)
}

/** With its time: after a database is restored from a backup, another event may get the same position. */
export function eventId({ position, at }: Pick<EventRow, 'position' | 'at'>): string {
  return `evt_${position}_${at.toString(36)}`
}

/** How many positions one read looks at: events of rare kinds are found in several reads. */
const WINDOW = 10_000

type Selection<Kinds> = { after: number; limit: number; kinds: Kinds }

/** `next`: the position to read on from. It goes back when the database has lost what was read before. */
export async function readEvents<Kinds extends EventKinds>(
  database: Database,
  { after, limit, kinds }: Selection<Kinds>,
): Promise<{ events: EventRow<Kinds>[]; next: number }> {
  // Before the events: everything up to here is visible to the next statement.
  const newest = (await database.one(newestPosition, {}))?.position ?? 0
  if (after >= newest) return { events: [], next: newest }
  const upTo = Math.min(after + WINDOW, newest)
  const rows = await database.query(eventsBetween, {
    after,
    upTo,
    limit,
    kinds: textListOf(Object.keys(kinds)),
  })
  const next = rows.length === limit ? (rows.at(-1) as EventRow).position : upTo
  return { events: rows as EventRow<Kinds>[], next }
}

/**
 * The position of the first event at a time or later, by halving: times are in the order of positions, and an index of times
 * would cost each event a write. The one after the newest, if all are earlier.
 */
export async function positionSince(database: Database, time: number): Promise<number> {
  let low = (await database.one(oldestPosition, {}))?.position ?? 0
  let high = ((await database.one(newestPosition, {}))?.position ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await database.one(eventFrom, { position: middle })
    if (found === undefined || found.at >= time) high = middle
    else low = found.position + 1
  }
  return low
}
