import { type NoParameters, reading } from '../database.ts'
import { COMMITTED_POSITION, CURRENT_TIMELINE, type Heartbeat } from '../postgres/heartbeat-store.ts'

export type ServerPosition = {
  /** It replays what another server writes. */
  standby: boolean
  /** In bytes from the beginning of the log; fits a double for 9 petabytes. */
  position: number
  /** The timeline of the primary; of a replica, that of the primary whose heartbeat it has replayed last. */
  timeline: number
  /** Which database of which cluster; a replica has those of its primary. */
  identity: string
  /** When the server was started: one that was not restarted since has lost nothing that it had. */
  started: number
  /** The row of the heartbeat as the server has it (heartbeat-store.ts). */
  beat_number: number
  beat_timeline: number
  beat_timeline_start: number
}

/** It runs only on PostgreSQL. */
export const serverPosition = reading<NoParameters, ServerPosition>('serverPosition')`
  select pg_is_in_recovery() as standby,
    pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else ${COMMITTED_POSITION} end, '0/0') as position,
    case when pg_is_in_recovery() then heartbeat.timeline else ${CURRENT_TIMELINE} end as timeline,
    heartbeat.number as beat_number, heartbeat.timeline as beat_timeline, heartbeat.timeline_start as beat_timeline_start,
    cast(extract(epoch from pg_postmaster_start_time()) * 1000 as double precision) as started,
    (select system_identifier from pg_control_system()) || ' ' || current_database() as identity
  from heartbeat`

export function beatOf({ beat_number, beat_timeline, beat_timeline_start }: ServerPosition): Heartbeat {
  return { number: beat_number, timeline: beat_timeline, timeline_start: beat_timeline_start }
}
