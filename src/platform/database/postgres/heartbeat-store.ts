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

/** Adds one under a lock, so that every later number is larger. `at`: the clock of the server, in milliseconds since 1970. */
export const beat = writing<NoParameters, Heartbeat & { readonly at: number }>('beat')`
  update heartbeat set number = number + 1, timeline = ${CURRENT_TIMELINE},
    timeline_start = case when timeline = ${CURRENT_TIMELINE} then timeline_start else number end
  where id = 1 returning number, timeline, timeline_start,
    cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`

export const serverRole = reading<NoParameters, { standby: boolean }>('serverRole')`
  select pg_is_in_recovery() as standby`
