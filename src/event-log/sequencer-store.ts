import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'

export const anyNewEvent = reading<NoParameters, { id: number }>('anyNewEvent')`select id from new_event limit 1`

export const HAS_NEW_EVENTS = 'exists (select 1 from new_event)'

/** Counted up to 1000. */
export const eventsWithoutPosition = reading<NoParameters, { waiting: number; oldest: number | null }>(
  'eventsWithoutPosition',
)`
  select count(*) as waiting, min(at) as oldest from (select at from new_event order by id limit 1000) as counted`

/** No row: another process is at work. */
export const lockSequence = locking<NoParameters, { last_position: number }>('lockSequence')`
  select last_position from event_sequence where id = 1 for update skip locked`

/**
 * All of them are committed: a transaction that commits later gets later positions, even if its ids are smaller. Two
 * changes of one subject cannot overtake each other: the second waits for the first, and only then takes its id.
 */
export const giveEventsPositions = writing<NoParameters, { moved: number }>('giveEventsPositions')`
  with taken as (delete from new_event returning *),
  moved as (
    insert into event_log (position, kind, subject_type, subject_id, profile_id, customer_id, at, data)
    select s.last_position + row_number() over (order by t.id), t.kind, t.subject_type, t.subject_id, t.profile_id,
      t.customer_id, t.at, t.data
    from taken t cross join event_sequence s where s.id = 1
    returning position)
  update event_sequence set last_position = last_position + (select count(*) from moved) where id = 1
  returning (select count(*) from moved) as moved`
