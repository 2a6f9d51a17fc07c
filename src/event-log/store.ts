// The SQL of the log of events. Statements write to new_event, which is a view of the log in SQLite (migrations/schema.sqlite.txt).

import { type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inList, inTextList } from '../platform/database/row-list-store.ts'
import { bigint, type Column, orNull, type RowOf, table, text } from '../platform/database/table-store.ts'
import type { EventData, EventKinds, KindIn, SubjectType } from './kind.ts'

export const eventList = table('new_event', {
  kind: text,
  subject_type: text as Column<SubjectType>,
  subject_id: text,
  profile_id: orNull(bigint),
  customer_id: orNull(bigint),
  at: bigint,
  data: text,
})
type Columns = Omit<RowOf<typeof eventList>, 'kind' | 'data'> & { position: number }

declare const DATA: unique symbol
/** JSON: read it with `dataOf`. The type exists for the compiler only. */
export type JsonData<Data> = string & { readonly [DATA]?: Data }
export type DataIn<Json extends JsonData<unknown>> = NonNullable<Json[typeof DATA]>

/** The kind determines the type of the data. */
export type EventRow<Kinds extends EventKinds = EventKinds> = {
  [Kind in KindIn<Kinds>]: Columns & { kind: Kind; data: JsonData<EventData<Kinds[Kind]>> }
}[KindIn<Kinds>]

/** The customer of a profile never changes, and is not stored with the event. */
const COLUMNS = `e.position, e.kind, e.subject_type, e.subject_id, e.profile_id,
  coalesce(e.customer_id, p.customer_id) as customer_id, e.at, e.data`

const MAX_EVENTS = 1000

/** The constant limit is for PostgreSQL, which takes an unknown one for a tenth of the table. */
export const eventsBetween = reading<{ after: number; upTo: number; kinds: string; limit: number }, EventRow>(
  'eventsBetween',
)`
  select ${COLUMNS}
  from (select * from
         (select * from event_log where position > :after and position <= :upTo and kind ${inTextList('kinds')}
          order by position limit :limit) block
        limit ${MAX_EVENTS}) e
  left join profile p on p.id = e.profile_id
  order by e.position`

export const eventsAt = reading<{ positions: string }, EventRow>('eventsAt')`
  select ${COLUMNS} from event_log e left join profile p on p.id = e.profile_id where e.position ${inList('positions')}`

/** The newest event is never deleted, so that this does not go back. */
export const newestPosition = reading<NoParameters, { position: number }>('newestPosition')`
  select coalesce(max(position), 0) as position from event_log`

/** The event at a position, or the next one. */
export const eventFrom = reading<{ position: number }, { position: number; at: number }>('eventFrom')`
  select position, at from event_log where position >= :position order by position limit 1`

export const oldestPosition = reading<NoParameters, { position: number }>('oldestPosition')`
  select coalesce(min(position), 0) as position from event_log`

// ---- Writing events of changes that no trigger reports

export type NewEvent = Omit<EventRow, 'position'>

export const logEvents = writing<{ rows: string }>('logEvents', eventList.insertRows)

/** `id`: of its subject. `customerId`: whom it concerns. */
type Happened<Data> = {
  readonly id: number | string
  readonly customerId?: number | null
  readonly data: Data
  readonly now: number
}

/** An event of a kind with one type of subject. */
export function newEvent<Kinds extends EventKinds, Kind extends KindIn<Kinds>>(
  kinds: Kinds,
  kind: Kind,
  { id, customerId = null, data, now }: Happened<EventData<Kinds[Kind]>>,
): NewEvent {
  return {
    kind,
    subject_type: kinds[kind]?.subjects[0] as SubjectType,
    subject_id: String(id),
    profile_id: null,
    customer_id: customerId,
    at: now,
    data: JSON.stringify(data),
  }
}

// ---- Retention

const MAX_DELETED = 1000

/** Events of about the same time have positions close to each other; those that are out of order wait for the next batch. */
export const deleteEventsBefore = writing<{ before: number; newest: number }>('deleteEventsBefore')`
  delete from event_log where at < :before and position in (
    select position from event_log where position < :newest order by position limit ${MAX_DELETED})`

/** A condition for the check of background tasks. `position`: SQL for how far the events were read. */
export const isBehindEvents = (position: string) => `${position} < (select coalesce(max(position), 0) from event_log)`
