import { type NoParameters, reading, writing } from '../database.ts'

export type Heartbeat = {
  readonly number: number
  /** Counts the promotions in the history of the server. */
  readonly timeline: number
  /** The number with which the timeline began. */
  readonly timeline_start: number
}

/** The timeline of a server that takes writes: the first eight digits of the name of the file that it writes its log to. */
export const CURRENT_TIMELINE = `cast(cast('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as bit(32)) as integer)`

/**
 * Where everything that was committed on a server that takes writes is contained. An acknowledged commit is flushed. Only with
 * synchronous_commit off it may still be in a buffer; then the insert position contains it (which is otherwise too far ahead: it
 * includes what nobody has committed, and replicas may receive that seconds later).
 */
export const COMMITTED_POSITION = `case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end`

/** Where a write is: after the heartbeat `beat`. */
export type CommitPosition = { readonly timeline: number; readonly position: number; readonly beat: number }

export const commitPosition = reading<NoParameters, CommitPosition>('commitPosition')`
  select pg_wal_lsn_diff(${COMMITTED_POSITION}, '0/0') as position, ${CURRENT_TIMELINE} as timeline, number as beat
  from heartbeat`

/** Adds one under a lock, so that every later number is larger. `at`: the clock of the server, in milliseconds since 1970. */
export const beat = writing<NoParameters, Heartbeat & { readonly at: number }>('beat')`
  update heartbeat set number = number + 1, timeline = ${CURRENT_TIMELINE},
    timeline_start = case when timeline = ${CURRENT_TIMELINE} then timeline_start else number end
  where id = 1 returning number, timeline, timeline_start,
    cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`

export const serverRole = reading<NoParameters, { standby: boolean }>('serverRole')`
  select pg_is_in_recovery() as standby`
